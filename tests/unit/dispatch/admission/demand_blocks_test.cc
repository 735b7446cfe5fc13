// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/dispatch/admission/demand_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>

namespace warpyard::dispatch {
namespace {

AcceptedJob JobOf(std::int64_t deadline_ns, std::uint64_t id, double cost_ns, double least_ns) {
  AcceptedJob job{};
  job.key = {deadline_ns, id};
  job.cost_ns = job.left_ns = cost_ns;
  job.least_ns = least_ns;
  job.started_ns = AcceptedJob::kWaiting;
  return job;
}

/// The demand bound, job by job.
DemandBlocks::Result FitsByDefinition(const AcceptedJobs& jobs, const AcceptedJob& asked,
                                      double room_ns, double safety, std::int64_t now_ns) {
  double before_ns = 0;
  bool is_added = false;
  const double time_ns_of_asked = TimeUntil(asked.key.deadline_ns, now_ns);
  for (const AcceptedJob& job : jobs) {
    if (!is_added && asked.key < job.key) {
      if (safety * before_ns + room_ns > time_ns_of_asked)
        return {false, before_ns + asked.cost_ns};
      is_added = true;
    }
    const double time_ns = TimeUntil(job.key.deadline_ns, now_ns);
    const double with_asked_ns = before_ns + asked.cost_ns;
    const bool is_late = safety * with_asked_ns + job.RoomNs() > time_ns;
    const bool is_late_anyway = safety * before_ns + job.RoomNs() > time_ns;
    if (is_added && is_late && !is_late_anyway) return {false, with_asked_ns + job.left_ns};
    before_ns += job.left_ns;
  }
  return {is_added || safety * before_ns + room_ns <= time_ns_of_asked, before_ns + asked.cost_ns};
}

/// Jobs as admission has them: they come near the end, and go near the beginning.
class DemandBlocksTest : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  double Number(double from, double to) {
    return std::uniform_real_distribution<double>(from, to)(random_);
  }
  std::size_t PlaceOf(const DeadlineKey& key) const {
    const auto place =
        std::upper_bound(jobs_.begin(), jobs_.end(), key,
                         [](const DeadlineKey& a, const AcceptedJob& b) { return a < b.key; });
    return static_cast<std::size_t>(place - jobs_.begin());
  }
  AcceptedJob Draw() {
    const auto left_ns =
        static_cast<std::int64_t>(Number(1, 10) < 9 ? Number(8e6, 10e6) : Number(1e3, 12e6));
    return JobOf(now_ns_ + left_ns, ++id_, Number(0, 40e3), Number(0, 400e3));
  }
  void Insert(const AcceptedJob& job) {
    const std::size_t place = PlaceOf(job.key);
    jobs_.insert(jobs_.begin() + static_cast<std::ptrdiff_t>(place), job);
    blocks_.Inserted(place);
  }
  void Erase(std::size_t place) {
    blocks_.Erased(place, jobs_[place].left_ns);
    jobs_.erase(jobs_.begin() + static_cast<std::ptrdiff_t>(place));
  }
  void Change(std::size_t place) {
    AcceptedJob& job = jobs_[place];
    job.started_ns = now_ns_;
    const double by_ns = -Number(0, job.left_ns);
    job.left_ns += by_ns;
    blocks_.Changed(place, by_ns);
  }

  std::mt19937_64 random_{GetParam()};
  AcceptedJobs jobs_;
  DemandBlocks blocks_{jobs_};
  std::int64_t now_ns_ = 1'000'000'000'000'000'000;
  std::uint64_t id_ = 0;
};

TEST_P(DemandBlocksTest, SaysTheSameAsALookAtEachJob) {
  double safety = 1.1;
  int fits = 0, full = 0;
  for (int i = 0; i < 3000; ++i) {
    const AcceptedJob asked = Draw();
    const double room_ns = std::max(asked.cost_ns, asked.least_ns);
    const DemandBlocks::Result expected = FitsByDefinition(jobs_, asked, room_ns, safety, now_ns_);
    const DemandBlocks::Result result =
        blocks_.Fits(asked, PlaceOf(asked.key), room_ns, safety, now_ns_);
    ASSERT_EQ(result.fits, expected.fits) << "step " << i << ", " << jobs_.size() << " jobs";
    ASSERT_TRUE(expected.fits || std::abs(result.before_ns - expected.before_ns) < 1);
    ++(expected.fits ? fits : full);
    if (expected.fits || i % 50 == 0) Insert(asked);
    if (!jobs_.empty() && i % 2 == 0) Change(random_() % std::min<std::size_t>(jobs_.size(), 40));
    if (jobs_.size() > 20 && i % 3 == 0) Erase(random_() % 20);
    if (i % 400 == 399) safety = Number(1, 1.5);
    now_ns_ += static_cast<std::int64_t>(Number(0, 8e3));
  }
  EXPECT_GT(fits, 300);
  EXPECT_GT(full, 300);
  while (!jobs_.empty()) Erase(random_() % jobs_.size());
  const AcceptedJob asked = Draw();
  EXPECT_TRUE(blocks_.Fits(asked, 0, 1, safety, now_ns_).fits);
}

INSTANTIATE_TEST_SUITE_P(Seeds, DemandBlocksTest, ::testing::Range<std::uint64_t>(1, 9));

}  // namespace
}  // namespace warpyard::dispatch
