// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/dispatch/job_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"

namespace warpyard::dispatch {
namespace {

absl::Time At(int seconds) { return absl::UnixEpoch() + absl::Seconds(seconds); }
const absl::Time kNever = absl::InfiniteFuture();

/// Pops and finishes all jobs that can start; returns their names in that order.
std::string Drain(JobQueue<char>& jobs) {
  std::string order;
  while (auto started = jobs.Pop()) {
    order += started->job;
    jobs.Finish(started->key);
  }
  return order;
}

TEST(JobQueue, IsEmptyAtFirst) {
  JobQueue<char> jobs;
  EXPECT_FALSE(jobs.Pop().has_value());
  EXPECT_EQ(jobs.Size(), 0u);
}

TEST(JobQueue, StartsTheEarliestDeadlineFirst) {
  JobQueue<char> jobs;
  jobs.Push({At(30), 0, 1}, 0, 'c');
  jobs.Push({At(10), 0, 2}, 0, 'a');
  jobs.Push({At(20), 0, 3}, 0, 'b');
  EXPECT_EQ(jobs.Size(), 3u);
  EXPECT_EQ(Drain(jobs), "abc");
  EXPECT_EQ(jobs.Size(), 0u);
}

TEST(JobQueue, StartsJobsWithADeadlineBeforeUrgentOnesWithout) {
  JobQueue<char> jobs;
  jobs.Push({kNever, 3, 1}, 0, 'b');
  jobs.Push({At(1000), 0, 2}, 0, 'a');
  EXPECT_EQ(Drain(jobs), "ab");
}

TEST(JobQueue, JobsOfALaneDoNotWaitForThoseOfAnother) {
  JobQueue<char> jobs;
  jobs.Push({At(10), 0, 1}, 0, 'a', 1);
  jobs.Push({At(20), 0, 2}, 0, 'b', 0);
  jobs.Push({At(30), 0, 3}, 5, 'c', 0);
  jobs.Push({At(5), 0, 4}, 5, 'd', 1);  // behind the other one of its chain
  EXPECT_EQ(*jobs.HeadJob(0), 'b');
  EXPECT_EQ(*jobs.HeadJob(1), 'a');
  EXPECT_EQ(Drain(jobs), "bc");
  EXPECT_EQ(jobs.Pop(1)->job, 'd');
  EXPECT_EQ(jobs.Pop(1)->job, 'a');
  EXPECT_FALSE(jobs.Pop(1).has_value());
  EXPECT_EQ(jobs.Size(), 0u);
}

TEST(JobQueue, OrdersByPriorityThenByArrival) {
  JobQueue<char> jobs;
  jobs.Push({kNever, 1, 1}, 0, 'c');
  jobs.Push({kNever, 2, 2}, 0, 'b');
  jobs.Push({kNever, 1, 3}, 0, 'd');
  jobs.Push({kNever, 3, 4}, 0, 'a');
  jobs.Push({kNever, 0, 5}, 0, 'e');
  EXPECT_EQ(Drain(jobs), "abcde");
}

TEST(JobQueue, OrdersEqualDeadlinesByPriority) {
  JobQueue<char> jobs;
  jobs.Push({At(5), 0, 1}, 0, 'c');
  jobs.Push({At(5), 2, 2}, 0, 'a');
  jobs.Push({At(5), 1, 3}, 0, 'b');
  EXPECT_EQ(Drain(jobs), "abc");
}

TEST(JobQueue, RunsAChainInOrderOfArrivalWhateverTheRanks) {
  JobQueue<char> jobs;
  jobs.Push({kNever, 0, 1}, 7, 'a');
  jobs.Push({At(1), 3, 2}, 7, 'b');
  jobs.Push({kNever, 1, 3}, 7, 'c');
  EXPECT_EQ(Drain(jobs), "abc");
}

TEST(JobQueue, StartsNoJobOfAChainThatRuns) {
  JobQueue<char> jobs;
  jobs.Push({kNever, 3, 1}, 7, 'a');
  jobs.Push({kNever, 3, 2}, 7, 'b');
  jobs.Push({kNever, 0, 3}, 8, 'x');
  const auto first = jobs.Pop();
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(first->job, 'a');
  const auto other = jobs.Pop();
  ASSERT_TRUE(other.has_value());
  EXPECT_EQ(other->job, 'x') << "the other chain overtakes";
  EXPECT_FALSE(jobs.Pop().has_value());
  jobs.Finish(first->key);
  EXPECT_EQ(jobs.Pop()->job, 'b');
}

TEST(JobQueue, RemovesAWaitingJob) {
  JobQueue<char> jobs;
  jobs.Push({kNever, 0, 1}, 0, 'a');
  jobs.Push({kNever, 0, 2}, 0, 'b');
  EXPECT_EQ(jobs.Remove(0, 1), 'a');
  EXPECT_FALSE(jobs.Remove(0, 1).has_value());
  EXPECT_FALSE(jobs.Remove(7, 2).has_value()) << "it is in another chain";
  EXPECT_EQ(Drain(jobs), "b");
}

TEST(JobQueue, GoesOnWithAChainWhoseHeadOrMiddleIsRemoved) {
  for (const char removed : {'a', 'b', 'c'}) {
    JobQueue<char> jobs;
    std::string expected = "abc";
    for (const char name : expected) {
      jobs.Push({kNever, 0, static_cast<std::uint64_t>(name)}, 7, name);
    }
    EXPECT_TRUE(jobs.Remove(7, static_cast<std::uint64_t>(removed)).has_value());
    expected.erase(std::find(expected.begin(), expected.end(), removed));
    EXPECT_EQ(Drain(jobs), expected);
  }
}

TEST(JobQueue, RemovesFromAChainThatRuns) {
  JobQueue<char> jobs;
  for (const char name : {'a', 'b', 'c'}) {
    jobs.Push({kNever, 0, static_cast<std::uint64_t>(name)}, 7, name);
  }
  const auto running = jobs.Pop();
  EXPECT_EQ(jobs.RemoveIf([](char name) { return name == 'b'; }), 'b');
  EXPECT_FALSE(jobs.Pop().has_value()) << "the chain is still busy";
  jobs.Finish(running->key);
  EXPECT_EQ(Drain(jobs), "c");
}

TEST(JobQueue, TakesUpAChainAgainThatHadEnded) {
  JobQueue<char> jobs;
  jobs.Push({kNever, 0, 1}, 7, 'a');
  EXPECT_EQ(Drain(jobs), "a");
  jobs.Push({kNever, 0, 2}, 7, 'b');
  EXPECT_EQ(Drain(jobs), "b");
}

/// A model that is correct because it is simple: it examines all jobs each time.
class SimpleQueue {
 public:
  void Push(const JobRank& rank, std::uint64_t chain, int job) {
    jobs_.push_back({rank, chain, job});
  }

  std::optional<int> Pop(const std::vector<std::uint64_t>& busy) {
    std::size_t best = jobs_.size();
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      if (!MayStart(i, busy)) continue;
      if (best == jobs_.size() || jobs_[i].rank < jobs_[best].rank) best = i;
    }
    if (best == jobs_.size()) return std::nullopt;
    return Take(best);
  }

  std::optional<int> Remove(int job) {
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      if (jobs_[i].job == job) return Take(i);
    }
    return std::nullopt;
  }

 private:
  struct Entry {
    JobRank rank;
    std::uint64_t chain;
    int job;
  };

  bool MayStart(std::size_t i, const std::vector<std::uint64_t>& busy) const {
    const std::uint64_t chain = jobs_[i].chain;
    if (chain == 0) return true;
    if (std::find(busy.begin(), busy.end(), chain) != busy.end()) return false;
    return std::none_of(jobs_.begin(), jobs_.begin() + static_cast<std::ptrdiff_t>(i),
                        [&](const Entry& entry) { return entry.chain == chain; });
  }

  int Take(std::size_t i) {
    const int job = jobs_[i].job;
    jobs_.erase(jobs_.begin() + static_cast<std::ptrdiff_t>(i));
    return job;
  }

  std::vector<Entry> jobs_;  // in order of arrival
};

TEST(JobQueue, DoesWhatASimpleQueueDoesInRandomUse) {
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    JobQueue<int> jobs;
    SimpleQueue model;
    std::vector<JobQueue<int>::Started> running;
    std::map<int, std::uint64_t> chains;
    for (int i = 1; i < 80; ++i) {
      const std::uint32_t action = static_cast<std::uint32_t>(random() % 8);
      if (action < 4) {
        const bool has_deadline = random() % 2 == 0;
        const JobRank rank{has_deadline ? At(static_cast<int>(random() % 5)) : kNever,
                           static_cast<int>(random() % 4), static_cast<std::uint64_t>(i)};
        const std::uint64_t chain = random() % 4;
        jobs.Push(rank, chain, i);
        model.Push(rank, chain, i);
        chains[i] = chain;
      } else if (action < 6) {
        std::vector<std::uint64_t> busy;
        for (const auto& started : running) busy.push_back(started.key.first);
        auto started = jobs.Pop();
        const std::optional<int> expected = model.Pop(busy);
        ASSERT_EQ(started ? std::optional<int>(started->job) : std::nullopt, expected);
        if (started) running.push_back(std::move(*started));
      } else if (action == 6 && !running.empty()) {
        jobs.Finish(running.back().key);
        running.pop_back();
      } else {
        const int target = static_cast<int>(random() % 80);
        const auto removed = random() % 2 == 0
                                 ? jobs.RemoveIf([&](int job) { return job == target; })
                                 : jobs.Remove(chains[target], static_cast<std::uint64_t>(target));
        ASSERT_EQ(removed, model.Remove(target));
      }
    }
  }
}

}  // namespace
}  // namespace warpyard::dispatch
