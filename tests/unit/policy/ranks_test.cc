// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/policy/ranks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "core/exec/thread_scope.h"

namespace warpyard::policy {
namespace {

constexpr std::uint32_t kKeys = 65;

TEST(Ranks, AreAPermutationInTheOrderOfTheKeysWhateverTies) {
  exec::ThreadScope group(nullptr);
  std::mt19937_64 random(1);
  for (int round = 0; round < 500; ++round) {
    const std::uint64_t different = 1 + random() % (round % 2 == 0 ? 4 : 1'000);
    std::uint64_t keys[kKeys];
    for (std::uint64_t& key : keys) key = random() % different * (~std::uint64_t{0} / different);
    std::uint16_t ranks[kKeys];
    ComputeRanks(group, keys, ranks);
    std::uint16_t sorted[kKeys];
    SortRanks(keys, sorted);
    ASSERT_TRUE(std::equal(ranks, ranks + kKeys, sorted)) << "by one thread";
    std::vector<std::uint32_t> at(kKeys, kKeys);
    for (std::uint32_t i = 0; i < kKeys; ++i) {
      ASSERT_LT(ranks[i], kKeys);
      ASSERT_EQ(at[ranks[i]], kKeys) << "two with one rank";
      at[ranks[i]] = i;
    }
    for (std::uint32_t r = 1; r < kKeys; ++r) {
      ASSERT_LE(keys[at[r - 1]], keys[at[r]]);
      const bool tie = keys[at[r - 1]] == keys[at[r]];
      ASSERT_TRUE(!tie || at[r - 1] < at[r]) << "ties by place";
    }
  }
}

TEST(Ranks, OfOneKeyIsZero) {
  exec::ThreadScope group(nullptr);
  const std::uint64_t keys[1] = {~std::uint64_t{0}};
  std::uint16_t ranks[1] = {7};
  ComputeRanks(group, keys, ranks);
  EXPECT_EQ(ranks[0], 0);
}

}  // namespace
}  // namespace warpyard::policy
