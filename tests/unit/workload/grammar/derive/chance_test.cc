// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/derive/chance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <unordered_set>
#include <vector>

namespace warpyard {
namespace {

using grammar::ChanceOf;
using grammar::KeyOf;

TEST(KeyOf, TellsPathsApart) {
  // Keys are hashes themselves, from that of the parcel on.
  std::unordered_set<std::uint64_t> keys;
  for (std::uint64_t key = 0; key < 20; ++key) {
    for (std::uint32_t place = 0; place < 20; ++place) {
      for (std::uint32_t number = 0; number < 200; ++number) {
        keys.insert(KeyOf(grammar::Mix(key), place, number));
      }
    }
  }
  EXPECT_EQ(keys.size(), 20u * 20 * 200);
  // The order of a path counts.
  EXPECT_NE(KeyOf(KeyOf(1, 2, 3), 4, 5), KeyOf(KeyOf(1, 4, 5), 2, 3));
}

TEST(ChanceOf, IsEvenlyDistributedOverSymbolsAndPlaces) {
  constexpr int kCells = 64, kNumbers = 64 * 1000;
  for (const bool over_places : {false, true}) {
    std::vector<int> cells(kCells);
    for (std::uint32_t i = 0; i < kNumbers; ++i) {
      const float chance = over_places ? ChanceOf(1234, i) : ChanceOf(KeyOf(7, 3, i), 0);
      ASSERT_GE(chance, 0);
      ASSERT_LT(chance, 1);
      ++cells[static_cast<std::size_t>(chance * kCells)];
    }
    // Chi-square with 63 degrees of freedom: mean 63, standard deviation 11.
    double square = 0;
    for (const int count : cells) square += (count - 1000.0) * (count - 1000.0) / 1000;
    EXPECT_LT(square, 63 + 5 * 11.2);
  }
}

TEST(ChanceOf, OfOneSymbolAreIndependent) {
  double sums = 0;
  constexpr int kNumbers = 50'000;
  for (std::uint32_t i = 0; i < kNumbers; ++i) {
    const std::uint64_t key = KeyOf(1, 2, i);
    sums += (ChanceOf(key, 0) - 0.5) * (ChanceOf(key, 1) - 0.5);
  }
  // The standard deviation of the mean of such products is 1/12 / sqrt(kNumbers).
  EXPECT_LT(std::fabs(sums / kNumbers), 5.0 / 12 / std::sqrt(double{kNumbers}));
}

}  // namespace
}  // namespace warpyard
