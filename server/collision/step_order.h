// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Refuses a step without a start while a step of another call of its scene is in flight.
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
#include "server/errors/error_details.h"

namespace warpyard::server {

/// Calls that are in flight together reach the server in no order. A step without a start begins
/// where the last step ended, so its result would depend on chance while a step of another call
/// runs. Such a step is refused; steps with a start may run beside each other. Between two steps of
/// a stream no step may be in flight. So a step without a start is refused, too, if a step of
/// another call came after the last step of its own call. Thread-safe.
class StepOrder : public std::enable_shared_from_this<StepOrder> {
 public:
  /// Marks a step as in flight. Destroying the turn ends that.
  using Turn = std::shared_ptr<void>;

  /// The call of a step.
  struct Caller {
    std::uint64_t call = 0;  ///< CallTracker::NewNumber
    bool goes_on = false;    ///< the call has submitted a step of this scene before
  };

  /// Calls `submit` with the turn of the step. Submissions of a scene happen one after another.
  /// The steps of one call keep their order by themselves.
  /// @errors FAILED_PRECONDITION: needs_last_end, and a step of another call is in flight or came
  /// between
  absl::Status Submit(const Caller& caller, bool needs_last_end,
                      const std::function<void(Turn)>& submit) {
    // The step may end before this function returns, and then release its scene and this object.
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
  /// Call with mutex_ held.
  absl::Status CheckAlone(const Caller& caller) const {
    if (in_flight_.size() > in_flight_.count(caller.call)) {
      return Precondition(
          ErrorReason::kStartMissing, "start",
          "start: missing, while a step of another call of this scene is in flight: wait for its "
          "answer, send start, or send both by one StreamSteps");
    }
    if (caller.goes_on && last_call_ != caller.call) {
      return Precondition(
          ErrorReason::kStartMissing, "start",
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
  std::uint64_t last_call_ = 0;             // the last to submit a step; guarded by mutex_
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_COLLISION_STEP_ORDER_H_
