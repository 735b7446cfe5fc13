// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The events of the jobs that share a carrier (dispatch/job_loop.h).
//
// Small jobs of a kind that wait at the same time share an event: dynamic batching (docs/adr/0050).
// No job waits for others to come. But while a carrier has an event of a kind, jobs of that kind
// wait for its end, except for a second one where there are few; the busier a device is, the more
// jobs have an event in common.
#ifndef WARPYARD_CORE_ENGINE_EVENT_LOOP_H_
#define WARPYARD_CORE_ENGINE_EVENT_LOOP_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/bell.h"
#include "core/device/backend.h"
#include "core/dispatch/job_loop.h"
#include "core/engine/batch_memory.h"
#include "core/engine/device_workers.h"
#include "core/policy/policy.h"
#include "core/procedure/any_job.h"
#include "core/procedure/event_runner.h"

namespace warpyard {

/// @scope one carrier
class EventLoop final : public dispatch::JobLoop {
 public:
  /// The most jobs of an event. A group of jobs has one event of several jobs at a time: other
  /// carriers' events keep the workers busy while the host ends this one and prepares the next.
  static constexpr std::size_t kMostJobs = 64;
  /// So few jobs have events of their own where no other event of their group runs: a batch has two
  /// stages more than a job.
  static constexpr std::size_t kFewJobs = 2;
  /// How many jobs are prepared while an event runs that they have to wait for.
  static constexpr std::size_t kAhead = 32;

  /// @shape bell: the carrier's; backend: of the workers, for batches; null: each job has an event
  ///     of its own. All outlive the object
  EventLoop(DeviceWorkers& workers, Bell& bell, device::Backend* backend = nullptr);

  /// As EventRunner::Start. Poll calls `ended`.
  absl::Status Start(const procedure::AnyJob& job, const policy::EventAttributes& attributes,
                     const procedure::CancelToken& token, procedure::EventEnded ended);

  bool Poll() override;

  std::size_t Room(bool has_deadline) const override;
  std::uint64_t Ends() const override { return ends_; }
  std::size_t Waiting() const override { return waiting_.size() + running_jobs_; }
  bool RingsBell() const override { return workers_.RingsBells(); }

 private:
  using Clock = std::chrono::steady_clock;

  /// Jobs that may share an event: for the device and for the policy they are alike.
  struct Group {
    procedure::JobType type;
    std::uint64_t key;
    std::uint32_t priority, tenant;
    int time_left;  ///< until the deadline, within a factor of 16; kNoDeadline: there is none
    friend bool operator==(const Group&, const Group&) = default;
  };
  struct Job {
    procedure::AnyJob job;
    policy::EventAttributes attributes;
    const procedure::CancelToken* token;
    procedure::EventEnded ended;
    std::optional<Group> group;  // none: it has an event of its own

    bool HasDeadline() const { return attributes.deadline_ns != policy::kNoDeadline; }
  };
  struct Event {
    std::unique_ptr<model::StartedEvent> event;
    std::vector<Job> jobs;
    std::unique_ptr<BatchMemory> memory;  // of several jobs

    bool IsOf(const Group& group) const { return jobs.front().group == group; }
    bool IsShared() const { return jobs.size() > 1; }
  };

  static constexpr int kNoDeadline = -1;
  /// How often to look whether an event may start where none may: that takes a lock which others
  /// need.
  static constexpr std::chrono::microseconds kPause{20};

  static policy::EventAttributes Common(const std::vector<Job>& jobs);
  std::optional<Group> GroupOf(const procedure::AnyJob& job,
                               const policy::EventAttributes& attributes) const;
  void AddWaiting(Job job);
  std::size_t EventsOf(const Group& group) const;
  std::size_t WaitingOf(const Group& group) const;
  bool HasToWait(const Job& job) const;
  bool EndCancelled();
  bool StartWaiting();
  bool StartFrom(std::size_t first);
  std::vector<Job> TakeTogether(std::size_t first);
  std::vector<Job> Take(std::vector<Job>::iterator from);
  absl::StatusOr<bool> StartTogether(std::vector<Job>& jobs);
  absl::StatusOr<bool> StartAlone(Job& job);
  void End(Event& event, absl::StatusOr<procedure::StageTimes> end);
  void EndAll(const std::vector<Job>& jobs, const absl::StatusOr<procedure::StageTimes>& end);

  DeviceWorkers& workers_;
  Bell& bell_;
  std::optional<BatchMemories> memories_;  // none: no batches
  std::vector<Job> waiting_;               // the earliest deadline first
  std::vector<Event> events_;
  std::size_t running_jobs_ = 0;  // of these events
  std::uint64_t ends_ = 0;
  /// Whether as many events run on the device as may, without a deadline and with one.
  bool is_full_[2] = {false, false};
  Clock::time_point full_since_;
};

}  // namespace warpyard

#endif  // WARPYARD_CORE_ENGINE_EVENT_LOOP_H_
