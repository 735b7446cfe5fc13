// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Results of models whose borders keep their shape, stay, or are free.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "client_examples/mesh_measure/mesh_topology.h"
#include "core/workload/simplify/model/model.h"
#include "tests/unit/workload/simplify/model/opened_model.h"

namespace warpyard::simplify {
namespace {

using mesh_measure::MeshTopology;
using test_support::FloatMesh;
using test_support::Made;

constexpr std::uint32_t kSectors = 60, kRings = 10;

/// A flat ring between circles of radius 1 and 2. @shape first, last: numbers of its circles, of
///     which there are kRings + 1
FloatMesh FlatRing(std::uint32_t first = 0, std::uint32_t last = kRings) {
  FloatMesh mesh({}, {});
  for (std::uint32_t ring = first; ring <= last; ++ring) {
    const double radius = 1 + static_cast<double>(ring) / kRings;
    for (std::uint32_t sector = 0; sector < kSectors; ++sector) {
      const double angle = 6.283185307179586 * sector / kSectors;
      mesh.positions.insert(mesh.positions.end(),
                            {static_cast<float>(radius * std::cos(angle)),
                             static_cast<float>(radius * std::sin(angle)), 0});
    }
  }
  for (std::uint32_t ring = 0; ring < last - first; ++ring) {
    for (std::uint32_t sector = 0; sector < kSectors; ++sector) {
      const std::uint32_t a = ring * kSectors + sector,
                          b = ring * kSectors + (sector + 1) % kSectors;
      const std::uint32_t c = a + kSectors, d = b + kSectors;
      mesh.triangles.insert(mesh.triangles.end(), {a, c, d, a, d, b});
    }
  }
  return mesh;
}

/// Two rings that meet at a circle, each with a group of its own.
struct TwoRings {
  static constexpr std::uint32_t kMeet = 4;
  FloatMesh mesh = FlatRing(0, kMeet);
  std::vector<std::uint32_t> groups;

  TwoRings() {
    const FloatMesh outer = FlatRing(kMeet, kRings);
    groups.resize(mesh.positions.size() / 3, 0);
    const auto first = static_cast<std::uint32_t>(groups.size());
    groups.resize(first + outer.positions.size() / 3, 1);
    mesh.positions.insert(mesh.positions.end(), outer.positions.begin(), outer.positions.end());
    for (const std::uint32_t corner : outer.triangles) mesh.triangles.push_back(first + corner);
  }
};

double AreaOf(const SimplifiedMesh& mesh) {
  double area = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); t += 3) {
    const auto at = [&](std::size_t k) {
      const float* const p = mesh.positions.data() + 3 * std::size_t{mesh.triangles[t + k]};
      return geometry::Vector3d{p[0], p[1], p[2]};
    };
    area += LengthOf(Cross(at(1) - at(0), at(2) - at(0))) / 2;
  }
  return area;
}

class BordersTest : public ModelTest {
 protected:
  SimplifiedMesh ResultOf(ModelInput input, Borders borders, const SimplifyOptions& options) {
    input.borders = borders;
    Open(input);
    return Simplified(options);
  }
  /// What is left where nearly nothing may change.
  SimplifiedMesh FlatResultOf(const ModelInput& input, Borders borders,
                              Finish finish = Finish::kCollapse) {
    SimplifyOptions options;
    options.max_error = 1e-5;
    options.finish = finish;
    return ResultOf(input, borders, options);
  }
};

TEST_F(BordersTest, MoveAtNoCostInAPlaneIfTheyAreFree) {
  const FloatMesh ring = FlatRing();
  for (const Borders borders : {Borders::kWeighted, Borders::kLocked}) {
    const SimplifiedMesh kept = FlatResultOf(ring.Input(), borders);
    ExpectSound(kept, ring);
    EXPECT_GE(kept.triangles.size() / 3, 2 * kSectors) << "all vertices of both circles";
    EXPECT_NEAR(AreaOf(kept), 3 * 3.14159, 0.05);
  }
  const SimplifiedMesh free = FlatResultOf(ring.Input(), Borders::kFree);
  ExpectSound(free, ring);
  EXPECT_LT(free.triangles.size() / 3, kSectors / 2);
  EXPECT_EQ(free.statistics.shortfall, Shortfall::kNone);
  const MeshTopology topology = TopologyOf(free.positions, free.triangles);
  EXPECT_EQ(topology.components, 1u);
  EXPECT_EQ(topology.non_manifold_edges, 0u);
  EXPECT_EQ(topology.misoriented_edges, 0u);
}

TEST_F(BordersTest, NeedFewerTrianglesIfTheyAreFree) {
  for (const char* name : {"terrain-5k", "thin-sheets-10k"}) {
    for (const Finish finish : {Finish::kCollapse, Finish::kCut}) {
      SCOPED_TRACE(name);
      const FloatMesh mesh = Made(name);
      SimplifyOptions options;
      options.finish = finish;
      Open(mesh);
      options.max_error = 0.002 * model_->View().frame.extent;
      const SimplifiedMesh weighted = ResultOf(mesh.Input(), Borders::kWeighted, options);
      const SimplifiedMesh free = ResultOf(mesh.Input(), Borders::kFree, options);
      ExpectSound(free, mesh);
      EXPECT_LT(free.triangles.size(), weighted.triangles.size());
      EXPECT_LE(free.statistics.max_error, 1.0001 * *options.max_error);
    }
  }
}

TEST_F(BordersTest, KeepLockedVerticesIfTheyAreFree) {
  const FloatMesh ring = FlatRing();
  ModelInput input = ring.Input();
  std::vector<std::uint8_t> locked(ring.positions.size() / 3);
  std::set<std::pair<float, float>> expected;
  for (std::size_t v = 0; v < locked.size(); v += 7) {
    locked[v] = 1;
    expected.insert({ring.positions[3 * v], ring.positions[3 * v + 1]});
  }
  input.locked = locked;
  for (const Finish finish : {Finish::kCollapse, Finish::kCut}) {
    const SimplifiedMesh free = FlatResultOf(input, Borders::kFree, finish);
    std::set<std::pair<float, float>> places;
    for (std::size_t i = 0; i < free.positions.size(); i += 3) {
      places.insert({free.positions[i], free.positions[i + 1]});
    }
    EXPECT_TRUE(std::includes(places.begin(), places.end(), expected.begin(), expected.end()));
    EXPECT_LT(free.triangles.size(), ring.triangles.size());
  }
}

TEST_F(BordersTest, LeaveSeamsAsTheyAreIfTheyAreFree) {
  const TwoRings rings;
  ModelInput input = rings.mesh.Input();
  input.groups = rings.groups;
  const SimplifiedMesh free = FlatResultOf(input, Borders::kFree);
  std::size_t at_seam = 0;
  for (std::size_t i = 0; i < free.positions.size(); i += 3) {
    const double radius = std::hypot(free.positions[i], free.positions[i + 1]);
    if (std::abs(radius - (1 + double{TwoRings::kMeet} / kRings)) < 1e-4) ++at_seam;
  }
  EXPECT_EQ(at_seam, 2 * kSectors) << "a vertex of each group at each place";
  EXPECT_LT(free.triangles.size() / 3, 4 * kSectors);
}

TEST_F(BordersTest, MakeNoDifferenceWhereThereAreNone) {
  const FloatMesh mesh = Made("noisy-sphere-3k");
  for (const Finish finish : {Finish::kCollapse, Finish::kCut}) {
    const SimplifiedMesh weighted =
        ResultOf(mesh.Input(), Borders::kWeighted, Triangles(500, finish));
    const SimplifiedMesh free = ResultOf(mesh.Input(), Borders::kFree, Triangles(500, finish));
    EXPECT_EQ(free.positions, weighted.positions);
    EXPECT_EQ(free.triangles, weighted.triangles);
  }
}

}  // namespace
}  // namespace warpyard::simplify
