// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Jobs that wait for a device: it finds the next job to start, and holds back jobs that may not
// start yet.
//
// Jobs with a deadline come first, earliest first; the others by priority; equals in order of
// arrival. Jobs of one chain (the steps of a scene) run one at a time in order of arrival, so only
// the first job of an idle chain can start. [Steinberger §5.2] for whole jobs instead of elements.
#ifndef WARPYARD_CORE_DISPATCH_JOB_QUEUE_H_
#define WARPYARD_CORE_DISPATCH_JOB_QUEUE_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

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
  /// @shape `chain`: jobs of the same chain run in order; 0: the job is alone in its chain
  void Push(const JobRank& rank, std::uint64_t chain, Job job) {
    Chain& own = chains_[chain != 0 ? ChainKey{chain, 0} : ChainKey{0, rank.arrival}];
    own.waiting.push_back({rank, std::move(job)});
    ++size_;
    if (!own.busy && own.waiting.size() == 1) {
      ready_.insert({rank, chain != 0 ? ChainKey{chain, 0} : ChainKey{0, rank.arrival}});
    }
  }

  /// A job, and the key for the call of Finish.
  struct Started {
    Job job;
    std::pair<std::uint64_t, std::uint64_t> key;
  };

  /// Takes the job that starts next; its chain waits until Finish.
  std::optional<Started> Pop() {
    if (ready_.empty()) return std::nullopt;
    const ChainKey key = ready_.begin()->second;
    ready_.erase(ready_.begin());
    Chain& chain = chains_[key];
    Started started{std::move(chain.waiting.front().job), key};
    chain.waiting.pop_front();
    chain.busy = true;
    --size_;
    return started;
  }

  /// The rank of the job that Pop would take; null if it would take none.
  const JobRank* Head() const { return ready_.empty() ? nullptr : &ready_.begin()->first; }

  /// The job that Pop would take; null if it would take none.
  const Job* HeadJob() const {
    return ready_.empty() ? nullptr : &chains_.at(ready_.begin()->second).waiting.front().job;
  }

  /// Gives the first waiting job for which `matches(job)` holds another rank. Its place in its
  /// chain stays. @shape `rank`: with the arrival of the old one
  template <class Matches>
  void Rerank(const JobRank& rank, Matches matches) {
    for (auto& [key, chain] : chains_) {
      for (auto entry = chain.waiting.begin(); entry != chain.waiting.end(); ++entry) {
        if (!matches(entry->job)) continue;
        const bool head = entry == chain.waiting.begin() && !chain.busy;
        if (head) ready_.erase({entry->rank, key});
        entry->rank = rank;
        if (head) ready_.insert({rank, key});
        return;
      }
    }
  }

  /// Call this when the job that was started with this key has ended.
  void Finish(const std::pair<std::uint64_t, std::uint64_t>& key) {
    const auto found = chains_.find(key);
    found->second.busy = false;
    MakeHeadReady(found);
  }

  /// Removes and returns the first waiting job for which `matches(job)` holds.
  template <class Matches>
  std::optional<Job> Remove(Matches matches) {
    for (auto chain = chains_.begin(); chain != chains_.end(); ++chain) {
      auto& waiting = chain->second.waiting;
      for (auto entry = waiting.begin(); entry != waiting.end(); ++entry) {
        if (!matches(entry->job)) continue;
        const bool head = entry == waiting.begin() && !chain->second.busy;
        if (head) ready_.erase({entry->rank, chain->first});
        Job job = std::move(entry->job);
        waiting.erase(entry);
        --size_;
        if (head) MakeHeadReady(chain);
        return job;
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
    Job job;
  };
  struct Chain {
    std::deque<Waiting> waiting;
    bool busy = false;
  };

  void MakeHeadReady(typename std::map<ChainKey, Chain>::iterator chain) {
    if (chain->second.waiting.empty()) {
      chains_.erase(chain);
    } else {
      ready_.insert({chain->second.waiting.front().rank, chain->first});
    }
  }

  std::map<ChainKey, Chain> chains_;
  std::set<std::pair<JobRank, ChainKey>> ready_;
  std::size_t size_ = 0;
};

}  // namespace warpyard::dispatch

#endif  // WARPYARD_CORE_DISPATCH_JOB_QUEUE_H_
