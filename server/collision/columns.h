// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Splits lists of structures into columns, the form that messages have.
#ifndef WARPYARD_SERVER_COLLISION_COLUMNS_H_
#define WARPYARD_SERVER_COLLISION_COLUMNS_H_

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>

namespace warpyard::server {

/// Copies the first `kSplit` bytes of each item to `first`, one item after another, and the rest of
/// each item to `others`, unless that is null.
/// @shape first: kSplit bytes an item; others: the rest of the item's size; neither need be aligned
template <std::size_t kSplit, class Item>
void SplitColumns(std::span<const Item> items, char* first, char* others) {
  static_assert(std::is_trivially_copyable_v<Item> && 0 < kSplit && kSplit < sizeof(Item));
  constexpr std::size_t kOthers = sizeof(Item) - kSplit;
  // Each item should be read from memory only once: so few items at a time stay in the nearest
  // cache until both columns are copied (docs/adr/0027).
  constexpr std::size_t kItemsAtOnce = 256;
  while (!items.empty()) {
    const auto some = items.first(std::min(items.size(), kItemsAtOnce));
    for (const Item& item : some) {
      std::memcpy(first, &item, kSplit);
      first += kSplit;
    }
    if (others != nullptr) {
      for (const Item& item : some) {
        std::memcpy(others, reinterpret_cast<const char*>(&item) + kSplit, kOthers);
        others += kOthers;
      }
    }
    items = items.subspan(some.size());
  }
}

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_COLLISION_COLUMNS_H_
