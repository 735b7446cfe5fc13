// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Chains of meshes of one model.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "client_examples/mesh_measure/mesh_topology.h"
#include "client_examples/mesh_measure/surface_distance.h"
#include "core/workload/simplify/model/model.h"
#include "tests/unit/workload/simplify/model/opened_model.h"

namespace warpyard::simplify {
namespace {

using mesh_measure::MeshTopology;
using test_support::FloatMesh;
using test_support::Made;

/// Expects the same mesh, made in the same way.
void ExpectSame(const SimplifiedMesh& level, const SimplifiedMesh& one) {
  EXPECT_EQ(level.positions, one.positions);
  EXPECT_EQ(level.triangles, one.triangles);
  EXPECT_EQ(level.sources, one.sources);
  EXPECT_EQ(level.statistics.cut_triangles, one.statistics.cut_triangles);
  EXPECT_EQ(level.statistics.passes, one.statistics.passes);
  EXPECT_EQ(level.statistics.max_error, one.statistics.max_error);
  EXPECT_EQ(level.statistics.shortfall, one.statistics.shortfall);
}

/// The meshes of a chain.
class LevelsTest : public ModelTest {
 protected:
  std::vector<SimplifiedMesh> LevelsOf(LevelOptions levels) {
    std::vector<SimplifiedMesh> meshes;
    levels.take = [&](SimplifiedMesh mesh) {
      meshes.push_back(std::move(mesh));
      return absl::OkStatus();
    };
    const absl::Status status = driver_.SimplifyLevels(*model_, levels);
    EXPECT_TRUE(status.ok()) << status;
    return meshes;
  }
};

TEST_F(LevelsTest, BeginWithTheMeshOfOneGoal) {
  Open(Made("torus-knot-20k"));
  for (const Finish finish : {Finish::kCollapse, Finish::kCut}) {
    const auto levels = LevelsOf({.triangles = {4000, 700}, .finish = finish});
    ASSERT_EQ(levels.size(), 2u);
    const SimplifiedMesh one = Simplified(Triangles(4000, finish));
    ExpectSame(levels[0], one);
  }
}

TEST_F(LevelsTest, ReachEachGoalAndKeepTheTopology) {
  for (const char* name : {"noisy-sphere-20k", "torus-knot-20k", "cad-part-10k", "terrain-10k"}) {
    SCOPED_TRACE(name);
    const FloatMesh mesh = Made(name);
    Open(mesh);
    const MeshTopology before = TopologyOf(mesh.positions, mesh.triangles);
    const std::vector<std::uint64_t> goals = {5000, 4999, 2000, 1000, 500};
    const auto levels = LevelsOf({.triangles = goals});
    ASSERT_EQ(levels.size(), goals.size());
    for (std::size_t i = 0; i < goals.size(); ++i) {
      ExpectSound(levels[i], mesh);
      EXPECT_LE(levels[i].triangles.size() / 3, goals[i]);
      EXPECT_GE(levels[i].triangles.size() / 3 * 100, goals[i] * 98);
      EXPECT_EQ(levels[i].statistics.shortfall, Shortfall::kNone);
      EXPECT_EQ(levels[i].statistics.cut_triangles, levels[0].statistics.cut_triangles);
      const MeshTopology after = TopologyOf(levels[i].positions, levels[i].triangles);
      EXPECT_EQ(after.non_manifold_edges, 0u);
      EXPECT_EQ(after.misoriented_edges, 0u);
      EXPECT_EQ(after.Closed(), before.Closed());
    }
  }
}

TEST_F(LevelsTest, AreAboutAsGoodAsMeshesOfTheirOwn) {
  const FloatMesh mesh = Made("noisy-sphere-20k");
  Open(mesh);
  const auto distance_of = [&](const SimplifiedMesh& result) {
    return mesh_measure::MeasureDistance({Doubles(mesh.positions), mesh.triangles},
                                         {Doubles(result.positions), result.triangles})
        ->RmsPercent();
  };
  const auto levels = LevelsOf({.triangles = {5000, 2000, 500}});
  EXPECT_LT(distance_of(levels[2]), 1.1 * distance_of(Simplified(Triangles(500))));
}

TEST_F(LevelsTest, GoOnBeyondTheFirstCut) {
  const FloatMesh mesh = Made("noisy-sphere-3k");
  Open(mesh);
  // The first level is the model itself, without a collapse.
  const auto levels = LevelsOf({.triangles = {mesh.triangles.size(), 1000, 1}});
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_EQ(levels[0].triangles.size(), mesh.triangles.size());
  EXPECT_LE(levels[1].triangles.size() / 3, 1000u);
  EXPECT_EQ(levels[2].statistics.shortfall, Shortfall::kTopology);
  ExpectSound(levels[2], mesh);
}

TEST_F(LevelsTest, EndWhenTimeIsUp) {
  Open(Made("noisy-sphere-20k"));
  const auto levels = LevelsOf({.triangles = {2000, 1000}, .finish_by = absl::Now()});
  ASSERT_EQ(levels.size(), 1u);
  EXPECT_EQ(levels[0].statistics.shortfall, Shortfall::kTime);
}

TEST_F(LevelsTest, StayWithinEachError) {
  for (const char* name : {"noisy-sphere-20k", "torus-knot-20k", "cad-part-10k", "terrain-10k",
                           "many-parts-20k", "thin-sheets-10k"}) {
    SCOPED_TRACE(name);
    const FloatMesh mesh = Made(name);
    Open(mesh);
    const MeshTopology before = TopologyOf(mesh.positions, mesh.triangles);
    const double unit = model_->View().frame.extent;
    const std::vector<double> errors = {0.0005 * unit, 0.00051 * unit, 0.002 * unit, 0.01 * unit};
    const auto levels = LevelsOf({.max_errors = errors});
    ASSERT_EQ(levels.size(), errors.size());
    std::size_t most = mesh.triangles.size();
    for (std::size_t i = 0; i < errors.size(); ++i) {
      ExpectSound(levels[i], mesh);
      EXPECT_LE(levels[i].triangles.size(), most) << i;
      most = levels[i].triangles.size();
      EXPECT_LE(levels[i].statistics.max_error, 1.0001 * errors[i]) << i;
      EXPECT_EQ(levels[i].statistics.shortfall, Shortfall::kNone);
      EXPECT_EQ(levels[i].statistics.cut_triangles, levels[0].statistics.cut_triangles);
      const MeshTopology after = TopologyOf(levels[i].positions, levels[i].triangles);
      EXPECT_LE(after.non_manifold_edges, before.non_manifold_edges);
      EXPECT_EQ(after.Closed(), before.Closed());
    }
    EXPECT_LT(4 * most, mesh.triangles.size());
  }
}

TEST_F(LevelsTest, BeginWithTheMeshOfOneError) {
  for (const char* name : {"torus-knot-20k", "terrain-10k"}) {
    SCOPED_TRACE(name);
    Open(Made(name));
    const double unit = model_->View().frame.extent;
    for (const double part : {0.0, 0.001, 0.02}) {
      for (const Finish finish : {Finish::kCollapse, Finish::kCut}) {
        SimplifyOptions options;
        options.max_error = part * unit;
        options.finish = finish;
        const auto levels =
            LevelsOf({.max_errors = {part * unit, (part + 0.03) * unit}, .finish = finish});
        ASSERT_EQ(levels.size(), 2u);
        ExpectSame(levels[0], Simplified(options));
      }
    }
  }
}

TEST_F(LevelsTest, HaveAboutAsManyTrianglesAsMeshesOfOneError) {
  Open(Made("noisy-sphere-20k"));
  const double unit = model_->View().frame.extent;
  const auto levels = LevelsOf({.max_errors = {0.0005 * unit, 0.002 * unit, 0.01 * unit}});
  ASSERT_EQ(levels.size(), 3u);
  SimplifyOptions options;
  options.max_error = 0.01 * unit;
  const auto own = static_cast<double>(Simplified(options).triangles.size());
  EXPECT_NEAR(static_cast<double>(levels[2].triangles.size()) / own, 1, 0.15);
}

TEST_F(LevelsTest, AreCutsOfTheirOwnForEachError) {
  const FloatMesh mesh = Made("noisy-sphere-20k");
  Open(mesh);
  const double unit = model_->View().frame.extent;
  const std::vector<double> errors = {0, 0.001 * unit, 0.01 * unit, 1000 * unit};
  const auto levels = LevelsOf({.max_errors = errors, .finish = Finish::kCut});
  ASSERT_EQ(levels.size(), errors.size());
  for (std::size_t i = 0; i < errors.size(); ++i) {
    SimplifyOptions options;
    options.max_error = errors[i];
    options.finish = Finish::kCut;
    ExpectSame(levels[i], Simplified(options));
    ExpectSound(levels[i], mesh);
    if (i == 0) continue;
    EXPECT_LT(levels[i].triangles.size(), levels[i - 1].triangles.size());
  }
}

TEST_F(LevelsTest, GoOnToErrorsBeyondTheModel) {
  const FloatMesh mesh = Made("noisy-sphere-3k");
  Open(mesh);
  const auto levels = LevelsOf({.max_errors = {0, 1000, 1e308}});
  ASSERT_EQ(levels.size(), 3u);
  for (const SimplifiedMesh& level : levels) {
    ExpectSound(level, mesh);
    EXPECT_GE(level.triangles.size() / 3, 4u);
    EXPECT_EQ(level.statistics.shortfall, Shortfall::kNone);
  }
  EXPECT_LT(levels[1].triangles.size() / 3, 20u);
}

TEST_F(LevelsTest, EndWhenTimeIsUpForAnError) {
  Open(Made("noisy-sphere-20k"));
  const double unit = model_->View().frame.extent;
  const auto levels =
      LevelsOf({.max_errors = {0.01 * unit, 0.02 * unit}, .finish_by = absl::Now()});
  ASSERT_EQ(levels.size(), 1u);
  EXPECT_EQ(levels[0].statistics.shortfall, Shortfall::kTime);
}

TEST_F(LevelsTest, EndWithAnErrorOfTheirTaker) {
  Open(Made("noisy-sphere-3k"));
  int taken = 0;
  LevelOptions levels{.triangles = {1000, 500, 100}};
  levels.take = [&](const SimplifiedMesh&) {
    return ++taken == 2 ? absl::ResourceExhaustedError("full") : absl::OkStatus();
  };
  EXPECT_EQ(driver_.SimplifyLevels(*model_, levels), absl::ResourceExhaustedError("full"));
  EXPECT_EQ(taken, 2);
  levels.triangles = {100, 0};
  EXPECT_TRUE(absl::IsInvalidArgument(driver_.SimplifyLevels(*model_, levels)));
  levels.max_errors = {1};
  EXPECT_EQ(driver_.SimplifyLevels(*model_, levels).message(),
            "max_errors: set beside triangles, expected one of both");
  levels.triangles = {};
  levels.max_errors = {-1};
  EXPECT_TRUE(absl::IsInvalidArgument(driver_.SimplifyLevels(*model_, levels)));
}

TEST_F(LevelsTest, RefuseGoalsThatAreFinerThanTheOneBeforeAndMakeNone) {
  Open(Made("noisy-sphere-3k"));
  LevelOptions levels;
  levels.take = [](const SimplifiedMesh&) {
    ADD_FAILURE();
    return absl::OkStatus();
  };
  EXPECT_EQ(driver_.SimplifyLevels(*model_, levels).message(),
            "max_errors: no goals, nor in triangles, expected one of both");
  levels.max_errors = {0.1, 0.01};
  EXPECT_EQ(driver_.SimplifyLevels(*model_, levels).message(),
            "max_errors: goal 1 is 0.01, expected at least that before, 0.1");
  levels.max_errors = {0.1, std::nan("")};
  EXPECT_TRUE(absl::IsInvalidArgument(driver_.SimplifyLevels(*model_, levels)));
  levels.max_errors = {};
  levels.triangles = {100, 200};
  EXPECT_EQ(driver_.SimplifyLevels(*model_, levels).message(),
            "triangles: goal 1 is 200, expected at most that before, 100");
}

}  // namespace
}  // namespace warpyard::simplify
