// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A scene with static vertices finds what the same scene finds without them when their positions
// are sent in each step and stay the same, but for the pairs of two static features.

#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/api/collision.h"
#include "tests/support/mesh_fixtures.h"
#include "tests/unit/api/worlds_of_a_set.h"
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

// Sorts run on one thread here: ThreadSanitizer does not see how oneTBB hands work to others.
const tbb::global_control kSerialSorts(tbb::global_control::max_allowed_parallelism, 1);

/// A mesh whose last vertices never move.
struct PartlyStatic {
  Motion all;
  std::uint32_t static_vertices = 0;

  PartlyStatic(Motion moving, Motion at_rest) : all(std::move(moving)) {
    at_rest.end = at_rest.start;
    Append(at_rest, all);
    static_vertices = static_cast<std::uint32_t>(at_rest.Vertices());
  }

  std::size_t Moving() const { return all.Vertices() - static_vertices; }
  std::vector<double> MovingPart(const std::vector<double>& frame) const {
    return {frame.begin(), frame.begin() + static_cast<std::ptrdiff_t>(3 * Moving())};
  }
  /// Positions that all vertices have after so many steps.
  std::vector<double> After(int step) const {
    std::vector<double> frame = all.start;
    for (std::size_t i = 0; i < 3 * Moving(); ++i) {
      frame[i] += (step % 3) * (all.end[i] - all.start[i]);
    }
    return frame;
  }
};

/// Triangles of both kinds in the same cube: many clusters, and neither number a multiple of eight.
PartlyStatic Soups(std::uint64_t seed, std::uint32_t moving, std::uint32_t at_rest) {
  return {TriangleSoup(seed, {moving, 0.25, 0.3}), TriangleSoup(seed + 1, {at_rest, 0.25, 0.3})};
}

/// The ends of a step.
struct Ends {
  StepPositions end;
  std::optional<StepPositions> start;
};

/// A scene with static vertices, and the same one without.
class ScenePair {
 public:
  ScenePair(EngineDriver& driver, const PartlyStatic& mesh,
            ccd::GroupRule rule = ccd::GroupRule::kAll)
      : driver_(driver), mesh_(mesh) {
    const Positions rest(mesh.all.start, ScalarType::kFloat64);
    collision::SceneDescription scene;
    scene.positions = rest.View();
    scene.group_rule = rule;
    scene.triangles = mesh.all.triangles;
    scene.vertex_groups = mesh.all.vertex_groups;
    plain_ = Open(scene);
    scene.static_vertices = mesh.static_vertices;
    split_ = Open(scene);
  }
  ~ScenePair() {
    for (const collision::SceneInfo& info : {plain_, split_}) {
      EXPECT_TRUE(driver_.engine().Close(info.id).ok());
    }
  }

  const collision::SceneInfo& split() const { return split_; }

  /// Steps both scenes to these positions of all vertices, and compares.
  void Step(const std::vector<double>& end, const CollisionOptions& options,
            ScalarType type = ScalarType::kFloat64) {
    const Positions whole(end, type), part(mesh_.MovingPart(end), type);
    Compare({whole.View(), std::nullopt}, {part.View(), std::nullopt}, options);
  }

  /// @shape whole: the ends of all vertices; part: those of the vertices that move. Returns how
  /// often the hierarchy of the scene with static vertices was built anew.
  std::uint64_t Compare(const Ends& whole, const Ends& part, CollisionOptions options) {
    const auto split = Run(split_, {part.end, part.start, options});
    const Report report = options.report;
    // The earliest time is that of all pairs that are left. No report names the pair that has it.
    if (report == Report::kEarliest) options.report = Report::kCollisions;
    auto plain = Run(plain_, {whole.end, whole.start, options});
    EXPECT_TRUE(split.ok()) << split.status();
    EXPECT_TRUE(plain.ok()) << plain.status();
    if (!split.ok() || !plain.ok()) return 0;
    DropStaticPairs(*plain, report != Report::kCandidates);
    EXPECT_EQ(split->earliest_time, plain->earliest_time);
    EXPECT_EQ(split->path_deviation, plain->path_deviation);
    EXPECT_TRUE(report == Report::kEarliest || AnswerOf(*split) == AnswerOf(*plain));
    if (report == Report::kCandidates) {
      EXPECT_EQ(split->statistics.vertex_face_candidates, plain->vertex_face.size());
      EXPECT_EQ(split->statistics.edge_edge_candidates, plain->edge_edge.size());
    }
    return split->statistics.hierarchy.rebuilds;
  }

  absl::StatusOr<CollisionResult> Run(const collision::SceneInfo& scene,
                                      const collision::StepDescription& step) {
    Completion<CollisionResult> completion;
    collision::Step(driver_.engine(), scene.id, step, {}, completion.Callback());
    return completion.Await();
  }

 private:
  collision::SceneInfo Open(const collision::SceneDescription& scene) {
    Completion<collision::SceneInfo> completion;
    collision::OpenScene(driver_.engine(), scene, {}, completion.Callback());
    auto info = completion.Await();
    EXPECT_TRUE(info.ok()) << info.status();
    return info.ok() ? *std::move(info) : collision::SceneInfo{};
  }

  void DropStaticPairs(CollisionResult& result, bool has_times) const {
    const auto moving = static_cast<std::uint32_t>(mesh_.Moving());
    std::erase_if(result.vertex_face, [&](const auto& pair) {
      return pair.vertex >= moving && mesh_.all.triangles[3 * pair.face] >= moving;
    });
    std::erase_if(result.edge_edge,
                  [&](const auto& pair) { return pair.a0 >= moving && pair.b0 >= moving; });
    result.earliest_time.reset();
    if (!has_times) return;
    const auto take = [&](const auto& pair) {
      result.earliest_time = std::min(result.earliest_time.value_or(2), pair.time);
    };
    std::for_each(result.vertex_face.begin(), result.vertex_face.end(), take);
    std::for_each(result.edge_edge.begin(), result.edge_edge.end(), take);
  }

  EngineDriver& driver_;
  const PartlyStatic& mesh_;
  collision::SceneInfo plain_, split_;
};

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
  // Fewer triangles would not be put in another order.
  const PartlyStatic mesh(TriangleSoup(73, {500, 0.05, 0.1}), TriangleSoup(74, {300, 0.05, 0.1}));
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

TEST(CcdStaticVertices, OfASetAreThoseOfEachWorld) {
  EngineDriver driver(2);
  for (const auto& [moving, at_rest] : {std::pair(60u, 121u), std::pair(3u, 700u)}) {
    const std::vector<PartlyStatic> worlds = Worlds(4, moving, at_rest);
    const auto rows = [&](std::vector<double> Motion::*frame, const auto& which) {
      std::vector<double> all;
      for (const std::uint32_t w : which) {
        const std::vector<double> part = worlds[w].MovingPart(worlds[w].all.*frame);
        all.insert(all.end(), part.begin(), part.end());
      }
      return all;
    };
    const std::vector<std::uint32_t> every = {0, 1, 2, 3}, some = {1, 3};
    const Positions rest(worlds[0].all.start, ScalarType::kFloat64);
    const Positions starts(rows(&Motion::start, every), ScalarType::kFloat64);
    collision::SceneDescription mesh;
    mesh.positions = rest.View();
    mesh.triangles = worlds[0].all.triangles;
    mesh.vertex_groups = worlds[0].all.vertex_groups;
    mesh.static_vertices = worlds[0].static_vertices;
    SetDriver set(driver, {mesh, 4, starts.View()});
    ASSERT_TRUE(set.info().ok()) << set.info().status();
    for (const double separation : {0.0, 0.1}) {
      CollisionOptions options;
      options.min_separation = separation;
      for (const auto& which : {every, some}) {
        // To the end and back; where the other worlds are does not matter.
        for (const auto frame : {&Motion::end, &Motion::start}) {
          const auto step = set.Step(rows(frame, which), options, which);
          ASSERT_TRUE(step.ok()) << step.status();
          const std::vector<WorldAnswer> answers = AnswersOf(*step);
          for (std::size_t row = 0; row < which.size(); ++row) {
            const PartlyStatic& world = worlds[which[row]];
            const Positions start(world.MovingPart(world.all.start), ScalarType::kFloat64);
            const Positions end(world.MovingPart(world.all.end), ScalarType::kFloat64);
            const bool there = frame == &Motion::end;
            ScenePair scene(driver, world);
            const auto alone = scene.Run(
                scene.split(),
                {there ? end.View() : start.View(), there ? start.View() : end.View(), options});
            ASSERT_TRUE(alone.ok()) << alone.status();
            EXPECT_TRUE(answers[row] == AnswerOf(*alone)) << "world " << which[row];
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace warpyard::test_support
