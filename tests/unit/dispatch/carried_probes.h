// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Jobs that are carried, and a loop for their events, for tests of the dispatcher.
#ifndef WARPYARD_TESTS_UNIT_DISPATCH_CARRIED_PROBES_H_
#define WARPYARD_TESTS_UNIT_DISPATCH_CARRIED_PROBES_H_

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/base/bell.h"
#include "core/dispatch/dispatcher.h"
#include "tests/unit/dispatch/dispatcher_probes.h"

namespace warpyard::dispatch {

/// An event of a job that is carried. It ends by itself, or when it is told to, or by its token.
struct FakeEvent {
  std::shared_ptr<std::atomic<bool>> is_over;
  const procedure::CancelToken* token;
  std::function<void()> ended;
};

class FakeLoop final : public JobLoop {
 public:
  explicit FakeLoop(bool rings, std::size_t most = 1000) : rings_(rings), most_(most) {}

  void Start(FakeEvent event) { events_.push_back(std::move(event)); }

  bool Poll() override {
    std::vector<FakeEvent> over;
    for (std::size_t i = 0; i < events_.size();) {
      if (*events_[i].is_over || events_[i].token->Cancelled()) {
        over.push_back(std::move(events_[i]));
        events_.erase(events_.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        ++i;
      }
    }
    for (const FakeEvent& event : over) event.ended();
    return !over.empty();
  }
  /// As if events with a deadline were none.
  std::size_t Room(bool has_deadline) const override {
    return has_deadline ? most_ : most_ - std::min(events_.size(), most_);
  }
  std::uint64_t Ends() const override { return 0; }
  std::size_t Waiting() const override { return events_.size(); }
  bool RingsBell() const override { return rings_; }

 private:
  const bool rings_;
  const std::size_t most_;
  std::vector<FakeEvent> events_;
};

/// @shape room: of each carrier
inline DispatcherOptions Carrying(int carriers, bool rings = false, int runners = 8,
                                  std::size_t room = 1000) {
  DispatcherOptions options;
  options.devices = {{runners, 0, 0, carriers}};
  options.make_loop = [rings, room](std::size_t, Bell&) {
    return std::make_unique<FakeLoop>(rings, room);
  };
  return options;
}

/// A job with so many events that is carried. All of them end at once if `is_over` is true from the
/// start.
class CarriedProbe {
 public:
  explicit CarriedProbe(int events = 1, bool is_over = true)
      : events_(events), is_over_(std::make_shared<std::atomic<bool>>(is_over)) {}

  Task MakeTask() {
    Task task = probe_.MakeTask(
        [](const Task::Running&) { return absl::InternalError("a runner runs it"); });
    task.carry = [this, state = std::make_shared<Probe*>(&probe_)](
                     const Task::Running& running, JobLoop& loop, Task::Ended ended) {
      ++started_;
      Next(running, static_cast<FakeLoop&>(loop), events_, std::move(ended));
    };
    return task;
  }

  void EndEvents() { *is_over_ = true; }
  int Started() const { return started_; }

  /// Waits for the end, with a bound.
  absl::Status End() {
    if (future_.wait_for(std::chrono::seconds(30)) != std::future_status::ready) {
      return absl::InternalError("the job did not end");
    }
    return future_.get();
  }
  std::thread::id thread() const { return thread_; }
  Probe& rejection() { return probe_; }

 private:
  void Next(const Task::Running& running, FakeLoop& loop, int left, Task::Ended ended) {
    if (left == 0 || running.token.Cancelled()) {
      thread_ = std::this_thread::get_id();
      const absl::Status status = running.token.Cancelled() ? running.error() : absl::OkStatus();
      end_.set_value(status);
      return ended(status);
    }
    loop.Start({is_over_, &running.token,
                [this, &running, &loop, left, ended] { Next(running, loop, left - 1, ended); }});
  }

  Probe probe_;
  const int events_;
  std::shared_ptr<std::atomic<bool>> is_over_;
  std::atomic<int> started_ = 0;
  std::thread::id thread_;
  std::promise<absl::Status> end_;
  std::future<absl::Status> future_ = end_.get_future();
};

/// Waits until it is true, with a bound.
template <class Condition>
bool Soon(Condition condition) {
  const absl::Time limit = absl::Now() + absl::Seconds(30);
  while (!condition()) {
    if (absl::Now() > limit) return false;
    std::this_thread::yield();
  }
  return true;
}

}  // namespace warpyard::dispatch

#endif  // WARPYARD_TESTS_UNIT_DISPATCH_CARRIED_PROBES_H_
