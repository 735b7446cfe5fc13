// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Faces of boxes and roofs: that they close, and where a roof's height is known without them.

#include "core/workload/grammar/derive/roof.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <random>
#include <utility>
#include <vector>

#include "tests/support/grammar/symbol_matrix.h"

namespace warpyard {
namespace {

using geometry::Cross;
using geometry::Dot;
using geometry::Vector3d;
using grammar::RoofKind;
using grammar::Symbol;
using test_support::PointOf;
using test_support::RandomSymbol;
using test_support::SizeOf;

/// A flat polygon, seen from its outside.
using Outline = std::vector<Vector3d>;

/// Corners of the mesh that belongs to a face, as parts of its sizes.
const Outline kRectangle = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
const Outline kRightTriangle = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}};
const Outline kGableTriangle = {{0, 0, 0}, {1, 0, 0}, {0.5, 1, 0}};

Outline OutlineOf(const Symbol& face, const Outline& mesh) {
  Outline corners;
  for (const Vector3d& corner : mesh) corners.push_back(PointOf(face, corner));
  // A mirrored mesh goes round the other way.
  if (face.mirrored != 0) std::reverse(corners.begin(), corners.end());
  return corners;
}

/// The normal, as long as the area. Of a closed surface their sum is 0.
Vector3d AreaOf(const Outline& outline) {
  Vector3d area{0, 0, 0};
  for (std::size_t i = 2; i < outline.size(); ++i) {
    area = area + 0.5 * Cross(outline[i - 1] - outline[0], outline[i] - outline[0]);
  }
  return area;
}

/// The volume below a closed surface of such polygons.
double VolumeOf(const std::vector<Outline>& surface) {
  double volume = 0;
  for (const Outline& outline : surface) volume += Dot(outline[0], AreaOf(outline)) / 3;
  return volume;
}

bool IsLower(const Vector3d& a, const Vector3d& b) { return a.y < b.y; }

double LengthOf(const Vector3d& v) { return std::sqrt(Dot(v, v)); }

Symbol FaceAt(Symbol symbol, int face) {
  PlaceFace(symbol, static_cast<grammar::Face>(face));
  return symbol;
}

TEST(PlaceFace, GivesTheSurfaceOfTheBox) {
  std::mt19937 random(1);
  for (int run = 0; run < 50; ++run) {
    Symbol box = RandomSymbol(random);
    std::vector<Outline> surface;
    double area = 0;
    Vector3d sum{0, 0, 0};
    for (int face = 0; face < 6; ++face) {
      surface.push_back(OutlineOf(FaceAt(box, face), kRectangle));
      sum = sum + AreaOf(surface.back());
      area += LengthOf(AreaOf(surface.back()));
    }
    const Vector3d size = SizeOf(box);
    EXPECT_LT(LengthOf(sum), 1e-3);
    EXPECT_NEAR(VolumeOf(surface), size.x * size.y * size.z, 2e-2);
    EXPECT_NEAR(area, 2 * (size.x * size.y + size.y * size.z + size.z * size.x), 1e-2);
  }
}

TEST(PlaceFace, HasEveryPointOfTheSurfaceInOneFace) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> part(0.01, 0.99);
  for (int run = 0; run < 300; ++run) {
    const Symbol box = RandomSymbol(random);
    Vector3d at{part(random), part(random), part(random)};
    // A point of one face, which is known here by where it is in the box.
    const int expected = static_cast<int>(random() % 6);
    const double ends[] = {0, 1, 1, 0, 1, 0};
    (expected >= 4 ? at.y : expected % 2 == 0 ? at.z : at.x) = ends[expected];
    const Vector3d point = PointOf(box, at);
    for (int face = 0; face < 6; ++face) {
      const Symbol symbol = FaceAt(box, face);
      const Vector3d own =
          test_support::Applied(test_support::InverseOf(test_support::MatrixOf(symbol)), point);
      const Vector3d size = SizeOf(symbol);
      const bool has =
          own.x > 0 && own.x < size.x && own.y > 0 && own.y < size.y && std::fabs(own.z) < 1e-4;
      EXPECT_EQ(has, face == expected);
      EXPECT_EQ(symbol.face, face);
      EXPECT_EQ(size.z, 0);
      // The whole box is behind each face.
      EXPECT_LT(own.z, 1e-4);
    }
  }
}

TEST(PlaceFace, HasYUpOnSidesAndTowardsTheFrontOnTop) {
  Symbol box;
  box.scope = {{0, 0, 0}, {0, 0, 0, 1}, {2, 3, 5}};
  for (int face = 0; face < 6; ++face) {
    const Symbol symbol = FaceAt(box, face);
    const Vector3d up = PointOf(symbol, {0, 1, 0}) - PointOf(symbol, {0, 0, 0});
    const Vector3d expected = face < 4    ? Vector3d{0, 3, 0}
                              : face == 4 ? Vector3d{0, 0, -5}
                                          : Vector3d{0, 0, 5};
    EXPECT_LT(LengthOf(up - expected), 1e-5) << face;
  }
}

/// A roof, and what is known of its height from the text reference alone.
struct RoofCase {
  const char* name;
  RoofKind kind;
  float length_x;
  float length_z;
  float degrees;
  float overhang;

  double Slope() const { return std::tan(degrees * 3.14159265358979323846 / 180); }
  bool AlongX() const { return length_x >= length_z; }
  /// Of heights: horizontal places are rounded, too.
  double Rounding() const { return 2e-5 * (1 + 10 * Slope()); }

  /// The height above the walls. @shape x, z: metres from the least corner of the walls
  double HeightAt(double x, double z) const {
    const double o = overhang;
    const double long_side = std::max(length_x, length_z) + 2 * o;
    const double depth = std::min(length_x, length_z) + 2 * o;
    // From the eaves: across the ridge and along it.
    const double across = (AlongX() ? z : x) + o, along = (AlongX() ? x : z) + o;
    const double to_long = std::min(across, depth - across);
    const double to_short = std::min(along, long_side - along);
    switch (kind) {
      case RoofKind::kShed:
        return Slope() * ((AlongX() ? across : depth - across) - o);
      case RoofKind::kGable:
        return Slope() * (to_long - o);
      case RoofKind::kHip:
        return Slope() * (std::min(to_long, to_short) - o);
      case RoofKind::kPyramid:
        return Slope() * (std::min(to_long, to_short * depth / long_side) - o);
    }
    return 0;
  }
};

void PrintTo(const RoofCase& one, std::ostream* stream) { *stream << one.name; }

class PlaceRoofTest : public testing::TestWithParam<RoofCase> {};

/// The faces of a part with the outline of the mesh that fits them.
std::vector<Outline> FacesOf(const RoofCase& roof, const Symbol& walls, std::uint16_t part) {
  const bool symmetric = part == grammar::kGablePart && roof.kind == RoofKind::kGable;
  const Outline& mesh = part == grammar::kPlanePart ? kRectangle
                        : symmetric                 ? kGableTriangle
                                                    : kRightTriangle;
  std::vector<Outline> faces;
  for (std::uint32_t i = 0; i < grammar::RoofSymbols(roof.kind, part); ++i) {
    Symbol symbol = walls;
    PlaceRoof(symbol, roof.kind, {roof.degrees, roof.overhang}, part, i);
    EXPECT_EQ(symbol.scope.size.z, 0);
    faces.push_back(OutlineOf(symbol, mesh));
  }
  return faces;
}

/// All faces but gables.
std::vector<Outline> SlopesOf(const RoofCase& roof, const Symbol& walls) {
  std::vector<Outline> slopes = FacesOf(roof, walls, grammar::kPlanePart);
  for (Outline& outline : FacesOf(roof, walls, grammar::kHipPart)) {
    slopes.push_back(std::move(outline));
  }
  return slopes;
}

/// Walls at the origin.
Symbol WallsOf(const RoofCase& roof) {
  Symbol walls;
  walls.scope = {{0, 0, 0}, {0, 0, 0, 1}, {roof.length_x, 4, roof.length_z}};
  return walls;
}

/// Whether a point is within the outline, seen from above, and how high the outline is there.
bool IsAbove(const Outline& outline, double x, double z, double* height) {
  const Vector3d normal = AreaOf(outline);
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Vector3d a = outline[i], b = outline[(i + 1) % outline.size()];
    // Counter-clockwise from above: x to the right, z towards the reader.
    if ((b.z - a.z) * (x - a.x) - (b.x - a.x) * (z - a.z) < 0) return false;
  }
  *height =
      outline[0].y - (normal.x * (x - outline[0].x) + normal.z * (z - outline[0].z)) / normal.y;
  return true;
}

TEST_P(PlaceRoofTest, HasOneFaceAboveEveryPointAtItsHeight) {
  const RoofCase& roof = GetParam();
  const std::vector<Outline> slopes = SlopesOf(roof, WallsOf(roof));
  std::mt19937 random(3);
  const double o = roof.overhang;
  std::uniform_real_distribution<double> along_x(-o, roof.length_x + o),
      along_z(-o, roof.length_z + o);
  for (int sample = 0; sample < 2000; ++sample) {
    const double x = along_x(random), z = along_z(random);
    double height = 0;
    const auto count = std::count_if(slopes.begin(), slopes.end(), [&](const Outline& outline) {
      return IsAbove(outline, x, z, &height);
    });
    EXPECT_EQ(count, 1) << x << " " << z;
    EXPECT_NEAR(height, roof.HeightAt(x, z), roof.Rounding()) << x << " " << z;
  }
}

TEST_P(PlaceRoofTest, HasAnEdgeOfEachSlopeAtTheEaves) {
  const RoofCase& roof = GetParam();
  for (const Outline& outline : SlopesOf(roof, WallsOf(roof))) {
    // Of a square the planes of a hip have no width.
    EXPECT_GE(AreaOf(outline).y, 0);
    int low = 0;
    for (const Vector3d& corner : outline) {
      EXPECT_NEAR(corner.y, roof.HeightAt(corner.x, corner.z), roof.Rounding());
      low += corner.y < -roof.overhang * roof.Slope() + roof.Rounding();
    }
    EXPECT_GE(low, 2);
  }
}

TEST_P(PlaceRoofTest, HasGablesInTheWallsUpToTheSlopes) {
  const RoofCase& roof = GetParam();
  for (const Outline& gable : FacesOf(roof, WallsOf(roof), grammar::kGablePart)) {
    for (const Vector3d& corner : gable) {
      // Corners are at the top of the wall or in a slope.
      const bool is_top = corner.y > roof.Rounding();
      EXPECT_NEAR(corner.y, is_top ? roof.HeightAt(corner.x, corner.z) : 0, roof.Rounding());
      const double along = roof.AlongX() ? corner.x : corner.z;
      EXPECT_NEAR(std::min(along, std::max(roof.length_x, roof.length_z) - along), 0, 1e-5);
    }
    // As wide as the wall.
    EXPECT_NEAR(LengthOf(AreaOf(gable)),
                std::min(roof.length_x, roof.length_z) / 2 *
                    std::max_element(gable.begin(), gable.end(), IsLower)->y,
                roof.Rounding());
  }
}

/// The wall below the high side of a shed, which no part of the roof is.
Outline HighWall(const RoofCase& roof, const Symbol& walls) {
  Symbol wall =
      FaceAt(walls, static_cast<int>(roof.AlongX() ? grammar::Face::kBack : grammar::Face::kLeft));
  wall.scope.size.y = static_cast<float>(roof.Slope() * std::min(roof.length_x, roof.length_z));
  return OutlineOf(wall, kRectangle);
}

TEST_P(PlaceRoofTest, ClosesWithoutOverhang) {
  RoofCase roof = GetParam();
  roof.overhang = 0;
  std::mt19937 random(4);
  for (int run = 0; run < 20; ++run) {
    // Anywhere, and mirrored, too: then the left is the right.
    Symbol walls = RandomSymbol(random);
    walls.scope.size = WallsOf(roof).scope.size;
    std::vector<Outline> surface = SlopesOf(roof, walls);
    for (Outline& gable : FacesOf(roof, walls, grammar::kGablePart)) surface.push_back(gable);
    surface.push_back(
        OutlineOf(FaceAt(walls, static_cast<int>(grammar::Face::kBottom)), kRectangle));
    if (roof.kind == RoofKind::kShed) surface.push_back(HighWall(roof, walls));
    Vector3d sum{0, 0, 0};
    for (const Outline& outline : surface) sum = sum + AreaOf(outline);
    EXPECT_LT(LengthOf(sum), 3 * roof.Rounding());
    // The volume by the heights at many places.
    double expected = 0;
    constexpr int kCells = 200;
    for (int i = 0; i < kCells * kCells; ++i) {
      expected += roof.HeightAt((i % kCells + 0.5) * roof.length_x / kCells,
                                (i / kCells + 0.5) * roof.length_z / kCells);
    }
    expected *= double{roof.length_x} * double{roof.length_z} / kCells / kCells;
    EXPECT_NEAR(VolumeOf(surface), expected, 1e-3 * expected + 100 * roof.Rounding());
  }
}

INSTANTIATE_TEST_SUITE_P(
    Roofs, PlaceRoofTest,
    testing::Values(RoofCase{"ShedAlongX", RoofKind::kShed, 8, 5, 20, 0},
                    RoofCase{"ShedAlongZ", RoofKind::kShed, 5, 8, 20, 0.4f},
                    RoofCase{"GableAlongX", RoofKind::kGable, 9, 4, 45, 0},
                    RoofCase{"GableAlongZ", RoofKind::kGable, 4, 9, 30, 0},
                    RoofCase{"GableWithOverhang", RoofKind::kGable, 9, 4, 60, 0.7f},
                    RoofCase{"FlatGable", RoofKind::kGable, 9, 4, 0, 0.5f},
                    RoofCase{"HipAlongX", RoofKind::kHip, 9, 4, 35, 0},
                    RoofCase{"HipAlongZ", RoofKind::kHip, 4, 7, 35, 0.5f},
                    RoofCase{"HipOfASquare", RoofKind::kHip, 6, 6, 50, 0},
                    RoofCase{"PyramidAlongX", RoofKind::kPyramid, 9, 4, 40, 0},
                    RoofCase{"PyramidAlongZ", RoofKind::kPyramid, 4, 9, 40, 0.3f},
                    RoofCase{"Steep", RoofKind::kHip, 5, 3, 85, 0}),
    [](const auto& one) { return std::string(one.param.name); });

TEST(RoofSymbols, AreThoseOfTheReference) {
  const auto counts = [](RoofKind kind) {
    return std::vector{grammar::RoofSymbols(kind, grammar::kPlanePart),
                       grammar::RoofSymbols(kind, grammar::kGablePart),
                       grammar::RoofSymbols(kind, grammar::kHipPart)};
  };
  EXPECT_EQ(counts(RoofKind::kShed), (std::vector{1u, 2u, 0u}));
  EXPECT_EQ(counts(RoofKind::kGable), (std::vector{2u, 2u, 0u}));
  EXPECT_EQ(counts(RoofKind::kHip), (std::vector{2u, 0u, 8u}));
  EXPECT_EQ(counts(RoofKind::kPyramid), (std::vector{0u, 0u, 8u}));
}

}  // namespace
}  // namespace warpyard
