// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/synthetic/synthetic_node.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <set>
#include <vector>

#include "core/workload/synthetic/synthetic_job.h"

namespace warpyard::synthetic {
namespace {

constexpr std::uint32_t kNodes = 100'000;

SyntheticJob JobWith(const Growth& growth, std::uint32_t seed = 1) {
  SyntheticJob job;
  job.seed = seed;
  job.growth = growth;
  return job;
}

/// Share of nodes of a depth that have a child.
double ChildShare(const SyntheticJob& job, std::uint32_t depth, std::uint32_t child) {
  std::uint32_t found = 0;
  for (std::uint32_t id = 0; id < kNodes; ++id) {
    found += HasChild(job.growth, NodeHash(job, {id, depth}), depth, child) ? 1 : 0;
  }
  return static_cast<double>(found) / kNodes;
}

TEST(SyntheticNode, RecursionIsCertainFor20RoundsAndOverAfter40) {
  const Growth growth = RecursiveGrowth();
  for (std::uint32_t depth = 0; depth < 20; ++depth) {
    EXPECT_EQ(ChildPermille(growth, depth, 0), 1000u) << depth;
    EXPECT_EQ(ChildPermille(growth, depth, 1), 0u) << depth;
  }
  EXPECT_EQ(ChildPermille(growth, 20, 0), 950u);
  EXPECT_EQ(ChildPermille(growth, 38, 0), 50u);
  EXPECT_EQ(ChildPermille(growth, 39, 0), 0u);
}

TEST(SyntheticNode, DeclineAloneEndsBothRecursions) {
  for (Growth growth : {RecursiveGrowth(), ExpandingGrowth()}) {
    const std::uint32_t last = growth.depths - 1;
    growth.depths = 1000;
    EXPECT_GT(ChildPermille(growth, last - 1, 0), 0u);
    EXPECT_EQ(ChildPermille(growth, last, 0), 0u);
    EXPECT_EQ(ChildPermille(growth, last, 1), 0u);
    EXPECT_EQ(ChildPermille(growth, 998, 0), 0u);
  }
}

TEST(SyntheticNode, SpawnsChildrenAsOftenAsAsked) {
  for (const std::uint32_t seed : {1u, 2u, 77u}) {
    const SyntheticJob recursive = JobWith(RecursiveGrowth(), seed);
    EXPECT_EQ(ChildShare(recursive, 0, 0), 1.0);
    EXPECT_EQ(ChildShare(recursive, 0, 1), 0.0);
    EXPECT_NEAR(ChildShare(recursive, 24, 0), 0.75, 0.01);
    const SyntheticJob forest = JobWith(ForestGrowth(500, kEvenPermille), seed);
    EXPECT_NEAR(ChildShare(forest, 100, 0), 0.5, 0.01);
    EXPECT_NEAR(ChildShare(forest, 100, 1), 0.5, 0.01);
    EXPECT_EQ(ChildShare(forest, 499, 0), 0.0);
  }
}

TEST(SyntheticNode, DrawsOfTheTwoChildrenAreIndependent) {
  const SyntheticJob job = JobWith(ForestGrowth(500, kEvenPermille));
  std::uint32_t both = 0;
  for (std::uint32_t id = 0; id < kNodes; ++id) {
    const std::uint32_t hash = NodeHash(job, {id, 3});
    both += HasChild(job.growth, hash, 3, 0) && HasChild(job.growth, hash, 3, 1) ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(both) / kNodes, 0.25, 0.01);
}

TEST(SyntheticNode, HardlyEverNamesTwoNodesAlike) {
  const SyntheticJob job = JobWith(FullTreeGrowth(14, kEvenPermille));
  std::vector<Node> nodes{{0, 0}};
  std::set<std::uint32_t> ids{0};
  for (std::size_t i = 0; i < nodes.size() && nodes[i].depth < 13; ++i) {
    const Node node = nodes[i];
    for (const std::uint32_t child : {0u, 1u}) {
      nodes.push_back(ChildOf(NodeHash(job, node), node.depth, child));
      EXPECT_EQ(nodes.back().depth, node.depth + 1);
      ids.insert(nodes.back().id);
    }
  }
  EXPECT_EQ(nodes.size(), (1u << 14) - 1);
  EXPECT_GE(ids.size() + 2, nodes.size());
}

TEST(SyntheticNode, ChangesTypeAsOftenAsAskedAndToAllOthersAlike) {
  for (const std::uint32_t permille : {kEvenPermille, kStayPermille, kChangePermille}) {
    const SyntheticJob job = JobWith(FullTreeGrowth(20, permille));
    std::array<std::uint32_t, kTypes> found{};
    for (std::uint32_t id = 0; id < kNodes; ++id) ++found.at(ChildType(job, {Mix(id), 5}, 2));
    const double other = permille / 3000.0;
    for (std::uint32_t type = 0; type < kTypes; ++type) {
      const double expected = type == 2 ? 1.0 - permille / 1000.0 : other;
      EXPECT_NEAR(static_cast<double>(found[type]) / kNodes, expected, 0.01) << type;
    }
  }
}

TEST(SyntheticNode, StartsWithAllTypesAlike) {
  const SyntheticJob job = JobWith({});
  std::array<std::uint32_t, kTypes> found{};
  for (std::uint32_t id = 0; id < kNodes; ++id) ++found.at(RootType(job, id));
  for (const std::uint32_t count : found) EXPECT_NEAR(count / double{kNodes}, 0.25, 0.01);
}

TEST(SyntheticNode, LevelsAreEvenAndFollowPriorities) {
  SyntheticJob job = JobWith({});
  for (const std::uint32_t levels : {1u, 10u, 192u}) {
    job.levels = levels;
    std::vector<std::uint32_t> found(levels);
    for (std::uint32_t id = 0; id < kNodes; ++id) {
      ++found.at(LevelOf(job, id));
      if (PriorityOf(job, id) < PriorityOf(job, id + 1)) {
        EXPECT_LE(LevelOf(job, id), LevelOf(job, id + 1));
      }
    }
    const double even = static_cast<double>(kNodes) / levels;
    for (const std::uint32_t count : found) EXPECT_NEAR(count, even, 0.3 * even);
  }
}

TEST(SyntheticNode, AmountsSpreadAroundTheMean) {
  Work work;
  work.amount = 1000;
  EXPECT_EQ(AmountOf(work, 12345), 1000u);
  work.spread_permille = 500;
  std::uint64_t sum = 0;
  std::uint32_t least = 2000, most = 0;
  for (std::uint32_t hash = 0; hash < kNodes; ++hash) {
    const std::uint32_t amount = AmountOf(work, hash);
    sum += amount;
    least = amount < least ? amount : least;
    most = amount > most ? amount : most;
  }
  EXPECT_EQ(least, 500u);
  EXPECT_EQ(most, 1500u);
  EXPECT_NEAR(static_cast<double>(sum) / kNodes, 1000.0, 10.0);
}

TEST(SyntheticNode, HashesTellSeedsIdsDepthsAndTypesApart) {
  const SyntheticJob one = JobWith({}, 1), two = JobWith({}, 2);
  EXPECT_NE(NodeHash(one, {3, 4}), NodeHash(two, {3, 4}));
  EXPECT_NE(NodeHash(one, {3, 4}), NodeHash(one, {4, 3}));
  EXPECT_NE(ChecksumOf(NodeHash(one, {3, 4}), 0), ChecksumOf(NodeHash(one, {3, 4}), 1));
}

}  // namespace
}  // namespace warpyard::synthetic
