// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/grammar/city.h"

#include <gtest/gtest.h>

#include <map>

namespace warpyard::grammar_bench {
namespace {

TEST(City, HasTheSameBuildingsInEachPart) {
  std::map<std::uint64_t, float> kinds;
  const auto all = PartOfCity({-3000, -600, 6000, 600}, 0);
  for (std::size_t i = 0; i < all.parcels.size(); ++i) {
    EXPECT_TRUE(kinds.emplace(all.parcels[i].id, all.attributes[0].values[i]).second);
  }
  const auto some = PartOfCity({2000, -100, 2500, 100}, 0);
  EXPECT_GT(some.parcels.size(), 100u);
  for (std::size_t i = 0; i < some.parcels.size(); ++i) {
    EXPECT_EQ(kinds.at(some.parcels[i].id), some.attributes[0].values[i]);
  }
}

TEST(City, IsAsDenseAsThatOfThePaper) {
  // 3500 buildings within 1000 m.
  const auto part = PartOfCity({0, 0, 1000, 1000}, 0);
  EXPECT_NEAR(static_cast<double>(part.parcels.size()), 3500 / 3.14159, 100);
}

}  // namespace
}  // namespace warpyard::grammar_bench
