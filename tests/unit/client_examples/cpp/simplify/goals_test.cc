// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/simplify/goals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tests/unit/client_examples/cpp/simplify/samples.h"

namespace warpyard::cli {
namespace {

v1::SimplifyRequest TrianglesGoal(std::uint64_t triangles) {
  v1::SimplifyRequest goal;
  goal.set_finish(v1::FINISH_CUT);
  goal.set_triangles(triangles);
  return goal;
}

/// The shares of a number of triangles.
std::vector<std::uint64_t> SharesOf(std::uint64_t total, const std::vector<MeshSize>& meshes,
                                    const KeptSize& kept = {}) {
  std::vector<std::uint64_t> shares;
  for (const v1::SimplifyRequest& goal : ShareGoal(TrianglesGoal(total), meshes, kept)) {
    EXPECT_EQ(goal.finish(), v1::FINISH_CUT);
    shares.push_back(goal.triangles());
  }
  return shares;
}

using Shares = std::vector<std::uint64_t>;

TEST(ShareGoal, GivesAMeshAloneAllOfIt) {
  EXPECT_EQ(SharesOf(5'000'000'000, {{12}}), (Shares{5'000'000'000}));
  EXPECT_EQ(SharesOf(0, {{12}}), (Shares{0})) << "the service refuses it";
  EXPECT_EQ(SharesOf(10, {{12}}, {4, 0}), (Shares{6}));
  EXPECT_EQ(SharesOf(10, {{12}}, {40, 0}), (Shares{1}));
}

TEST(ShareGoal, SharesTrianglesInProportion) {
  EXPECT_EQ(SharesOf(100, {{300}, {100}}), (Shares{75, 25}));
  EXPECT_EQ(SharesOf(120, {{300}, {100}}, {20, 0}), (Shares{75, 25}));
  EXPECT_EQ(SharesOf(1000, {{300}, {100}}), (Shares{300, 100}));
}

TEST(ShareGoal, GivesEachMeshATriangle) {
  EXPECT_EQ(SharesOf(11, {{1000}, {1}, {1}}), (Shares{9, 1, 1}));
  EXPECT_EQ(SharesOf(2, {{1000}, {1000}, {1}}), (Shares{1, 1, 1})) << "it cannot be less";
}

TEST(ShareGoal, CountsCopies) {
  // The first mesh is written four times.
  EXPECT_EQ(SharesOf(100, {{100, 0, 4}, {100}}), (Shares{20, 20}));
  EXPECT_EQ(SharesOf(100, {{50, 0, 4}}), (Shares{25}));
}

TEST(ShareGoal, NeverGivesMoreThanThereIs) {
  for (std::uint64_t total = 3; total < 700; total += 7) {
    const Shares shares = SharesOf(total, {{400, 0, 1}, {13, 0, 3}, {77, 0, 2}});
    EXPECT_LE(shares[0] + 3 * shares[1] + 2 * shares[2], std::max<std::uint64_t>(total, 6));
  }
}

TEST(ShareGoal, SharesBytesByTheSizesOfMeshes) {
  v1::SimplifyRequest goal;
  goal.set_max_bytes(1000);
  auto goals = ShareGoal(goal, {{1, 3000}, {1, 1000}}, {});
  EXPECT_EQ(goals[0].max_bytes(), 750u);
  EXPECT_EQ(goals[1].max_bytes(), 250u);
  goals = ShareGoal(goal, {{1, 3000}, {1, 10}}, {10, 10});
  EXPECT_EQ(goals[0].max_bytes(), 1000u - 240 - 48);
  EXPECT_EQ(goals[1].max_bytes(), 48u) << "a triangle";
  goal.set_max_bytes(47);
  EXPECT_EQ(ShareGoal(goal, {{1, 30}, {1, 10}}, {})[1].max_bytes(), 47u);
}

TEST(ShareGoal, DividesDistancesByScales) {
  v1::SimplifyRequest goal;
  goal.set_max_error(2);
  const auto goals = ShareGoal(goal, {{1, 1, 1, 10}, {1, 1, 1, 0.5}}, {});
  EXPECT_EQ(goals[0].max_error(), 0.2);
  EXPECT_EQ(goals[1].max_error(), 4);
}

TEST(ShareGoal, IsTheSameForRatiosAndLevels) {
  v1::SimplifyRequest goal;
  goal.set_ratio(0.25);
  EXPECT_EQ(ShareGoal(goal, {{9}, {1}}, {})[1].ratio(), 0.25);
  goal.set_level(7);
  EXPECT_EQ(ShareGoal(goal, {{9}, {1}}, {})[1].level(), 7u);
}

TEST(HalfOf, KeepsTheFinish) {
  v1::SimplifyRequest goal = TrianglesGoal(7);
  goal.set_level(3);
  EXPECT_EQ(HalfOf(goal, 101).triangles(), 50u);
  EXPECT_EQ(HalfOf(goal, 1).triangles(), 1u);
  EXPECT_EQ(HalfOf(goal, 1).finish(), v1::FINISH_CUT);
}

TEST(LargestScale, IsTheLargestSingularValue) {
  EXPECT_DOUBLE_EQ(LargestScale(ScaleBy(1, 1, 1)), 1);
  EXPECT_DOUBLE_EQ(LargestScale(ScaleBy(10, 10, 10)), 10);
  EXPECT_DOUBLE_EQ(LargestScale(ScaleBy(0.5, -3, 2)), 3);
  EXPECT_DOUBLE_EQ(LargestScale(ScaleBy(0, 0, 0)), 0);
  // Scaled by 2 and 5 after a turn of 30 degrees, and moved.
  const double c = std::cos(M_PI / 6), s = 0.5;
  EXPECT_NEAR(LargestScale({2 * c, 5 * s, 0, 0, -2 * s, 5 * c, 0, 0, 0, 0, 1, 0, 7, 8, 9, 1}), 5,
              1e-12);
  // A shear makes longer what lies along no axis.
  EXPECT_NEAR(LargestScale({1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}),
              (1 + std::sqrt(5)) / 2, 1e-12);
}

TEST(ChainOf, HalvesTheGoalUntilLessThanATriangleIsLeft) {
  v1::SimplifyRequest goal;
  goal.set_best_effort(true);
  goal.mutable_job()->set_tenant(3);
  const auto counts = [&](std::uint64_t triangles, std::size_t levels) {
    goal.set_triangles(triangles);
    const v1::SimplifyLevelsRequest chain = ChainOf(goal, 10, levels);
    return std::vector<std::uint64_t>(chain.triangles().begin(), chain.triangles().end());
  };
  using Counts = std::vector<std::uint64_t>;
  EXPECT_EQ(counts(6, 2), (Counts{6, 3}));
  EXPECT_EQ(counts(6, 9), (Counts{6, 3, 1}));
  EXPECT_EQ(counts(99, 2), (Counts{10, 5})) << "the model has ten";
  EXPECT_EQ(counts(0, 2), (Counts{0})) << "for the service to refuse";
  goal.set_ratio(0.5);
  const v1::SimplifyLevelsRequest chain = ChainOf(goal, 10, 9);
  ASSERT_EQ(chain.ratios_size(), 3);
  EXPECT_EQ(chain.ratios(2), 0.125);
  EXPECT_TRUE(chain.best_effort());
  EXPECT_EQ(chain.job().tenant(), 3u);
}

TEST(ChainOf, DoublesAnErrorAsLongAsItIsFinite) {
  v1::SimplifyRequest goal;
  goal.set_max_error(0.25);
  goal.set_finish(v1::FINISH_CUT);
  const auto errors = [&](std::size_t levels) {
    const v1::SimplifyLevelsRequest chain = ChainOf(goal, 10, levels);
    EXPECT_EQ(chain.finish(), v1::FINISH_CUT);
    EXPECT_EQ(chain.triangles_size() + chain.ratios_size(), 0);
    return std::vector<double>(chain.max_errors().begin(), chain.max_errors().end());
  };
  EXPECT_EQ(errors(3), (std::vector<double>{0.25, 0.5, 1}));
  goal.set_max_error(1e308);
  EXPECT_EQ(errors(3), (std::vector<double>{1e308}));
  goal.set_max_error(HUGE_VAL);
  EXPECT_EQ(errors(3), (std::vector<double>{HUGE_VAL})) << "for the service to refuse";
}

TEST(GoalAfter, GoesOnWhereAChainEnded) {
  v1::SimplifyRequest goal;
  goal.set_max_error(0.25);
  EXPECT_EQ(GoalAfter(goal, 3, 100).max_error(), 2);
  goal.set_max_error(1e308);
  EXPECT_TRUE(std::isfinite(GoalAfter(goal, 3, 100).max_error()));
  goal.set_max_error(0);
  EXPECT_EQ(GoalAfter(goal, 3, 100).triangles(), 50u) << "doubles of it are none";
  goal.set_ratio(0.25);
  EXPECT_EQ(GoalAfter(goal, 3, 100).triangles(), 50u);
}

}  // namespace
}  // namespace warpyard::cli
