// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Jobs that wait for a device: it finds the next job to start, and holds back jobs that may not
// start yet.
//
// Jobs with a deadline come first, earliest first; the others by priority; equals in order of
// arrival. Jobs of one chain (the steps of a scene) run one at a time in order of arrival, so only
// the first job of an idle chain can start. [Steinberger §5.2] for whole jobs instead of elements.
// Jobs have lanes: those of one kind of threads do not wait behind those of another.
#ifndef WARPYARD_CORE_DISPATCH_JOB_QUEUE_H_
#define WARPYARD_CORE_DISPATCH_JOB_QUEUE_H_

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/time/time.h"

namespace warpyard::dispatch {

/// Place of a job in the order; less means sooner.
struct JobRank {
  absl::Time deadline = absl::InfiniteFuture();
  int priority = 0;  ///< higher is sooner
  std::uint64_t arrival = 0;

  friend bool operator<(const JobRank& a, const JobRank& b) {
    if (a.deadline != b.deadline) return a.deadline < b.deadline;
    if (a.priority != b.priority) return a.priority > b.priority;
    return a.arrival < b.arrival;
  }
};

/// @shape Job: movable; not thread-safe. `arrival` must be unique
template <class Job>
class JobQueue {
 public:
  static constexpr std::size_t kLanes = 2;

  /// @shape `chain`: jobs of the same chain run in order; 0: the job is alone in its chain; lane:
  ///     less than kLanes
  void Push(const JobRank& rank, std::uint64_t chain, Job job, std::size_t lane = 0) {
    const ChainKey key = KeyOf(chain, rank.arrival);
    Chain& own = chains_[key];
    own.waiting.push_back({rank, lane, std::move(job)});
    ++size_;
    if (!own.busy && own.waiting.size() == 1) ready_[lane].insert({rank, key});
  }

  /// A job, and the key for the call of Finish.
  struct Started {
    Job job;
    std::pair<std::uint64_t, std::uint64_t> key;
  };

  /// Takes the first job of a lane. Other jobs of its chain wait until Finish.
  std::optional<Started> Pop(std::size_t lane = 0) {
    if (ready_[lane].empty()) return std::nullopt;
    const ChainKey key = ready_[lane].begin()->second;
    ready_[lane].erase(ready_[lane].begin());
    Chain& chain = chains_[key];
    Started started{std::move(chain.waiting.front().job), key};
    chain.waiting.pop_front();
    chain.busy = true;
    --size_;
    return started;
  }

  /// The rank of the job that Pop would take; null if it would take none.
  const JobRank* Head(std::size_t lane = 0) const {
    return ready_[lane].empty() ? nullptr : &ready_[lane].begin()->first;
  }

  /// The job that Pop would take; null if it would take none.
  const Job* HeadJob(std::size_t lane = 0) const {
    if (ready_[lane].empty()) return nullptr;
    return &chains_.at(ready_[lane].begin()->second).waiting.front().job;
  }

  /// Gives a waiting job another rank. Its place in its chain stays. @shape rank: with the arrival
  ///     of the old one; chain: as for Push
  void Rerank(const JobRank& rank, std::uint64_t chain) {
    const auto found = chains_.find(KeyOf(chain, rank.arrival));
    if (found == chains_.end()) return;
    const auto entry = EntryOf(found->second, rank.arrival);
    if (entry == found->second.waiting.end()) return;
    const bool head = IsReady(found->second, entry);
    Ready& ready = ready_[entry->lane];
    if (head) ready.erase({entry->rank, found->first});
    entry->rank = rank;
    if (head) ready.insert({rank, found->first});
  }

  /// Call this when the job that was started with this key has ended.
  void Finish(const std::pair<std::uint64_t, std::uint64_t>& key) {
    const auto found = chains_.find(key);
    found->second.busy = false;
    MakeHeadReady(found);
  }

  /// Removes and returns a waiting job; nothing: it does not wait. @shape as for Push
  std::optional<Job> Remove(std::uint64_t chain, std::uint64_t arrival) {
    const auto found = chains_.find(KeyOf(chain, arrival));
    if (found == chains_.end()) return std::nullopt;
    const auto entry = EntryOf(found->second, arrival);
    if (entry == found->second.waiting.end()) return std::nullopt;
    return RemoveEntry(found, entry);
  }

  /// Removes and returns the first waiting job for which `matches(job)` holds; it looks at all.
  template <class Matches>
  std::optional<Job> RemoveIf(Matches matches) {
    for (auto chain = chains_.begin(); chain != chains_.end(); ++chain) {
      auto& waiting = chain->second.waiting;
      for (auto entry = waiting.begin(); entry != waiting.end(); ++entry) {
        if (matches(entry->job)) return RemoveEntry(chain, entry);
      }
    }
    return std::nullopt;
  }

  std::size_t Size() const { return size_; }

  /// Calls `visit(job)` for each job that waits.
  template <class Visit>
  void ForEach(Visit visit) const {
    for (const auto& [key, chain] : chains_) {
      for (const Waiting& entry : chain.waiting) visit(entry.job);
    }
  }

 private:
  using ChainKey = std::pair<std::uint64_t, std::uint64_t>;
  struct Waiting {
    JobRank rank;
    std::size_t lane;
    Job job;
  };
  struct Chain {
    std::list<Waiting> waiting;
    bool busy = false;
  };

  using Chains = absl::flat_hash_map<ChainKey, Chain>;
  using Entry = typename std::list<Waiting>::iterator;
  using Ready = std::set<std::pair<JobRank, ChainKey>>;

  static ChainKey KeyOf(std::uint64_t chain, std::uint64_t arrival) {
    return chain != 0 ? ChainKey{chain, 0} : ChainKey{0, arrival};
  }
  static Entry EntryOf(Chain& chain, std::uint64_t arrival) {
    return std::find_if(chain.waiting.begin(), chain.waiting.end(),
                        [&](const Waiting& entry) { return entry.rank.arrival == arrival; });
  }
  /// Whether it could start now.
  static bool IsReady(Chain& chain, Entry entry) {
    return entry == chain.waiting.begin() && !chain.busy;
  }

  Job RemoveEntry(typename Chains::iterator chain, Entry entry) {
    const bool head = IsReady(chain->second, entry);
    if (head) ready_[entry->lane].erase({entry->rank, chain->first});
    Job job = std::move(entry->job);
    chain->second.waiting.erase(entry);
    --size_;
    if (head) MakeHeadReady(chain);
    return job;
  }

  void MakeHeadReady(typename Chains::iterator chain) {
    if (chain->second.waiting.empty()) {
      chains_.erase(chain);
    } else {
      const Waiting& head = chain->second.waiting.front();
      ready_[head.lane].insert({head.rank, chain->first});
    }
  }

  Chains chains_;
  Ready ready_[kLanes];
  std::size_t size_ = 0;
};

}  // namespace warpyard::dispatch

#endif  // WARPYARD_CORE_DISPATCH_JOB_QUEUE_H_
