// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Lists that workers have sorted are equal to unsorted lists that the host sorts.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

#include "core/workload/ccd/contacts/contact_sort.h"
#include "core/workload/ccd/contacts/result_lists.h"
#include "tests/support/mesh_fixtures.h"
#include "tests/support/serial_sorts.h"
#include "tests/support/workers/research_driver.h"

namespace warpyard::test_support {
namespace {

using ccd::CollisionOptions;
using ccd::CollisionResult;
using ccd::Traversal;

constexpr CollisionOptions Unsorted() {
  CollisionOptions options;
  options.unsorted = true;
  return options;
}

template <class List>
bool Same(const List& a, const List& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0);
}

std::size_t PairsOf(const CollisionResult& result) {
  return result.vertex_face.size() + result.edge_edge.size();
}

/// Sorted steps, after a step that is not sorted.
class SortedLists {
 public:
  SortedLists(int threads, const Motion& motion) : driver_(threads), motion_(motion) {
    auto scene = driver_.Open(motion);
    EXPECT_TRUE(scene.ok()) << scene.status();
    scene_ = *std::move(scene);
    auto result = driver_.Step(*scene_, motion_, Unsorted());
    EXPECT_TRUE(result.ok()) << result.status();
    expected_ = *std::move(result);
    ccd::SortBuffers buffers;
    ccd::SortCollisions(expected_.vertex_face, motion.Vertices(), buffers);
    ccd::SortCollisions(expected_.edge_edge, motion.Vertices(), buffers);
  }

  std::size_t Pairs() const { return PairsOf(expected_); }

  void Check(const CollisionOptions& options, const std::string& name) {
    const auto result = driver_.Step(*scene_, motion_, options);
    ASSERT_TRUE(result.ok()) << name << ": " << result.status();
    EXPECT_TRUE(Same(result->vertex_face, expected_.vertex_face)) << name;
    EXPECT_TRUE(Same(result->edge_edge, expected_.edge_edge)) << name;
  }

 private:
  ResearchDriver driver_;
  const Motion& motion_;
  std::unique_ptr<ccd::Scene> scene_;
  CollisionResult expected_;
};

TEST(SortedLists, OfSoupsAreThoseOfTheHost) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    const Motion motion = TriangleSoup(seed, {300, 0.9, 0.5});
    SortedLists lists(3, motion);
    // There are so many pairs that the lists overflow in the first run.
    ASSERT_GT(lists.Pairs(), 5 * (motion.Triangles() + 1024) / 2);
    for (int step = 0; step < 2; ++step) lists.Check({}, "seed " + std::to_string(seed));
  }
}

TEST(SortedLists, OfALargeSceneAreThoseOfTheHost) {
  const Motion motion = TriangleSoup(4, {9000, 0.06, 0.06});  // parts of more than 32 rows
  SortedLists lists(2, motion);
  ASSERT_GT(lists.Pairs(), ccd::kLeastSorted);
  lists.Check({}, "soup");
}

TEST(SortedLists, OfClothAreThoseOfTheHost) {
  const Motion motion = FoldingCloth(1, 40, 40);
  SortedLists lists(2, motion);
  ASSERT_GT(lists.Pairs(), ccd::kLeastSorted);
  for (int step = 0; step < 2; ++step) lists.Check({}, "cloth");
}

TEST(SortedLists, AreTheSameByEveryTraversal) {
  const Motion motion = TriangleSoup(7, {400, 0.5, 0.4});
  SortedLists lists(3, motion);
  ASSERT_GT(lists.Pairs(), ccd::kLeastSorted);
  for (const Traversal traversal :
       {Traversal::kClusters, Traversal::kIndependent, Traversal::kWorkQueue,
        Traversal::kCompaction, Traversal::kBalancing, Traversal::kStealing, Traversal::kFront}) {
    CollisionOptions options;
    options.traversal = traversal;
    for (int step = 0; step < 2; ++step) lists.Check(options, ccd::NameOf(traversal));
  }
}

TEST(SortedLists, OfFewPairsAreThoseOfTheHost) {
  const Motion motion = TriangleSoup(5, {100, 0.2, 0.2});
  SortedLists lists(2, motion);
  ASSERT_GT(lists.Pairs(), 0u);
  ASSERT_LT(lists.Pairs(), ccd::kLeastSorted);
  lists.Check({}, "few");
}

/// A spike that moves through a pile of plates: each plate collides with its tip.
Motion SpikeThroughPile(std::uint32_t plates) {
  Motion motion;
  const auto add = [&](double x, double y, double z, double dz) {
    for (const double at : {x, y, z}) motion.start.push_back(at);
    for (const double at : {x, y, z + dz}) motion.end.push_back(at);
  };
  add(0.01, 0.02, 0.5, -3), add(0.02, 0.02, 0.9, -3), add(0.01, 0.03, 0.9, -3);
  for (std::uint32_t i = 0; i < plates; ++i) {
    const double z = -1.0 * i / plates;
    add(-1, -1, z, 0), add(1, -1, z, 0), add(0, 1, z, 0);
  }
  for (std::uint32_t v = 0; v < 3 * (plates + 1); ++v) motion.triangles.push_back(v);
  return motion;
}

TEST(SortedLists, WithRowsOfThousandsAreThoseOfTheHost) {
  for (const std::uint32_t plates :
       {ccd::RankContacts::kLongestRow - 96, ccd::RankContacts::kLongestRow + 104}) {
    const Motion motion = SpikeThroughPile(plates);
    SortedLists lists(2, motion);
    ASSERT_GE(lists.Pairs(), plates);
    lists.Check({}, std::to_string(plates) + " plates");
  }
}

}  // namespace
}  // namespace warpyard::test_support
