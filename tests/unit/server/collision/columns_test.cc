// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/collision/columns.h"

#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace warpyard::server {
namespace {

struct Item {
  std::uint32_t a, b, c;
};

std::vector<Item> Items(std::uint32_t count) {
  std::vector<Item> items(count);
  for (std::uint32_t i = 0; i < count; ++i) items[i] = {i, 10'000 + i, 20'000 + i};
  return items;
}

template <class Number>
void Append(Number number, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

TEST(SplitColumns, GivesEachColumnItsBytes) {
  // Counts around the number of items that are copied at once, and destinations that are not
  // aligned.
  for (const std::uint32_t count : {0, 1, 2, 255, 256, 257, 512, 1'000}) {
    const std::vector<Item> items = Items(count);
    std::string first = "x", others = "y";
    for (const Item& item : items) {
      Append(item.a, first);
      Append(item.b, others);
      Append(item.c, others);
    }
    // The bytes before and behind each column must not change.
    std::string to_first(1 + 4 * count + 1, 'x'), to_others(1 + 8 * count + 1, 'y');
    SplitColumns<4>(std::span<const Item>(items), &to_first[1], &to_others[1]);
    EXPECT_EQ(to_first, first + "x") << count;
    EXPECT_EQ(to_others, others + "y") << count;
  }
}

TEST(SplitColumns, LeavesTheOthersOut) {
  const std::vector<Item> items = Items(300);
  std::string expected, first(8 * 300, '\0');
  for (const Item& item : items) {
    Append(item.a, expected);
    Append(item.b, expected);
  }
  SplitColumns<8>(std::span<const Item>(items), first.data(), nullptr);
  EXPECT_EQ(first, expected);
}

}  // namespace
}  // namespace warpyard::server
