// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A scene with static vertices finds what the same scene finds without them when their positions
// are sent in each step and stay the same, but for the pairs of two static features.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/property/partly_static.h"
#include "tests/support/mesh_fixtures.h"
#include "tests/support/serial_sorts.h"
#include "tests/unit/engine/engine_driver.h"
#include "tests/unit/engine/position_forms.h"

namespace warpyard::test_support {
namespace {

using ccd::CollisionOptions;
using ccd::CollisionResult;
using ccd::Report;
using ccd::ScalarType;
using ccd::StepPositions;
using ccd::Traversal;

/// Triangles of both kinds in the same cube: many clusters, and neither number a multiple of eight.
PartlyStatic Soups(std::uint64_t seed, std::uint32_t moving, std::uint32_t at_rest) {
  return {TriangleSoup(seed, {moving, 0.25, 0.3}), TriangleSoup(seed + 1, {at_rest, 0.25, 0.3})};
}

constexpr Report kReports[] = {Report::kCollisions, Report::kEarliest, Report::kCandidates};

TEST(CcdStaticVertices, LeaveAllOtherPairs) {
  EngineDriver driver(2);
  const std::pair<std::uint32_t, std::uint32_t> numbers[] = {{300, 300}, {1, 500},   {501, 1},
                                                             {8, 8},     {37, 2211}, {259, 5}};
  for (const auto& [moving, at_rest] : numbers) {
    const PartlyStatic mesh = Soups(61, moving, at_rest);
    ScenePair scenes(driver, mesh);
    for (int step = 1; step < 7; ++step) {
      SCOPED_TRACE(std::to_string(moving) + " and " + std::to_string(at_rest) + ", step " +
                   std::to_string(step));
      CollisionOptions options;
      options.report = kReports[step % 3];
      scenes.Step(mesh.After(step), options);
    }
  }
}

TEST(CcdStaticVertices, LeaveAllOtherPairsOfEachTraversal) {
  EngineDriver driver(2);
  const PartlyStatic mesh(RoundedToFloat(TriangleSoup(67, {150, 0.25, 0.3})),
                          RoundedToFloat(TriangleSoup(68, {203, 0.25, 0.3})));
  for (const Traversal traversal :
       {Traversal::kIndependent, Traversal::kWorkQueue, Traversal::kCompaction,
        Traversal::kBalancing, Traversal::kStealing, Traversal::kFront}) {
    SCOPED_TRACE(ccd::NameOf(traversal));
    ScenePair scenes(driver, mesh);
    for (int step = 1; step < 7; ++step) {
      CollisionOptions options;
      options.report = kReports[step % 3];
      // Clusters and leaves share points of vertices.
      if (step % 2 == 0) options.traversal = traversal;
      scenes.Step(mesh.After(step), options, ScalarType::kFloat32);
    }
  }
}

TEST(CcdStaticVertices, HaveBoxesForEachMinimumSeparation) {
  EngineDriver driver(2);
  const PartlyStatic mesh = Soups(71, 120, 310);
  ScenePair scenes(driver, mesh);
  int step = 0;
  for (const double separation : {0.0, 0.05, 0.05, 0.0, 0.2, 0.01}) {
    for (const Report report : kReports) {
      SCOPED_TRACE(separation);
      CollisionOptions options;
      options.min_separation = separation;
      options.report = report;
      options.max_time = report == Report::kCandidates ? 0.4 : 1;
      scenes.Step(mesh.After(++step), options);
    }
  }
}

TEST(CcdStaticVertices, StayWhenTheHierarchyIsBuiltAnew) {
  EngineDriver driver(2);
  // Scenes of which fewer triangles move are not built anew.
  const PartlyStatic mesh(TriangleSoup(73, {600, 0.05, 0.1}), TriangleSoup(74, {300, 0.05, 0.1}));
  ScenePair scenes(driver, mesh);
  Random random(5);
  std::vector<double> frame = mesh.all.start;
  // Neighbours go to different places and stay there.
  for (std::size_t triangle = 0; triangle < mesh.Moving() / 3; ++triangle) {
    const Vec3 way = random.Point(1);
    for (std::size_t i = 0; i < 9; ++i) frame[9 * triangle + i] += way[i % 3];
  }
  CollisionOptions options;
  options.rebuild_factor = 1.1;
  options.min_separation = 0.001;
  std::uint64_t rebuilds = 0;
  for (int step = 0; step < 6; ++step) {
    options.report = kReports[step % 3];
    for (std::size_t i = 0; i < 3 * mesh.Moving(); ++i) frame[i] += 0.01;
    const Positions part(mesh.MovingPart(frame), ScalarType::kFloat64);
    const Positions whole(frame, ScalarType::kFloat64);
    rebuilds = scenes.Compare({whole.View(), std::nullopt}, {part.View(), std::nullopt}, options);
  }
  EXPECT_EQ(rebuilds, 1u);
}

TEST(CcdStaticVertices, KeepTheGroupRule) {
  EngineDriver driver(2);
  const PartlyStatic mesh(Tetrahedra(79, 40), Tetrahedra(80, 30));
  for (const auto rule : {ccd::GroupRule::kDifferent, ccd::GroupRule::kSame}) {
    ScenePair scenes(driver, mesh, rule);
    scenes.Step(mesh.After(1), {});
    scenes.Step(mesh.After(2), {});
  }
}

TEST(CcdStaticVertices, AreLeftOutOfPoses) {
  EngineDriver driver(2);
  const PartlyStatic mesh(Tetrahedra(83, 30), Tetrahedra(84, 50));
  ScenePair scenes(driver, mesh);
  ASSERT_EQ(scenes.split().bodies, 30u);
  Random random(7);
  for (int step = 0; step < 3; ++step) {
    const Pose part = Pose::Random(random, 30, 0.4, 0.3);
    std::vector<Matrix> all = part.matrices();
    all.resize(80, kIdentity);
    const Pose whole(all);
    scenes.Compare({whole.View(), std::nullopt}, {part.View(), std::nullopt}, {});
  }
}

TEST(CcdStaticVertices, AreLeftOutOfPositionsInABox) {
  EngineDriver driver(2);
  const PartlyStatic mesh = Soups(87, 90, 150);
  const QuantizedPositions start(mesh.MovingPart(mesh.all.start)),
      end(mesh.MovingPart(mesh.all.end));
  const auto whole = [&](const QuantizedPositions& part) {
    std::vector<double> frame = mesh.all.start;
    const std::vector<double> moving = part.Doubles();
    std::copy(moving.begin(), moving.end(), frame.begin());
    return Positions(frame, ScalarType::kFloat64);
  };
  const Positions whole_start = whole(start), whole_end = whole(end);
  ScenePair scenes(driver, mesh);
  scenes.Compare({whole_end.View(), whole_start.View()}, {end.View(), start.View()}, {});
  scenes.Compare({whole_start.View(), std::nullopt}, {start.View(), std::nullopt}, {});
}

TEST(CcdStaticVertices, AreLeftOutOfStepsByNumber) {
  EngineDriver driver(2);
  const PartlyStatic mesh = Soups(89, 20, 30);
  ScenePair scenes(driver, mesh);
  const Positions whole(mesh.all.end, ScalarType::kFloat64);
  const auto step = scenes.Run(scenes.split(), {whole.View(), std::nullopt, {}});
  EXPECT_EQ(step.status().message(), "150 vertices; the scene has 60 that move");
}

}  // namespace
}  // namespace warpyard::test_support
