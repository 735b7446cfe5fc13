// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// An engine for tests of the code around it: the test decides when and how jobs of any workload
// end.
#ifndef WARPYARD_TESTS_SUPPORT_FAKE_ENGINE_H_
#define WARPYARD_TESTS_SUPPORT_FAKE_ENGINE_H_

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "core/engine/engine.h"

namespace warpyard::test_support {

/// Keeps the promises of Engine: each completion runs exactly once, on another thread; jobs can be
/// cancelled, and end when their deadline passes; the destructor cancels the remaining jobs.
///
/// A job starts at once, in order, unless it is held. A job that is to succeed then runs on a real
/// engine with one CPU thread, so that its result is real. Thread-safe.
class FakeEngine final : public Engine {
 public:
  FakeEngine();
  ~FakeEngine() override;

  JobId OpenResident(const JobOptions& options, Open open, OpenDone done) override;
  JobId Run(ResidentId resident, const JobOptions& options, WorkOn work, Done done) override;
  JobId Run(const JobOptions& options, Work work, Done done) override;
  void Cancel(JobId job) override;
  absl::Status Close(ResidentId resident) override;
  EngineStatistics Statistics() const override;
  std::vector<DeviceHealth> Health() const override;
  std::string BackendDescription() const override { return "fake"; }

  /// A held job ends only by EndNext, by a cancellation or by its deadline.
  void HoldJobs(bool hold);
  /// Whether Cancel has an effect.
  void HonourCancel(bool honour);
  /// Waits until `count` jobs are held; false after ten seconds.
  bool WaitForHeld(std::size_t count);
  /// Ends the oldest held job.
  void EndNext(const absl::Status& status);
  /// The status of the jobs that are left when this is destroyed, unless they were cancelled.
  void EndLeftJobsWith(const absl::Status& status);
  /// The status of the jobs from now on.
  void SetOutcome(const absl::Status& status);
  /// Marks one of the two devices "fake:0" and "fake:1" as lost.
  void LoseDevice(std::size_t device);
  /// Options of the jobs so far, in order.
  std::vector<JobOptions> jobs() const;
  std::size_t cancelled_jobs() const;
  /// Calls of Cancel, whether they had an effect or not.
  std::size_t cancel_requests() const;
  std::size_t open_residents() const;
  /// Jobs whose completions have run on the real engine.
  std::size_t ended_jobs() const { return ended_jobs_.load(); }

 private:
  struct Job {
    JobId id;
    absl::Time deadline;
    bool held = false;
    absl::Status outcome;
    Done refuse;
    std::function<void()> start;  ///< on the real engine
  };

  JobId Add(const JobOptions& options, Done refuse, std::function<void()> start);
  void ThreadMain();
  std::list<Job>::iterator NextToEnd();
  absl::Time NextDeadline() const;

  std::atomic<std::size_t> ended_jobs_{0};
  const std::unique_ptr<Engine> engine_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  // mutex_ guards all of these.
  std::list<Job> waiting_;
  std::vector<JobOptions> jobs_;
  std::vector<bool> lost_ = {false, false};
  struct Outcomes {
    absl::Status now;
    absl::Status at_end = absl::CancelledError("the engine ends");
  } outcome_;
  std::uint64_t last_id_ = 0;
  std::size_t cancelled_jobs_ = 0;
  std::size_t cancel_requests_ = 0;
  bool hold_ = false;
  bool honour_cancel_ = true;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_FAKE_ENGINE_H_
