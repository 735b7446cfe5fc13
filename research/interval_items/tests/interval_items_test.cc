// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "research/interval_items/interval_items.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "research/interval_items/tests/walk_fixture.h"
#include "tests/support/mesh_fixtures.h"
#include "tests/support/workers/serial_driver.h"
#include "tests/unit/workload/ccd/stage_runners.h"

namespace warpyard::test_support {
namespace {

std::vector<NamedMotion> Motions() {
  std::vector<NamedMotion> motions = DegenerateMotions();
  motions.push_back({"soup", TriangleSoup(1, {60, 0.35, 0.25})});
  motions.push_back({"grid soup", TriangleSoup(2, {50, 0.5, 0.5, 2})});
  motions.push_back({"cloth", FoldingCloth(3, 7, 9)});
  motions.push_back({"bodies", Tetrahedra(4, 15)});
  return motions;
}

/// The earliest time that the step has found.
double EarliestOf(HostWalks& walks) {
  double time;
  std::memcpy(&time, &walks.Counters().earliest_bits, sizeof time);
  return time;
}

void SetEarliest(HostWalks& walks, double time) {
  std::memcpy(&walks.Counters().earliest_bits, &time, sizeof time);
}

TEST(IntervalItems, FindWhatWholeWalksFindAtTheSameTimes) {
  std::uint64_t found = 0, continued = 0, capped = 0;
  for (const NamedMotion& named : Motions()) {
    for (const std::uint32_t intervals : {1u, 2u, 3u, 5u, 0xffffffffu}) {
      for (const std::uint32_t cap : {0u, 1u, 3u, 4u, 1'000'000u}) {
        for (const double separation : {0.0, 0.02}) {
          HostWalks walks(named.motion, intervals);
          walks.Job().step.asked.max_intervals = cap;
          walks.Job().step.asked.min_separation = separation;
          const HostWalks::Expected expected = walks.OfWholeWalks();
          const auto order =
              intervals % 2 == 0 ? SerialOrder::kOldestFirst : SerialOrder::kNewestFirst;
          const auto report = SerialDriver<WalkProgram>(order).Run(walks.WalkJob());
          ASSERT_EQ(walks.Listed(), expected.found) << named.name << " by " << intervals;
          ASSERT_EQ(EarliestOf(walks), expected.earliest);
          EXPECT_EQ(walks.Counters().capped_pairs, expected.capped);
          EXPECT_EQ(walks.Counters().contacts[0] + walks.Counters().contacts[1],
                    expected.found.size());
          const std::uint64_t items = walks.ExpectedContinued();
          EXPECT_EQ(walks.Continued(), items);
          EXPECT_EQ(report.Executed<interval_items::AdvanceWalk>(), expected.walks + items);
          found += expected.found.size();
          continued += items;
          capped += expected.capped;
        }
      }
    }
  }
  EXPECT_GT(found, 10'000u);
  EXPECT_GT(continued, 10'000u);
  EXPECT_GT(capped, 1000u);
}

TEST(IntervalItems, FindTheSameOfWhatAStageBeforeLeft) {
  std::uint64_t found = 0;
  for (const NamedMotion& named : Motions()) {
    for (const std::uint32_t intervals : {1u, 4u}) {
      HostWalks walks(named.motion, intervals);
      const HostWalks::Expected expected = walks.OfWholeWalks();
      walks.WalkInFloats();
      ASSERT_EQ(walks.Counters().left, expected.walks) << named.name;
      const auto report = SerialDriver<WalkProgram>(SerialOrder::kNewestFirst).Run(walks.WalkJob());
      ASSERT_EQ(walks.Listed(), expected.found) << named.name << " by " << intervals;
      EXPECT_EQ(report.Executed<interval_items::AdvanceWalk>(),
                expected.walks + walks.ExpectedContinued());
      found += expected.found.size();
    }
  }
  EXPECT_GT(found, 500u);
}

// A walk's continuation waits in the place that the walk left, whatever comes next.
TEST(IntervalItems, NeverWaitInLargerNumbersThanPairs) {
  const Motion motion = TriangleSoup(1, {60, 0.35, 0.25});
  for (const SerialOrder order : {SerialOrder::kOldestFirst, SerialOrder::kNewestFirst}) {
    HostWalks walks(motion, 1);
    EXPECT_LE(SerialDriver<WalkProgram>(order).Run(walks.WalkJob()).most_waiting,
              walks.Pairs() + 1);
  }
}

TEST(IntervalItems, FindTheEarliestTimeInAnyOrder) {
  for (const NamedMotion& named : Motions()) {
    for (const SerialOrder order : {SerialOrder::kOldestFirst, SerialOrder::kNewestFirst}) {
      HostWalks walks(named.motion, 1);
      const HostWalks::Expected expected = walks.OfWholeWalks();
      walks.Job().step.asked.report = ccd::Report::kEarliest;
      SerialDriver<WalkProgram>(order).Run(walks.WalkJob());
      EXPECT_EQ(EarliestOf(walks), expected.earliest) << named.name;
      EXPECT_LE(walks.Continued(), walks.ExpectedContinued()) << named.name;
      EXPECT_TRUE(walks.Listed().empty());
    }
  }
}

TEST(IntervalItems, DropAPairBehindTheEarliestTime) {
  HostWalks walks(TriangleSoup(1, {60, 0.35, 0.25}), 2);
  walks.Job().step.asked.report = ccd::Report::kEarliest;
  SetEarliest(walks, 0.25);
  procedure::Element elements[1];
  procedure::SpawnBuffer spawns{0, elements};
  exec::ThreadScope scope(nullptr);
  interval_items::IntervalJob job = walks.WalkJob();
  procedure::Context<exec::ThreadScope, interval_items::IntervalJob> context{scope, job, nullptr,
                                                                             &spawns};
  for (std::uint32_t pair = 0; pair < walks.Pairs(); ++pair) {
    walks.Times()[pair] = 0.25;
    interval_items::AdvanceWalk::Execute(context, {pair, 6});
  }
  EXPECT_EQ(spawns.count, 0u);
  EXPECT_EQ(EarliestOf(walks), 0.25);
  EXPECT_EQ(walks.Counters().contacts[0] + walks.Counters().contacts[1], 0u);
  EXPECT_EQ(walks.Continued(), 3 * walks.Pairs());
}

TEST(IntervalItems, OfLanesLeaveOutOnlyWhatFloatsProveFree) {
  std::uint32_t left_out = 0;
  for (const NamedMotion& named : Motions()) {
    HostWalks walks(named.motion, 1);
    const auto pairs = static_cast<std::uint32_t>(walks.Pairs());
    std::vector<bool> spawned(pairs, false);
    std::uint64_t walked = 0;
    for (std::uint32_t begin = 0; begin < pairs; begin += interval_items::SeedWalks::kGrain) {
      const std::uint32_t end = std::min(pairs, begin + interval_items::SeedWalks::kGrain);
      procedure::Element elements[interval_items::SeedWalks::kMaxSpawns];
      procedure::SpawnBuffer spawns{0, elements};
      interval_items::IntervalJob job = walks.WalkJob();
      const std::string failure = RunLanes(7, [&](ScheduledLaneScope& lane) {
        procedure::Context<ScheduledLaneScope, interval_items::IntervalJob> context{
            lane, job, nullptr, &spawns};
        interval_items::SeedWalks::Execute(context, procedure::Range{begin, end});
      });
      ASSERT_EQ(failure, "");
      for (std::uint32_t i = 0; i < spawns.count; ++i) {
        const auto& [pair, intervals] = elements[i].payload;
        ASSERT_TRUE(pair >= begin && pair < end && !spawned[pair] && intervals == 0);
        spawned[pair] = true;
        ++walked;
      }
    }
    EXPECT_EQ(walked, walks.OfWholeWalks().walks) << named.name;
    procedure::Element elements[1];
    procedure::SpawnBuffer spawns{0, elements};
    exec::ThreadScope scope(nullptr);
    interval_items::IntervalJob job = walks.WalkJob();
    job.intervals = job.collision.step.asked.max_intervals;
    procedure::Context<exec::ThreadScope, interval_items::IntervalJob> context{scope, job, nullptr,
                                                                               &spawns};
    for (std::uint32_t pair = 0; pair < pairs; ++pair) {
      if (spawned[pair]) continue;
      ++left_out;
      walks.Times()[pair] = 0;
      interval_items::AdvanceWalk::Execute(context, {pair, 0});
      ASSERT_EQ(spawns.count, 0u) << named.name;
    }
    EXPECT_TRUE(walks.Listed().empty()) << named.name;
  }
  EXPECT_GT(left_out, 500u);
}

}  // namespace
}  // namespace warpyard::test_support
