// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/job/bins.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "core/exec/thread_scope.h"

namespace warpyard::simplify {
namespace {

BinSum Find(std::vector<std::uint32_t> bins, bool falling, std::uint64_t wanted) {
  alignas(16) LaneSums lanes;
  exec::ThreadScope scope(nullptr);
  const BinSum found = FindInBins(
      scope, lanes, {bins.data(), static_cast<std::uint32_t>(bins.size()), falling}, wanted);
  for (const std::uint32_t items : bins) EXPECT_EQ(items, 0u) << "it clears them";
  return found;
}

TEST(FindInBins, FindsTheBinInWhichASumIsReached) {
  for (const auto& [wanted, bin, before] :
       {std::array<std::uint32_t, 3>{1, 1, 0}, {3, 1, 0}, {4, 3, 3}, {8, 3, 3}, {9, 4, 8}}) {
    const BinSum found = Find({0, 3, 0, 5, 2}, false, wanted);
    EXPECT_EQ(found.bin, bin) << wanted;
    EXPECT_EQ(found.before, before) << wanted;
  }
  EXPECT_EQ(Find({0, 3, 0, 5, 2}, false, 11).bin, 5u);
}

TEST(FindInBins, SumsFromTheLastBinOnWhereAsked) {
  EXPECT_EQ(Find({4, 0, 1}, true, 1).bin, 0u) << "counted from the last one";
  const BinSum found = Find({4, 0, 1}, true, 2);
  EXPECT_EQ(found.bin, 2u);
  EXPECT_EQ(found.before, 1u);
}

TEST(BinOf, HasTheOrderOfCosts) {
  std::uint32_t before = 0;
  for (float cost = 0; cost < 1e30f; cost = cost == 0 ? 1e-40f : 1.2f * cost) {
    EXPECT_GE(BinOf(cost), before);
    EXPECT_LT(BinOf(cost), kCostBins);
    before = BinOf(cost);
  }
}

}  // namespace
}  // namespace warpyard::simplify
