// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A step gives the same bits for every form of its positions: floats, places in a box and poses of
// rigid bodies give the same result as the doubles that they mean.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "core/api/collision.h"
#include "core/engine/engine.h"
#include "tests/support/mesh_fixtures.h"
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

/// Ids and times of all pairs, the earliest time, and the counts.
std::vector<double> Numbers(const CollisionResult& result) {
  const ccd::CollisionStatistics& s = result.statistics;
  std::vector<double> numbers = {result.earliest_time.value_or(2),
                                 static_cast<double>(s.vertex_face_candidates),
                                 static_cast<double>(s.edge_edge_candidates)};
  for (const auto& pair : result.vertex_face) {
    numbers.insert(numbers.end(), {double(pair.vertex), double(pair.face), pair.time});
  }
  for (const auto& pair : result.edge_edge) {
    numbers.insert(numbers.end(),
                   {double(pair.a0), double(pair.a1), double(pair.b0), double(pair.b1), pair.time});
  }
  return numbers;
}

std::vector<CollisionOptions> AllOptions() {
  std::vector<CollisionOptions> all;
  for (const Report report : {Report::kCollisions, Report::kEarliest, Report::kCandidates}) {
    for (const Traversal traversal : {Traversal::kClusters, Traversal::kIndependent}) {
      CollisionOptions options;
      options.report = report;
      options.traversal = traversal;
      all.push_back(options);
    }
  }
  return all;
}

std::string NameOf(const CollisionOptions& options) {
  return "report " + std::to_string(static_cast<int>(options.report)) + ", traversal " +
         std::to_string(static_cast<int>(options.traversal));
}

/// So many clusters that a step for the earliest time has a second pass, which ends early.
Motion Crowd() { return TriangleSoup(31, {1500, 0.15, 0.2}); }

/// Bodies, numbered from 0, so close together that many meet when they turn.
Motion Bodies(std::uint32_t count) { return Tetrahedra(32, count); }

/// A scene with calls that wait for their results.
class OpenScene {
 public:
  OpenScene(EngineDriver& driver, const Motion& motion, const ccd::PositionsView& rest)
      : driver_(driver) {
    Completion<collision::SceneInfo> completion;
    collision::OpenScene(driver.engine(), {rest, motion.triangles, motion.vertex_groups}, {},
                         completion.Callback());
    const auto info = completion.Await();
    EXPECT_TRUE(info.ok()) << info.status();
    if (info.ok()) info_ = *info;
  }
  ~OpenScene() { EXPECT_TRUE(driver_.engine().Close(info_.id).ok()); }

  std::uint32_t bodies() const { return info_.bodies; }

  absl::StatusOr<CollisionResult> TryStep(const StepPositions& end,
                                          const std::optional<StepPositions>& start = {},
                                          const CollisionOptions& options = {}) {
    Completion<CollisionResult> completion;
    collision::Step(driver_.engine(), info_.id, {end, start, options}, {}, completion.Callback());
    return completion.Await();
  }

  CollisionResult Step(const StepPositions& end, const std::optional<StepPositions>& start = {},
                       const CollisionOptions& options = {}) {
    auto result = TryStep(end, start, options);
    EXPECT_TRUE(result.ok()) << result.status();
    return result.ok() ? *std::move(result) : CollisionResult{};
  }

 private:
  EngineDriver& driver_;
  collision::SceneInfo info_;
};

Positions AsDoubles(const std::vector<double>& values) {
  return Positions(values, ScalarType::kFloat64);
}

TEST(CcdPositions, OfFloatsGiveWhatTheirDoublesGive) {
  EngineDriver driver(2);
  for (const Motion& motion : {RoundedToFloat(Crowd()), RoundedToFloat(FoldingCloth(33, 20, 20))}) {
    const Positions starts(motion.start, ScalarType::kFloat32);
    const Positions ends(motion.end, ScalarType::kFloat32);
    OpenScene floats(driver, motion, starts.View());
    OpenScene doubles(driver, motion, AsDoubles(motion.start).View());
    for (const CollisionOptions& options : AllOptions()) {
      EXPECT_EQ(Numbers(floats.Step(ends.View(), starts.View(), options)),
                Numbers(doubles.Step(AsDoubles(motion.end).View(), AsDoubles(motion.start).View(),
                                     options)))
          << NameOf(options);
    }
  }
}

TEST(CcdPositions, InABoxGiveWhatTheirDoublesGive) {
  EngineDriver driver(2);
  for (const Motion& motion : {Crowd(), FoldingCloth(33, 20, 20), DegenerateMotions()[1].motion}) {
    const QuantizedPositions starts(motion.start), ends(motion.end);
    OpenScene quantized(driver, motion, starts.View());
    OpenScene doubles(driver, motion, AsDoubles(starts.Doubles()).View());
    for (const CollisionOptions& options : AllOptions()) {
      EXPECT_EQ(Numbers(quantized.Step(ends.View(), starts.View(), options)),
                Numbers(doubles.Step(AsDoubles(ends.Doubles()).View(),
                                     AsDoubles(starts.Doubles()).View(), options)))
          << NameOf(options);
    }
  }
}

TEST(CcdPositions, OfAPoseGiveWhatTheTransformedVerticesGive) {
  EngineDriver driver(2);
  Random random(34);
  const Motion motion = Bodies(300);
  OpenScene posed(driver, motion, AsDoubles(motion.start).View());
  OpenScene doubles(driver, motion, AsDoubles(motion.start).View());
  ASSERT_EQ(posed.bodies(), 300u);
  for (const CollisionOptions& options : AllOptions()) {
    const Pose start = Pose::Random(random, 300, 0.3, 0.3);
    const Pose end = Pose::Random(random, 300, 0.3, 0.3);
    const Positions starts = AsDoubles(start.Doubles(motion.start, motion.vertex_groups));
    const Positions ends = AsDoubles(end.Doubles(motion.start, motion.vertex_groups));
    const CollisionResult result = posed.Step(end.View(), start.View(), options);
    // A new scene each time: which pairs a step for the earliest time examines depends on earlier
    // steps.
    const auto expected = [&] {
      return Numbers(doubles.Step(ends.View(), starts.View(), options));
    };
    EXPECT_EQ(Numbers(result), expected()) << NameOf(options);
    EXPECT_GT(result.statistics.vertex_face_candidates, 0u);
    // The two ends may have different forms.
    EXPECT_EQ(Numbers(posed.Step(end.View(), starts.View(), options)), expected());
    EXPECT_EQ(Numbers(posed.Step(ends.View(), start.View(), options)), expected());
  }
}

TEST(CcdPositions, OfEveryFormStartWhereTheLastStepEnded) {
  EngineDriver driver(2);
  Random random(35);
  const Motion motion = RoundedToFloat(Bodies(120));
  OpenScene mixed(driver, motion, Positions(motion.start, ScalarType::kFloat32).View());
  OpenScene doubles(driver, motion, AsDoubles(motion.start).View());
  for (int step = 0; step < 12; ++step) {
    const Pose pose = Pose::Random(random, 120, 0.2, 0.2);
    const std::vector<double> posed = pose.Doubles(motion.start, motion.vertex_groups);
    const QuantizedPositions quantized(posed);
    const Positions floats(posed, ScalarType::kFloat32), as_doubles = AsDoubles(posed);
    const StepPositions forms[] = {pose.View(), quantized.View(), floats.View(), as_doubles.View()};
    const std::vector<float> rounded(posed.begin(), posed.end());
    const std::vector<double> expected[] = {
        posed, quantized.Doubles(), {rounded.begin(), rounded.end()}, posed};
    const std::size_t form = static_cast<std::size_t>(step) % 4;
    EXPECT_EQ(Numbers(mixed.Step(forms[form])),
              Numbers(doubles.Step(AsDoubles(expected[form]).View())))
        << step;
  }
}

TEST(CcdPositions, AreConvertedAgainWhenListsHaveToGrow) {
  // Nearly everything meets everything, so the lists of a first step overflow.
  EngineDriver driver(2);
  const Motion motion = TriangleSoup(36, {250, 1.5, 1.5});
  const QuantizedPositions ends(motion.end);
  Motion doubles = motion;
  doubles.end = ends.Doubles();
  for (const CollisionOptions& options : AllOptions()) {
    OpenScene scene(driver, motion, AsDoubles(motion.start).View());
    const auto expected = driver.Detect(doubles, options);
    ASSERT_TRUE(expected.ok());
    EXPECT_EQ(Numbers(scene.Step(ends.View(), {}, options)), Numbers(*expected));
  }
}

TEST(CcdPositions, NeedNotBeAligned) {
  EngineDriver driver(1);
  const Motion motion = Bodies(20);
  Random random(37);
  const Pose pose = Pose::Random(random, 20, 0.5, 0.5);
  const QuantizedPositions quantized(motion.start);
  OpenScene aligned(driver, motion, quantized.View());
  const auto moved_by_one = [](const void* data, std::size_t bytes) {
    std::vector<char> moved(bytes + 1);
    std::memcpy(moved.data() + 1, data, bytes);
    return moved;
  };
  ccd::PositionsView rest = quantized.View();
  const auto rest_bytes = moved_by_one(rest.data, rest.vertices * 6);
  rest.data = rest_bytes.data() + 1;
  OpenScene unaligned(driver, motion, rest);
  const auto pose_bytes = moved_by_one(pose.View().matrices, 20 * sizeof(Matrix));
  const ccd::PoseView moved{pose_bytes.data() + 1, 20};
  EXPECT_EQ(Numbers(unaligned.Step(moved, rest)),
            Numbers(aligned.Step(pose.View(), quantized.View())));
}

TEST(CcdPoses, TellHowFarTheirStraightPathsStray) {
  EngineDriver driver(1);
  const Motion motion = Bodies(2);
  OpenScene scene(driver, motion, AsDoubles(motion.start).View());
  const Pose turned({kIdentity, Turn({0, 0, 1}, 0.5)});
  const Pose moved({Turn({1, 0, 0}, 0, {1, 2, 3}), Turn({0, 0, 1}, 0.5, {0, 1, 0})});
  const auto first = scene.Step(turned.View()).path_deviation;
  ASSERT_TRUE(first.has_value());
  EXPECT_GT(*first, 0);
  EXPECT_LT(*first, 0.5);
  EXPECT_EQ(scene.Step(moved.View()).path_deviation, 0.0) << "no body turns";
  EXPECT_EQ(scene.Step(turned.View(), Pose({kIdentity, kIdentity}).View()).path_deviation, first);
  // Where the positions of an end are given as vertices, the motion that led there is not known.
  const Positions positions = AsDoubles(motion.end);
  EXPECT_FALSE(scene.Step(positions.View()).path_deviation.has_value());
  EXPECT_FALSE(scene.Step(turned.View()).path_deviation.has_value());
  EXPECT_FALSE(scene.Step(moved.View(), positions.View()).path_deviation.has_value());
  EXPECT_EQ(scene.Step(moved.View()).path_deviation, 0.0);
}

TEST(CcdPoses, AreRefusedWithoutBodies) {
  EngineDriver driver(1);
  Motion motion = Bodies(3);
  const Pose pose({kIdentity, kIdentity, kIdentity});
  motion.vertex_groups.clear();
  OpenScene one_group(driver, motion, AsDoubles(motion.start).View());
  EXPECT_EQ(one_group.bodies(), 0u);
  motion.vertex_groups.assign(motion.Vertices(), 0xffffffff);
  OpenScene labels(driver, motion, AsDoubles(motion.start).View());
  EXPECT_EQ(labels.bodies(), 0u);
  for (OpenScene* scene : {&one_group, &labels}) {
    const absl::Status status = scene->TryStep(pose.View()).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status));
    EXPECT_EQ(std::string(status.message()), "a pose of 3 bodies; the scene has 0");
    EXPECT_TRUE(absl::IsInvalidArgument(scene->TryStep(ccd::PoseView{}).status()));
    EXPECT_TRUE(scene->TryStep(AsDoubles(motion.start).View()).ok());
  }
}

TEST(CcdPoses, ThatDoNotFitChangeNothing) {
  EngineDriver driver(1);
  const Motion motion = Bodies(20);
  OpenScene scene(driver, motion, AsDoubles(motion.start).View());
  Random random(38);
  const Pose good = Pose::Random(random, 20, 0.5, 0.5), few({kIdentity, kIdentity});
  const auto expected = scene.Step(good.View(), AsDoubles(motion.start).View());
  scene.Step(Pose(std::vector<Matrix>(20, kIdentity)).View());
  EXPECT_TRUE(absl::IsInvalidArgument(scene.TryStep(few.View()).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(scene.TryStep(good.View(), few.View()).status()));
  const Pose far(std::vector<Matrix>(20, Turn({0, 0, 1}, 1, {0, -9.9e37, 0})));
  EXPECT_TRUE(scene.TryStep(far.View(), far.View()).ok());
  scene.Step(Pose(std::vector<Matrix>(20, kIdentity)).View());
  const Pose too_far(std::vector<Matrix>(20, Turn({0, 0, 1}, 1, {0, -1.01e38, 0})));
  EXPECT_TRUE(absl::IsInvalidArgument(scene.TryStep(too_far.View()).status()));
  EXPECT_EQ(Numbers(scene.Step(good.View())), Numbers(expected));
}

}  // namespace
}  // namespace warpyard::test_support
