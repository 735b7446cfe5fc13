// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// How host code of a workload runs an event without knowing the execution model.
#ifndef WARPYARD_CORE_PROCEDURE_EVENT_RUNNER_H_
#define WARPYARD_CORE_PROCEDURE_EVENT_RUNNER_H_

#include <atomic>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace warpyard::procedure {

/// Asks a running event to end. Set once; the execution model reads it.
class CancelToken {
 public:
  void Cancel() { cancelled_.store(true, std::memory_order_release); }
  bool Cancelled() const { return cancelled_.load(std::memory_order_acquire); }

 private:
  std::atomic<bool> cancelled_{false};
};

/// When the stages of an event began, in device time. @shape begin_ns: [stages + 1]; the last entry
///     is the end of the last stage
struct StageTimes {
  static constexpr std::size_t kUsual = 24;  // without an allocation
  absl::InlinedVector<std::uint64_t, kUsual> begin_ns;
  std::uint32_t jobs = 1;  ///< that shared the event

  /// Nanoseconds from the beginning of stage `first` to the beginning of stage `last`.
  std::uint64_t Between(std::size_t first, std::size_t last) const {
    return begin_ns[last] - begin_ns[first];
  }
  /// Nanoseconds from the beginning of the first stage to the end of the last.
  std::uint64_t All() const { return begin_ns.back() - begin_ns.front(); }
};

/// Gets the end of an event.
using EventEnded = std::function<void(absl::StatusOr<StageTimes>)>;

/// Runs one event at a time for each caller; many callers may run events at once.
template <class Job>
class EventRunner {
 public:
  virtual ~EventRunner() = default;

  /// The end of an event, for coroutines: `co_await runner.Await(job, token)`. It suspends the
  /// coroutine if the runner can start events, and blocks else. @errors as Run
  auto Await(const Job& job, const CancelToken& token) { return Awaiter{*this, job, token}; }

  /// Runs all stages of `job`; blocks until the event is done.
  /// @errors CANCELLED (by the token), UNAVAILABLE (the device is lost), INTERNAL (workers stuck),
  ///     RESOURCE_EXHAUSTED (spawned elements found no room), ABORTED (a procedure failed),
  ///     UNIMPLEMENTED (the workers' program does not have what the job needs)
  virtual absl::StatusOr<StageTimes> Run(const Job& job, const CancelToken& token) = 0;

  /// Whether the caller's thread is shared with other callers. Run makes these wait, so it is only
  /// for what happens seldom.
  virtual bool Starts() const { return false; }
  /// Starts an event; its end comes later, on the same thread. @scope only if Starts()
  /// @shape token: lives until then
  /// @errors as Run; `ended` is not called then
  virtual absl::Status Start(const Job& job, const CancelToken& token, EventEnded ended) {
    static_cast<void>(job), static_cast<void>(token), static_cast<void>(ended);
    return absl::UnimplementedError("this runner blocks");
  }

  /// Whether Program::Finish is called before an event is done; see EventTable.
  virtual bool CallsFinish() const { return false; }

  /// About how many blocks of workers run at the same time.
  virtual std::uint32_t Workers() const { return 1; }

 private:
  struct Awaiter {
    EventRunner& runner;
    const Job& job;
    const CancelToken& token;
    std::optional<absl::StatusOr<StageTimes>> result{};

    bool await_ready() {
      if (runner.Starts()) return false;
      result = runner.Run(job, token);
      return true;
    }
    bool await_suspend(std::coroutine_handle<> waiting) {
      const absl::Status started =
          runner.Start(job, token, [this, waiting](absl::StatusOr<StageTimes> end) {
            result = std::move(end);
            waiting.resume();
          });
      if (!started.ok()) result = started;
      return started.ok();
    }
    absl::StatusOr<StageTimes> await_resume() { return *std::move(result); }
  };
};

}  // namespace warpyard::procedure

#endif  // WARPYARD_CORE_PROCEDURE_EVENT_RUNNER_H_
