// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The worlds of a set with static vertices find what scenes of their own find.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "tests/property/partly_static.h"
#include "tests/support/mesh_fixtures.h"
#include "tests/support/serial_sorts.h"
#include "tests/unit/api/worlds_of_a_set.h"
#include "tests/unit/engine/position_forms.h"

namespace warpyard::test_support {
namespace {

using ccd::CollisionOptions;
using ccd::ScalarType;

/// Worlds with moving parts of their own among the same static triangles.
std::vector<PartlyStatic> Worlds(std::uint32_t worlds, std::uint32_t moving,
                                 std::uint32_t at_rest) {
  std::vector<PartlyStatic> all;
  for (std::uint32_t w = 0; w < worlds; ++w) {
    all.emplace_back(TriangleSoup(100 + w, {moving, 0.25, 0.3}),
                     TriangleSoup(9, {at_rest, 0.25, 0.3}));
  }
  return all;
}

/// A set with the mesh of its first world.
collision::SetDescription SetOf(const PartlyStatic& first, const Positions& rest,
                                std::uint32_t worlds) {
  collision::SetDescription set;
  set.mesh.positions = rest.View();
  set.mesh.triangles = first.all.triangles;
  set.mesh.vertex_groups = first.all.vertex_groups;
  set.mesh.static_vertices = first.static_vertices;
  set.worlds = worlds;
  return set;
}

/// The moving parts of some worlds, one after the other.
std::vector<double> MovingRows(const std::vector<PartlyStatic>& worlds,
                               std::vector<double> Motion::*frame,
                               const std::vector<std::uint32_t>& which) {
  std::vector<double> rows;
  for (const std::uint32_t w : which) {
    const std::vector<double> part = worlds[w].MovingPart(worlds[w].all.*frame);
    rows.insert(rows.end(), part.begin(), part.end());
  }
  return rows;
}

/// Steps some worlds of a set, and compares with scenes of their own.
struct RowsAsScenes {
  EngineDriver& driver;
  SetDriver& set;
  const std::vector<PartlyStatic>& worlds;

  /// @shape there: to the end; not: back to the start
  void Expect(const std::vector<std::uint32_t>& which, bool there,
              const CollisionOptions& options) {
    const auto step =
        set.Step(MovingRows(worlds, there ? &Motion::end : &Motion::start, which), options, which);
    ASSERT_TRUE(step.ok()) << step.status();
    const std::vector<WorldAnswer> answers = AnswersOf(*step);
    for (std::size_t row = 0; row < which.size(); ++row) {
      const PartlyStatic& world = worlds[which[row]];
      const Positions start(world.MovingPart(world.all.start), ScalarType::kFloat64);
      const Positions end(world.MovingPart(world.all.end), ScalarType::kFloat64);
      ScenePair scene(driver, world);
      const auto alone = scene.Run(scene.split(), {there ? end.View() : start.View(),
                                                   there ? start.View() : end.View(), options});
      ASSERT_TRUE(alone.ok()) << alone.status();
      EXPECT_TRUE(answers[row] == AnswerOf(*alone)) << "world " << which[row];
    }
  }
};

TEST(CcdStaticSets, FindWhatScenesOfTheirOwnFind) {
  EngineDriver driver(2);
  const std::pair<std::uint32_t, std::uint32_t> numbers[] = {{60, 121}, {3, 700}};
  for (const auto& [moving, at_rest] : numbers) {
    for (const std::uint32_t count : {4u, 1u}) {
      const std::vector<PartlyStatic> worlds = Worlds(count, moving, at_rest);
      std::vector<std::uint32_t> every, some;
      for (std::uint32_t w = 0; w < count; ++w) every.push_back(w);
      for (std::uint32_t w = count / 2; w < count; ++w) some.push_back(w);
      const Positions rest(worlds[0].all.start, ScalarType::kFloat64);
      const Positions starts(MovingRows(worlds, &Motion::start, every), ScalarType::kFloat64);
      collision::SetDescription description = SetOf(worlds[0], rest, count);
      description.starts = starts.View();
      SetDriver set(driver, description);
      ASSERT_TRUE(set.info().ok()) << set.info().status();
      for (const double separation : {0.0, 0.1}) {
        CollisionOptions options;
        options.min_separation = separation;
        for (const auto& which : {every, some}) {
          RowsAsScenes rows = {driver, set, worlds};
          rows.Expect(which, true, options);
          rows.Expect(which, false, options);
        }
      }
    }
  }
}

TEST(CcdStaticSets, TakePosesOfWhatMoves) {
  EngineDriver driver(2);
  constexpr std::size_t kBodies = 12, kWorlds = 3;
  // The groups of static vertices are the numbers of bodies of other worlds.
  const PartlyStatic mesh(Tetrahedra(91, kBodies), Tetrahedra(92, 20));
  const Positions rest(mesh.all.start, ScalarType::kFloat64);
  SetDriver set(driver, SetOf(mesh, rest, kWorlds));
  ASSERT_TRUE(set.info().ok()) << set.info().status();
  EXPECT_EQ(set.info()->bodies, kBodies);
  std::vector<std::unique_ptr<ScenePair>> scenes;
  for (std::size_t w = 0; w < kWorlds; ++w) {
    scenes.push_back(std::make_unique<ScenePair>(driver, mesh));
  }
  Random random(13);
  for (int round = 0; round < 3; ++round) {
    const Pose poses = Pose::Random(random, kWorlds * kBodies, 0.5, 0.4);
    collision::SetStepDescription description;
    description.step.end = poses.View();
    const auto step = set.Run(description);
    ASSERT_TRUE(step.ok()) << step.status();
    const std::vector<WorldAnswer> answers = AnswersOf(*step);
    for (std::size_t w = 0; w < kWorlds; ++w) {
      const ccd::PoseView own = {poses.matrices().data() + w * kBodies, kBodies};
      const auto alone = scenes[w]->Run(scenes[w]->split(), {own, std::nullopt, {}});
      ASSERT_TRUE(alone.ok()) << alone.status();
      EXPECT_TRUE(answers[w] == AnswerOf(*alone)) << "world " << w << ", round " << round;
      EXPECT_EQ(step->worlds[w].path_deviation, alone->path_deviation);
    }
  }
}

}  // namespace
}  // namespace warpyard::test_support
