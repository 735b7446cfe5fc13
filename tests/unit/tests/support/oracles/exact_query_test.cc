// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/support/oracles/exact_query.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/mesh_fixtures.h"
#include "tests/support/oracles/brute_force.h"
#include "tests/support/oracles/query_file.h"

namespace warpyard::test_support {
namespace {

constexpr PairKind kVertexFace = PairKind::kVertexFace;
constexpr PairKind kEdgeEdge = PairKind::kEdgeEdge;

// A pair whose first `moving` points move by `travel`; the other points rest.
Query Moving(PairKind kind, const std::array<Vec3, 4>& points, std::size_t moving, Vec3 travel) {
  Query query{kind, points, points};
  for (std::size_t i = 0; i < moving; ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis) query.end[i][axis] += travel[axis];
  }
  return query;
}

void ExpectAt(const Query& query, double lower, double upper) {
  const std::optional<DoubleBracket> impact = EarliestImpact(query);
  ASSERT_TRUE(impact.has_value());
  EXPECT_EQ(impact->lower, lower);
  EXPECT_EQ(impact->upper, upper);
}

void ExpectNever(const Query& query) { EXPECT_FALSE(EarliestImpact(query).has_value()); }

const std::array<Vec3, 4> kAboveFace = {{{0.25, 0.25, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
const std::array<Vec3, 4> kCrossing = {{{0, -1, 1}, {0, 1, 1}, {-1, 0, 0}, {1, 0, 0}}};

TEST(ExactQuery, KnowsWhenAVertexMeetsAFace) {
  ExpectAt(Moving(kVertexFace, kAboveFace, 1, {0, 0, -2}), 0.5, 0.5);
  ExpectAt(Moving(kVertexFace, kAboveFace, 1, {0, 0, -1}), 1, 1);
  ExpectNever(Moving(kVertexFace, kAboveFace, 1, {0, 0, -1 + 0x1p-52}));
  // A third is not a double; the double before it is the lower bound.
  ExpectAt(Moving(kVertexFace, kAboveFace, 1, {0, 0, -3}), 1.0 / 3, std::nextafter(1.0 / 3, 1.0));
}

TEST(ExactQuery, CountsTheBorderOfAFaceAsFace) {
  auto points = kAboveFace;
  points[0] = {0, 0, 1};
  ExpectAt(Moving(kVertexFace, points, 1, {0, 0, -2}), 0.5, 0.5);
  points[0] = {0.5, 0.5, 1};
  ExpectAt(Moving(kVertexFace, points, 1, {0, 0, -2}), 0.5, 0.5);
  points[0] = {0.5, 0.5 + 0x1p-53, 1};
  ExpectNever(Moving(kVertexFace, points, 1, {0, 0, -2}));
}

TEST(ExactQuery, KnowsWhenEdgesMeet) {
  ExpectAt(Moving(kEdgeEdge, kCrossing, 2, {0, 0, -4}), 0.25, 0.25);
  ExpectNever(Moving(kEdgeEdge, kCrossing, 2, {0, 0, 4}));
  ExpectNever(Moving(kEdgeEdge, kCrossing, 2, {2.5, 0, -2}));
  ExpectAt(Moving(kEdgeEdge, kCrossing, 2, {2, 0, -2}), 0.5, 0.5);
}

TEST(ExactQuery, FollowsMotionInOnePlane) {
  const std::array<Vec3, 4> beside = {{{-1, 0.25, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
  ExpectAt(Moving(kVertexFace, beside, 1, {2, 0, 0}), 0.5, 0.5);
  ExpectAt(Moving(kVertexFace, beside, 1, {1, -0.25, 0}), 1, 1);
  ExpectNever(Moving(kVertexFace, beside, 1, {0, 2, 0}));
  const std::array<Vec3, 4> tee = {{{0, 2, 0}, {0, 1, 0}, {-1, 0, 0}, {1, 0, 0}}};
  ExpectAt(Moving(kEdgeEdge, tee, 2, {0, -4, 0}), 0.25, 0.25);
  ExpectNever(Moving(kEdgeEdge, tee, 2, {4, 0, 0}));
  const std::array<Vec3, 4> in_line = {{{3, 0, 0}, {5, 0, 0}, {0, 0, 0}, {1, 0, 0}}};
  ExpectAt(Moving(kEdgeEdge, in_line, 2, {-8, 0, 0}), 0.25, 0.25);
  ExpectNever(Moving(kEdgeEdge, in_line, 2, {-1.5, 0, 0}));
}

TEST(ExactQuery, UnderstandsFeaturesWithoutExtent) {
  // The face is a segment, then a point; the edges are points.
  const std::array<Vec3, 4> segment = {{{0.5, 0, 1}, {0, 0, 0}, {1, 0, 0}, {0.25, 0, 0}}};
  ExpectAt(Moving(kVertexFace, segment, 1, {0, 0, -2}), 0.5, 0.5);
  ExpectNever(Moving(kVertexFace, segment, 1, {2, 0, -2}));
  const std::array<Vec3, 4> point = {{{0, 0, 1}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
  ExpectAt(Moving(kVertexFace, point, 1, {0, 0, -2}), 0.5, 0.5);
  ExpectNever(Moving(kVertexFace, point, 1, {0x1p-40, 0, -2}));
  const std::array<Vec3, 4> points = {{{0, 0, 1}, {0, 0, 1}, {0, 0, 0}, {0, 0, 0}}};
  ExpectAt(Moving(kEdgeEdge, points, 2, {0, 0, -2}), 0.5, 0.5);
  ExpectAt(Moving(kEdgeEdge, {}, 0, {}), 0, 0);
}

TEST(ExactQuery, BracketsTinyTimes) {
  Query query = Moving(kEdgeEdge, kCrossing, 0, {});
  query.start = {{{0, -1, 1}, {0, 1, 1}, {-1, 0, 0}, {1, 0, 0}}};
  query.end = {{{0, -1, -0x1p1000}, {0, 1, -0x1p1000}, {-1, 0, 0}, {1, 0, 0}}};
  const std::optional<DoubleBracket> tiny = EarliestImpact(query);
  ASSERT_TRUE(tiny.has_value());
  EXPECT_GT(tiny->lower, 0);
  EXPECT_EQ(std::nextafter(tiny->lower, 1.0), tiny->upper);
  EXPECT_NEAR(tiny->upper * 0x1p1000, 1, 1e-9);
}

// Permuting corners, ends, edges or axes, or moving everything by whole numbers, changes nothing.
// Reversing time does not change whether there is a contact.
TEST(ExactQuery, DependsOnTheFeaturesAlone) {
  Random random(7);
  int touching = 0;
  for (int i = 0; i < 2000; ++i) {
    const PairKind kind = i % 2 == 0 ? kVertexFace : kEdgeEdge;
    const Query query = GridQuery(random, kind);
    const std::optional<DoubleBracket> impact = EarliestImpact(query);
    touching += impact.has_value();
    Query other = query;
    for (auto* frame : {&other.start, &other.end}) {
      if (kind == kVertexFace) {
        std::rotate(frame->begin() + 1, frame->begin() + 2, frame->end());
      } else {
        std::rotate(frame->begin(), frame->begin() + 2, frame->end());
        std::swap((*frame)[0], (*frame)[1]);
      }
      for (Vec3& point : *frame) point = {point[1] + 3, -point[0], point[2] * 2};
    }
    const std::optional<DoubleBracket> same = EarliestImpact(other);
    ASSERT_EQ(impact.has_value(), same.has_value()) << "query " << i;
    if (impact) {
      EXPECT_EQ(impact->lower, same->lower) << "query " << i;
      EXPECT_EQ(impact->upper, same->upper) << "query " << i;
    }
    std::swap(other.start, other.end);
    EXPECT_EQ(EarliestImpact(other).has_value(), impact.has_value()) << "query " << i;
  }
  EXPECT_GT(touching, 200);
}

// The hand-made queries; their answers come from a computer algebra system.
TEST(ExactQuery, AgreesWithAllHandMadeQueries) {
  const std::string folder = SharedDataFolder() + "/ccd/queries";
  const std::vector<QueryFile> files = FindQueryFiles(folder);
  if (files.empty()) GTEST_SKIP() << "no shared data in " << folder;
  std::size_t queries = 0;
  for (const QueryFile& file : files) {
    const auto read = ReadQueries(file);
    ASSERT_TRUE(read.ok()) << read.status();
    for (std::size_t i = 0; i < read->size(); ++i) {
      EXPECT_EQ(EarliestImpact((*read)[i].query).has_value(), (*read)[i].touches)
          << file.path << ", query " << i;
    }
    queries += read->size();
  }
  RecordProperty("queries", static_cast<int>(queries));
  EXPECT_GT(queries, 1000u);
}

// Pairs of a real scene that touch or nearly touch.
TEST(ExactQuery, AgreesWithTheArmadilloScene) {
  const auto scene = ReadSharedScene("armadillo-rollers");
  if (!scene.ok()) GTEST_SKIP() << scene.status();
  DoubleBracket earliest{2, 2};
  for (std::size_t i = 0; i < scene->vertex_face.size(); ++i) {
    const auto [vertex, face] = scene->vertex_face[i];
    const auto impact = EarliestImpact(VertexFaceQuery(scene->motion, vertex, face));
    ASSERT_EQ(impact.has_value(), scene->vertex_face_touches[i]) << vertex << " " << face;
    if (impact && impact->lower < earliest.lower) earliest = *impact;
  }
  // Known from the data set's exact roots.
  EXPECT_NEAR(earliest.lower, 6.6948e-5, 0.00005e-5);
  const std::vector<IdPair> edges = UniqueEdges(scene->motion.triangles);
  for (std::size_t i = 0; i < scene->edge_edge.size(); ++i) {
    // All pairs that only nearly touch and, to save time, one in five of those that touch.
    if (scene->edge_edge_touches[i] && i % 5 != 0) continue;
    const IdPair a = edges[scene->edge_edge[i][0]];
    const IdPair b = edges[scene->edge_edge[i][1]];
    const auto impact = EarliestImpact(EdgeEdgeQuery(scene->motion, {a[0], a[1], b[0], b[1]}));
    ASSERT_EQ(impact.has_value(), scene->edge_edge_touches[i]) << i;
  }
}

}  // namespace
}  // namespace warpyard::test_support
