// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Decides which jobs with a deadline a device accepts, so that what it accepts meets its deadlines.
//
// Beyond its capacity a device that takes every job and runs the earliest deadline first meets
// almost none: each job starts when it is nearly too late. So a job is accepted only if the work
// before its deadline fits into the time before it, and if this also holds for the accepted jobs
// with later deadlines [Baruah, Rosier, Howell 1990: the demand bound of EDF]. How long work takes
// is an estimate (work_estimate.h), so the sums are multiplied by a safety factor
// (safety_factor.h).
//
// Tenants: a job may take the place of waiting jobs of a tenant that has more of the time before
// the deadline, relative to its weight. So under overload tenants share by their weights, and a
// tenant within its share loses nothing to one that asks for more.
//
// Large jobs: when the time before the deadlines is full, a small job finds room more often than a
// large one, which then never runs. So while large jobs are refused, small ones leave room for one.
#ifndef WARPYARD_CORE_DISPATCH_ADMISSION_ADMISSION_H_
#define WARPYARD_CORE_DISPATCH_ADMISSION_ADMISSION_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "core/dispatch/admission/accepted_job.h"
#include "core/dispatch/admission/demand_blocks.h"
#include "core/dispatch/admission/safety_factor.h"
#include "core/dispatch/admission/shared_time.h"
#include "core/dispatch/admission/work_estimate.h"

namespace warpyard::dispatch {

inline constexpr std::uint32_t kAdmissionTenants = 16;

struct AdmissionOptions {
  bool on = true;
  /// Shares of tenants, in any unit; 0 counts as 1.
  std::array<std::uint32_t, kAdmissionTenants> weights{};
};

/// What has become of the jobs with deadlines that a device was offered.
struct AdmissionCounts {
  std::uint64_t accepted = 0;
  std::uint64_t refused = 0;   ///< at once: the deadline cannot be met
  std::uint64_t unseen = 0;    ///< refused, and not offered (OfferBacklog)
  std::uint64_t gave_way = 0;  ///< accepted, then refused for a tenant that has less than its share
  std::uint64_t given_up = 0;  ///< accepted, but the deadline could not be met any more
  std::uint64_t missed = 0;    ///< accepted, started, and not done at the deadline
  std::uint64_t late = 0;      ///< run although the deadline could not be met: JobOrder::run_late
};

/// The accepted jobs of one device. A decision takes one step for each block of jobs
/// (demand_blocks.h). A search for jobs of other tenants that could give way takes one step for
/// each job. If the new job has the last deadline and all jobs are of its tenant, a decision takes
/// constant time after a binary search.
/// @scope one thread at a time @units nanoseconds of any clock that does not go back
class Admission {
 public:
  using Key = DeadlineKey;
  struct Request {
    Key key;
    std::uint32_t tenant = 0;     ///< less than kAdmissionTenants
    std::uint64_t chain = 0;      ///< jobs of a chain run one after another; 0: no chain
    WorkEstimate* estimate = {};  ///< outlives the job
  };
  struct Decision {
    bool accepted = false;
    /// If it was refused: when it would have been done.
    std::int64_t expected_ns = 0;
    /// If it was refused: alone it would have been done in time.
    bool others_are_in_the_way = false;
    /// If it was accepted: what it is expected to take, and at least takes.
    double cost_ns = 0, least_ns = 0;
    /// Jobs that had been accepted and are so no more. They wait, or no worker has served them yet.
    std::vector<Key> give_way;
  };
  enum class Ending {
    kMet,      ///< done before the deadline
    kMissed,   ///< done after the deadline, or ended at it
    kGivenUp,  ///< ended or made late work before its start, see IsHopeless
    kOther,    ///< cancelled, or failed
  };

  explicit Admission(const AdmissionOptions& options);

  /// Accepts a job or refuses it. A job of a kind that is not known yet is accepted.
  Decision Offer(const Request& request, std::int64_t now_ns);

  /// Whether a waiting job that would start now cannot be done in time. @shape begun_ns: the
  /// work of others that are about to start before it
  bool IsHopeless(const Key& key, std::int64_t now_ns, double begun_ns = 0);

  void Start(const Key& key, std::int64_t now_ns);

  struct EndedJob {
    Key key;
    Ending ending;
  };
  /// Jobs have ended, started or not, and teach their estimates. Does nothing for jobs that have
  /// left before. @shape jobs: one, or some that shared an event
  void Leave(absl::Span<const EndedJob> jobs, std::int64_t now_ns);
  void Leave(const Key& key, std::int64_t now_ns, Ending ending) { Leave({{key, ending}}, now_ns); }

  const AdmissionCounts& counts() const { return counts_; }
  double safety() const { return safety_.value(); }
  /// The expected time until all accepted jobs are done.
  double BacklogNs(std::int64_t now_ns);
  /// The same of those that run, at the last call.
  double RunningNs() const { return running_ns_; }

 private:
  using Entry = AcceptedJob;
  using Entries = AcceptedJobs;
  /// The accepted jobs of a chain. They run one after another.
  struct Chain {
    std::size_t jobs = 0;
    double waiting_ns = 0;  // the least time of those that wait
    double running_ns = 0;  // of the one that runs, if there is one
    std::int64_t started_ns = 0;
  };
  using Tenants = std::array<double, kAdmissionTenants>;
  /// How a set of jobs looks at one deadline.
  struct Demand {
    bool fits = true;
    std::int64_t deadline_ns = 0;  ///< the first that would be missed
    double before_ns = 0;          ///< work until then
    Tenants tenants{};             ///< the same by tenant
  };

  std::size_t PlaceOf(const Key& key) const;
  Entries::iterator Find(const Key& key);
  void SetLeft(Entry& entry, double left_ns);
  bool MayGiveWay(const Entry& entry, std::int64_t now_ns);
  void Refresh(std::int64_t now_ns);
  void Begin(Entry& entry, std::int64_t now_ns);
  void End(const Entry& entry, std::int64_t now_ns);
  double RoomFor(const Entry& asked, std::int64_t now_ns) const;
  bool IsLastOfOneTenant(const Entry& asked) const;
  bool Fits(const Entry& asked, std::int64_t now_ns, Decision& decision);
  void Forget(const Entry& entry);
  void Remove(Entries::iterator entry, std::int64_t now_ns);
  double ChainNs(std::uint64_t chain, std::int64_t now_ns) const;
  Demand DemandWith(const Entry& asked, std::int64_t now_ns) const;
  bool ChooseOne(const Demand& demand, const Entry& asked, std::int64_t now_ns);
  bool MakeRoom(Demand demand, const Entry& asked, std::int64_t now_ns, Decision& decision);
  void Insert(const Entry& entry);
  void Teach(absl::Span<const EndedJob> jobs, std::int64_t now_ns);

  std::array<double, kAdmissionTenants> weights_;
  Entries entries_;
  DemandBlocks blocks_{entries_};
  std::array<std::size_t, kAdmissionTenants> jobs_{};  // of them, by tenant
  std::size_t waiting_ = 0;                            // of them
  double waiting_ns_ = 0;                              // the work of these
  SharedTime time_;
  double running_ns_ = 0;           // the work left of the jobs that run, at the last Refresh
  std::int64_t refreshed_ns_ = -1;  // when that was
  absl::flat_hash_map<std::uint64_t, Chain> chains_;  // those that have jobs
  SafetyFactor safety_;
  double large_ns_ = 0;  // the most work of jobs that were refused lately
  AdmissionCounts counts_;
};

}  // namespace warpyard::dispatch

#endif  // WARPYARD_CORE_DISPATCH_ADMISSION_ADMISSION_H_
