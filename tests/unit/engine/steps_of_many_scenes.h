// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Steps of many small scenes that wait at the same time, so that they share events, compared with
// the same steps one after another.
#ifndef WARPYARD_TESTS_UNIT_ENGINE_STEPS_OF_MANY_SCENES_H_
#define WARPYARD_TESTS_UNIT_ENGINE_STEPS_OF_MANY_SCENES_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <vector>

#include "core/api/collision.h"
#include "core/engine/engine.h"
#include "core/workload/geometry/rigid_transform.h"
#include "tests/support/mesh_fixtures.h"
#include "tests/unit/engine/engine_driver.h"
#include "tests/unit/engine/position_forms.h"
#include "tests/unit/engine/steps_of_a_scene.h"

namespace warpyard::test_support {

/// A scene whose steps differ from those of its neighbours in size, form, report and root finder.
struct SmallScene {
  Motion motion;
  ccd::ScalarType type;
  ccd::CollisionOptions options;
  bool has_start;                               ///< its steps give both ends
  bool is_quantized;                            ///< its positions are places in a box
  std::vector<geometry::RigidTransform> poses;  ///< at the end of the motion; empty: positions
};

inline std::vector<SmallScene> SmallScenes(std::size_t count) {
  constexpr std::uint32_t kTriangles[] = {100, 120, 110, 1, 90, 100, 300, 1500};
  std::vector<SmallScene> scenes;
  for (std::size_t i = 0; i < count; ++i) {
    SmallScene& scene = scenes.emplace_back();
    scene.motion = RoundedToFloat(TriangleSoup(
        200 + i, {kTriangles[i % std::size(kTriangles)], 0.2, i % 7 == 0 ? 0.0 : 0.4}));
    scene.type = i % 2 == 0 ? ccd::ScalarType::kFloat32 : ccd::ScalarType::kFloat64;
    scene.options.report = i % 3 == 0 ? ccd::Report::kCollisions : ccd::Report::kEarliest;
    if (i % 8 == 5) scene.options.root_finder = ccd::RootFinder::kCubic;
    scene.has_start = i % 4 == 1;
    scene.is_quantized = i % 5 == 3;
    if (i % 6 != 2) continue;
    // Each triangle is a body that is moved towards the others.
    scene.motion.vertex_groups.clear();
    for (std::uint32_t v = 0; v < scene.motion.start.size() / 3; ++v) {
      scene.motion.vertex_groups.push_back(v / 3);
    }
    scene.options.report = ccd::Report::kEarliest;
    for (std::uint32_t body = 0; body < scene.motion.start.size() / 9; ++body) {
      const double step = 0.01 * (body % 5);
      scene.poses.push_back({{{1, 0, 0, step}, {0, 0.8, -0.6, 0.1}, {0, 0.6, 0.8, -step}}});
    }
  }
  return scenes;
}

/// One step of a scene, with the memory of its positions.
class StepOfScene {
 public:
  /// @shape way: 0: to the end of the motion, 1: back
  StepOfScene(const SmallScene& scene, std::size_t way)
      : start_(way == 0 ? scene.motion.start : scene.motion.end, scene.type),
        end_(way == 0 ? scene.motion.end : scene.motion.start, scene.type),
        start_places_(way == 0 ? scene.motion.start : scene.motion.end),
        end_places_(way == 0 ? scene.motion.end : scene.motion.start),
        poses_(scene.poses),
        rest_(scene.poses.size(), {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}}) {
    if (way == 1) std::swap(poses_, rest_);
    step_ = {scene.is_quantized ? end_places_.View() : end_.View(), std::nullopt, scene.options};
    if (scene.has_start) step_.start = scene.is_quantized ? start_places_.View() : start_.View();
    if (poses_.empty()) return;
    step_.end = ccd::PoseView{poses_.data(), poses_.size()};
    if (scene.has_start) step_.start = ccd::PoseView{rest_.data(), rest_.size()};
  }
  StepOfScene(const StepOfScene&) = delete;
  StepOfScene& operator=(const StepOfScene&) = delete;

  void Start(Engine& engine, ResidentId id, Completion<ccd::CollisionResult>& done) const {
    collision::Step(engine, id, step_, {}, done.Callback());
  }

 private:
  const Positions start_, end_;
  const QuantizedPositions start_places_, end_places_;
  std::vector<geometry::RigidTransform> poses_, rest_;  // at the end, and at the start
  collision::StepDescription step_;
};

/// Jobs that have shared events so far.
inline std::uint64_t BatchedJobs(const Engine& engine) {
  std::uint64_t executed = 0;
  for (const auto& device : engine.Statistics().devices) {
    for (const auto& procedure : device.procedures) {
      if (procedure.name == "FinishJobs") executed += procedure.executed_items;
    }
  }
  return executed;
}

/// Each scene goes from its start to its end and back, again and again. @shape engine: of any
/// backend
inline void ExpectStepsOfManyScenesAsAlone(EngineDriver& engine, std::size_t count,
                                           std::size_t rounds) {
  struct Answer {
    std::vector<std::array<double, 5>> pairs;
    std::optional<double> earliest;
    bool operator==(const Answer&) const = default;
  };
  const std::vector<SmallScene> scenes = SmallScenes(count);
  std::vector<ResidentId> ids;
  // The first step starts where the scene was opened, not at places in a box.
  constexpr std::size_t kSteps = 4;
  std::vector<std::array<Answer, kSteps>> expected(count);
  for (std::size_t i = 0; i < count; ++i) {
    const SmallScene& scene = scenes[i];
    const auto rule = scene.poses.empty() ? ccd::GroupRule::kAll : ccd::GroupRule::kDifferent;
    const auto alone = engine.Open(scene.motion, scene.type, rule);
    const auto info = engine.Open(scene.motion, scene.type, rule);
    ASSERT_TRUE(alone.ok() && info.ok()) << alone.status() << info.status();
    ids.push_back(info->id);
    for (std::size_t round = 0; round < kSteps; ++round) {
      Completion<ccd::CollisionResult> done;
      const StepOfScene step(scene, round % 2);
      step.Start(engine.engine(), alone->id, done);
      const auto result = done.Await();
      ASSERT_TRUE(result.ok()) << result.status();
      expected[i][round] = {PairsOf(*result), result->earliest_time};
    }
    ASSERT_TRUE(engine.engine().Close(alone->id).ok());
  }
  for (std::size_t round = 0; round < rounds; ++round) {
    std::vector<Completion<ccd::CollisionResult>> done(count);
    std::vector<std::unique_ptr<StepOfScene>> steps;
    for (const SmallScene& scene : scenes) {
      steps.push_back(std::make_unique<StepOfScene>(scene, round % 2));
    }
    for (std::size_t i = 0; i < count; ++i) steps[i]->Start(engine.engine(), ids[i], done[i]);
    for (std::size_t i = 0; i < count; ++i) {
      const auto result = done[i].Await();
      ASSERT_TRUE(result.ok()) << result.status();
      const std::size_t same = round < 2 ? round : 2 + round % 2;
      EXPECT_TRUE((Answer{PairsOf(*result), result->earliest_time} == expected[i][same]))
          << "scene " << i << ", round " << round;
    }
  }
  for (const ResidentId id : ids) EXPECT_TRUE(engine.engine().Close(id).ok());
}

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_UNIT_ENGINE_STEPS_OF_MANY_SCENES_H_
