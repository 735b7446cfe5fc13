// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/exec/lane_sets.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <vector>

#include "core/exec/thread_scope.h"
#include "tests/support/lane_scopes.h"

namespace warpyard::exec {
namespace {

using test_support::RunLanes;
using test_support::ScheduledLaneScope;

TEST(PlaceAmong, CountsTheLanesOfLowerRank) {
  constexpr std::uint32_t kLanes = 0x8000'0015u;  // 0, 2, 4, 31
  EXPECT_EQ(PlaceAmong(kLanes, 0), 0u);
  EXPECT_EQ(PlaceAmong(kLanes, 2), 1u);
  EXPECT_EQ(PlaceAmong(kLanes, 4), 2u);
  EXPECT_EQ(PlaceAmong(kLanes, 31), 3u);
  EXPECT_EQ(PlaceAmong(kLanes, 3), 2u) << "a lane that is not in the set";
  EXPECT_EQ(PlaceAmong(~0u, 31), 31u);
  EXPECT_EQ(PlaceAmong(0, 31), 0u);
}

TEST(ForEachPeerSet, ShowsEachValueOnceToAllLanes) {
  constexpr std::uint32_t kLanes = 8;
  constexpr std::uint32_t kValues[kLanes] = {7, 3, 7, 9, 3, 7, 5, 9};
  constexpr std::uint32_t kAway = 6;
  using Sets = std::map<std::uint32_t, std::vector<std::uint32_t>>;
  std::vector<Sets> seen(kLanes);
  ASSERT_EQ(RunLanes(kLanes,
                     [&](ScheduledLaneScope& lane) {
                       const std::uint32_t rank = lane.Rank();
                       ForEachPeerSet(lane, rank != kAway, kValues[rank],
                                      [&](std::uint32_t value, std::uint32_t peers) {
                                        seen[rank][value].push_back(peers);
                                      });
                     }),
            "");
  const Sets expected{{7, {0b0010'0101}}, {3, {0b0001'0010}}, {9, {0b1000'1000}}};
  for (const Sets& sets : seen) EXPECT_EQ(sets, expected);
}

TEST(ForEachPeerSet, CallsNobodyWhereNoLaneHasAValue) {
  ThreadScope alone(nullptr);
  ForEachPeerSet(alone, false, 1, [](std::uint32_t, std::uint32_t) { FAIL(); });
  std::uint32_t calls = 0;
  ForEachPeerSet(alone, true, 4, [&](std::uint32_t value, std::uint32_t peers) {
    EXPECT_EQ(value, 4u);
    EXPECT_EQ(peers, 1u);
    ++calls;
  });
  EXPECT_EQ(calls, 1u);
}

}  // namespace
}  // namespace warpyard::exec
