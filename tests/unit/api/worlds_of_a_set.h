// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Sets for tests: worlds with one mesh that lie in each other's way, beside the scenes that each of
// them would be alone. Of any backend.
#ifndef WARPYARD_TESTS_UNIT_API_WORLDS_OF_A_SET_H_
#define WARPYARD_TESTS_UNIT_API_WORLDS_OF_A_SET_H_

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/api/scene_set.h"
#include "tests/support/mesh_fixtures.h"
#include "tests/unit/engine/engine_driver.h"

namespace warpyard::test_support {

/// Worlds that all fill the same space, so that any pair across worlds would collide.
/// @shape same triangles in each
inline std::vector<Motion> WorldsOfSoup(std::uint32_t worlds, const SoupShape& shape) {
  std::vector<Motion> all;
  for (std::uint32_t w = 0; w < worlds; ++w) all.push_back(TriangleSoup(100 + w, shape));
  return all;
}

inline std::vector<Motion> WorldsOfCloth(std::uint32_t worlds, std::uint32_t rows,
                                         std::uint32_t columns) {
  std::vector<Motion> all;
  for (std::uint32_t w = 0; w < worlds; ++w) all.push_back(FoldingCloth(100 + w, rows, columns));
  return all;
}

/// Worlds with the same motion at different speeds, so that the same pair touches first in each, at
/// a different time. The first step of a set examines a sample, which gives each world an end of
/// its own.
inline std::vector<Motion> WorldsOfManySpeeds() {
  const Motion fastest = TriangleSoup(11, {2000, 0.04, 2.0});
  std::vector<Motion> all;
  for (const double speed : {1.0, 0.005, 0.3, 0.0, 0.1}) {
    Motion& world = all.emplace_back(fastest);
    for (std::size_t i = 0; i < world.end.size(); ++i) {
      world.end[i] = world.start[i] + speed * (world.end[i] - world.start[i]);
    }
  }
  return all;
}

/// The positions of some worlds, one after the other.
inline std::vector<double> RowsOf(const std::vector<Motion>& worlds,
                                  std::vector<double> Motion::*frame,
                                  const std::vector<std::uint32_t>& which) {
  std::vector<double> rows;
  for (const std::uint32_t w : which) {
    rows.insert(rows.end(), (worlds[w].*frame).begin(), (worlds[w].*frame).end());
  }
  return rows;
}

inline std::vector<std::uint32_t> AllOf(const std::vector<Motion>& worlds) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t w = 0; w < worlds.size(); ++w) all.push_back(w);
  return all;
}

/// What a step of a set shows of one world, and a step of a scene of itself, as numbers.
struct WorldAnswer {
  std::vector<double> numbers;
  std::optional<double> earliest;
  bool operator==(const WorldAnswer&) const = default;
};

inline void AddPair(const ccd::VertexFaceCollision& pair, WorldAnswer& answer) {
  answer.numbers.insert(answer.numbers.end(), {double(pair.vertex), double(pair.face), pair.time});
}
inline void AddPair(const ccd::EdgeEdgeCollision& pair, WorldAnswer& answer) {
  answer.numbers.insert(answer.numbers.end(), {double(pair.a0), double(pair.a1), double(pair.b0),
                                               double(pair.b1), pair.time});
}
inline void AddGeometry(const ccd::VertexFaceGeometry& of, WorldAnswer& answer) {
  answer.numbers.insert(answer.numbers.end(), of.weights, of.weights + 3);
  answer.numbers.insert(answer.numbers.end(), of.normal, of.normal + 3);
}
inline void AddGeometry(const ccd::EdgeEdgeGeometry& of, WorldAnswer& answer) {
  answer.numbers.insert(answer.numbers.end(), of.parameters, of.parameters + 2);
  answer.numbers.insert(answer.numbers.end(), of.normal, of.normal + 3);
}

/// Parts of the lists of a result, from these places on.
struct ListPlaces {
  std::size_t vertex_face = 0, edge_edge = 0;
};

/// The answer of the world whose pairs begin at `places`, which moves to the next world.
inline WorldAnswer AnswerAt(const ccd::CollisionResult& all, const ccd::WorldResult& world,
                            ListPlaces& places) {
  WorldAnswer answer{{double(world.vertex_faces), double(world.edge_edges)}, world.earliest_time};
  for (std::uint64_t i = 0; i < world.vertex_faces; ++i, ++places.vertex_face) {
    AddPair(all.vertex_face[places.vertex_face], answer);
    if (all.vertex_face_geometry.empty()) continue;
    AddGeometry(all.vertex_face_geometry[places.vertex_face], answer);
  }
  for (std::uint64_t i = 0; i < world.edge_edges; ++i, ++places.edge_edge) {
    AddPair(all.edge_edge[places.edge_edge], answer);
    if (all.edge_edge_geometry.empty()) continue;
    AddGeometry(all.edge_edge_geometry[places.edge_edge], answer);
  }
  return answer;
}

inline WorldAnswer AnswerOf(const ccd::CollisionResult& scene) {
  ListPlaces places;
  return AnswerAt(
      scene,
      {absl::OkStatus(), scene.earliest_time, scene.vertex_face.size(), scene.edge_edge.size()},
      places);
}

/// The answers of all rows; no list may have more than them.
inline std::vector<WorldAnswer> AnswersOf(const ccd::SetResult& result) {
  std::vector<WorldAnswer> answers;
  ListPlaces places;
  for (const ccd::WorldResult& world : result.worlds) {
    answers.push_back(AnswerAt(result.all, world, places));
  }
  EXPECT_EQ(places.vertex_face, result.all.vertex_face.size());
  EXPECT_EQ(places.edge_edge, result.all.edge_edge.size());
  return answers;
}

/// A set in an engine, with calls that wait.
class SetDriver {
 public:
  /// @shape worlds: whose mesh and, with their positions at the start, whose places the set has
  SetDriver(EngineDriver& engine, const std::vector<Motion>& worlds,
            ccd::GroupRule rule = ccd::GroupRule::kAll)
      : engine_(engine), worlds_(static_cast<std::uint32_t>(worlds.size())) {
    const Motion& first = worlds[0];
    const Positions rest(first.start, ccd::ScalarType::kFloat64);
    const Positions starts(RowsOf(worlds, &Motion::start, AllOf(worlds)),
                           ccd::ScalarType::kFloat64);
    Open({{rest.View(), first.triangles, first.vertex_groups, rule}, worlds_, starts.View()});
  }
  SetDriver(EngineDriver& engine, const collision::SetDescription& set)
      : engine_(engine), worlds_(set.worlds) {
    Open(set);
  }
  ~SetDriver() {
    if (info_.ok()) engine_.engine().Close(info_->id).IgnoreError();
  }

  const absl::StatusOr<collision::SetInfo>& info() const { return info_; }

  /// @shape rows: empty for all worlds
  absl::StatusOr<ccd::SetResult> Step(const std::vector<double>& end,
                                      const ccd::CollisionOptions& options,
                                      const std::vector<std::uint32_t>& rows = {},
                                      ccd::ScalarType type = ccd::ScalarType::kFloat64) {
    const Positions positions(end, type);
    return Run({{positions.View(), std::nullopt, rows}, options});
  }

  absl::StatusOr<ccd::SetResult> Run(const collision::SetStepDescription& step,
                                     const JobOptions& job = {}) {
    Completion<ccd::SetResult> completion;
    collision::StepSet(engine_.engine(), info_->id, step, job, completion.Callback());
    return completion.Await();
  }

 private:
  void Open(const collision::SetDescription& set) {
    Completion<collision::SetInfo> completion;
    collision::OpenSet(engine_.engine(), set, {}, completion.Callback());
    info_ = completion.Await();
  }

  EngineDriver& engine_;
  const std::uint32_t worlds_;
  absl::StatusOr<collision::SetInfo> info_ = absl::InternalError("not opened");
};

/// The options with which sets are compared: every report, both root finders, and what changes
/// boxes.
inline std::vector<std::pair<std::string, ccd::CollisionOptions>> OptionsOfSets() {
  std::vector<std::pair<std::string, ccd::CollisionOptions>> all;
  for (const auto report :
       {ccd::Report::kCollisions, ccd::Report::kEarliest, ccd::Report::kCandidates}) {
    for (const auto finder : {ccd::RootFinder::kConservative, ccd::RootFinder::kCubic}) {
      ccd::CollisionOptions options;
      options.report = report;
      options.root_finder = finder;
      options.with_geometry = true;
      const std::string name =
          "report " + std::to_string(int(report)) + " finder " + std::to_string(int(finder));
      all.emplace_back(name, options);
      options.max_time = 0.5;
      if (finder == ccd::RootFinder::kConservative) options.min_separation = 0.01;
      all.emplace_back(name + " cut", options);
    }
  }
  return all;
}

/// Steps all worlds of a set at once, and each in a scene of its own: the answers must be the same.
inline void ExpectWorldsAsScenes(EngineDriver& engine, const std::vector<Motion>& worlds,
                                 ccd::GroupRule rule = ccd::GroupRule::kAll) {
  SetDriver set(engine, worlds, rule);
  ASSERT_TRUE(set.info().ok()) << set.info().status();
  const std::vector<double> start = RowsOf(worlds, &Motion::start, AllOf(worlds));
  const std::vector<double> end = RowsOf(worlds, &Motion::end, AllOf(worlds));
  for (const auto& [name, options] : OptionsOfSets()) {
    const auto there = set.Step(end, options);
    ASSERT_TRUE(there.ok()) << there.status() << " " << name;
    const std::vector<WorldAnswer> answers = AnswersOf(*there);
    ASSERT_EQ(answers.size(), worlds.size());
    for (std::size_t w = 0; w < worlds.size(); ++w) {
      const auto alone = engine.Detect(worlds[w], options, ccd::ScalarType::kFloat64, rule);
      ASSERT_TRUE(alone.ok()) << alone.status();
      EXPECT_TRUE(answers[w] == AnswerOf(*alone)) << "world " << w << ", " << name;
      EXPECT_EQ(there->worlds[w].status, absl::OkStatus());
    }
    ASSERT_TRUE(set.Step(start, options).ok());
  }
}

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_UNIT_API_WORLDS_OF_A_SET_H_
