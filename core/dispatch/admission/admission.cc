// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/dispatch/admission/admission.h"

#include <algorithm>
#include <utility>

#include "absl/container/inlined_vector.h"

namespace warpyard::dispatch {
namespace {

/// A job that has had more than its estimate has at least this part of it left.
constexpr double kLeastLeft = 0.25;

/// Each job of an event is expected to cost this part of the mean more than its estimate says. So
/// the estimates of jobs that share events become alike, and no estimate stays at nothing.
constexpr double kLeastPart = 0.25;

/// How fast the size of refused jobs is forgotten, at each job.
constexpr double kForgetLarge = 1.0 / 256;

/// One job never pushes out more others.
constexpr int kMostGiveWay = 64;

}  // namespace

Admission::Admission(const AdmissionOptions& options) {
  for (std::size_t i = 0; i < weights_.size(); ++i) weights_[i] = std::max(options.weights[i], 1u);
}

Admission::Entries::iterator Admission::Find(const Key& key) {
  const auto found =
      std::lower_bound(entries_.begin(), entries_.end(), key,
                       [](const Entry& entry, const Key& wanted) { return entry.key < wanted; });
  return found != entries_.end() && found->key == key ? found : entries_.end();
}

/// Where a new job belongs.
std::size_t Admission::PlaceOf(const Key& key) const {
  const auto place =
      std::upper_bound(entries_.begin(), entries_.end(), key,
                       [](const Key& wanted, const Entry& other) { return wanted < other.key; });
  return static_cast<std::size_t>(place - entries_.begin());
}

void Admission::Insert(const Entry& entry) {
  const std::size_t place = PlaceOf(entry.key);
  entries_.insert(entries_.begin() + static_cast<std::ptrdiff_t>(place), entry);
  blocks_.Inserted(place);
  ++jobs_[entry.tenant];
  if (entry.chain != 0) {
    Chain& chain = chains_[entry.chain];
    ++chain.jobs;
    chain.waiting_ns += entry.least_ns;
  }
  ++waiting_;
  waiting_ns_ += entry.cost_ns;
  ++counts_.accepted;
}

/// Takes an entry out of the sums of those that wait, before it is started or erased.
void Admission::Forget(const Entry& entry) {
  if (!entry.Waits()) return;
  waiting_ns_ -= entry.cost_ns;
  if (--waiting_ == 0) waiting_ns_ = 0;  // rounding keeps such sums from returning to 0 exactly
  if (entry.chain != 0) chains_[entry.chain].waiting_ns -= entry.least_ns;
}

/// @shape entry: any
void Admission::Remove(Entries::iterator entry, std::int64_t now_ns) {
  Forget(*entry);
  if (!entry->Waits()) End(*entry, now_ns);
  --jobs_[entry->tenant];
  if (const auto chain = chains_.find(entry->chain); chain != chains_.end()) {
    if (--chain->second.jobs == 0) chains_.erase(chain);
  }
  blocks_.Erased(static_cast<std::size_t>(entry - entries_.begin()), entry->left_ns);
  entries_.erase(entry);
}

/// @shape entry: runs
void Admission::SetLeft(Entry& entry, double left_ns) {
  const double before_ns = std::exchange(entry.left_ns, left_ns);
  running_ns_ += left_ns - before_ns;
  blocks_.Changed(PlaceOf(entry.key) - 1, left_ns - before_ns);
}

/// Updates `left_ns` of the running job to which time is charged. `left_ns` of the other jobs does
/// not change: no time is charged to them, and their deadlines are later.
void Admission::Refresh(std::int64_t now_ns) {
  // It is up to date for all jobs that are offered at the same time.
  if (time_.IsIdle() || now_ns == refreshed_ns_) return;
  refreshed_ns_ = now_ns;
  Entry& first = *Find(time_.First());
  const double left =
      std::max(first.cost_ns - time_.Of(first.key, now_ns), kLeastLeft * first.cost_ns);
  SetLeft(first, std::clamp(TimeUntil(first.key.deadline_ns, now_ns), 0.0, left));
}

/// @shape entry: waits, and is not in the sums of those any more
void Admission::Begin(Entry& entry, std::int64_t now_ns) {
  Refresh(now_ns);  // it may not be charged any more
  time_.Begin(entry.key, now_ns);
  entry.started_ns = now_ns;
  running_ns_ += entry.left_ns;
  blocks_.Changed(PlaceOf(entry.key) - 1, 0);
  if (entry.chain == 0) return;
  Chain& chain = chains_[entry.chain];
  chain.running_ns = entry.least_ns;
  chain.started_ns = now_ns;
}

/// @shape entry: runs
void Admission::End(const Entry& entry, std::int64_t now_ns) {
  Refresh(now_ns);
  running_ns_ -= entry.left_ns;
  time_.End(entry.key, now_ns);
  if (time_.IsIdle()) running_ns_ = 0;  // rounding keeps it from returning there
  if (entry.chain != 0) chains_[entry.chain].running_ns = 0;
}

/// The time that a job needs after the work before it.
double Admission::RoomFor(const Entry& asked, std::int64_t now_ns) const {
  const double large = std::min(large_ns_, TimeUntil(asked.key.deadline_ns, now_ns) / 2);
  return std::max({asked.cost_ns, asked.least_ns, large});
}

bool Admission::IsLastOfOneTenant(const Entry& asked) const {
  return jobs_[asked.tenant] == entries_.size() &&
         (entries_.empty() || entries_.back().key < asked.key);
}

/// Whether the job can be accepted, perhaps in the place of others.
bool Admission::Fits(const Entry& asked, std::int64_t now_ns, Decision& decision) {
  if (IsLastOfOneTenant(asked)) {
    const double before = safety() * (waiting_ns_ + running_ns_);
    const double needed = before + RoomFor(asked, now_ns);
    decision.expected_ns = now_ns + static_cast<std::int64_t>(needed);
    return needed <= TimeUntil(asked.key.deadline_ns, now_ns);
  }
  const DemandBlocks::Result found =
      blocks_.Fits(asked, PlaceOf(asked.key), RoomFor(asked, now_ns), safety(), now_ns);
  if (found.fits) return true;
  decision.expected_ns = now_ns + static_cast<std::int64_t>(safety() * found.before_ns);
  if (jobs_[asked.tenant] == entries_.size()) return false;  // only others' jobs give way
  const Demand demand = DemandWith(asked, now_ns);
  return demand.fits || MakeRoom(demand, asked, now_ns, decision);
}

/// The least time until all accepted jobs of a chain are done.
double Admission::ChainNs(std::uint64_t chain, std::int64_t now_ns) const {
  const auto found = chains_.find(chain);
  if (found == chains_.end()) return 0;
  const auto& [jobs, waiting_ns, running_ns, started_ns] = found->second;
  return waiting_ns + std::max(running_ns - TimeUntil(now_ns, started_ns), 0.0);
}

/// The work up to each deadline from that of `asked` on, and the first deadline that it breaks. A
/// job's own work is not multiplied by the safety factor: on an idle device nothing adds up. A job
/// that would be late without `asked`, too, does not keep that from being accepted.
Admission::Demand Admission::DemandWith(const Entry& asked, std::int64_t now_ns) const {
  Demand demand;
  bool is_added = false;
  const auto add = [&](const Entry& entry, double left, double room) {
    const double time = TimeUntil(entry.key.deadline_ns, now_ns);
    const bool is_late_anyway =
        &entry != &asked && safety() * (demand.before_ns - asked.cost_ns) + room > time;
    demand.fits = !is_added || is_late_anyway || safety() * demand.before_ns + room <= time;
    demand.before_ns += left;
    demand.tenants[entry.tenant] += left;
    demand.deadline_ns = entry.key.deadline_ns;
    return demand.fits;
  };
  const auto add_asked = [&] {
    is_added = true;
    return add(asked, asked.cost_ns, RoomFor(asked, now_ns));
  };
  for (const Entry& entry : entries_) {
    if (!is_added && asked.key < entry.key && !add_asked()) return demand;
    if (!entry.chosen && !add(entry, entry.left_ns, entry.RoomNs())) return demand;
  }
  if (!is_added) add_asked();
  return demand;
}

/// Nothing is lost with a job that no worker has served.
bool Admission::MayGiveWay(const Entry& entry, std::int64_t now_ns) {
  return !entry.chosen && (entry.Waits() || time_.Of(entry.key, now_ns) == 0);
}

/// Chooses the last job before the broken deadline that may give way, of the tenant that has most
/// for its weight. Half of the job is enough to have more than the one that asks, since jobs that
/// run count with what they have left.
bool Admission::ChooseOne(const Demand& demand, const Entry& asked, std::int64_t now_ns) {
  const double own = demand.tenants[asked.tenant] / weights_[asked.tenant];
  Entry* best = nullptr;
  double most = own;
  for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
    if (entry->key.deadline_ns > demand.deadline_ns || entry->tenant == asked.tenant) continue;
    const double weight = weights_[entry->tenant];
    const double has = demand.tenants[entry->tenant] / weight;
    if (has <= most || has - entry->cost_ns / 2 / weight < own) continue;
    if (!MayGiveWay(*entry, now_ns)) continue;
    most = has;
    best = &*entry;
  }
  if (best == nullptr) return false;
  best->chosen = true;
  return true;
}

bool Admission::MakeRoom(Demand demand, const Entry& asked, std::int64_t now_ns,
                         Decision& decision) {
  int chosen = 0;
  while (chosen < kMostGiveWay && !demand.fits && ChooseOne(demand, asked, now_ns)) {
    ++chosen;
    demand = DemandWith(asked, now_ns);
  }
  if (!demand.fits) {
    if (chosen == 0) return false;
    for (Entry& entry : entries_) entry.chosen = false;
    return false;
  }
  for (const Entry& entry : entries_) {
    if (entry.chosen) decision.give_way.push_back(entry.key);
  }
  for (const Key& key : decision.give_way) Remove(Find(key), now_ns);
  counts_.gave_way += decision.give_way.size();
  return true;
}

Admission::Decision Admission::Offer(const Request& request, std::int64_t now_ns) {
  Decision decision;
  WorkEstimate& estimate = *request.estimate;
  const Entry asked = {.key = request.key,
                       .chain = request.chain,
                       .estimate = &estimate,
                       .cost_ns = estimate.Cost(now_ns),
                       .least_ns = estimate.Least(now_ns),
                       .left_ns = estimate.Cost(now_ns),
                       .offer = safety_.Offer(),
                       .started_ns = AcceptedJob::kWaiting,
                       .tenant = request.tenant,
                       .was_alone = false,
                       .chosen = false};
  large_ns_ -= kForgetLarge * large_ns_;
  Refresh(now_ns);
  if (estimate.IsKnown()) {
    const double left = TimeUntil(asked.key.deadline_ns, now_ns);
    const double alone = ChainNs(asked.chain, now_ns) + std::max(asked.cost_ns, asked.least_ns);
    decision.accepted = alone <= left && Fits(asked, now_ns, decision);
    if (!decision.accepted) {
      decision.expected_ns =
          std::max(decision.expected_ns, now_ns + static_cast<std::int64_t>(alone));
      // No room that others leave would let in a job that cannot be done even alone.
      decision.others_are_in_the_way = alone <= left;
      if (alone <= left) large_ns_ = std::max(large_ns_, asked.cost_ns);
      estimate.Refuse(now_ns, alone > left);
      ++counts_.refused;
      return decision;
    }
  }
  decision.accepted = true;
  decision.cost_ns = asked.cost_ns;
  decision.least_ns = asked.least_ns;
  Insert(asked);
  return decision;
}

bool Admission::IsHopeless(const Key& key, std::int64_t now_ns, double begun_ns) {
  const auto own = Find(key);
  if (own == entries_.end()) return false;
  const double time = TimeUntil(key.deadline_ns, now_ns);
  if (own->least_ns > time) return true;
  Refresh(now_ns);
  if (running_ns_ + begun_ns + own->cost_ns <= time) return false;  // as usual, and found fast
  double before = begun_ns;
  for (auto entry = entries_.begin(); entry != own; ++entry) {
    if (!entry->Waits()) before += entry->left_ns;
  }
  return before + own->cost_ns > time;
}

void Admission::Start(const Key& key, std::int64_t now_ns) {
  const auto entry = Find(key);
  if (entry == entries_.end()) return;
  Forget(*entry);
  entry->was_alone = time_.IsIdle();
  Begin(*entry, now_ns);
}

/// Teaches the estimates of the jobs of one event. The event took the time that was charged to some
/// of its jobs. Each job learns a part of that time, in proportion to its expected cost.
void Admission::Teach(absl::Span<const EndedJob> jobs, std::int64_t now_ns) {
  struct Taught {
    const Entry& entry;
    Ending ending;
  };
  absl::InlinedVector<Taught, 16> taught;
  double charged = 0, expected = 0;
  for (const auto& [key, ending] : jobs) {
    const auto entry = Find(key);
    if (entry == entries_.end() || entry->Waits()) continue;
    taught.push_back({*entry, ending});
    charged += time_.Of(key, now_ns);
    expected += entry->cost_ns;
  }
  const auto count = static_cast<double>(taught.size());
  const double least = expected > 0 ? kLeastPart * expected / count : 1;
  for (const auto& [entry, ending] : taught) {
    const double part = (entry.cost_ns + least) / (expected + count * least);
    const WorkEstimate::Sample sample = {charged * part, TimeUntil(now_ns, entry.started_ns),
                                         entry.was_alone};
    if (ending == Ending::kMet) entry.estimate->Learn(sample);
    if (ending == Ending::kMissed) entry.estimate->LearnAtLeast(sample);
  }
}

void Admission::Leave(absl::Span<const EndedJob> jobs, std::int64_t now_ns) {
  Teach(jobs, now_ns);
  for (const auto& [key, ending] : jobs) {
    const auto entry = Find(key);
    if (entry == entries_.end()) continue;
    if (ending != Ending::kOther) safety_.Watch(entry->offer, ending != Ending::kMet);
    counts_.missed += ending == Ending::kMissed;
    counts_.given_up += ending == Ending::kGivenUp;
    Remove(entry, now_ns);
  }
}

double Admission::BacklogNs(std::int64_t now_ns) {
  Refresh(now_ns);
  return waiting_ns_ + running_ns_;
}

}  // namespace warpyard::dispatch
