// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/dispatch/admission/admission.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

namespace warpyard::dispatch {
namespace {

constexpr std::int64_t kMs = 1'000'000;
using Key = Admission::Key;
using AsEnded = Admission::Ending;

/// An admission and a kind of job that takes 1 ms.
class AdmissionTest : public ::testing::Test {
 protected:
  AdmissionTest() {
    for (int i = 0; i < 3; ++i) millisecond_.Learn({1.0 * kMs, 1.0 * kMs, true});
  }

  Admission::Decision Offer(const Key& key, std::int64_t now_ns = 0, std::uint32_t tenant = 0) {
    return admission_.Offer({key, tenant, 0, &millisecond_}, now_ns);
  }
  /// Accepts jobs with this deadline until one is refused; returns their number.
  int Fill(std::int64_t deadline_ns, std::uint32_t tenant = 0) {
    int accepted = 0;
    while (Offer({deadline_ns, ++id_}, 0, tenant).accepted) ++accepted;
    return accepted;
  }

  Admission admission_{AdmissionOptions{}};
  WorkEstimate millisecond_;
  std::uint64_t id_ = 1000;
};

TEST_F(AdmissionTest, AcceptsAsMuchWorkAsFitsBeforeTheDeadline) {
  const int accepted = Fill(10 * kMs);
  EXPECT_GE(accepted, 8);
  EXPECT_LE(accepted, 10);
  const Admission::Decision refused = Offer({10 * kMs, 1});
  EXPECT_FALSE(refused.accepted);
  EXPECT_GT(refused.expected_ns, 10 * kMs);
  EXPECT_LT(refused.expected_ns, 13 * kMs);
  EXPECT_TRUE(Offer({20 * kMs, 2}).accepted) << "a later deadline has room";
  EXPECT_EQ(admission_.counts().accepted, static_cast<std::uint64_t>(accepted) + 1);
  EXPECT_GE(admission_.counts().refused, 2u);
}

TEST_F(AdmissionTest, RefusesAJobThatWouldMakeAnAcceptedOneLate) {
  Fill(10 * kMs);
  EXPECT_FALSE(Offer({5 * kMs, 1}).accepted) << "it fits, but then a later one does not";
}

TEST_F(AdmissionTest, RefusesAJobThatIsLongerThanItsDeadlineIsFar) {
  EXPECT_FALSE(Offer({kMs - 1, 1}).accepted);
  EXPECT_TRUE(Offer({kMs + 1, 2}).accepted) << "on an idle device there is no safety factor";
}

TEST_F(AdmissionTest, AJobThatWillBeLateAnywayKeepsNobodyOut) {
  WorkEstimate half_a_second;
  for (int i = 0; i < 3; ++i) half_a_second.Learn({500.0 * kMs, 500.0 * kMs, true});
  const Key late = {600 * kMs, 1};
  ASSERT_TRUE(admission_.Offer({late, 0, 0, &half_a_second}, 0).accepted);
  // It still waits, and can no longer be done.
  EXPECT_TRUE(Offer({300 * kMs, 2}, 200 * kMs).accepted);
  EXPECT_FALSE(Offer({601 * kMs, 3}, 200 * kMs).accepted) << "the late one is before it";
}

TEST_F(AdmissionTest, KeepsNoRoomForAJobThatIsTooLargeInAnyCase) {
  WorkEstimate second;
  for (int i = 0; i < 3; ++i) second.Learn({1000.0 * kMs, 1000.0 * kMs, true});
  Admission other{AdmissionOptions{}};
  int expected = 0, accepted = 0;
  for (std::uint64_t id = 1; id <= 20; ++id) {
    expected += other.Offer({{10 * kMs, id}, 0, 0, &millisecond_}, 0).accepted;
  }
  ASSERT_FALSE(admission_.Offer({{1, 100}, 1, 0, &second}, 0).accepted);
  for (std::uint64_t id = 1; id <= 20; ++id) accepted += Offer({10 * kMs, id}).accepted;
  EXPECT_EQ(accepted, expected);
}

TEST_F(AdmissionTest, AcceptsJobsOfAKindThatIsNotKnown) {
  Fill(10 * kMs);
  WorkEstimate unknown;
  EXPECT_TRUE(admission_.Offer({{10 * kMs, 1}, 0, 0, &unknown}, 0).accepted);
}

TEST_F(AdmissionTest, AJobOfAChainWaitsForThoseBeforeIt) {
  const auto offer = [&](const Key& key) {
    return admission_.Offer({key, 0, 7, &millisecond_}, 0).accepted;
  };
  EXPECT_TRUE(offer({50 * kMs, 1}));
  EXPECT_TRUE(offer({50 * kMs, 2}));
  EXPECT_FALSE(offer({2 * kMs, 3})) << "its deadline is the earliest, but it is the third";
  EXPECT_TRUE(offer({4 * kMs, 4}));
}

TEST_F(AdmissionTest, RoomComesBackWhenJobsEnd) {
  ASSERT_TRUE(Offer({3 * kMs, 1}).accepted);
  ASSERT_TRUE(Offer({3 * kMs, 2}).accepted);
  ASSERT_FALSE(Offer({3 * kMs, 3}).accepted);
  admission_.Leave({3 * kMs, 1}, 0, AsEnded::kOther);
  EXPECT_TRUE(Offer({3 * kMs, 4}).accepted);
}

TEST_F(AdmissionTest, CountsWhatARunningJobHasLeft) {
  ASSERT_TRUE(Offer({10 * kMs, 1}).accepted);
  EXPECT_DOUBLE_EQ(admission_.BacklogNs(0), 1.0 * kMs);
  admission_.Start({10 * kMs, 1}, 0);
  EXPECT_DOUBLE_EQ(admission_.BacklogNs(kMs / 2), 0.5 * kMs);
  EXPECT_DOUBLE_EQ(admission_.BacklogNs(3 * kMs), 0.25 * kMs) << "it takes longer than expected";
  admission_.Leave({10 * kMs, 1}, 4 * kMs, AsEnded::kMet);
  EXPECT_DOUBLE_EQ(admission_.BacklogNs(4 * kMs), 0);
}

TEST_F(AdmissionTest, AWaitingJobIsHopelessWhenItsTimeIsOver) {
  ASSERT_TRUE(Offer({10 * kMs, 1}).accepted);
  const Key own = {11 * kMs, 2};
  ASSERT_TRUE(Offer(own).accepted);
  EXPECT_FALSE(admission_.IsHopeless(own, 10 * kMs - kMs / 2));
  EXPECT_TRUE(admission_.IsHopeless(own, 10 * kMs + 1));
  ASSERT_TRUE(Offer({11 * kMs, 1}).accepted);
  admission_.Start({11 * kMs, 1}, 10 * kMs - kMs / 2);
  EXPECT_TRUE(admission_.IsHopeless(own, 10 * kMs - kMs / 2)) << "another is before it";
  EXPECT_FALSE(admission_.IsHopeless({11 * kMs, 99}, 20 * kMs)) << "no such job";
}

TEST_F(AdmissionTest, BecomesMoreCarefulWhenAcceptedJobsAreLate) {
  const double first = admission_.safety();
  for (std::uint64_t id = 1; id <= 20; ++id) {
    ASSERT_TRUE(Offer({10 * kMs, id}, 0).accepted);
    admission_.Start({10 * kMs, id}, 0);
    admission_.Leave({10 * kMs, id}, 0, id % 2 == 0 ? AsEnded::kMissed : AsEnded::kGivenUp);
  }
  EXPECT_GT(admission_.safety(), 2 * first);
  EXPECT_EQ(admission_.counts().missed, 10u);
  EXPECT_EQ(admission_.counts().given_up, 10u);
  const double careful = admission_.safety();
  for (std::uint64_t id = 100; id < 5000; ++id) {
    ASSERT_TRUE(Offer({10 * kMs, id}, 0).accepted);
    admission_.Start({10 * kMs, id}, 0);
    admission_.Leave({10 * kMs, id}, 0, AsEnded::kMet);
  }
  EXPECT_LT(admission_.safety() - 1, (careful - 1) / 4);
}

TEST_F(AdmissionTest, JobsThatEndTogetherShareWhatTheyWereCharged) {
  WorkEstimate kinds[3];
  std::vector<Admission::EndedJob> jobs;
  for (int round = 0; round < 40; ++round) {
    jobs.clear();
    for (std::uint64_t kind = 0; kind < 3; ++kind) {
      const Key key = {100 * kMs + round, ++id_};
      ASSERT_TRUE(admission_.Offer({key, 0, 0, &kinds[kind]}, 0).accepted);
      admission_.Start(key, 0);
      jobs.push_back({key, AsEnded::kMet});
    }
    admission_.Leave(jobs, 0);  // at once
  }
  for (const WorkEstimate& kind : kinds) EXPECT_EQ(kind.Cost(0), 0);
  for (std::int64_t round = 1; round <= 200; ++round) {
    const std::int64_t begin_ns = round * kMs;
    jobs.clear();
    for (std::uint64_t kind = 0; kind < 3; ++kind) {
      const Key key = {begin_ns + 100 * kMs, ++id_};
      ASSERT_TRUE(admission_.Offer({key, 0, 0, &kinds[kind]}, begin_ns).accepted);
      admission_.Start(key, begin_ns);
      jobs.push_back({key, AsEnded::kMet});
    }
    admission_.Leave(jobs, begin_ns + kMs * 3 / 10);
  }
  for (const WorkEstimate& kind : kinds) EXPECT_NEAR(kind.Cost(0), kMs / 10, 0.05 * kMs / 10);
}

TEST_F(AdmissionTest, ATenantWithLessTakesThePlaceOfOneWithMore) {
  const int accepted = Fill(10 * kMs, 0);
  int own = 0;
  int gave_way = 0;
  while (true) {
    const Admission::Decision decision = Offer({10 * kMs, ++id_}, 0, 1);
    if (!decision.accepted) break;
    ++own;
    gave_way += static_cast<int>(decision.give_way.size());
  }
  EXPECT_NEAR(own, accepted / 2.0, 1);
  EXPECT_NEAR(gave_way, own, 1);
  EXPECT_EQ(admission_.counts().gave_way, static_cast<std::uint64_t>(gave_way));
}

TEST_F(AdmissionTest, AJobThatIsBeingServedDoesNotGiveWay) {
  ASSERT_TRUE(Offer({2 * kMs, 1}, 0, 0).accepted);
  admission_.Start({2 * kMs, 1}, 0);
  const Admission::Decision refused = Offer({2 * kMs, 2}, kMs / 2, 1);
  EXPECT_FALSE(refused.accepted && !refused.give_way.empty());
  EXPECT_TRUE(refused.give_way.empty());
}

/// The demand bound by its definition, for jobs that wait.
class Oracle {
 public:
  struct Job {
    Key key;
    double cost_ns;
  };

  bool Offer(const Job& asked, double safety) {
    large_ns_ -= large_ns_ / 256;
    bool fits = true;
    for (const auto& [key, cost_ns] : jobs_)
      fits &= asked.key > key || Meets({key, cost_ns}, asked, safety);
    fits &= Meets(asked, asked, safety);
    if (fits) {
      jobs_.emplace(asked.key, asked.cost_ns);
    } else if (asked.cost_ns <= static_cast<double>(asked.key.deadline_ns)) {
      large_ns_ = std::max(large_ns_, asked.cost_ns);
    }
    return fits;
  }

 private:
  /// Whether a job is done in time if `asked` is accepted.
  bool Meets(const Job& job, const Job& asked, double safety) const {
    double before = asked.key < job.key ? asked.cost_ns : 0;
    for (const auto& [key, cost_ns] : jobs_) before += key < job.key ? cost_ns : 0;
    const auto time = static_cast<double>(job.key.deadline_ns);
    const double room =
        job.key == asked.key ? std::max(job.cost_ns, std::min(large_ns_, time / 2)) : job.cost_ns;
    return safety * before + room <= time;
  }

  std::map<Key, double> jobs_;
  double large_ns_ = 0;
};

TEST_F(AdmissionTest, DecidesAsTheDefinitionOfTheDemandBound) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::mt19937_64 random(seed);
    Admission admission{AdmissionOptions{}};
    Oracle oracle;
    WorkEstimate kinds[3];
    const double costs[] = {0.2537 * kMs, 1.0113 * kMs, 2.4871 * kMs};
    for (int i = 0; i < 9; ++i) kinds[i % 3].Learn({costs[i % 3], costs[i % 3], true});
    int accepted = 0;
    for (std::uint64_t id = 1; id <= 300; ++id) {
      const std::size_t kind = random() % 3;
      // At first each deadline is the last of all, later they come in any order.
      const auto deadline = static_cast<std::int64_t>(id < 100 ? id * kMs : random() % (200 * kMs));
      const Key key = {deadline, id};
      const bool is_accepted = admission.Offer({key, 0, 0, &kinds[kind]}, 0).accepted;
      ASSERT_EQ(is_accepted, oracle.Offer({key, costs[kind]}, admission.safety())) << id;
      accepted += is_accepted;
    }
    EXPECT_GT(accepted, 50);
    EXPECT_LT(accepted, 290);
  }
}

/// The backlog by its definition: what is left of each job, given the time that it was charged. No
/// deadline passes.
class Backlog {
 public:
  void Accept(const Key& key, double cost_ns) { jobs_[key] = {cost_ns, 0, false}; }
  void Start(const Key& key, std::int64_t now_ns) {
    Advance(now_ns);
    jobs_[key].runs = true;
  }
  void Leave(const Key& key, std::int64_t now_ns) {
    Advance(now_ns);
    jobs_.erase(key);
  }
  double At(std::int64_t now_ns) {
    Advance(now_ns);
    double sum = 0;
    for (const auto& [key, job] : jobs_) {
      double left = std::max(job.cost_ns - job.charged_ns, job.cost_ns / 4);
      if (!job.runs) left = job.cost_ns;
      sum += left;
    }
    return sum;
  }

 private:
  struct Job {
    double cost_ns, charged_ns;
    bool runs;
  };

  /// All time is charged to the running job with the earliest deadline.
  void Advance(std::int64_t now_ns) {
    for (auto& [key, job] : jobs_) {
      if (!job.runs) continue;
      job.charged_ns += static_cast<double>(now_ns - last_ns_);
      break;
    }
    last_ns_ = now_ns;
  }

  std::map<Key, Job> jobs_;
  std::int64_t last_ns_ = 0;
};

TEST_F(AdmissionTest, TheBacklogIsWhatIsLeftOfAllJobs) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::mt19937_64 random(seed);
    Admission admission{AdmissionOptions{}};
    Backlog backlog;
    std::vector<Key> waiting, running;
    std::int64_t now_ns = 0;
    const auto take = [&](std::vector<Key>& keys) {
      const std::size_t i = random() % keys.size();
      const Key key = keys[i];
      keys.erase(keys.begin() + static_cast<std::ptrdiff_t>(i));
      return key;
    };
    for (std::uint64_t id = 1; id <= 400; ++id) {
      now_ns += static_cast<std::int64_t>(random() % (kMs / 4));
      const Key key = {now_ns + static_cast<std::int64_t>((200 + random() % 300) * kMs), id};
      const bool was_accepted = admission.Offer({key, 0, id % 3, &millisecond_}, now_ns).accepted;
      if (was_accepted) {
        backlog.Accept(key, 1.0 * kMs);
        waiting.push_back(key);
      }
      if (random() % 3 != 0 && !waiting.empty()) {
        running.push_back(take(waiting));
        admission.Start(running.back(), now_ns);
        backlog.Start(running.back(), now_ns);
      }
      if (random() % 3 != 0 && !running.empty()) {
        const Key ended = take(random() % 8 == 0 && !waiting.empty() ? waiting : running);
        admission.Leave(ended, now_ns, AsEnded::kOther);  // teaches nothing
        backlog.Leave(ended, now_ns);
      }
      now_ns += static_cast<std::int64_t>(random() % (kMs / 8));
      ASSERT_NEAR(admission.BacklogNs(now_ns), backlog.At(now_ns), 1) << seed << ", " << id;
    }
    EXPECT_GT(waiting.size() + running.size(), 5u);
    for (const auto* keys : {&waiting, &running}) {
      for (const Key& key : *keys) admission.Leave(key, now_ns, AsEnded::kOther);
    }
    EXPECT_EQ(admission.BacklogNs(now_ns), 0);
  }
}

}  // namespace
}  // namespace warpyard::dispatch
