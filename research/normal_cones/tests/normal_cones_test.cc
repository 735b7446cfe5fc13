// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmpxx.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "research/normal_cones/contour.h"
#include "research/normal_cones/moving_normals.h"
#include "research/normal_cones/patch.h"
#include "research/normal_cones/study.h"
#include "tests/support/mesh_fixtures.h"
#include "tests/support/motion.h"
#include "tests/support/oracles/brute_force.h"
#include "tests/support/oracles/exact_query.h"

namespace warpyard::normal_cones {
namespace {

using test_support::CandidatePairs;
using test_support::Motion;
using test_support::Random;

using ExactVector = std::array<mpq_class, 3>;
using Corners = std::array<Vector3d, 3>;

Vector3d RandomPoint(Random& random, double half_side) {
  const test_support::Vec3 point = random.Point(half_side);
  return {point[0], point[1], point[2]};
}

ExactVector At(const Vector3d& start, const Vector3d& end, const mpq_class& t) {
  return {(1 - t) * start.x + t * end.x, (1 - t) * start.y + t * end.y,
          (1 - t) * start.z + t * end.z};
}

/// The exact sign of d . n of a moving triangle.
int SideOf(const Corners& start, const Corners& end, const Vector3d& d, const mpq_class& t) {
  const ExactVector a = At(start[0], end[0], t), b = At(start[1], end[1], t);
  const ExactVector c = At(start[2], end[2], t);
  const ExactVector axis{d.x, d.y, d.z};
  mpq_class sum = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t l = (k + 1) % 3, m = (k + 2) % 3;
    sum += axis[k] * ((b[l] - a[l]) * (c[m] - a[m]) - (b[m] - a[m]) * (c[l] - a[l]));
  }
  return sgn(sum);
}

TEST(NormalCones, ADirectionHasAllNormalsOnItsSideAtAllTimes) {
  Random random(1);
  int found = 0, none = 0;
  for (int i = 0; i < 300; ++i) {
    const double turn = 0.02 * (i % 50);
    std::vector<std::pair<Corners, Corners>> triangles;
    std::vector<MovingNormal> normals;
    for (std::uint32_t k = 0; k < 1 + random.Below(6); ++k) {
      Corners start{}, end{};
      const Corners flat{Vector3d{0, 0, 0}, Vector3d{1, 0, 0}, Vector3d{0, 1, 0}};
      const Vector3d travel = RandomPoint(random, 2);
      for (std::size_t c = 0; c < 3; ++c) {
        start[c] = flat[c] + RandomPoint(random, turn);
        end[c] = flat[c] + travel + RandomPoint(random, turn);
      }
      triangles.emplace_back(start, end);
      const std::optional<MovingNormal> normal = MovingNormalOf(start, end);
      ASSERT_TRUE(normal);
      normals.push_back(*normal);
    }
    const std::optional<Vector3d> direction = CommonDirection(normals);
    ++(direction ? found : none);
    if (!direction) continue;
    for (const auto& [start, end] : triangles) {
      for (int t = 0; t <= 8; ++t) EXPECT_EQ(SideOf(start, end, *direction, mpq_class(t, 8)), 1);
    }
  }
  EXPECT_GT(found, 100);
  EXPECT_GT(none, 10);
}

TEST(NormalCones, ThereIsNoDirectionForNormalsAllAround) {
  const auto still = [](const Vector3d& n) { return MovingNormal{n, n, n}; };
  EXPECT_FALSE(CommonDirection({}));
  EXPECT_FALSE(CommonDirection(std::vector{still({0, 0, 1}), still({0, 0, -1})}));
  EXPECT_FALSE(CommonDirection(
      std::vector{still({1, 0, 0}), still({-0.5, 0.8, 0}), still({-0.5, -0.8, 0})}));
  EXPECT_TRUE(CommonDirection(std::vector{still({1, 0, 0}), still({-0.8, 0, 0.6})}));
  EXPECT_FALSE(MovingNormalOf({Vector3d{0, 0, 0}, {1, 0, 0}, {2, 0, 0}},
                              {Vector3d{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}))
      << "without area at the start";
  const std::optional<MovingNormal> turned = MovingNormalOf(
      {Vector3d{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {Vector3d{0, 0, 0}, {-1, 0, 0}, {0, -1, 0}});
  ASSERT_TRUE(turned);
  EXPECT_FALSE(CommonDirection({{*turned}})) << "it is a point half way";
}

/// Contours in the plane z = 0, seen from above.
bool IsSimple(const std::vector<std::vector<Vector3d>>& start,
              const std::vector<std::vector<Vector3d>>& end) {
  std::vector<ContourEdge> edges;
  std::vector<Vector3d> from, to;
  for (std::size_t i = 0; i < start.size(); ++i) {
    const auto first = static_cast<std::uint32_t>(from.size());
    const auto count = static_cast<std::uint32_t>(start[i].size());
    for (std::uint32_t k = 0; k < count; ++k) edges.push_back({first + k, first + (k + 1) % count});
    from.insert(from.end(), start[i].begin(), start[i].end());
    to.insert(to.end(), end[i].begin(), end[i].end());
  }
  const ContourResult result = TestContour(edges, from, to, {0, 0, 1});
  EXPECT_LE(result.near_pairs, result.pairs);
  EXPECT_LE(result.pairs, edges.size() * (edges.size() - 1) / 2);
  return result.is_simple;
}

std::vector<Vector3d> Square(double half, const Vector3d& centre = {0, 0, 0}) {
  return {centre + Vector3d{-half, -half, 0}, centre + Vector3d{half, -half, 0},
          centre + Vector3d{half, half, 0}, centre + Vector3d{-half, half, 0}};
}

std::vector<Vector3d> Reversed(const std::vector<Vector3d>& contour) {
  return {contour.rbegin(), contour.rend()};
}

TEST(NormalCones, ContoursThatCrossOrWindTwiceAreNotSimple) {
  const std::vector<Vector3d> square = Square(1), hole = Reversed(Square(0.5));
  EXPECT_TRUE(IsSimple({square}, {square}));
  EXPECT_TRUE(IsSimple({square}, {Square(1, {50, 20, 9})})) << "moves far, as a whole";
  EXPECT_TRUE(IsSimple({square, hole}, {square, hole}));
  EXPECT_FALSE(IsSimple({square, Square(0.5)}, {square, Square(0.5)})) << "covered twice";
  EXPECT_FALSE(IsSimple({square, hole}, {square, Reversed(Square(0.5, {3, 0, 0}))})) << "leaves";
  EXPECT_FALSE(IsSimple({Reversed(square)}, {Reversed(square)})) << "inside out";
  const std::vector<Vector3d> eight{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  EXPECT_FALSE(IsSimple({eight}, {eight}));
  // A notch whose tip moves through the opposite side and ends behind it; a notch whose tip stops
  // before; and one that closes.
  const auto notched = [](double x, double y) {
    return std::vector<Vector3d>{{0, 0, 0}, {4, 0, 0},   {4, 2, 0}, {2.5, 2, 0},
                                 {x, y, 0}, {1.5, 2, 0}, {0, 2, 0}};
  };
  EXPECT_TRUE(IsSimple({notched(2, 1)}, {notched(2, 0.1)}));
  EXPECT_FALSE(IsSimple({notched(2, 1)}, {notched(2, -0.1)}));
  EXPECT_FALSE(IsSimple({notched(2, 1)}, {notched(5, -1)}));
}

double Turn(const Vector3d& a, const Vector3d& b, const Vector3d& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

bool Cross(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& d) {
  return Turn(a, b, c) * Turn(a, b, d) < 0 && Turn(c, d, a) * Turn(c, d, b) < 0;
}

TEST(NormalCones, SimpleContoursNeverCrossThemselves) {
  Random random(2);
  int simple = 0;
  for (int i = 0; i < 2000; ++i) {
    std::vector<Vector3d> start, end;
    const double noise = 0.02 * (i % 60);
    const Vector3d travel = RandomPoint(random, 3);
    for (const Vector3d& corner : {Vector3d{-1, -1, 0},
                                   {0, -1, 0},
                                   {1, -1, 0},
                                   {1, 0, 0},
                                   {1, 1, 0},
                                   {0, 1, 0},
                                   {-1, 1, 0},
                                   {-1, 0, 0}}) {
      start.push_back(corner + RandomPoint(random, noise));
      end.push_back(corner + travel + RandomPoint(random, noise));
    }
    if (!IsSimple({start}, {end})) continue;
    ++simple;
    for (int t = 0; t <= 32; ++t) {
      std::vector<Vector3d> at;
      for (std::size_t k = 0; k < 8; ++k) {
        at.push_back((1 - t / 32.0) * start[k] + (t / 32.0) * end[k]);
      }
      for (std::size_t k = 0; k < 8; ++k) {
        for (std::size_t l = 0; l < k; ++l) {
          EXPECT_FALSE(Cross(at[k], at[(k + 1) % 8], at[l], at[(l + 1) % 8]));
        }
      }
    }
  }
  EXPECT_GT(simple, 500);
  EXPECT_LT(simple, 1900);
}

/// A sheet of bumps that moves and changes its shape.
Motion BumpySheet(std::uint64_t seed, std::uint32_t side, double height) {
  Random random(seed);
  Motion motion;
  const test_support::Vec3 travel = random.Point(0.5);
  for (std::uint32_t row = 0; row < side; ++row) {
    for (std::uint32_t column = 0; column < side; ++column) {
      const test_support::Vec3 bump = random.Point(height), change = random.Point(height / 2);
      const double flat[3] = {0.2 * column, 0.2 * row, 0};
      for (std::size_t k = 0; k < 3; ++k) {
        motion.start.push_back(flat[k] + bump[k]);
        motion.end.push_back(flat[k] + bump[k] + travel[k] + change[k]);
      }
      if (row == 0 || column == 0) continue;
      const std::uint32_t corner = row * side + column;
      motion.triangles.insert(motion.triangles.end(), {corner - side - 1, corner - side, corner,
                                                       corner - side - 1, corner, corner - 1});
    }
  }
  return motion;
}

/// A strip that goes around an axis twice; its upper turn moves down through the lower one.
Motion SpiralStrip() {
  Motion motion;
  constexpr std::uint32_t kPlaces = 25;
  for (std::uint32_t i = 0; i < kPlaces; ++i) {
    const double angle = 0.5 * i;
    for (const double radius : {1.0, 2.0}) {
      for (auto* frame : {&motion.start, &motion.end}) {
        const double slope = frame == &motion.start ? 0.02 : -0.02;
        frame->insert(frame->end(),
                      {radius * std::cos(angle), radius * std::sin(angle), slope * i});
      }
    }
    if (i == 0) continue;
    const std::uint32_t a = 2 * i - 2;
    motion.triangles.insert(motion.triangles.end(), {a, a + 1, a + 3, a, a + 3, a + 2});
  }
  return motion;
}

/// Whether features of a mesh that share no vertex touch, in exact arithmetic.
bool Touches(const Motion& motion) {
  const CandidatePairs candidates = BruteForceCandidates(motion);
  for (const test_support::IdPair& pair : candidates.vertex_face) {
    if (EarliestImpact(VertexFaceQuery(motion, pair[0], pair[1]))) return true;
  }
  const std::vector<test_support::IdPair> edges = test_support::UniqueEdges(motion.triangles);
  for (const test_support::IdPair& pair : candidates.edge_edge) {
    const test_support::IdPair &a = edges[pair[0]], &b = edges[pair[1]];
    if (EarliestImpact(EdgeEdgeQuery(motion, {a[0], a[1], b[0], b[1]}))) return true;
  }
  return false;
}

Motion PartOf(const Motion& motion, const OrderedMesh& mesh, const Patch& patch) {
  Motion part{motion.start, motion.end, {}, {}};
  for (const Range& range : patch) {
    for (std::uint32_t i = range.begin; i < range.end; ++i) {
      const auto& vertices = mesh.triangles[i].vertex;
      part.triangles.insert(part.triangles.end(), vertices, vertices + 3);
    }
  }
  return part;
}

struct Verdict {
  bool has_cone = false;
  bool is_free = false;
};

Verdict VerdictOf(const OrderedMesh& mesh, const Patch& patch) {
  const Surface surface = SurfaceOf(mesh, patch);
  const std::optional<Vector3d> direction = DirectionOf(mesh, patch);
  if (!surface.is_connected || !direction) return {};
  return {true, TestContour(surface.contour, mesh.start, mesh.end, *direction).is_simple};
}

TEST(NormalCones, APatchThatPassesNeverTouchesItself) {
  int passed = 0, failed = 0;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const Motion motion = seed % 3 == 2 ? test_support::FoldingCloth(seed, 7, 7)
                                        : BumpySheet(seed, 7, 0.02 * static_cast<double>(seed));
    for (const Order order : {Order::kMorton, Order::kSurface}) {
      const OrderedMesh mesh = OrderMesh(motion.start, motion.end, motion.triangles, order);
      const auto triangles = static_cast<std::uint32_t>(mesh.triangles.size());
      for (const std::uint32_t size : {8u, 24u, 72u}) {
        for (std::uint32_t begin = 0; begin < triangles; begin += size) {
          Patch patch{{begin, begin + size}};
          if (size == 8) patch.push_back({(begin + 16) % triangles, (begin + 16) % triangles + 8});
          const bool is_free = VerdictOf(mesh, patch).is_free;
          ++(is_free ? passed : failed);
          EXPECT_FALSE(is_free && Touches(PartOf(motion, mesh, patch))) << seed;
        }
      }
    }
  }
  EXPECT_GT(passed, 30);
  EXPECT_GT(failed, 30);
}

TEST(NormalCones, NormalsOnOneSideAreNotEnough) {
  const Motion motion = SpiralStrip();
  EXPECT_TRUE(Touches(motion));
  for (const Order order : {Order::kMorton, Order::kSurface}) {
    const OrderedMesh mesh = OrderMesh(motion.start, motion.end, motion.triangles, order);
    const Patch all{{0, static_cast<std::uint32_t>(mesh.triangles.size())}};
    EXPECT_TRUE(VerdictOf(mesh, all).has_cone);
    EXPECT_FALSE(VerdictOf(mesh, all).is_free);
  }
}

TEST(NormalCones, SurfacesInPiecesOrOfThreeTrianglesAnEdgeDoNotQualify) {
  const std::vector<double> points{0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 5, 5, 0, 6, 5, 0, 5, 6, 0};
  const auto qualifies = [&](const std::vector<std::uint32_t>& triangles) {
    const OrderedMesh mesh = OrderMesh(points, points, triangles, Order::kSurface);
    return SurfaceOf(mesh, {{0, static_cast<std::uint32_t>(triangles.size() / 3)}}).is_connected;
  };
  EXPECT_TRUE(qualifies({0, 1, 2, 1, 3, 2}));
  EXPECT_FALSE(qualifies({0, 1, 2, 4, 5, 6})) << "two pieces";
  EXPECT_FALSE(qualifies({0, 1, 2, 1, 2, 3})) << "turned the other way";
  EXPECT_FALSE(qualifies({0, 1, 2, 1, 3, 2, 2, 1, 4})) << "three triangles at an edge";
}

TEST(NormalCones, StudiesCountEveryCandidateOnce) {
  for (const Motion& motion :
       {test_support::FoldingCloth(3, 20, 20), test_support::Tetrahedra(4, 60)}) {
    const CandidatePairs candidates = BruteForceCandidates(motion);
    for (const Order order : {Order::kMorton, Order::kSurface}) {
      const OrderedMesh mesh = OrderMesh(motion.start, motion.end, motion.triangles, order);
      for (const Leaves leaves : {Leaves::kClusters, Leaves::kTriangles}) {
        const StudyResult result = StudyStep(mesh, leaves, 0);
        EXPECT_EQ(result.all.candidates,
                  candidates.vertex_face.size() + candidates.edge_edge.size());
        EXPECT_LE(result.all.near, result.all.candidates);
        EXPECT_LE(result.all.survivors, result.all.near);
        // The filter of leaves drops only pairs that the filter of candidates drops.
        EXPECT_LE(result.all.apart_candidates, result.all.candidates - result.all.near);
        for (const Savings& savings : {result.by_nodes, result.by_pairs}) {
          EXPECT_LE(savings.by_cones.candidates, result.all.candidates);
          EXPECT_LE(savings.proved.candidates, savings.by_cones.candidates);
          EXPECT_LE(savings.net_of_near_pairs, savings.proved.candidates);
          EXPECT_LE(savings.net, savings.net_of_near_pairs);
        }
        EXPECT_LE(result.by_nodes.proved.candidates, result.by_pairs.proved.candidates);
      }
    }
  }
}

TEST(NormalCones, AFlatSheetIsOnePatch) {
  const Motion motion = BumpySheet(1, 12, 0.001);
  const OrderedMesh mesh = OrderMesh(motion.start, motion.end, motion.triangles, Order::kMorton);
  const StudyResult result = StudyStep(mesh, Leaves::kClusters, 0);
  EXPECT_GT(result.all.candidates, 1000u);
  EXPECT_EQ(result.by_nodes.proved.candidates, result.all.candidates);
  EXPECT_EQ(result.by_nodes.patches, 1u);
  EXPECT_EQ(result.by_nodes.contour_pairs, 44u * 43 / 2);
  EXPECT_EQ(StudyStep({}, Leaves::kClusters, 0).all.visits, 0u);
}

}  // namespace
}  // namespace warpyard::normal_cones
