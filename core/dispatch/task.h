// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What the dispatcher runs.
#ifndef WARPYARD_CORE_DISPATCH_TASK_H_
#define WARPYARD_CORE_DISPATCH_TASK_H_

#include <functional>
#include <memory>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "core/dispatch/job_loop.h"
#include "core/procedure/event_runner.h"

namespace warpyard::dispatch {

/// A unit of work. Exactly one of its functions is called, once.
struct Task {
  /// The object that the functions use. They hold plain pointers to it, so none of them needs an
  /// allocation.
  std::shared_ptr<void> state{};
  /// Does the job, completes it, and returns how it ended. `waited`: time since the job was
  /// submitted. The token may fire while the job runs; `error` then returns the status with which
  /// the job should end. `is_late`: the job ranks with those that have no deadline.
  struct Running {
    const procedure::CancelToken& token;
    std::function<absl::Status()> error;
    absl::Duration waited;
    bool is_late = false;
  };
  std::function<absl::Status(const Running&)> run;
  using Ended = std::function<void(absl::Status)>;
  /// The same on a carrier, without blocking it. Calls `ended` on the carrier, within the call or
  /// within JobLoop::Poll. `running` lives until then. Null: the job needs a runner.
  std::function<void(const Running&, JobLoop& loop, Ended ended)> carry;
  /// Completes the job without doing it. A thread of the dispatcher calls it; Submit never does.
  std::function<void(absl::Status)> reject;
};

}  // namespace warpyard::dispatch

#endif  // WARPYARD_CORE_DISPATCH_TASK_H_
