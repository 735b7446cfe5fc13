// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Starts waiting jobs on the threads of their devices. Ends jobs that are cancelled or late.
//
// A device has runners, each of which runs one job, and carriers, each of which runs many. A job
// that blocks while it waits for its events, or computes for long on the host, needs a runner. A
// job that does neither is carried: that spares it two wake-ups of a thread, which take as long as
// a short job, and the device many threads that look for the ends of their events.
#ifndef WARPYARD_CORE_DISPATCH_DISPATCHER_H_
#define WARPYARD_CORE_DISPATCH_DISPATCHER_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "core/base/bell.h"
#include "core/base/ids.h"
#include "core/dispatch/admission/guarded_admission.h"
#include "core/dispatch/admission/offer_backlog.h"
#include "core/dispatch/admission/work_estimate.h"
#include "core/dispatch/clerk.h"
#include "core/dispatch/deliveries.h"
#include "core/dispatch/inbox.h"
#include "core/dispatch/job_queue.h"
#include "core/dispatch/task.h"
#include "core/procedure/event_runner.h"

namespace warpyard::dispatch {

/// How many jobs of a device run at the same time. Of the runners, and of the places for carried
/// jobs, some are reserved for jobs that cannot wait: a job without a deadline, or with a far
/// deadline, cannot take these places.
struct RunnerLimits {
  int runners = 1;                  ///< each has one job
  int kept_for_deadlines = 0;       ///< reserved for jobs with a deadline
  int kept_for_near_deadlines = 0;  ///< reserved for jobs with a near deadline
  int carriers = 0;                 ///< 0: runners run all jobs
  int carried = 0;                  ///< places for carried jobs; 0: as many as runners
};

struct DispatcherOptions {
  std::vector<RunnerLimits> devices = {RunnerLimits{}};  ///< by number
  /// Makes the loop of a carrier. Each carrier calls it first of all, so it is needed where there
  /// are carriers. @shape bell: the carrier's
  std::function<std::unique_ptr<JobLoop>(std::size_t device, Bell& bell)> make_loop;
  std::size_t max_pending = 1024;  ///< jobs that wait, over all devices
  /// A job that runs longer ends with RESOURCE_EXHAUSTED.
  absl::Duration time_limit = absl::InfiniteDuration();
  AdmissionOptions admission;
};

/// When and where a job runs.
struct JobOrder {
  absl::Time deadline = absl::InfiniteFuture();
  int priority = 0;         ///< higher is sooner
  std::uint64_t chain = 0;  ///< see JobQueue; all jobs of a chain have one device
  std::size_t device = 0;
  /// The thread that submits a job runs it within Submit if it may start at once. That saves two
  /// wake-ups, of a runner at the start and of the submitting thread at the end. Each takes as long
  /// as a short job.
  bool on_submitting_thread = false;
  /// A job that cannot meet its deadline runs anyway, after all others, and its deadline does not
  /// end it.
  bool run_late = false;
  std::uint32_t tenant = 0;  ///< less than kAdmissionTenants
  /// How long jobs of this kind take on this device. Null: the dispatcher accepts the deadline
  /// without a check.
  std::shared_ptr<WorkEstimate> estimate = nullptr;
};

/// Thread-safe. The destructor rejects waiting jobs (CANCELLED), cancels running jobs, and waits
/// for them.
class Dispatcher {
 public:
  /// A deadline that is at most this far away is near.
  static constexpr absl::Duration kNear = absl::Seconds(1);
  /// An infinite time overflows in condition variables, so waits take at most this long.
  static constexpr absl::Duration kLongest = absl::Hours(24 * 365);

  explicit Dispatcher(const DispatcherOptions& options);
  ~Dispatcher();

  /// Refuses a job that is about to be submitted, if its fate is known at once, and counts that.
  /// In overload most jobs are refused, and a caller that asks before it makes the task spares
  /// them most of their cost. @shape returns why; the caller then calls Reject instead of Submit
  std::optional<Refusal> Refuse(const JobOrder& order);

  /// Queues a task. It is rejected with RESOURCE_EXHAUSTED when `max_pending` tasks wait or when it
  /// would be late (admission.h), or with DEADLINE_EXCEEDED. But only Refuse heeds how many jobs
  /// wait for admission (OfferBacklog).
  JobId Submit(const JobOrder& order, Task task);

  /// Rejects a task that failed or was refused before it could be queued.
  void Reject(Task task, Refusal why);

  /// Ends a job early with CANCELLED; unknown or finished jobs are ignored.
  void Cancel(JobId id);

  /// Jobs of one priority that wait.
  struct Waiting {
    std::size_t jobs = 0;
    absl::Time oldest = absl::InfiniteFuture();  ///< when the first of them was submitted
  };

  /// Also counts jobs that no thread has accepted or refused yet, which PendingByPriority does not;
  /// but not those that a thread is offering to admission now.
  std::size_t Pending() const;
  /// By priority; a priority of which no job waits is left out.
  std::map<int, Waiting> PendingByPriority() const;
  std::size_t Running() const;
  std::size_t RunningOn(std::size_t device) const;
  std::size_t MaxPending() const { return options_.max_pending; }

  /// What a device's admission has done, and what it expects now.
  struct AdmissionState {
    AdmissionCounts counts;
    double safety = 1;
    absl::Duration backlog;  ///< expected time until all accepted jobs with deadlines are done
  };
  AdmissionState AdmissionOn(std::size_t device) const;

 private:
  struct Job;
  using JobPointer = std::shared_ptr<Job>;
  using Alarms = std::multimap<absl::Time, JobPointer>;
  using Changes = absl::InlinedVector<GuardedAdmission::Change, 64>;  // a carrier's turn
  /// How long a job can wait. Jobs of a later kind leave runners free for jobs of the earlier
  /// kinds.
  enum class Urgency : std::size_t { kNear, kFar, kNone };
  /// Which threads run a job; of JobQueue.
  enum Lane : std::size_t { kOfRunners, kOfCarriers };
  enum class EndReason { kCancelled, kLate, kTimeLimit, kGaveWay };
  struct Job {
    JobId id;
    absl::Time submitted;
    JobOrder order;
    Task task;
    procedure::CancelToken token;
    std::atomic<EndReason> why_cancelled = EndReason::kCancelled;
    double cost_ns = 0, least_ns = 0;      // when it was accepted
    std::vector<Admission::Key> give_way;  // jobs that were accepted before; of a job to accept
    Urgency started_as = Urgency::kNone;
    Lane lane = kOfRunners;                // of carriers, if the device has some and the task can
    std::optional<Task::Running> running;  // of a job that started
    bool is_late = false;                  // it ranks behind the others
    std::optional<Alarms::iterator> alarm;
  };
  using Started = JobQueue<JobPointer>::Started;
  struct Ended {
    Started started;
    absl::Status status;
    std::uint64_t event = 0;  // JobLoop::Ends
  };
  /// A thread that runs several jobs.
  struct Carrier {
    Dispatcher* dispatcher = nullptr;
    Bell bell;
    std::atomic<bool> called = false;  // to look for jobs. Set with the lock
    /// Whether its loop has room for jobs without and with a deadline. Without, nobody calls the
    /// carrier for such a job: it looks for jobs when it has room again. Cleared with the lock.
    std::atomic<bool> has_room[2] = {true, true};

    bool HasRoomFor(Urgency urgency) const {
      return has_room[urgency != Urgency::kNone].load(std::memory_order_relaxed);
    }
    std::unique_ptr<JobLoop> loop;
    std::vector<Ended> ended;    // the carrier's own
    bool has_submitted = false;  // a job that it has to offer; its own
    std::size_t jobs = 0;        // that it runs. With the lock
    std::thread thread;
  };
  struct RunnerPool {
    RunnerPool(const RunnerLimits& runner_limits, const AdmissionOptions& options)
        : limits(runner_limits), admission(options) {}

    const RunnerLimits limits;
    GuardedAdmission admission;
    JobQueue<JobPointer> waiting;
    std::size_t late_waiting = 0;  // of them
    bool has_new = false;          // jobs wait that nobody was told of
    std::condition_variable ready;
    std::size_t running[2][3] = {};  // by lane, and by urgency when they started
    std::vector<std::thread> runners;
    std::vector<std::unique_ptr<Carrier>> carriers;
  };

  /// Jobs on their way to the queues of their devices.
  struct Arrivals {
    Arrivals(std::size_t most, const AdmissionOptions& options, std::function<void()> pass_on)
        : submitted(most),
          backlog(options.weights),
          offered(most),
          clerk(submitted, std::move(pass_on)) {}

    /// One thread at a time offers the jobs of all threads to admission. So the jobs of a chain
    /// stay in order, and few caches hold the memory of admission. While many jobs come, the clerk
    /// is this thread.
    Inbox<JobPointer> submitted;
    OfferBacklog backlog;  ///< those of them with deadlines
    std::mutex offer_mutex;
    /// Those of them that were not refused, until a thread accepts them with the dispatcher's lock.
    Inbox<JobPointer> offered;
    /// Carriers that are about to take that lock, and to accept what was offered. Others leave it
    /// to them: in overload a carrier would seldom get the lock among all that submit.
    std::atomic<int> carriers_to_come = 0;
    Clerk<JobPointer> clerk;  ///< of `submitted`; last: its thread uses the others
  };

  /// Ends jobs when their time is up, on a thread of its own.
  struct AlarmClock {
    Alarms alarms;  // of waiting jobs: their deadlines; of running jobs: deadlines or time limits
    std::condition_variable changed;
    absl::Time wakes_at = absl::InfiniteFuture();
    std::thread thread;
  };

  void RunnerMain(RunnerPool& pool);
  void CarrierMain(std::size_t device, Carrier& carrier);
  void WaitForJobs(Carrier& carrier, absl::Duration longest);
  static void Carry(Carrier& carrier, const Started& started) noexcept;
  bool IsCarrier() const { return this_carrier_ != nullptr && this_carrier_->dispatcher == this; }
  void LockForCarrier(std::unique_lock<std::mutex>& lock);
  void AlarmMain();
  std::optional<Refusal> RefusalOf(const JobOrder& order, absl::Time now);
  std::optional<Refusal> RefusalUnseen(const JobOrder& order, absl::Time now);
  void OfferAll();
  void PassOn(std::unique_lock<std::mutex> offer_lock);
  std::optional<std::uint64_t> OfferSubmitted();
  std::optional<Refusal> Offer(RunnerPool& pool, Job& job);
  static void StartAll(RunnerPool& pool, absl::Span<const Started> begun);
  static void Leave(RunnerPool& pool, absl::Span<const Ended> ended);
  static void Leave(RunnerPool& pool, const Job& job, Admission::Ending ending);
  // The caller holds the lock.
  void AcceptOffered();
  void AnnounceNew();
  void Accept(const JobPointer& job);
  static Urgency UrgencyOf(absl::Time deadline, absl::Time now);
  static bool MayStart(const RunnerPool& pool, Lane lane, Urgency urgency);
  static Started TakeHead(RunnerPool& pool, Lane lane, Urgency urgency);
  static bool IsToBeTold(const RunnerPool& pool, Lane lane, std::optional<Urgency> first);
  static bool Announce(RunnerPool& pool);
  static Carrier* CarrierToCall(const RunnerPool& pool, Urgency urgency);
  static std::optional<Urgency> FirstOf(const RunnerPool& pool, Lane lane);
  static absl::Duration UntilNear(const RunnerPool& pool, Lane lane, absl::Time now);
  std::optional<Started> TakeCarried(RunnerPool& pool, absl::Time now, absl::Span<std::size_t> room,
                                     double begun_ns);
  void TakeJobs(RunnerPool& pool, Carrier& carrier, std::vector<Started>& begun);
  std::optional<Started> AwaitJob(RunnerPool& pool, std::unique_lock<std::mutex>& lock);
  std::optional<Started> TakeIfNext(RunnerPool& pool, const Job& job, absl::Time now);
  void RunIfNext(JobPointer job, std::unique_lock<std::mutex>& lock);
  static Admission::Ending EndingOf(const Job& job, const absl::Status& status, absl::Time end);
  void Begin(const JobPointer& job);
  void Finish(RunnerPool& pool, absl::Span<const Ended> ended);
  void RunJob(RunnerPool& pool, Started started, std::unique_lock<std::mutex>& lock) noexcept;
  static thread_local Carrier* this_carrier_;  // null: this thread is none
  std::size_t PendingLocked() const;
  absl::Status EndOf(const Job& job) const;
  static Admission::Key KeyOf(const Job& job) {
    return {absl::ToUnixNanos(job.order.deadline), job.id.value};
  }
  std::optional<Refusal> Admit(RunnerPool& pool, Job& job);
  void TakeBack(RunnerPool& pool, const Admission::Key& key);
  void MakeLateOrReject(RunnerPool& pool, const JobPointer& job, absl::Status status);
  void GiveUpHopelessJobs(RunnerPool& pool, Lane lane, double begun_ns);
  void SetAlarm(const JobPointer& job, absl::Time at);
  void ForgetAlarm(Job& job);
  void EndJobsWhoseTimeIsUp(absl::Time now);

  const DispatcherOptions options_;
  Arrivals arrivals_;
  std::atomic<std::uint64_t> last_id_ = 0;
  Deliveries deliveries_;
  mutable std::mutex mutex_;  // of all below but each pool's admission
  std::vector<std::unique_ptr<RunnerPool>> pools_;
  AlarmClock alarm_clock_;
  absl::flat_hash_map<std::uint64_t, JobPointer> running_;  // by id
  bool stop_ = false;                                       // no job starts any more
  std::size_t lent_ = 0;  // submitting threads that run their own job
  std::condition_variable lent_ended_;
  bool runners_ended_ = false;  // nothing can be submitted any more
};

}  // namespace warpyard::dispatch

#endif  // WARPYARD_CORE_DISPATCH_DISPATCHER_H_
