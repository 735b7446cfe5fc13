// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Refuses a step without a start while a step of another call of its scene is in flight.
#ifndef WARPYARD_SERVER_COLLISION_STEP_ORDER_H_
#define WARPYARD_SERVER_COLLISION_STEP_ORDER_H_

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "absl/status/status.h"

namespace warpyard::server {

/// Calls that are in flight together reach the server in no order. A step without a start begins
/// where the last step ended, so its result would depend on chance while a step of another call
/// runs. Such a step is refused; steps with a start may run beside each other. Thread-safe.
class StepOrder : public std::enable_shared_from_this<StepOrder> {
 public:
  /// Marks a step as in flight. Destroying the turn ends that.
  using Turn = std::shared_ptr<void>;

  /// Calls `submit` with the turn of the step. Submissions of a scene happen one after another.
  /// @shape call: the call of the step; the steps of one call keep their order by themselves
  /// @errors FAILED_PRECONDITION: needs_last_end, and a step of another call is in flight
  absl::Status Submit(const void* call, bool needs_last_end,
                      const std::function<void(Turn)>& submit) {
    // The step may end before this function returns, and then release its scene and this object.
    const std::shared_ptr<StepOrder> self = shared_from_this();
    const std::lock_guard order(order_);
    {
      const std::lock_guard lock(mutex_);
      const bool others = in_flight_.size() > in_flight_.count(call);
      if (needs_last_end && others) {
        return absl::FailedPreconditionError(
            "start: missing, while a step of another call of this scene is in flight: wait for its "
            "answer, send start, or send both by one StreamSteps");
      }
      ++in_flight_[call];
    }
    submit(Turn(this, [self = shared_from_this(), call](StepOrder*) { self->End(call); }));
    return absl::OkStatus();
  }

 private:
  void End(const void* call) {
    const std::lock_guard lock(mutex_);
    const auto found = in_flight_.find(call);
    if (--found->second == 0) in_flight_.erase(found);
  }

  std::mutex order_;                      // held while a step is submitted
  std::mutex mutex_;                      // a step may end while another one is submitted
  std::map<const void*, int> in_flight_;  // steps of each call; guarded by mutex_
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_COLLISION_STEP_ORDER_H_
