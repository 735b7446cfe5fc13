// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/meshes/adversarial_mesh.h"

#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "benchmarks/meshes/curves.h"
#include "benchmarks/meshes/procedural_mesh.h"
#include "benchmarks/scenes/shapes.h"

namespace warpyard::meshes {
namespace {

/// Random numbers: hashes of a seed and a counter.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : seed_(seed) {}

  std::uint64_t Seed() const { return seed_; }
  /// In [0, 1).
  double Share() { return scenes::Noise(seed_, 77, counter_++); }
  double Uniform(double low, double high) { return low + (high - low) * Share(); }
  /// An integer from `low` to `high`.
  std::uint32_t Between(std::uint32_t low, std::uint32_t high) {
    return low + static_cast<std::uint32_t>(Share() * (high - low + 1.0));
  }
  Point InCube(double half_side) {
    Point point;
    for (double& value : point) value = Uniform(-half_side, half_side);
    return point;
  }

 private:
  std::uint64_t seed_;
  std::uint64_t counter_ = 0;
};

using Maker = TriangleMesh (*)(Dice&);

/// A well-behaved mesh to spoil.
TriangleMesh Base(Dice& dice) {
  const MeshSize size{dice.Between(200, 2000), dice.Seed()};
  switch (dice.Between(0, 3)) {
    case 0:
      return MakeNoisySphere(size);
    case 1:
      return MakeTerrain(size);
    case 2:
      return MakeThinSheets(size);
    default:
      return MakeManyParts(size);
  }
}

TriangleMesh WithCoordinates(TriangleMesh mesh, const auto& change) {
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    mesh.positions[i] = static_cast<float>(change(i, mesh.positions[i]));
  }
  return mesh;
}

TriangleMesh Scaled(TriangleMesh mesh, double factor) {
  return WithCoordinates(std::move(mesh),
                         [&](std::size_t, double value) { return factor * value; });
}

/// Random vertices in a cube.
TriangleMesh Cloud(Dice& dice, std::uint32_t vertices) {
  TriangleMesh mesh;
  for (std::uint32_t i = 0; i < vertices; ++i) mesh.AddVertex(dice.InCube(1));
  return mesh;
}

TriangleMesh Empty(Dice& dice) { return Cloud(dice, dice.Between(0, 5)); }

TriangleMesh OneTriangle(Dice& dice) {
  TriangleMesh mesh = Cloud(dice, 3);
  mesh.AddTriangle(0, 1, 2);
  return mesh;
}

TriangleMesh RepeatedCorners(Dice& dice) {
  TriangleMesh mesh = Base(dice);
  for (std::uint32_t i = dice.Between(1, 100); i > 0; --i) {
    const std::uint32_t t = dice.Between(0, static_cast<std::uint32_t>(mesh.Triangles() - 1));
    const std::uint32_t corner = dice.Between(0, 2);
    mesh.triangles[3 * t + corner] = mesh.triangles[3 * t + (corner + 1) % 3];
  }
  return mesh;
}

/// Vertices are moved onto a neighbour's place or between two neighbours.
TriangleMesh ZeroArea(Dice& dice) {
  TriangleMesh mesh = Base(dice);
  for (std::uint32_t i = dice.Between(1, 100); i > 0; --i) {
    const std::uint32_t t = dice.Between(0, static_cast<std::uint32_t>(mesh.Triangles() - 1));
    const std::uint32_t* corner = &mesh.triangles[3 * t];
    const double between = dice.Share() < 0.5 ? 0 : 0.5;
    for (std::uint32_t k = 0; k < 3; ++k) {
      const double a = mesh.positions[3 * corner[0] + k], b = mesh.positions[3 * corner[1] + k];
      mesh.positions[3 * corner[2] + k] = static_cast<float>(a + between * (b - a));
    }
  }
  return mesh;
}

/// Some triangles once or twice more, with either orientation.
TriangleMesh Duplicates(Dice& dice) {
  TriangleMesh mesh = Base(dice);
  for (std::uint32_t i = dice.Between(1, 300); i > 0; --i) {
    const std::uint32_t t = dice.Between(0, static_cast<std::uint32_t>(mesh.Triangles() - 1));
    const std::uint32_t a = mesh.triangles[3 * t], b = mesh.triangles[3 * t + 1];
    const std::uint32_t c = mesh.triangles[3 * t + 2];
    dice.Share() < 0.5 ? mesh.AddTriangle(b, c, a) : mesh.AddTriangle(b, a, c);
  }
  return mesh;
}

/// Every triangle twice, with both orientations: a surface with two sides.
TriangleMesh BothSides(Dice& dice) {
  TriangleMesh mesh = Base(dice);
  for (std::size_t t = 0, count = mesh.Triangles(); t < count; ++t) {
    mesh.AddTriangle(mesh.triangles[3 * t + 1], mesh.triangles[3 * t], mesh.triangles[3 * t + 2]);
  }
  return mesh;
}

/// Pages of a book: many triangles around one edge.
TriangleMesh NonManifoldFan(Dice& dice) {
  TriangleMesh mesh = Cloud(dice, 2);
  for (std::uint32_t page = dice.Between(3, 500); page > 0; --page) {
    mesh.AddTriangle(0, 1, mesh.AddVertex(dice.InCube(1)));
  }
  return mesh;
}

/// Balls that share one vertex.
TriangleMesh BowTies(Dice& dice) {
  TriangleMesh mesh;
  for (std::uint32_t ball = dice.Between(2, 6); ball > 0; --ball) {
    const auto first = static_cast<std::uint32_t>(mesh.Vertices());
    mesh.Append(MakeNoisySphere({dice.Between(8, 500), dice.Seed() + ball}));
    for (std::uint32_t& vertex : mesh.triangles) vertex = vertex == first ? 0 : vertex;
  }
  return mesh;
}

TriangleMesh Huge(Dice& dice) { return Scaled(Base(dice), 1e29); }
TriangleMesh Tiny(Dice& dice) { return Scaled(Base(dice), 1e-30); }

/// Each vertex with its own power of ten.
TriangleMesh HugeAndTiny(Dice& dice) {
  double factor = 1;
  return WithCoordinates(Base(dice), [&](std::size_t i, double value) {
    if (i % 3 == 0) {
      factor = 1;
      const double ten = dice.Share() < 0.5 ? 10 : 0.1;
      for (std::uint32_t n = dice.Between(0, 29); n > 0; --n) factor = factor * ten;
    }
    return factor * value;
  });
}

/// Far from the origin, so that floats have few digits left: many vertices fall together.
TriangleMesh FarAway(Dice& dice) {
  const double away = dice.Uniform(1e4, 1e6);
  return WithCoordinates(Base(dice), [&](std::size_t, double value) { return away + value; });
}

TriangleMesh UnusedVertices(Dice& dice) {
  TriangleMesh mesh = Cloud(dice, dice.Between(1, 1000));
  mesh.Append(Base(dice));
  mesh.Append(Scaled(Cloud(dice, dice.Between(1, 1000)), 1e6));
  return mesh;
}

TriangleMesh InOnePlane(Dice& dice) {
  return WithCoordinates(Base(dice),
                         [](std::size_t i, double value) { return i % 3 == 2 ? 0.25 : value; });
}

TriangleMesh InOneLine(Dice& dice) {
  return WithCoordinates(Base(dice),
                         [](std::size_t i, double value) { return i % 3 == 0 ? value : -3; });
}

TriangleMesh InOnePoint(Dice& dice) {
  return WithCoordinates(Base(dice),
                         [](std::size_t i, double) { return 7 + static_cast<double>(i % 3); });
}

/// Vertices on a coarse grid: many in the same place, and many triangles in one plane.
TriangleMesh OnCoarseGrid(Dice& dice) {
  const double cells = dice.Between(2, 8);
  return WithCoordinates(
      Base(dice), [&](std::size_t, double value) { return std::floor(cells * value) / cells; });
}

TriangleMesh Soup(Dice& dice) {
  TriangleMesh mesh = Cloud(dice, 3 * dice.Between(2, 700));
  for (std::uint32_t vertex = 0; vertex < mesh.Vertices(); ++vertex) {
    mesh.triangles.push_back(vertex);
  }
  return mesh;
}

/// Any three vertices, also the same one.
TriangleMesh RandomIndices(Dice& dice) {
  const std::uint32_t vertices = dice.Between(1, 60);
  TriangleMesh mesh = Cloud(dice, vertices);
  for (std::uint32_t i = 3 * dice.Between(1, 700); i > 0; --i) {
    mesh.triangles.push_back(dice.Between(0, vertices - 1));
  }
  return mesh;
}

/// Squeezed along one axis, so that triangles become needles.
TriangleMesh Slivers(Dice& dice) {
  const double factor = dice.Uniform(1e-9, 1e-5);
  return WithCoordinates(
      Base(dice), [&](std::size_t i, double value) { return i % 3 == 1 ? factor * value : value; });
}

/// Each triangle with its own vertices, also with zeros of both signs.
TriangleMesh Unwelded(Dice& dice) {
  const TriangleMesh welded = MakeTerrain({dice.Between(20, 2000), dice.Seed()});
  TriangleMesh mesh;
  for (std::size_t i = 0; i < welded.triangles.size(); ++i) {
    const std::size_t vertex = welded.triangles[i];
    Point point;
    for (std::size_t k = 0; k < 3; ++k) point[k] = welded.positions[3 * vertex + k];
    for (double& value : point) value = value == 0 && dice.Share() < 0.5 ? -0.0 : value;
    mesh.triangles.push_back(mesh.AddVertex(point));
  }
  return mesh;
}

/// One vertex with very many triangles.
TriangleMesh LongFan(Dice& dice) {
  TriangleMesh mesh;
  mesh.AddVertex({0, 0, dice.Share()});
  const std::uint32_t around = dice.Between(3, 3000);
  for (std::uint32_t i = 0; i < around; ++i) {
    const double turns = static_cast<double>(i) / around;
    mesh.AddVertex({CosineOfTurns(turns), SineOfTurns(turns), 0});
  }
  for (std::uint32_t i = 0; i < around; ++i) mesh.AddTriangle(0, 1 + i, 1 + (i + 1) % around);
  return mesh;
}

/// A strip with half a turn: no orientation.
TriangleMesh Moebius(Dice& dice) {
  TriangleMesh mesh;
  const std::uint32_t length = dice.Between(3, 700);
  for (std::uint32_t i = 0; i < length; ++i) {
    const double turns = static_cast<double>(i) / length;
    for (const double side : {-0.3, 0.3}) {
      const double radius = 1 + side * CosineOfTurns(turns / 2);
      mesh.AddVertex({radius * CosineOfTurns(turns), radius * SineOfTurns(turns),
                      side * SineOfTurns(turns / 2)});
    }
  }
  for (std::uint32_t i = 0; i + 1 < length; ++i) {
    mesh.AddQuad({2 * i, 2 * i + 1, 2 * i + 3, 2 * i + 2});
  }
  mesh.AddQuad({2 * length - 2, 2 * length - 1, 0, 1});
  return mesh;
}

/// The same ball several times in one place, each with its own vertices.
TriangleMesh Coincident(Dice& dice) {
  TriangleMesh mesh;
  const TriangleMesh ball = MakeNoisySphere({dice.Between(8, 500), dice.Seed()});
  for (std::uint32_t i = dice.Between(2, 5); i > 0; --i) mesh.Append(ball);
  return mesh;
}

TriangleMesh Mixture(Dice& dice);

struct Kind {
  const char* name;
  Maker make;
};

constexpr Kind kKinds[] = {{"empty", Empty},
                           {"one-triangle", OneTriangle},
                           {"repeated-corners", RepeatedCorners},
                           {"zero-area", ZeroArea},
                           {"duplicates", Duplicates},
                           {"both-sides", BothSides},
                           {"non-manifold-fan", NonManifoldFan},
                           {"bow-ties", BowTies},
                           {"huge", Huge},
                           {"tiny", Tiny},
                           {"huge-and-tiny", HugeAndTiny},
                           {"far-away", FarAway},
                           {"unused-vertices", UnusedVertices},
                           {"in-one-plane", InOnePlane},
                           {"in-one-line", InOneLine},
                           {"in-one-point", InOnePoint},
                           {"on-coarse-grid", OnCoarseGrid},
                           {"soup", Soup},
                           {"random-indices", RandomIndices},
                           {"slivers", Slivers},
                           {"unwelded", Unwelded},
                           {"long-fan", LongFan},
                           {"coincident", Coincident},
                           {"mixture", Mixture}};
static_assert(std::size(kKinds) == kAdversarialKinds);

/// Several other kinds as parts of one mesh.
TriangleMesh Mixture(Dice& dice) {
  TriangleMesh mesh = Moebius(dice);
  for (std::uint32_t i = dice.Between(1, 3); i > 0; --i) {
    mesh.Append(kKinds[dice.Between(0, kAdversarialKinds - 2)].make(dice));
  }
  return mesh;
}

}  // namespace

TriangleMesh MakeAdversarialMesh(std::uint64_t seed) {
  Dice dice(seed);
  const Kind& kind = kKinds[seed % kAdversarialKinds];
  TriangleMesh mesh = kind.make(dice);
  mesh.name = absl::StrCat(kind.name, "-", seed);
  return mesh;
}

std::vector<TriangleMesh> MakeInvalidMeshes() {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const TriangleMesh valid = MakeNoisySphere({100, 1});
  std::vector<TriangleMesh> meshes(7, valid);
  const auto last = static_cast<std::uint32_t>(valid.Vertices());
  meshes[0].name = "nan";
  meshes[0].positions[10] = std::numeric_limits<double>::quiet_NaN();
  meshes[1].name = "infinity";
  meshes[1].positions[0] = kInfinity;
  meshes[2].name = "minus-infinity";
  meshes[2].positions.back() = -kInfinity;
  meshes[3].name = "index-behind-the-last";
  meshes[3].triangles[5] = last;
  meshes[4].name = "index-of-all-ones";
  meshes[4].triangles.back() = 0xffffffffu;
  meshes[5].name = "indices-no-multiple-of-three";
  meshes[5].triangles.pop_back();
  meshes[6].name = "coordinates-no-multiple-of-three";
  meshes[6].positions.push_back(0);
  return meshes;
}

}  // namespace warpyard::meshes
