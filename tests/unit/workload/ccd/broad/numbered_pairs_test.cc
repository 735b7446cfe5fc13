// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/broad/numbered_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/exec/thread_scope.h"
#include "tests/support/lane_scopes.h"
#include "tests/support/mesh_fixtures.h"

namespace warpyard::ccd {
namespace {

using exec::ThreadScope;
using test_support::ScheduledLaneScope;

using Pair = std::pair<std::uint32_t, std::uint32_t>;  // the lesser number first

/// A tree whose boxes all overlap, or only those of clusters whose sum is even.
class Clusters {
 public:
  Clusters(std::uint32_t count, std::uint32_t at_rest)
      : boxes_(count), tree_(ClusterTreeOf(count)) {
    tree_.boxes = boxes_.data();
    tree_.static_clusters = at_rest;
    for (geometry::Box& box : boxes_) box = {{0, 0, 0}, {1, 1, 1}};
  }
  void MoveOddOnesApart() {
    for (std::size_t i = 1; i < boxes_.size(); i += 2) boxes_[i] = {{5, 5, 5}, {6, 6, 6}};
  }

  const ClusterTree& tree() const { return tree_; }

  std::map<Pair, int> Expected() const {
    std::map<Pair, int> expected;
    for (std::uint32_t a = 0; a < tree_.clusters; ++a) {
      for (std::uint32_t b = a; b < tree_.clusters; ++b) {
        const bool moves = a < tree_.MovingClusters() || b < tree_.MovingClusters();
        if (moves && geometry::Overlap(boxes_[a], boxes_[b])) expected[{a, b}] = 1;
      }
    }
    return expected;
  }

 private:
  std::vector<geometry::Box> boxes_;
  ClusterTree tree_;
};

/// How often each pair was found in ranges of random lengths, by one thread.
std::map<Pair, int> Found(const Clusters& clusters, std::uint64_t seed, std::uint32_t longest) {
  test_support::Random random(seed);
  ThreadScope one(nullptr);
  std::map<Pair, int> found;
  const std::uint32_t end = NumberedPairs::IndicesOf(clusters.tree());
  for (std::uint32_t begin = 0; begin < end;) {
    const std::uint32_t next = std::min(end, begin + 1 + random.Below(longest));
    NumberedPairs::Cursor cursor{begin, next, 0};
    while (true) {
      const NumberedPairs::Found some = NumberedPairs::Next(one, clusters.tree(), cursor);
      if (some.lanes == 0) break;
      ++found[std::minmax(some.pair.a, some.pair.b)];
    }
    begin = next;
  }
  return found;
}

TEST(NumberedPairs, AreAllPairsOnce) {
  for (const std::uint32_t count : {1u, 2u, 3u, 4u, 7u, 8u, 31u, 64u, 65u, 255u, 256u}) {
    for (const std::uint32_t at_rest : {0u, 1u, count / 2, count - 1}) {
      if (at_rest >= count) continue;
      Clusters clusters(count, at_rest);
      for (const std::uint32_t longest : {1u, 5u, 40u, 5'000u}) {
        ASSERT_EQ(Found(clusters, count, longest), clusters.Expected())
            << count << " clusters, " << at_rest << " at rest, ranges up to " << longest;
      }
    }
  }
}

TEST(NumberedPairs, AreThoseThatOverlap) {
  Clusters clusters(77, 9);
  clusters.MoveOddOnesApart();
  EXPECT_EQ(Found(clusters, 1, 20), clusters.Expected());
}

TEST(NumberedPairs, AreTheSameForAWarp) {
  for (const std::uint32_t count : {1u, 33u, 128u}) {
    Clusters clusters(count, count / 3);
    for (const std::uint32_t length : {1u, 3u, 8u, 24u}) {
      std::map<Pair, int> found;
      const std::uint32_t all = NumberedPairs::IndicesOf(clusters.tree());
      for (std::uint32_t begin = 0; begin < all; begin += length) {
        const std::string stopped = test_support::RunLanes(32, [&](ScheduledLaneScope& lane) {
          NumberedPairs::Cursor cursor{begin, std::min(all, begin + length), 0};
          while (true) {
            const NumberedPairs::Found some = NumberedPairs::Next(lane, clusters.tree(), cursor);
            if (some.lanes == 0) return;
            if ((some.lanes >> lane.Rank() & 1u) != 0) {
              ++found[std::minmax(some.pair.a, some.pair.b)];
            }
          }
        });
        ASSERT_EQ(stopped, "");
      }
      ASSERT_EQ(found, clusters.Expected()) << count << " clusters, ranges of " << length;
    }
  }
}

}  // namespace
}  // namespace warpyard::ccd
