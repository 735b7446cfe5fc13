// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/meshes/procedural_mesh.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "benchmarks/meshes/curves.h"
#include "benchmarks/scenes/shapes.h"
#include "benchmarks/scenes/triangle_count.h"

namespace warpyard::meshes {
namespace {

using scenes::Noise;

/// The greatest n with n * n * unit <= count.
std::uint32_t SideOf(std::uint32_t count, double unit) {
  auto side = static_cast<std::uint32_t>(std::sqrt(count / unit));
  while (unit * side * side > count) --side;
  return std::max(1u, side);
}

Point Unit(const Point& p) {
  const double length = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
  return {p[0] / length, p[1] / length, p[2] / length};
}

Point Cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Point Sum(const Point& a, double factor, const Point& b) {
  return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
}

/// Vertices of a mesh by integer coordinates: each is made once.
template <class Place>
class Lattice {
 public:
  Lattice(TriangleMesh& mesh, const Place& place) : mesh_(mesh), place_(place) {}

  std::uint32_t At(const std::array<int, 3>& key) {
    const auto [entry, is_new] = vertices_.try_emplace(key, 0);
    if (is_new) entry->second = mesh_.AddVertex(place_(key));
    return entry->second;
  }

 private:
  TriangleMesh& mesh_;
  const Place& place_;
  std::map<std::array<int, 3>, std::uint32_t> vertices_;
};

/// A ball of 8 n^2 triangles: an octahedron whose faces are divided; place(direction) gives the
/// point in a direction of length 1.
template <class Place>
TriangleMesh MakeBall(std::uint32_t n, const Place& place) {
  TriangleMesh mesh;
  const auto on_ball = [&](const std::array<int, 3>& key) {
    return place(Unit(
        {static_cast<double>(key[0]), static_cast<double>(key[1]), static_cast<double>(key[2])}));
  };
  Lattice lattice(mesh, on_ball);
  const auto side = static_cast<int>(n);
  for (int octant = 0; octant < 8; ++octant) {
    const int sx = octant & 1 ? -1 : 1, sy = octant & 2 ? -1 : 1, sz = octant & 4 ? -1 : 1;
    const auto at = [&](int i, int j) { return lattice.At({sx * i, sy * j, sz * (side - i - j)}); };
    // The braces order the calls of at(), which number new vertices.
    const auto add = [&](const std::array<std::uint32_t, 3>& corner) {
      const bool turned = sx * sy * sz < 0;
      mesh.AddTriangle(corner[0], corner[turned ? 2 : 1], corner[turned ? 1 : 2]);
    };
    for (int i = 0; i < side; ++i) {
      for (int j = 0; i + j < side; ++j) {
        add({at(i, j), at(i + 1, j), at(i, j + 1)});
        if (i + j + 1 < side) add({at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
      }
    }
  }
  return mesh;
}

/// A mesh that can be made by name, and the fewest triangles it can have.
struct Kind {
  const char* prefix;
  TriangleMesh (*make)(const MeshSize&);
  std::uint32_t least;
};

constexpr Kind kKinds[] = {
    {"noisy-sphere-", MakeNoisySphere, 8}, {"torus-knot-", MakeTorusKnot, 2000},
    {"terrain-", MakeTerrain, 2},          {"cad-part-", MakeCadPart, 2000},
    {"many-parts-", MakeManyParts, 200},   {"thin-sheets-", MakeThinSheets, 4}};

/// The middle of the knot's tube. @units turns
Point KnotAt(double turns) {
  const double radius = 2 + CosineOfTurns(3 * turns);
  return {radius * CosineOfTurns(2 * turns), radius * SineOfTurns(2 * turns),
          SineOfTurns(3 * turns)};
}

/// Solid cells of the part, in a box of 12 x 8 x 4: a plate with holes, and a block.
bool IsSolid(int x, int y, int z) {
  if (x < 0 || y < 0 || z < 0 || x >= 12 || y >= 8 || z >= 4) return false;
  const bool hole = (x == 1 || x == 10) && (y == 1 || y == 5 || y == 6);
  const bool block = x >= 4 && x < 8 && y >= 2 && y < 6;
  return z < 2 ? !hole : block;
}

/// Square faces of the part's cells between solid and empty.
constexpr double kCadFaces = 332;

}  // namespace

TriangleMesh MakeNoisySphere(const MeshSize& size) {
  const std::uint32_t side = SideOf(size.triangles, 8);
  const double rough = 0.1 / side;
  TriangleMesh mesh = MakeBall(side, [&](const Point& direction) {
    const Point scaled = Sum({0, 0, 0}, 3, direction), fine = Sum({0, 0, 0}, side, direction);
    const double radius =
        1 + 0.1 * Hills(scaled, size.seed, 4) + rough * SmoothNoise(fine, size.seed + 100);
    return Sum({0, 0, 0}, radius, direction);
  });
  return mesh;
}

TriangleMesh MakeTorusKnot(const MeshSize& size) {
  TriangleMesh mesh;
  const std::uint32_t around = SideOf(size.triangles, 40), along = 20 * around;
  for (std::uint32_t row = 0; row < along; ++row) {
    const double turns = static_cast<double>(row) / along;
    const Point middle = KnotAt(turns);
    const Point forward = Unit(Sum(KnotAt(turns + 1e-4), -1, KnotAt(turns - 1e-4)));
    // The axis of the torus is never parallel to the knot.
    const Point right = Unit(Cross(forward, {0, 0, 1})), up = Cross(right, forward);
    const double thickness = 0.4 + 0.05 * SineOfTurns(11 * turns);
    for (std::uint32_t column = 0; column < around; ++column) {
      const double angle = static_cast<double>(column) / around;
      const Point side = Sum(Sum({0, 0, 0}, CosineOfTurns(angle), right), SineOfTurns(angle), up);
      mesh.AddVertex(Sum(middle, thickness, side));
    }
  }
  for (std::uint32_t row = 0; row < along; ++row) {
    for (std::uint32_t column = 0; column < around; ++column) {
      const std::uint32_t next_row = (row + 1) % along, next = (column + 1) % around;
      mesh.AddQuad({row * around + column, next_row * around + column, next_row * around + next,
                    row * around + next});
    }
  }
  return mesh;
}

TriangleMesh MakeTerrain(const MeshSize& size) {
  TriangleMesh mesh;
  const std::uint32_t side = SideOf(size.triangles, 2);
  for (std::uint32_t row = 0; row <= side; ++row) {
    for (std::uint32_t column = 0; column <= side; ++column) {
      const double x = static_cast<double>(column) / side, y = static_cast<double>(row) / side;
      mesh.AddVertex({x, y, 0.1 * Hills({5 * x, 5 * y, 0.5}, size.seed, 7)});
    }
  }
  scenes::AppendSheet(0, side, side, false, mesh.triangles);
  return mesh;
}

TriangleMesh MakeCadPart(const MeshSize& size) {
  TriangleMesh mesh;
  const auto parts = static_cast<int>(SideOf(size.triangles, 2 * kCadFaces));
  const auto place = [&](const std::array<int, 3>& key) {
    return Point{1.0 * key[0] / parts, 1.0 * key[1] / parts, 1.0 * key[2] / parts};
  };
  Lattice lattice(mesh, place);
  // One face of a cell, towards axis k: quads of a grid of parts x parts.
  const auto add_face = [&](std::array<int, 3> cell, std::size_t k, bool outward) {
    const std::size_t u = (k + 1) % 3, v = (k + 2) % 3;
    for (int& value : cell) value *= parts;
    cell[k] += outward ? parts : 0;
    for (int i = 0; i < parts * parts; ++i) {
      std::array<int, 3> a = cell;
      a[u] += i / parts;
      a[v] += i % parts;
      std::array<int, 3> b = a, c = a, d = a;
      ++b[u], ++c[u], ++c[v], ++d[v];
      if (!outward) std::swap(b, d);
      mesh.AddQuad({lattice.At(a), lattice.At(b), lattice.At(c), lattice.At(d)});
    }
  };
  for (int cell = 0; cell < 12 * 8 * 4; ++cell) {
    const std::array<int, 3> at = {cell % 12, cell / 12 % 8, cell / 96};
    if (!IsSolid(at[0], at[1], at[2])) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      for (const int step : {-1, 1}) {
        std::array<int, 3> beside = at;
        beside[k] += step;
        if (!IsSolid(beside[0], beside[1], beside[2])) add_face(at, k, step > 0);
      }
    }
  }
  return mesh;
}

TriangleMesh MakeManyParts(const MeshSize& size) {
  TriangleMesh mesh;
  const std::uint32_t parts = size.triangles / 200;
  std::uint32_t space = 1;  // the side of a cube with room for a part in each unit
  while (space * space * space < parts) ++space;
  for (std::uint32_t part = 0; part < parts; ++part) {
    Point center;
    for (std::uint64_t k = 0; k < 3; ++k) center[k] = space * Noise(size.seed, part, k);
    const double radius = 0.1 + 0.4 * Noise(size.seed, part, 3);
    mesh.Append(
        MakeBall(5, [&](const Point& direction) { return Sum(center, radius, direction); }));
  }
  return mesh;
}

TriangleMesh MakeThinSheets(const MeshSize& size) {
  TriangleMesh mesh;
  const std::uint32_t side = SideOf(size.triangles, 4);
  for (int sheet = 0; sheet < 2; ++sheet) {
    TriangleMesh one;
    for (std::uint32_t row = 0; row <= side; ++row) {
      for (std::uint32_t column = 0; column <= side; ++column) {
        const double x = static_cast<double>(column) / side, y = static_cast<double>(row) / side;
        one.AddVertex({x, y, 0.05 * Hills({3 * x, 3 * y, 0.5}, size.seed, 2) - 0.001 * sheet});
      }
    }
    scenes::AppendSheet(0, side, side, false, one.triangles);
    for (std::size_t t = 0; sheet == 1 && t < one.Triangles(); ++t) {
      std::swap(one.triangles[3 * t], one.triangles[3 * t + 1]);
    }
    mesh.Append(one);
  }
  return mesh;
}

absl::StatusOr<TriangleMesh> MakeMesh(absl::string_view name, std::uint64_t seed) {
  std::string expected;
  for (const Kind& kind : kKinds) {
    absl::string_view number = name;
    absl::StrAppend(&expected, expected.empty() ? "" : ", ", kind.prefix, "N");
    if (!absl::ConsumePrefix(&number, kind.prefix)) continue;
    const std::optional<std::uint32_t> count = scenes::ParseCount(number);
    if (!count || *count < kind.least) {
      return absl::InvalidArgumentError(
          absl::StrCat("mesh ", name, ": expected a number of triangles from ", kind.least, " to ",
                       scenes::kMostTriangles, ", as in 4096, 100k or 10m"));
    }
    TriangleMesh mesh = kind.make({*count, seed});
    mesh.name = std::string(name);
    return mesh;
  }
  return absl::InvalidArgumentError(absl::StrCat("no mesh ", name, ": expected ", expected));
}

}  // namespace warpyard::meshes
