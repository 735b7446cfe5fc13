// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Real scenes and hand-made queries with exact answers, through the engine.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "core/api/collision.h"
#include "core/engine/engine.h"
#include "tests/support/oracles/brute_force.h"
#include "tests/support/oracles/exact_query.h"
#include "tests/support/oracles/query_file.h"
#include "tests/unit/engine/engine_driver.h"

namespace warpyard::test_support {
namespace {

using ccd::CollisionOptions;
using ccd::CollisionResult;
using ccd::GroupRule;
using ccd::Report;
using ccd::RootFinder;
using ccd::ScalarType;

CollisionOptions Options(Report report, RootFinder finder = RootFinder::kConservative) {
  CollisionOptions options;
  options.report = report;
  options.root_finder = finder;
  return options;
}

/// Known facts of a scene: all pairs of overlapping swept boxes, from exact comparisons.
struct SceneFacts {
  std::string name;
  ScalarType scalar_type;
  std::size_t vertex_face;
  std::size_t edge_edge;
  std::uint64_t vertex_face_hash;
  std::uint64_t edge_edge_hash;
  /// Number of further candidates that boxes of floats may have.
  std::size_t extra;
};

const SceneFacts kClothBall{"cloth-ball",       ScalarType::kFloat32, 1'655'541, 5'197'332,
                            0x8caf4a2e02ee9b74, 0x9c6b3547ada89cc5,   0};
const SceneFacts kArmadillo{"armadillo-rollers", ScalarType::kFloat64, 2'031'902, 5'068'080,
                            0x94b61c45b21e5418,  0x1ef802ab605e699e,   710};

/// The comparison of one list of the engine with exact answers.
struct Comparison {
  std::size_t touching = 0;
  std::size_t missed = 0;
  std::size_t false_positives = 0;

  /// @shape `pairs`: ascending; `touches`: one for each of `listed`; a pair that is not listed is
  /// apart
  void Add(const std::vector<IdPair>& pairs, const std::vector<IdPair>& listed,
           const std::vector<bool>& touches) {
    std::size_t found = 0;
    for (std::size_t i = 0; i < listed.size(); ++i) {
      if (!touches[i]) continue;
      ++touching;
      const bool reported = std::binary_search(pairs.begin(), pairs.end(), listed[i]);
      found += reported ? 1 : 0;
      missed += reported ? 0 : 1;
    }
    false_positives += pairs.size() - found;
  }
};

class CcdScene : public ::testing::Test {
 protected:
  /// Reads a scene. Returns why the test is skipped; empty if it is not.
  std::string Load(const SceneFacts& facts) {
    auto scene = ReadSharedScene(facts.name);
    if (!scene.ok()) return std::string(scene.status().message()) + " in " + SharedDataFolder();
    scene_ = *std::move(scene);
    edges_.emplace(UniqueEdges(scene_.motion.triangles));
    const auto opened = driver_.Open(scene_.motion, facts.scalar_type);
    EXPECT_TRUE(opened.ok()) << opened.status();
    if (opened.ok()) id_ = opened->id;
    return "";
  }

  CollisionResult Step(const SceneFacts& facts, const CollisionOptions& options) {
    const Positions start(scene_.motion.start, facts.scalar_type);
    const Positions end(scene_.motion.end, facts.scalar_type);
    Completion<CollisionResult> completion;
    collision::Step(driver_.engine(), id_, {end.View(), start.View(), options}, {},
                    completion.Callback());
    auto result = completion.Await();
    EXPECT_TRUE(result.ok()) << result.status();
    return result.ok() ? *std::move(result) : CollisionResult{};
  }

  void CheckCandidates(const SceneFacts& facts) {
    const CollisionResult result = Step(facts, Options(Report::kCandidates));
    const std::vector<IdPair> vertex_face = VertexFacePairs(result);
    const std::vector<IdPair> edge_edge = edges_->Pairs(result);
    EXPECT_GE(vertex_face.size(), facts.vertex_face);
    EXPECT_GE(edge_edge.size(), facts.edge_edge);
    EXPECT_LE(vertex_face.size() + edge_edge.size(),
              facts.vertex_face + facts.edge_edge + facts.extra);
    if (facts.extra == 0) {
      EXPECT_EQ(PairSetHash(vertex_face), facts.vertex_face_hash);
      EXPECT_EQ(PairSetHash(edge_edge), facts.edge_edge_hash);
    } else {
      CheckSuperset(facts, vertex_face, edge_edge);
    }
  }

  /// Removes the pairs whose boxes, in exact comparisons, do not overlap; checks that the rest are
  /// the known pairs.
  void CheckSuperset(const SceneFacts& facts, std::vector<IdPair> vertex_face,
                     std::vector<IdPair> edge_edge) const {
    std::erase_if(vertex_face, [&](const IdPair& pair) {
      const auto* face = &scene_.motion.triangles[3 * std::size_t{pair[1]}];
      return !Overlap({pair[0]}, {face[0], face[1], face[2]});
    });
    std::erase_if(edge_edge, [&](const IdPair& pair) {
      const IdPair a = edges_->Vertices(pair[0]), b = edges_->Vertices(pair[1]);
      return !Overlap({a[0], a[1]}, {b[0], b[1]});
    });
    EXPECT_EQ(vertex_face.size(), facts.vertex_face);
    EXPECT_EQ(edge_edge.size(), facts.edge_edge);
    EXPECT_EQ(PairSetHash(vertex_face), facts.vertex_face_hash);
    EXPECT_EQ(PairSetHash(edge_edge), facts.edge_edge_hash);
  }

  /// Compares the times of one pair in twenty, and of the earliest pair, with exact times.
  void CheckTimes(const CollisionResult& result) const {
    const double first = result.earliest_time.value_or(2);
    std::size_t checked = 0, late = 0;
    const auto check = [&](const Query& query, double time) {
      const auto exact = EarliestImpact(query);
      ++checked;
      late += exact && time > exact->lower ? 1 : 0;
    };
    for (std::size_t i = 0; i < result.vertex_face.size(); ++i) {
      const auto& pair = result.vertex_face[i];
      if (i % 20 != 0 && pair.time > 2 * first) continue;
      check(VertexFaceQuery(scene_.motion, pair.vertex, pair.face), pair.time);
    }
    for (std::size_t i = 0; i < result.edge_edge.size(); ++i) {
      const auto& pair = result.edge_edge[i];
      if (i % 20 != 0 && pair.time > 2 * first) continue;
      check(EdgeEdgeQuery(scene_.motion, {pair.a0, pair.a1, pair.b0, pair.b1}), pair.time);
    }
    EXPECT_GT(checked, 1000u);
    EXPECT_EQ(late, 0u) << "of " << checked;
  }

  Comparison Compare(const SceneFacts& facts, RootFinder finder, double tolerance = 1e-6) {
    CollisionOptions options = Options(Report::kCollisions, finder);
    options.tolerance = tolerance;
    const CollisionResult result = Step(facts, options);
    EXPECT_EQ(result.statistics.capped_pairs, 0u);
    if (finder == RootFinder::kConservative) CheckTimes(result);
    Comparison comparison;
    comparison.Add(VertexFacePairs(result), scene_.vertex_face, scene_.vertex_face_touches);
    comparison.Add(edges_->Pairs(result), scene_.edge_edge, scene_.edge_edge_touches);
    std::cout << facts.name << ": " << comparison.touching << " pairs touch, " << comparison.missed
              << " missed, " << comparison.false_positives << " false positives, earliest "
              << result.earliest_time.value_or(2) << "\n";
    return comparison;
  }

 private:
  bool Overlap(std::initializer_list<std::uint32_t> a,
               std::initializer_list<std::uint32_t> b) const {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      double low[2] = {1e300, 1e300}, high[2] = {-1e300, -1e300};
      for (int side = 0; side < 2; ++side) {
        for (const std::uint32_t v : side == 0 ? a : b) {
          const std::size_t at = 3 * std::size_t{v} + axis;
          low[side] = std::min({low[side], scene_.motion.start[at], scene_.motion.end[at]});
          high[side] = std::max({high[side], scene_.motion.start[at], scene_.motion.end[at]});
        }
      }
      if (low[0] > high[1] || low[1] > high[0]) return false;
    }
    return true;
  }

  EngineDriver driver_{2};
  SharedScene scene_;
  std::optional<EdgeIds> edges_;
  ResidentId id_;
};

TEST_F(CcdScene, ClothBallHasExactlyTheKnownCandidates) {
  if (const std::string why = Load(kClothBall); !why.empty()) GTEST_SKIP() << why;
  CheckCandidates(kClothBall);
}

TEST_F(CcdScene, ArmadilloRollersHasTheKnownCandidatesAndFewMore) {
  if (const std::string why = Load(kArmadillo); !why.empty()) GTEST_SKIP() << why;
  CheckCandidates(kArmadillo);
}

// The conservative finder has at most 5 false positives in both scenes together, less than half of
// what the best conservative peer has; the cubic one, which takes the whole tolerance, at most 12.
TEST_F(CcdScene, ClothBallLosesNoCollision) {
  if (const std::string why = Load(kClothBall); !why.empty()) GTEST_SKIP() << why;
  for (const RootFinder finder : {RootFinder::kConservative, RootFinder::kCubic}) {
    const Comparison comparison = Compare(kClothBall, finder);
    EXPECT_EQ(comparison.touching, 113'854u);
    EXPECT_EQ(comparison.missed, 0u);
    EXPECT_LE(comparison.false_positives, 1u);
  }
}

TEST_F(CcdScene, ArmadilloRollersLosesNoCollision) {
  if (const std::string why = Load(kArmadillo); !why.empty()) GTEST_SKIP() << why;
  for (const RootFinder finder : {RootFinder::kConservative, RootFinder::kCubic}) {
    const Comparison comparison = Compare(kArmadillo, finder);
    EXPECT_EQ(comparison.touching, 23'958u);
    EXPECT_EQ(comparison.missed, 0u);
    EXPECT_LE(comparison.false_positives, finder == RootFinder::kConservative ? 4u : 11u);
  }
}

TEST_F(CcdScene, ClothBallIsExactWithAFineTolerance) {
  if (const std::string why = Load(kClothBall); !why.empty()) GTEST_SKIP() << why;
  for (const RootFinder finder : {RootFinder::kConservative, RootFinder::kCubic}) {
    const Comparison comparison = Compare(kClothBall, finder, 1e-8);
    EXPECT_EQ(comparison.touching, 113'854u);
    EXPECT_EQ(comparison.missed, 0u);
    EXPECT_EQ(comparison.false_positives, 0u);
  }
}

TEST_F(CcdScene, ArmadilloRollersIsExactWithAFineTolerance) {
  if (const std::string why = Load(kArmadillo); !why.empty()) GTEST_SKIP() << why;
  for (const RootFinder finder : {RootFinder::kConservative, RootFinder::kCubic}) {
    const Comparison comparison = Compare(kArmadillo, finder, 1e-8);
    EXPECT_EQ(comparison.touching, 23'958u);
    EXPECT_EQ(comparison.missed, 0u);
    EXPECT_EQ(comparison.false_positives, 0u);
  }
}

// The first vertex-face pair meets at 6.6948e-5 (exact roots), the first edge-edge pair between
// 3.9846e-5 (a conservative peer at a hundredth of the tolerance) and 3.9860e-5.
TEST_F(CcdScene, ArmadilloRollersIsNeverLateAndWithAFineToleranceClose) {
  if (const std::string why = Load(kArmadillo); !why.empty()) GTEST_SKIP() << why;
  for (const double tolerance : {1e-6, 1e-8}) {
    CollisionOptions options = Options(Report::kCollisions);
    options.tolerance = tolerance;
    const CollisionResult all = Step(kArmadillo, options);
    options.report = Report::kEarliest;
    const CollisionResult earliest = Step(kArmadillo, options);
    double vertex_face = 2;
    for (const auto& pair : all.vertex_face) vertex_face = std::min(vertex_face, pair.time);
    EXPECT_LE(vertex_face, 6.6949e-5);
    EXPECT_GT(vertex_face, 6.2943e-5) << "a conservative peer is closer";
    EXPECT_EQ(earliest.earliest_time, all.earliest_time);
    ASSERT_TRUE(earliest.earliest_time.has_value());
    EXPECT_LE(*earliest.earliest_time, 3.9860e-5);
    EXPECT_GT(*earliest.earliest_time, tolerance < 1e-6 ? 3.98e-5 : -1.0);
  }
}

/// All queries of one kind as one mesh: each query is a group of two triangles. A feature that is
/// not a triangle becomes one by repeating a corner.
class QueryScene {
 public:
  void Add(const LabelledQuery& labelled) {
    const Query& query = labelled.query;
    const bool face = query.kind == PairKind::kVertexFace;
    // Corners of two triangles: the query's points, some of them repeated.
    const std::array<std::size_t, 6> corners = face ? std::array<std::size_t, 6>{0, 0, 0, 1, 2, 3}
                                                    : std::array<std::size_t, 6>{0, 1, 1, 2, 3, 3};
    const auto group = static_cast<std::uint32_t>(touches_.size());
    touches_.push_back(labelled.touches);
    for (const std::size_t corner : corners) {
      motion_.triangles.push_back(static_cast<std::uint32_t>(motion_.Vertices()));
      motion_.start.insert(motion_.start.end(), query.start[corner].begin(),
                           query.start[corner].end());
      motion_.end.insert(motion_.end.end(), query.end[corner].begin(), query.end[corner].end());
      motion_.vertex_groups.push_back(group);
    }
  }

  const Motion& motion() const { return motion_; }

  /// Whether the pair of each query was reported.
  Comparison Compare(const CollisionResult& result, PairKind kind) const {
    std::vector<bool> reported(touches_.size(), false);
    for (const auto& pair : result.vertex_face) {
      if (kind == PairKind::kVertexFace && pair.vertex % 6 == 0 && pair.face % 2 == 1) {
        reported[pair.face / 2] = true;
      }
    }
    for (const auto& pair : result.edge_edge) {
      const bool own_edges =
          pair.a0 % 6 == 0 && pair.a1 % 6 == 1 && pair.b0 % 6 == 3 && pair.b1 % 6 == 4;
      if (kind == PairKind::kEdgeEdge && own_edges) reported[pair.a0 / 6] = true;
    }
    Comparison comparison;
    for (std::size_t i = 0; i < touches_.size(); ++i) {
      comparison.touching += touches_[i] ? 1 : 0;
      comparison.missed += touches_[i] && !reported[i] ? 1 : 0;
      comparison.false_positives += !touches_[i] && reported[i] ? 1 : 0;
    }
    return comparison;
  }

 private:
  Motion motion_;
  std::vector<bool> touches_;
};

class HandMadeQueries : public ::testing::TestWithParam<PairKind> {
 protected:
  /// All files of the kind; empty if there are none.
  QueryScene Read() const {
    QueryScene scene;
    for (const QueryFile& file : FindQueryFiles(SharedDataFolder() + "/ccd/queries")) {
      if (file.kind != GetParam()) continue;
      const auto queries = ReadQueries(file);
      EXPECT_TRUE(queries.ok()) << queries.status();
      if (!queries.ok()) continue;
      for (const LabelledQuery& query : *queries) scene.Add(query);
    }
    return scene;
  }
};

TEST_P(HandMadeQueries, AreNeverMissedAndNotCapped) {
  const QueryScene scene = Read();
  if (scene.motion().triangles.empty()) GTEST_SKIP() << "no queries in " << SharedDataFolder();
  EngineDriver driver(2);
  for (const RootFinder finder : {RootFinder::kConservative, RootFinder::kCubic}) {
    const auto result = driver.Detect(scene.motion(), Options(Report::kCollisions, finder),
                                      ScalarType::kFloat64, GroupRule::kSame);
    ASSERT_TRUE(result.ok()) << result.status();
    const Comparison comparison = scene.Compare(*result, GetParam());
    EXPECT_GT(comparison.touching, 50u);
    EXPECT_EQ(comparison.missed, 0u);
    EXPECT_EQ(result->statistics.capped_pairs, 0u);
    std::cout << scene.motion().Triangles() / 2 << " queries, " << comparison.touching
              << " touch: " << comparison.missed << " missed, " << comparison.false_positives
              << " false positives\n";
  }
}

TEST_P(HandMadeQueries, AreReportedWhereACapIsReached) {
  const QueryScene scene = Read();
  if (scene.motion().triangles.empty()) GTEST_SKIP() << "no queries in " << SharedDataFolder();
  EngineDriver driver(2);
  for (const std::uint32_t cap : {1u, 2u}) {
    CollisionOptions options = Options(Report::kCollisions);
    options.max_intervals = cap;
    const auto result =
        driver.Detect(scene.motion(), options, ScalarType::kFloat64, GroupRule::kSame);
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_EQ(scene.Compare(*result, GetParam()).missed, 0u);
    EXPECT_GT(result->statistics.capped_pairs, 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(AllFiles, HandMadeQueries,
                         ::testing::Values(PairKind::kVertexFace, PairKind::kEdgeEdge),
                         [](const auto& instance) {
                           return instance.param == PairKind::kVertexFace ? "VertexFace"
                                                                          : "EdgeEdge";
                         });

}  // namespace
}  // namespace warpyard::test_support
