// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/dispatch/admission/guarded_admission.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "absl/types/span.h"

namespace warpyard::dispatch {
namespace {

using Change = GuardedAdmission::Change;
constexpr std::int64_t kHour = 3'600'000'000'000;

std::shared_ptr<WorkEstimate> EstimateOf(double ns) {
  auto estimate = std::make_shared<WorkEstimate>();
  for (int i = 0; i < 3; ++i) estimate->Learn({ns, ns, true});
  return estimate;
}

class GuardedAdmissionTest : public testing::Test {
 protected:
  /// Offers a job that has an hour.
  bool Accepts(std::uint64_t id, const std::shared_ptr<WorkEstimate>& estimate) {
    const auto lock = admission_.Lock();
    return admission_.Offer({Key(id), 0, 0, estimate.get()}).accepted;
  }
  GuardedAdmission::Key Key(std::uint64_t id) const { return {deadline_ns_, id}; }
  void Tell(Change change) { admission_.Tell({&change, 1}); }

  const std::int64_t deadline_ns_ = absl::GetCurrentTimeNanos() + kHour;
  GuardedAdmission admission_{AdmissionOptions()};
};

TEST_F(GuardedAdmissionTest, ReadsWhatHasBecomeOfJobsBeforeItDecides) {
  const auto half = EstimateOf(0.6 * kHour);
  EXPECT_TRUE(Accepts(1, half));
  EXPECT_FALSE(Accepts(2, half));
  Tell({Key(1)});
  EXPECT_FALSE(Accepts(3, half)) << "the first has begun";
  Tell({Key(1), Admission::Ending::kOther, half});
  EXPECT_TRUE(Accepts(4, half)) << "the first has ended";
  EXPECT_EQ(admission_.Look().counts.accepted, 2u);
}

TEST_F(GuardedAdmissionTest, JobsOfAnEventTeachTogether) {
  const auto estimate = EstimateOf(1e6);
  for (std::uint64_t id = 1; id <= 4; ++id) EXPECT_TRUE(Accepts(id, estimate));
  std::vector<Change> changes;
  for (std::uint64_t id = 1; id <= 4; ++id) changes.push_back({Key(id)});
  for (std::uint64_t id = 1; id <= 4; ++id) {
    changes.push_back({Key(id), Admission::Ending::kMet, estimate, id == 4});
  }
  admission_.Tell(absl::MakeSpan(changes));
  EXPECT_EQ(admission_.Look().backlog_ns, 0);
  EXPECT_LT(estimate->Cost(0), 1e6) << "they took no time";
}

TEST_F(GuardedAdmissionTest, AnEstimateLivesUntilItHasLearnt) {
  auto estimate = EstimateOf(1e6);
  const std::weak_ptr<WorkEstimate> watched = estimate;
  EXPECT_TRUE(Accepts(1, estimate));
  Tell({Key(1)});
  Tell({Key(1), Admission::Ending::kMet, std::move(estimate)});
  EXPECT_FALSE(watched.expired());
  EXPECT_EQ(admission_.Look().backlog_ns, 0);
  EXPECT_TRUE(watched.expired());
}

TEST_F(GuardedAdmissionTest, AHopelessJobIsFoundAlthoughNobodyHasReadTheChanges) {
  const auto long_job = EstimateOf(0.8 * kHour), short_job = EstimateOf(0.05 * kHour);
  EXPECT_TRUE(Accepts(1, long_job));
  EXPECT_TRUE(Accepts(2, short_job));
  Tell({.key = Key(1), .cost_ns = 0.8 * kHour});
  EXPECT_FALSE(admission_.IsHopeless(Key(2), 0.05 * kHour, 0, 0));
  EXPECT_TRUE(admission_.IsHopeless(Key(2), 0.05 * kHour, 0, 0.2 * kHour));
  Tell({Key(1), Admission::Ending::kOther, long_job});
  EXPECT_FALSE(admission_.IsHopeless(Key(2), 0.05 * kHour, 0, 0.2 * kHour));
}

TEST_F(GuardedAdmissionTest, ThreadsTellWhileAnotherOneOffers) {
  const auto estimate = EstimateOf(1e3);
  constexpr std::uint64_t kJobs = 3000;
  std::atomic<std::uint64_t> accepted = 0, ended = 0;
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < 2; ++t) {
    threads.emplace_back([&, t] {
      for (std::uint64_t id = t; id < kJobs; id += 2) {
        while (accepted.load(std::memory_order_acquire) <= id) std::this_thread::yield();
        Tell({Key(id)});
        Tell({Key(id), Admission::Ending::kMet, estimate});
        ++ended;
      }
    });
  }
  for (std::uint64_t id = 0; id < kJobs; ++id) {
    EXPECT_TRUE(Accepts(id, estimate));
    accepted.store(id + 1, std::memory_order_release);
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(ended, kJobs);
  const GuardedAdmission::State state = admission_.Look();
  EXPECT_EQ(state.counts.accepted, kJobs);
  EXPECT_EQ(state.backlog_ns, 0);
}

}  // namespace
}  // namespace warpyard::dispatch
