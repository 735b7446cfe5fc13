// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/result_lists.h"

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

/// Different pairs of ids below `ids`, each with a time that follows from them, in random order.
std::vector<PairContact> RandomContacts(std::size_t count, std::uint32_t ids, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  while (pairs.size() < count) {
    const std::uint32_t a = random.Below(ids), b = random.Below(ids);
    pairs.emplace_back(a, b);
    if (pairs.size() < count) continue;
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  }
  std::vector<PairContact> contacts;
  for (const auto& [a, b] : pairs) contacts.push_back({{a, b}, 1.0 / (1.0 + a + 1000.0 * b)});
  for (std::size_t i = contacts.size(); i > 1; --i) {
    std::swap(contacts[i - 1], contacts[random.Below(static_cast<std::uint32_t>(i))]);
  }
  return contacts;
}

/// Lists that are short and long beside the number of ids.
constexpr std::array<std::pair<std::size_t, std::uint32_t>, 6> kSizes = {
    {{0, 1}, {1, 1}, {3, 1000}, {124, 1000}, {126, 1000}, {3000, 60}}};

TEST(ResultLists, OfVerticesAndFacesAreInTheOrderOfTheirIdsWithTheirTimes) {
  ListBuffers<PairContact> buffers;  // used again and again, as by a scene
  for (const auto& [count, ids] : kSizes) {
    buffers.list = RandomContacts(count, ids, count);
    std::vector<PairContact> expected = buffers.list;
    std::sort(expected.begin(), expected.end(), [](const PairContact& x, const PairContact& y) {
      return std::pair(x.ids.a, x.ids.b) < std::pair(y.ids.a, y.ids.b);
    });
    const std::vector<VertexFaceCollision> sorted = SortedVertexFace(buffers, ids);
    ASSERT_EQ(sorted.size(), expected.size());
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      EXPECT_EQ(sorted[i].vertex, expected[i].ids.a) << count << " pairs, place " << i;
      EXPECT_EQ(sorted[i].face, expected[i].ids.b) << count << " pairs, place " << i;
      EXPECT_EQ(sorted[i].time, expected[i].time) << count << " pairs, place " << i;
    }
  }
}

TEST(ResultLists, OfEdgesNameThemByTheirVertices) {
  ListBuffers<PairIds> buffers;
  for (const auto& [count, ids] : kSizes) {
    std::vector<std::uint32_t> edge_vertices;
    for (std::uint32_t e = 0; e < ids; ++e) {
      edge_vertices.push_back(7 * e);
      edge_vertices.push_back(7 * e + 3);
    }
    std::vector<PairIds>& list = buffers.list;
    list.clear();
    for (const PairContact& contact : RandomContacts(count, ids, count + 1)) {
      list.push_back(contact.ids);
    }
    std::vector<std::pair<std::uint32_t, std::uint32_t>> expected;
    for (const PairIds& pair : list) expected.emplace_back(pair.a, pair.b);
    std::sort(expected.begin(), expected.end());
    const std::vector<EdgeEdgeCollision> sorted = SortedEdgeEdge(buffers, edge_vertices);
    ASSERT_EQ(sorted.size(), expected.size());
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      EXPECT_EQ(sorted[i].a0, 7 * expected[i].first) << count << " pairs, place " << i;
      EXPECT_EQ(sorted[i].a1, 7 * expected[i].first + 3);
      EXPECT_EQ(sorted[i].b0, 7 * expected[i].second);
      EXPECT_EQ(sorted[i].b1, 7 * expected[i].second + 3);
      EXPECT_EQ(sorted[i].time, 0) << "candidates have none";
    }
  }
}

}  // namespace
}  // namespace warpyard::ccd
