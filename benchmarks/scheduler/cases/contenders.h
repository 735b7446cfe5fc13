// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Contenders that run jobs with deadlines beside background jobs: the scheduler with several
// policies, or kernels on prioritised streams.
#ifndef WARPYARD_BENCHMARKS_SCHEDULER_CASES_CONTENDERS_H_
#define WARPYARD_BENCHMARKS_SCHEDULER_CASES_CONTENDERS_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "benchmarks/scheduler/machine.h"
#include "benchmarks/scheduler/session.h"

namespace warpyard::bench {

/// Thread-safe. @shape thread: of the caller, numbered from 0 in each of the two kinds
class Contender {
 public:
  virtual ~Contender() = default;
  virtual absl::Status RunBackground(const synthetic::SyntheticJob& job,
                                     const procedure::CancelToken& token, unsigned thread) = 0;
  virtual absl::Status RunUrgent(const synthetic::SyntheticJob& job, std::uint64_t deadline_ns,
                                 unsigned thread) = 0;
  /// Time that workers have executed, averaged over the workers; 0: not known.
  virtual double WorkersBusySeconds() const { return 0; }
};

class ScheduledContender final : public Contender {
 public:
  explicit ScheduledContender(std::unique_ptr<Session> session) : session_(std::move(session)) {}

  Session& session() { return *session_; }
  absl::Status RunBackground(const synthetic::SyntheticJob& job,
                             const procedure::CancelToken& token, unsigned) override {
    return session_->model().Run(job, {}, token).status();
  }
  absl::Status RunUrgent(const synthetic::SyntheticJob& job, std::uint64_t deadline_ns,
                         unsigned) override {
    const procedure::CancelToken never;
    policy::EventAttributes attributes;
    attributes.deadline_ns = deadline_ns;
    return session_->model().Run(job, attributes, never).status();
  }
  double WorkersBusySeconds() const override { return session_->WorkersBusySeconds(); }

 private:
  const std::unique_ptr<Session> session_;
};

class StreamContender final : public Contender {
 public:
  explicit StreamContender(std::unique_ptr<PlainStreams> streams) : streams_(std::move(streams)) {}

  /// Plain kernels cannot be cancelled: the job must end by itself.
  absl::Status RunBackground(const synthetic::SyntheticJob& job, const procedure::CancelToken&,
                             unsigned thread) override {
    return streams_->Run(job, PlainStreams::Urgency::kBackground, thread);
  }
  absl::Status RunUrgent(const synthetic::SyntheticJob& job, std::uint64_t,
                         unsigned thread) override {
    return streams_->Run(job, PlainStreams::Urgency::kUrgent, thread);
  }

 private:
  const std::unique_ptr<PlainStreams> streams_;
};

/// What happens to running background jobs when no more are wanted.
enum class Ending { kByThemselves, kCancelled };

/// Runs background jobs one after the other from a few callers, so that there is always one more.
class Background {
 public:
  Background(Contender& contender, const synthetic::SyntheticJob& job, unsigned threads,
             Ending ending = Ending::kByThemselves)
      : ending_(ending) {
    for (unsigned i = 0; i < threads; ++i) {
      threads_.emplace_back([this, &contender, job, i] {
        while (!stop_) {
          const absl::Status end = contender.RunBackground(job, token_, i);
          if (stop_ && absl::IsCancelled(end)) return;
          if (!end.ok()) return Note(end);
          ++finished_;
        }
      });
    }
  }
  ~Background() { Stop(); }

  /// Waits for the running jobs to end. @shape returns: the number of jobs that were run to their
  /// ends
  std::uint64_t Stop() {
    stop_ = true;
    if (ending_ == Ending::kCancelled) token_.Cancel();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
    return finished_;
  }

  /// @scope after Stop
  const absl::Status& status() const { return status_; }

 private:
  void Note(const absl::Status& end) {
    std::lock_guard lock(mutex_);
    status_.Update(end);
  }

  const Ending ending_;
  procedure::CancelToken token_;
  std::atomic<bool> stop_{false};
  std::atomic<std::uint64_t> finished_{0};
  std::mutex mutex_;
  absl::Status status_;
  std::vector<std::thread> threads_;
};

}  // namespace warpyard::bench

#endif  // WARPYARD_BENCHMARKS_SCHEDULER_CASES_CONTENDERS_H_
