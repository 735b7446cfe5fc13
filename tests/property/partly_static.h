// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Scenes with static vertices, beside the same ones in which steps bring the positions of all.
#ifndef WARPYARD_TESTS_PROPERTY_PARTLY_STATIC_H_
#define WARPYARD_TESTS_PROPERTY_PARTLY_STATIC_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/api/collision.h"
#include "tests/support/mesh_fixtures.h"
#include "tests/unit/api/worlds_of_a_set.h"
#include "tests/unit/engine/engine_driver.h"

namespace warpyard::test_support {

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

/// The ends of a step.
struct StepEnds {
  ccd::StepPositions end;
  std::optional<ccd::StepPositions> start;
};

/// A scene with static vertices, and the same one without.
class ScenePair {
 public:
  ScenePair(EngineDriver& driver, const PartlyStatic& mesh,
            ccd::GroupRule rule = ccd::GroupRule::kAll)
      : driver_(driver), mesh_(mesh) {
    const Positions rest(mesh.all.start, ccd::ScalarType::kFloat64);
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
  void Step(const std::vector<double>& end, const ccd::CollisionOptions& options,
            ccd::ScalarType type = ccd::ScalarType::kFloat64) {
    const Positions whole(end, type), part(mesh_.MovingPart(end), type);
    Compare({whole.View(), std::nullopt}, {part.View(), std::nullopt}, options);
  }

  /// @shape whole: the ends of all vertices; part: those of the vertices that move. Returns how
  /// often the hierarchy of the scene with static vertices was built anew.
  std::uint64_t Compare(const StepEnds& whole, const StepEnds& part,
                        ccd::CollisionOptions options) {
    const auto split = Run(split_, {part.end, part.start, options});
    const ccd::Report report = options.report;
    // The earliest time is that of all pairs that are left. No report names the pair that has it.
    if (report == ccd::Report::kEarliest) options.report = ccd::Report::kCollisions;
    auto plain = Run(plain_, {whole.end, whole.start, options});
    EXPECT_TRUE(split.ok()) << split.status();
    EXPECT_TRUE(plain.ok()) << plain.status();
    if (!split.ok() || !plain.ok()) return 0;
    DropStaticPairs(*plain, report != ccd::Report::kCandidates);
    EXPECT_EQ(split->earliest_time, plain->earliest_time);
    EXPECT_EQ(split->path_deviation, plain->path_deviation);
    EXPECT_TRUE(report == ccd::Report::kEarliest || AnswerOf(*split) == AnswerOf(*plain));
    if (report == ccd::Report::kCandidates) {
      EXPECT_EQ(split->statistics.vertex_face_candidates, plain->vertex_face.size());
      EXPECT_EQ(split->statistics.edge_edge_candidates, plain->edge_edge.size());
    }
    return split->statistics.hierarchy.rebuilds;
  }

  absl::StatusOr<ccd::CollisionResult> Run(const collision::SceneInfo& scene,
                                           const collision::StepDescription& step) {
    Completion<ccd::CollisionResult> completion;
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

  void DropStaticPairs(ccd::CollisionResult& result, bool has_times) const {
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

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_PROPERTY_PARTLY_STATIC_H_
