// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Keeps steps of a scene that begin where the last one ended apart from steps of other calls.
#ifndef WARPYARD_SERVER_COLLISION_STEP_ORDER_H_
#define WARPYARD_SERVER_COLLISION_STEP_ORDER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "absl/status/status.h"
#include "core/base/macros.h"

namespace warpyard::server {

/// Calls that are in flight together reach the server in no order. A step without a start begins
/// where the last step ended, so its result would depend on chance while a step of another call
/// runs. Such a step is refused; steps with a start may run beside each other. Between two steps of
/// a stream none may be in flight, so a step without a start is refused, too, where a step of
/// another call came after the last one of its own. Thread-safe.
class StepOrder : public std::enable_shared_from_this<StepOrder> {
 public:
  /// A step that is in flight, until this is destroyed.
  using Turn = std::shared_ptr<void>;

  /// Whose step it is.
  struct Caller {
    std::uint64_t call = 0;  ///< CallTracker::NewNumber
    bool goes_on = false;    ///< the call has submitted a step of this scene before
  };

  /// Calls `submit` with the turn of the step; submissions of a scene happen one after another.
  /// The steps of one call keep their order by themselves.
  /// @errors FAILED_PRECONDITION: needs_last_end, and a step of another call is in flight or came
  /// between
  absl::Status Submit(const Caller& caller, bool needs_last_end,
                      const std::function<void(Turn)>& submit) {
    // The step may end, and let go of its scene, before this returns.
    const std::shared_ptr<StepOrder> self = shared_from_this();
    const std::lock_guard order(order_);
    {
      const std::lock_guard lock(mutex_);
      if (needs_last_end) WY_RETURN_IF_ERROR(CheckAlone(caller));
      last_call_ = caller.call;
      ++in_flight_[caller.call];
    }
    submit(Turn(this, [self, call = caller.call](StepOrder*) { self->End(call); }));
    return absl::OkStatus();
  }

 private:
  /// With mutex_ held.
  absl::Status CheckAlone(const Caller& caller) const {
    if (in_flight_.size() > in_flight_.count(caller.call)) {
      return absl::FailedPreconditionError(
          "start: missing, while a step of another call of this scene is in flight: wait for its "
          "answer, send start, or send both by one StreamSteps");
    }
    if (caller.goes_on && last_call_ != caller.call) {
      return absl::FailedPreconditionError(
          "start: missing, and another call has moved this scene since the last step of this "
          "stream: send start, or send the steps of both by one StreamSteps");
    }
    return absl::OkStatus();
  }

  void End(std::uint64_t call) {
    const std::lock_guard lock(mutex_);
    const auto found = in_flight_.find(call);
    if (--found->second == 0) in_flight_.erase(found);
  }

  std::mutex order_;                        // held while a step is submitted
  std::mutex mutex_;                        // a step may end while another one is submitted
  std::map<std::uint64_t, int> in_flight_;  // steps of each call; guarded by mutex_
  std::uint64_t last_call_ = 0;             // that submitted a step; guarded by mutex_
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_COLLISION_STEP_ORDER_H_
