// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/support/mesh_fixtures.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "core/workload/ccd/broad/numbered_pairs.h"
#include "core/workload/ccd/job/cluster.h"

namespace warpyard::test_support {
namespace {

void AddVertex(const Vec3& start, const Vec3& end, std::uint32_t group, Motion& motion) {
  motion.start.insert(motion.start.end(), start.begin(), start.end());
  motion.end.insert(motion.end.end(), end.begin(), end.end());
  motion.vertex_groups.push_back(group);
}

Vec3 Sum(const Vec3& a, const Vec3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }

// Two triangles with the given corners: the first at rest, the second moving.
Motion TwoTriangles(const std::array<Vec3, 3>& resting, const std::array<Vec3, 3>& start,
                    const std::array<Vec3, 3>& end) {
  Motion motion;
  for (const Vec3& corner : resting) AddVertex(corner, corner, 0, motion);
  for (std::size_t i = 0; i < 3; ++i) AddVertex(start[i], end[i], 1, motion);
  motion.triangles = {0, 1, 2, 3, 4, 5};
  return motion;
}

Motion Scaled(Motion motion, double factor) {
  for (double& value : motion.start) value *= factor;
  for (double& value : motion.end) value *= factor;
  return motion;
}

}  // namespace

double Random::Uniform(double low, double high) {
  // 53 random bits make a double in [0, 1) exactly.
  return low + (high - low) * std::ldexp(static_cast<double>(engine_() >> 11), -53);
}

std::uint32_t Random::Below(std::uint32_t count) {
  return static_cast<std::uint32_t>(engine_() % count);
}

Vec3 Random::Point(double half_side) {
  // In separate statements, because the compiler may choose the order of evaluation within one
  // expression.
  Vec3 point;
  for (double& value : point) value = Uniform(-half_side, half_side);
  return point;
}

Motion TriangleSoup(std::uint64_t seed, const SoupShape& shape) {
  Random random(seed);
  Motion motion;
  const auto place = [&](Vec3 point) {
    if (shape.grid_bits > 0) {
      for (double& value : point) {
        value = std::ldexp(std::round(std::ldexp(value, shape.grid_bits)), -shape.grid_bits);
      }
    }
    return point;
  };
  for (std::uint32_t triangle = 0; triangle < shape.triangles; ++triangle) {
    const Vec3 center = random.Point(1);
    for (int corner = 0; corner < 3; ++corner) {
      const Vec3 start = Sum(center, random.Point(shape.size / 2));
      AddVertex(place(start), place(Sum(start, random.Point(shape.travel))), triangle, motion);
      motion.triangles.push_back(static_cast<std::uint32_t>(motion.Vertices() - 1));
    }
  }
  return motion;
}

Motion FoldingCloth(std::uint64_t seed, std::uint32_t rows, std::uint32_t columns) {
  Random random(seed);
  Motion motion;
  for (std::uint32_t row = 0; row < rows; ++row) {
    for (std::uint32_t column = 0; column < columns; ++column) {
      const double x = 2.0 * column / (columns - 1) - 1;
      const Vec3 start = Sum({x, 2.0 * row / (rows - 1) - 1, 0}, random.Point(0.01));
      // The right half folds over onto the left half, and a little through it.
      const Vec3 end = x <= 0 ? start : Vec3{-start[0] * 0.9, start[1], -0.05 * x};
      AddVertex(start, Sum(end, random.Point(0.02)), 0, motion);
      if (row == 0 || column == 0) continue;
      const std::uint32_t corner = row * columns + column;
      motion.triangles.insert(motion.triangles.end(),
                              {corner - columns - 1, corner - columns, corner, corner - columns - 1,
                               corner, corner - 1});
    }
  }
  return motion;
}

Motion Tetrahedra(std::uint64_t seed, std::uint32_t count) {
  Random random(seed);
  Motion motion;
  for (std::uint32_t body = 0; body < count; ++body) {
    const auto first = static_cast<std::uint32_t>(motion.Vertices());
    const Vec3 center = random.Point(1);
    const Vec3 travel = random.Point(1);
    for (int corner = 0; corner < 4; ++corner) {
      const Vec3 start = Sum(center, random.Point(0.2));
      AddVertex(start, Sum(Sum(start, travel), random.Point(0.05)), body, motion);
    }
    for (const std::uint32_t corner : {0u, 2u, 1u, 0u, 1u, 3u, 1u, 2u, 3u, 2u, 0u, 3u}) {
      motion.triangles.push_back(first + corner);
    }
  }
  return motion;
}

Motion AmongMany(Motion motion) {
  constexpr std::uint32_t kTriangles =
      ccd::kClusterTriangles * ccd::NumberedPairs::kMostClusters + 1;
  for (std::uint32_t i = 0; i < kTriangles; ++i) {
    const auto first = static_cast<std::uint32_t>(motion.Vertices());
    const Vec3 corner = {10.0 + i % 64, 10.0 + i / 64, 10};
    for (const Vec3& offset : {Vec3{0, 0, 0}, Vec3{0.5, 0, 0}, Vec3{0, 0.5, 0}}) {
      AddVertex(Sum(corner, offset), Sum(corner, offset), first, motion);
    }
    for (std::uint32_t k = 0; k < 3; ++k) motion.triangles.push_back(first + k);
  }
  return motion;
}

std::vector<NamedMotion> DegenerateMotions() {
  const std::array<Vec3, 3> ground = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
  const std::array<Vec3, 3> above = {{{0.25, 0.25, 1}, {1.25, 0.25, 1}, {0.25, 1.25, 1}}};
  const std::array<Vec3, 3> below = {{{0.25, 0.25, -1}, {1.25, 0.25, -1}, {0.25, 1.25, -1}}};
  const std::array<Vec3, 3> beside = {{{2, 0.25, 0}, {3, 0.25, 0}, {2, 1.25, 0}}};
  const std::array<Vec3, 3> inside = {{{0.25, 0.25, 0}, {1.25, 0.25, 0}, {0.25, 1.25, 0}}};
  const std::array<Vec3, 3> line_above = {{{0, 0.25, 1}, {0.5, 0.25, 1}, {1, 0.25, 1}}};
  const std::array<Vec3, 3> line_below = {{{0, 0.25, -1}, {0.5, 0.25, -1}, {1, 0.25, -1}}};
  const std::array<Vec3, 3> point_above = {{{0.25, 0.25, 1}, {0.25, 0.25, 1}, {0.25, 0.25, 1}}};
  const std::array<Vec3, 3> point_below = {{{0.25, 0.25, -1}, {0.25, 0.25, -1}, {0.25, 0.25, -1}}};
  const Motion falling = TwoTriangles(ground, above, below);
  Motion single;
  for (const Vec3& corner : ground) AddVertex(corner, Sum(corner, {0, 0, 1}), 0, single);
  single.triangles = {0, 1, 2};
  Motion unused = falling;
  AddVertex({0.25, 0.25, 0}, {0.25, 0.25, 0}, 0, unused);
  return {
      {"one_triangle", single},
      {"parallel_triangles_pass", falling},
      {"nothing_moves_apart", TwoTriangles(ground, above, above)},
      {"nothing_moves_touching", TwoTriangles(ground, inside, inside)},
      {"same_triangle_twice", TwoTriangles(ground, ground, ground)},
      {"slides_in_the_plane_into_contact", TwoTriangles(ground, beside, inside)},
      {"slides_in_the_plane_apart", TwoTriangles(ground, inside, beside)},
      {"touches_at_the_end_only", TwoTriangles(ground, above, inside)},
      {"touches_at_the_start_only", TwoTriangles(ground, inside, above)},
      {"triangle_without_area_falls", TwoTriangles(ground, line_above, line_below)},
      {"triangle_that_is_a_point_falls", TwoTriangles(ground, point_above, point_below)},
      {"triangle_shrinks_to_a_point", TwoTriangles(ground, above, point_below)},
      {"huge", Scaled(falling, 0x1p60)},
      {"tiny", Scaled(falling, 0x1p-60)},
      {"vertex_that_no_triangle_uses", unused},
  };
}

Query GridQuery(Random& random, PairKind kind) {
  Query query;
  query.kind = kind;
  // Few different values, so that equal coordinates, planes and parallels are common.
  const std::uint32_t values = 2 + random.Below(3);
  for (auto* frame : {&query.start, &query.end}) {
    for (Vec3& point : *frame) {
      for (double& value : point) value = random.Below(values);
    }
  }
  // One in three stays in the plane z = 0, one in six does not move.
  const std::uint32_t variant = random.Below(6);
  for (std::size_t i = 0; i < 4; ++i) {
    if (variant < 2) query.start[i][2] = query.end[i][2] = 0;
    if (variant == 2) query.end[i] = query.start[i];
  }
  return query;
}

void Append(const Motion& other, Motion& motion) {
  const auto first = static_cast<std::uint32_t>(motion.Vertices());
  motion.vertex_groups.resize(first);
  const std::uint32_t groups =
      first == 0 ? 0
                 : 1 + *std::max_element(motion.vertex_groups.begin(), motion.vertex_groups.end());
  motion.start.insert(motion.start.end(), other.start.begin(), other.start.end());
  motion.end.insert(motion.end.end(), other.end.begin(), other.end.end());
  for (const std::uint32_t vertex : other.triangles) motion.triangles.push_back(first + vertex);
  for (std::size_t i = 0; i < other.Vertices(); ++i) {
    motion.vertex_groups.push_back(groups +
                                   (other.vertex_groups.empty() ? 0 : other.vertex_groups[i]));
  }
}

}  // namespace warpyard::test_support
