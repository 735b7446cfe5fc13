// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/narrow/find_roots.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

#include "tests/support/mesh_fixtures.h"
#include "tests/unit/workload/ccd/narrow/host_pairs.h"

namespace warpyard::test_support {
namespace {

/// Finds roots of all pairs in a part of a step for the earliest time; returns the earliest time.
double EarliestOfPart(HostPairs& pairs, ccd::SamplePart part) {
  ccd::StepCounters& counters = pairs.Counters();
  pairs.Job().step.asked.report = ccd::Report::kEarliest;
  counters.earliest_bits = ccd::kNoContactBits;
  counters.sample_part = static_cast<std::uint64_t>(part);
  InRandomOrder run(3, pairs.Job());
  run.operator()<ccd::FindRoots>(static_cast<std::uint32_t>(pairs.Pairs()));
  double time;
  std::memcpy(&time, &counters.earliest_bits, sizeof time);
  return time;
}

TEST(FindRoots, OfASampleLeavesLongWalksToTheRest) {
  std::uint32_t later = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    for (const std::uint32_t most : {1'000'000u, 6u, 2u}) {
      HostPairs pairs(TriangleSoup(seed, {12, 0.35, 0.25}));
      pairs.Job().step.asked.max_intervals = most;
      const HostPairs::Expected expected = pairs.OfWholeWalks();
      const double of_sample = EarliestOfPart(pairs, ccd::SamplePart::kIn);
      EXPECT_GE(of_sample, expected.earliest);
      EXPECT_EQ(pairs.Counters().capped_pairs, 0u) << "a walk that was given up is no contact";
      later += of_sample > expected.earliest ? 1 : 0;
      EXPECT_EQ(EarliestOfPart(pairs, ccd::SamplePart::kAfter), expected.earliest)
          << seed << ", at most " << most;
    }
  }
  EXPECT_GT(later, 5u) << "no walk was given up";
}

TEST(FindRoots, WithoutASampleWalksToTheEnd) {
  HostPairs pairs(TriangleSoup(1, {60, 0.35, 0.25}));
  const HostPairs::Expected expected = pairs.OfWholeWalks();
  InRandomOrder run(4, pairs.Job());
  run.operator()<ccd::FindRoots>(static_cast<std::uint32_t>(pairs.Pairs()));
  EXPECT_EQ(pairs.Listed(), expected.found);
}

}  // namespace
}  // namespace warpyard::test_support
