// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Tasks for tests of the dispatcher: they record how they end, and one keeps a runner busy.
#ifndef WARPYARD_TESTS_UNIT_DISPATCH_DISPATCHER_PROBES_H_
#define WARPYARD_TESTS_UNIT_DISPATCH_DISPATCHER_PROBES_H_

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <future>
#include <memory>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "core/dispatch/dispatcher.h"

namespace warpyard::dispatch {

inline const absl::Time kNever = absl::InfiniteFuture();

inline DispatcherOptions OneDevice(int runners, std::size_t max_pending) {
  DispatcherOptions options;
  options.devices = {{runners, 0, 0}};
  options.max_pending = max_pending;
  return options;
}

/// How a task ended: its status, on which thread, and whether it was run or rejected.
struct Ending {
  absl::Status status;
  std::thread::id thread;
  bool rejected = false;
};

/// A task that ends once; End waits for the end, with a bound.
class Probe {
 public:
  using Body = std::function<absl::Status(const Task::Running&)>;

  Task MakeTask(Body body) {
    Task task;
    task.run = [state = state_, body = std::move(body)](const Task::Running& running) {
      absl::Status status = body(running);
      state->set_value({status, std::this_thread::get_id(), false});
      return status;
    };
    task.reject = [state = state_](absl::Status status) {
      state->set_value({std::move(status), std::this_thread::get_id(), true});
    };
    return task;
  }

  bool HasEnded() const {
    return future_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  }

  Ending End() {
    if (future_.wait_for(std::chrono::seconds(30)) != std::future_status::ready) {
      return {absl::InternalError("the task did not end"), {}, false};
    }
    return future_.get();
  }

 private:
  std::shared_ptr<std::promise<Ending>> state_ = std::make_shared<std::promise<Ending>>();
  std::future<Ending> future_ = state_->get_future();
};

inline absl::Status Succeed(const Task::Running&) { return absl::OkStatus(); }

/// Runs until it is told to end.
inline absl::Status RunUntilCancelled(const Task::Running& running) {
  while (!running.token.Cancelled()) std::this_thread::yield();
  return running.error();
}

/// Keeps a runner busy until it is released.
class Blocker {
 public:
  explicit Blocker(Dispatcher& dispatcher) {
    auto started = std::make_shared<std::promise<void>>();
    std::future<void> has_started = started->get_future();
    dispatcher.Submit({kNever, 100, 0}, probe_.MakeTask([this, started](const Task::Running&) {
      started->set_value();
      released_.wait();
      return absl::OkStatus();
    }));
    has_started.wait();
  }
  ~Blocker() {
    Release();
    EXPECT_TRUE(probe_.End().status.ok());
  }

  void Release() {
    if (!std::exchange(is_released_, true)) release_.set_value();
  }

 private:
  Probe probe_;
  bool is_released_ = false;
  std::promise<void> release_;
  std::shared_future<void> released_ = release_.get_future().share();
};

}  // namespace warpyard::dispatch

#endif  // WARPYARD_TESTS_UNIT_DISPATCH_DISPATCHER_PROBES_H_
