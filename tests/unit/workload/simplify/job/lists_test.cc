// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/job/lists.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace warpyard::simplify {
namespace {

TEST(SortList, SortsListsOfAnyLength) {
  std::mt19937 random(7);
  for (std::uint32_t count = 0; count < 200; ++count) {
    std::vector<std::uint32_t> items(count);
    for (std::uint32_t& item : items) item = static_cast<std::uint32_t>(random()) % (count + 1);
    std::vector<std::uint32_t> expected = items;
    std::sort(expected.begin(), expected.end());
    SortList(items.data(), count);
    EXPECT_EQ(items, expected);
  }
}

TEST(SortList, SortsOneListAndLeavesItsNeighbours) {
  std::vector<std::uint32_t> items = {9, 8, 3, 2, 1, 7, 6};
  std::uint32_t offsets[] = {0, 2, 5, 7};
  const ListsView lists{nullptr, offsets, items.data()};
  SortList(lists, 1);
  EXPECT_EQ(items, (std::vector<std::uint32_t>{9, 8, 1, 2, 3, 7, 6}));
}

}  // namespace
}  // namespace warpyard::simplify
