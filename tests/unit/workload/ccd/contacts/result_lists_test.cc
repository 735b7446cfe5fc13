// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/contacts/result_lists.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tests/support/mesh_fixtures.h"

namespace warpyard::ccd {
namespace {

using test_support::Random;

/// Different pairs of ids less than `ids`, in random order.
std::vector<std::pair<std::uint32_t, std::uint32_t>> RandomPairs(std::size_t count,
                                                                 std::uint32_t ids,
                                                                 std::uint64_t seed) {
  Random random(seed);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  while (pairs.size() < count) {
    const std::uint32_t a = random.Below(ids), b = random.Below(ids);
    pairs.emplace_back(a, b);
    if (pairs.size() < count) continue;
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  }
  for (std::size_t i = pairs.size(); i > 1; --i) {
    std::swap(pairs[i - 1], pairs[random.Below(static_cast<std::uint32_t>(i))]);
  }
  return pairs;
}

/// A time that follows from the ids.
double TimeOf(std::uint32_t a, std::uint32_t b) { return 1.0 / (1.0 + a + 1000.0 * b); }

/// Lists that are short and lists that are long compared with the number of ids.
constexpr std::array<std::pair<std::size_t, std::uint32_t>, 6> kSizes = {
    {{0, 1}, {1, 1}, {3, 1000}, {124, 1000}, {126, 1000}, {3000, 60}}};

TEST(ResultLists, OfVerticesAndFacesAreInTheOrderOfTheirIdsWithTheirTimes) {
  SortBuffers buffers;  // used again and again, as by a scene
  for (const auto& [count, ids] : kSizes) {
    auto pairs = RandomPairs(count, ids, count);
    memory::HostVector<VertexFaceCollision> list;
    for (const auto& [a, b] : pairs) list.push_back({a, b, TimeOf(a, b)});
    SortCollisions(list, ids, buffers);
    std::sort(pairs.begin(), pairs.end());
    ASSERT_EQ(list.size(), pairs.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      EXPECT_EQ(list[i].vertex, pairs[i].first) << count << " pairs, place " << i;
      EXPECT_EQ(list[i].face, pairs[i].second) << count << " pairs, place " << i;
      EXPECT_EQ(list[i].time, TimeOf(pairs[i].first, pairs[i].second));
    }
  }
}

TEST(ResultLists, OfEdgesAreInTheOrderOfTheirEdges) {
  SortBuffers buffers;
  // Edges in their order: by the larger vertex, then the smaller one.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t b = 0; b < 60; ++b) {
    for (std::uint32_t a = 0; a < b; ++a) edges.emplace_back(a, b);
  }
  for (const std::size_t count : {0u, 1u, 5u, 3000u}) {
    auto pairs = RandomPairs(count, static_cast<std::uint32_t>(edges.size()), count);
    memory::HostVector<EdgeEdgeCollision> list;
    for (const auto& [a, b] : pairs) {
      list.push_back(
          {edges[a].first, edges[a].second, edges[b].first, edges[b].second, TimeOf(a, b)});
    }
    SortCollisions(list, 60, buffers);
    std::sort(pairs.begin(), pairs.end());
    ASSERT_EQ(list.size(), pairs.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      EXPECT_EQ(std::pair(list[i].a0, list[i].a1), edges[pairs[i].first]) << "place " << i;
      EXPECT_EQ(std::pair(list[i].b0, list[i].b1), edges[pairs[i].second]) << "place " << i;
      EXPECT_EQ(list[i].time, TimeOf(pairs[i].first, pairs[i].second));
    }
  }
}

}  // namespace
}  // namespace warpyard::ccd
