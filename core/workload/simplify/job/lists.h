// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Lists of what is around things, in four stages: counts, their prefix sums, items, and order.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_JOB_LISTS_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_JOB_LISTS_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/simplify/job/simplify_job.h"

namespace warpyard::simplify {

using procedure::Range;

WY_HD inline Range ListOf(const ListsView& lists, std::uint32_t thing) {
  return {lists.offsets[thing], lists.offsets[thing + 1]};
}

template <class Scope>
WY_HD void CountItem(const ListsView& lists, std::uint32_t thing) {
  Scope::Word(lists.counts[thing]).FetchAddRelaxed(1);
}

/// Adds an item that was counted; the counts go back to 0. The order of a list is that of the
/// workers: SortList gives it another one.
template <class Scope>
WY_HD void AddItem(const ListsView& lists, std::uint32_t thing, std::uint32_t item) {
  const std::uint32_t left = Scope::Word(lists.counts[thing]).FetchSubRelaxed(1);
  lists.items[lists.offsets[thing] + left - 1] = item;
}

/// Lets an item sink in a heap. @shape items: [count], a heap below `root`
WY_HD inline void Sink(std::uint32_t* items, std::uint32_t root, std::uint32_t count) {
  const std::uint32_t item = items[root];
  while (2 * root + 1 < count) {
    std::uint32_t child = 2 * root + 1;
    if (child + 1 < count && items[child + 1] > items[child]) ++child;
    if (items[child] <= item) break;
    items[root] = items[child];
    root = child;
  }
  items[root] = item;
}

/// Sorts ascending, in place. Most lists have six items; some meshes have vertices with a million
/// triangles.
WY_HD inline void SortList(std::uint32_t* items, std::uint32_t count) {
  constexpr std::uint32_t kShort = 24;
  if (count <= kShort) {
    for (std::uint32_t i = 1; i < count; ++i) {
      const std::uint32_t item = items[i];
      std::uint32_t k = i;
      for (; k > 0 && items[k - 1] > item; --k) items[k] = items[k - 1];
      items[k] = item;
    }
    return;
  }
  for (std::uint32_t root = count / 2; root-- > 0;) Sink(items, root, count);
  for (std::uint32_t last = count; last-- > 1;) {
    const std::uint32_t greatest = items[0];
    items[0] = items[last];
    items[last] = greatest;
    Sink(items, 0, last);
  }
}
WY_HD inline void SortList(const ListsView& lists, std::uint32_t thing) {
  const Range list = ListOf(lists, thing);
  SortList(lists.items + list.begin, list.end - list.begin);
}

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_JOB_LISTS_H_
