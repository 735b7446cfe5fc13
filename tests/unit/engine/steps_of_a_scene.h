// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Steps of one scene, whose lists grow and shrink, compared with the same steps in separate scenes.
#ifndef WARPYARD_TESTS_UNIT_ENGINE_STEPS_OF_A_SCENE_H_
#define WARPYARD_TESTS_UNIT_ENGINE_STEPS_OF_A_SCENE_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "core/engine/engine.h"
#include "tests/support/mesh_fixtures.h"
#include "tests/unit/engine/engine_driver.h"

namespace warpyard::test_support {

/// The pairs of a result with their times, in the order of their ids.
inline std::vector<std::array<double, 5>> PairsOf(const ccd::CollisionResult& result) {
  std::vector<std::array<double, 5>> pairs;
  for (const auto& pair : result.vertex_face) {
    pairs.push_back({-1, double(pair.vertex), double(pair.face), 0, pair.time});
  }
  for (const auto& pair : result.edge_edge) {
    const double a = double(pair.a0) * 0x1p26 + pair.a1, b = double(pair.b0) * 0x1p26 + pair.b1;
    pairs.push_back({1, a, b, 0, pair.time});
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

/// A step to a place between the start (0) and the end (1) of a motion.
struct StepTo {
  double place;
  ccd::Report report;
  bool unsorted;
};

/// Few collisions; then so many that the room of the last step and the room added are too small;
/// then few again. The steps use all reports and both orders alternately.
inline std::vector<StepTo> StepsOfEveryLength() {
  using ccd::Report;
  constexpr double kNear = 1e-4, kFar = 1;
  return {{kNear, Report::kCollisions, true}, {0, Report::kCollisions, true},
          {kFar, Report::kCollisions, true},  {kNear, Report::kEarliest, true},
          {0, Report::kEarliest, true},       {kFar, Report::kCandidates, true},
          {0, Report::kCollisions, false},    {kNear, Report::kCollisions, false},
          {kFar, Report::kEarliest, false},   {0, Report::kCollisions, true},
          {kNear, Report::kCollisions, true}, {kFar, Report::kCollisions, false}};
}

/// Lists have this much more room than twice the number of pairs of the last step (host_lists.cc).
inline constexpr std::size_t kRoom = 16384;

/// @shape engine: of any backend
inline void ExpectStepsAsInScenesOfTheirOwn(EngineDriver& engine) {
  const Motion motion = TriangleSoup(81, {1200, 0.35, 0.5});
  const auto positions_at = [&](double place) {
    std::vector<double> positions = motion.start;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      positions[i] += place * (motion.end[i] - motion.start[i]);
    }
    return positions;
  };
  const auto scene = engine.Open(motion);
  ASSERT_TRUE(scene.ok()) << scene.status();
  bool runs_over = false;
  std::size_t last = ~std::size_t{0} / 4;
  double from = 0;
  for (const StepTo& to : StepsOfEveryLength()) {
    ccd::CollisionOptions options;
    options.report = to.report;
    options.unsorted = to.unsorted;
    const auto step = engine.Step(scene->id, positions_at(to.place), options);
    Motion alone = motion;
    alone.start = positions_at(from);
    alone.end = positions_at(to.place);
    const auto expected = engine.Detect(alone, options);
    ASSERT_TRUE(step.ok() && expected.ok()) << step.status() << expected.status();
    const auto pairs = PairsOf(*step);
    EXPECT_EQ(pairs, PairsOf(*expected)) << "from " << from << " to " << to.place;
    EXPECT_EQ(step->earliest_time, expected->earliest_time);
    if (to.report == ccd::Report::kCollisions) {
      runs_over |= step->edge_edge.size() > 2 * last + kRoom;
      last = step->edge_edge.size();
    }
    from = to.place;
  }
  EXPECT_TRUE(runs_over) << "no list of the host was too short";
}

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_UNIT_ENGINE_STEPS_OF_A_SCENE_H_
