// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/narrow/find_roots.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

#include "research/interval_items/tests/walk_fixture.h"
#include "tests/support/mesh_fixtures.h"

namespace warpyard::test_support {
namespace {

/// Finds roots of all pairs in a part of a step for the earliest time, and returns that.
/// @shape part: StepCounters::sample_part
double EarliestOfPart(HostWalks& walks, std::uint64_t part) {
  ccd::StepCounters& counters = walks.Counters();
  walks.Job().step.report = ccd::Report::kEarliest;
  counters.earliest_bits = ccd::kNoContactBits;
  counters.sample_part = part;
  InRandomOrder run(3, walks.Job());
  run.operator()<ccd::FindRoots>(static_cast<std::uint32_t>(walks.Pairs()));
  double time;
  std::memcpy(&time, &counters.earliest_bits, sizeof time);
  return time;
}

TEST(FindRoots, OfASampleLeavesLongWalksToTheRest) {
  std::uint32_t later = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    for (const std::uint32_t most : {1'000'000u, 6u, 2u}) {
      HostWalks walks(TriangleSoup(seed, {12, 0.35, 0.25}), 1);
      walks.Job().step.max_intervals = most;
      const HostWalks::Expected expected = walks.OfWholeWalks();
      const double of_sample = EarliestOfPart(walks, 1);
      EXPECT_GE(of_sample, expected.earliest);
      EXPECT_EQ(walks.Counters().capped_pairs, 0u) << "a walk that was given up is no contact";
      later += of_sample > expected.earliest ? 1 : 0;
      EXPECT_EQ(EarliestOfPart(walks, 2), expected.earliest) << seed << ", at most " << most;
    }
  }
  EXPECT_GT(later, 5u) << "no walk was given up";
}

TEST(FindRoots, WithoutASampleWalksToTheEnd) {
  HostWalks walks(TriangleSoup(1, {60, 0.35, 0.25}), 1);
  const HostWalks::Expected expected = walks.OfWholeWalks();
  InRandomOrder run(4, walks.Job());
  run.operator()<ccd::FindRoots>(static_cast<std::uint32_t>(walks.Pairs()));
  EXPECT_EQ(walks.Listed(), expected.found);
}

}  // namespace
}  // namespace warpyard::test_support
