// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/wedges/wedges.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "benchmarks/meshes/adversarial_mesh.h"
#include "client_examples/mesh_measure/mesh_topology.h"
#include "tests/support/seed_count.h"
#include "tests/support/simplify/attributed_mesh.h"
#include "tests/support/simplify/simplify_driver.h"
#include "tests/unit/workload/simplify/model/opened_model.h"

namespace warpyard::simplify {
namespace {

using mesh_measure::CountTopology;
using mesh_measure::MeshTopology;
using test_support::Attributed;
using test_support::FloatMesh;
using test_support::FloatsOf;
using test_support::LinearAt;
using test_support::Made;
using test_support::Octant;
using test_support::Point;
using test_support::PointAt;
using test_support::SimplifyDriver;
using test_support::Split;

/// The result with equal positions as one vertex.
MeshTopology WeldedTopology(const SimplifiedMesh& mesh) {
  std::map<Point, std::uint32_t> numbers;
  std::vector<double> positions;
  std::vector<std::uint32_t> triangles;
  for (const std::uint32_t v : mesh.triangles) {
    const Point at = PointAt(mesh.positions, v);
    const auto number = static_cast<std::uint32_t>(numbers.size());
    const auto [found, is_new] = numbers.try_emplace(at, number);
    if (is_new) positions.insert(positions.end(), at.begin(), at.end());
    triangles.push_back(found->second);
  }
  return *CountTopology({positions, triangles});
}

class WedgesTest : public ::testing::TestWithParam<Finish> {
 protected:
  SimplifiedMesh Simplified(const ModelInput& input, std::uint64_t triangles, int threads = 2) {
    SimplifyDriver driver(threads);
    auto model = driver.Open(input);
    EXPECT_TRUE(model.ok()) << model.status();
    if (!model.ok()) return {};
    auto mesh = driver.Simplify(**model, Triangles(triangles, GetParam()));
    EXPECT_TRUE(mesh.ok()) << mesh.status();
    return mesh.ok() ? *std::move(mesh) : SimplifiedMesh{};
  }
};

INSTANTIATE_TEST_SUITE_P(Finishes, WedgesTest, ::testing::Values(Finish::kCut, Finish::kCollapse));

TEST_P(WedgesTest, KeepsAnAttributeThatIsLinearInThePosition) {
  Attributed sphere = Split(
      Made("noisy-sphere-20k"), [](const Point&) { return 0u; }, LinearAt, 2);
  const SimplifiedMesh mesh = Simplified(sphere.Input(), 2'000);
  ASSERT_EQ(mesh.attributes.size(), mesh.positions.size() / 3 * 2);
  EXPECT_LE(mesh.triangles.size() / 3, 2'000u);
  EXPECT_GE(mesh.triangles.size() / 3, 1'900u);
  // Triangles know nothing of the direction away from them, in which new vertices lie a little.
  for (std::size_t v = 0; v < mesh.positions.size() / 3; ++v) {
    const std::vector<float> expected = LinearAt(0, PointAt(mesh.positions, v));
    EXPECT_NEAR(mesh.attributes[2 * v], expected[0], 0.02);
    EXPECT_NEAR(mesh.attributes[2 * v + 1], expected[1], 0.02);
  }
}

TEST_P(WedgesTest, AveragesNothingAcrossASeam) {
  Attributed sphere = Split(Made("noisy-sphere-20k"), Octant, LinearAt, 2);
  const SimplifiedMesh mesh = Simplified(sphere.Input(), 2'000);
  EXPECT_GE(mesh.triangles.size() / 3, 1'900u);
  std::set<std::uint32_t> parts;
  for (std::size_t v = 0; v < mesh.positions.size() / 3; ++v) {
    const std::uint32_t part = sphere.groups[mesh.sources[v]];
    parts.insert(part);
    const std::vector<float> expected = LinearAt(part, PointAt(mesh.positions, v));
    EXPECT_NEAR(mesh.attributes[2 * v], expected[0], 0.02);
  }
  EXPECT_EQ(parts.size(), 8u);
  const MeshTopology topology = WeldedTopology(mesh);
  EXPECT_TRUE(topology.Closed());
  EXPECT_EQ(topology.components, 1u);
  EXPECT_EQ(topology.fins + topology.duplicates, 0u);
}

TEST_P(WedgesTest, KeepsGroupsApartAndTheirSeamsInShape) {
  Attributed terrain = Split(
      Made("terrain-10k"), [](const Point& at) { return at[0] > 0.5f ? 7u : 3u; }, LinearAt, 2);
  terrain.sends_groups = true;
  ModelInput input = terrain.Input();
  input.attributes = {};
  const SimplifiedMesh mesh = Simplified(input, 1'000);
  EXPECT_TRUE(mesh.attributes.empty());
  ASSERT_EQ(mesh.groups.size(), mesh.sources.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); t += 3) {
    const std::uint32_t group = mesh.groups[mesh.triangles[t]];
    EXPECT_TRUE(group == 7 || group == 3);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(mesh.groups[mesh.triangles[t + k]], group);
      // Near its own side of the seam.
      const float x = mesh.positions[3 * mesh.triangles[t + k]];
      EXPECT_TRUE(group == 7 ? x > 0.45f : x < 0.55f) << x;
    }
  }
  const MeshTopology topology = WeldedTopology(mesh);
  EXPECT_EQ(topology.components, 1u);
  EXPECT_EQ(topology.non_manifold_edges, 0u);
}

/// A cube of fine triangles, each face with vertices of its own that have the face's normal.
Attributed FlatCube(std::uint32_t cells) {
  Attributed cube{{{}, {}}, {}, {}};
  cube.attribute = {{}, 3, 0.05f, true};
  const auto at = [&](std::uint32_t i) {
    return static_cast<float>(i) / static_cast<float>(cells);
  };
  for (std::uint32_t face = 0; face < 6; ++face) {
    const std::uint32_t axis = face % 3, u = (axis + 1) % 3, v = (axis + 2) % 3;
    const bool high = face >= 3;
    const auto first = static_cast<std::uint32_t>(cube.groups.size());
    for (std::uint32_t i = 0; i <= cells; ++i) {
      for (std::uint32_t j = 0; j <= cells; ++j) {
        Point point{}, normal{};
        point[axis] = high ? 1.0f : 0.0f;
        point[u] = at(i);
        point[v] = at(j);
        normal[axis] = high ? 1.0f : -1.0f;
        cube.mesh.positions.insert(cube.mesh.positions.end(), point.begin(), point.end());
        cube.values.insert(cube.values.end(), normal.begin(), normal.end());
        cube.groups.push_back(face);
      }
    }
    for (std::uint32_t i = 0; i < cells; ++i) {
      for (std::uint32_t j = 0; j < cells; ++j) {
        const std::uint32_t a = first + i * (cells + 1) + j, b = a + cells + 1;
        const std::array<std::uint32_t, 6> out = {a, b, b + 1, a, b + 1, a + 1};
        const std::array<std::uint32_t, 6> in = {a, b + 1, b, a, a + 1, b + 1};
        const auto& corners = high ? out : in;
        cube.mesh.triangles.insert(cube.mesh.triangles.end(), corners.begin(), corners.end());
      }
    }
  }
  return cube;
}

TEST(Wedges, SimplifyACubeToItsTwelveTrianglesWithTheNormalsOfItsFaces) {
  Attributed cube = FlatCube(20);
  SimplifyDriver driver(2);
  auto model = driver.Open(cube.Input());
  ASSERT_TRUE(model.ok()) << model.status();
  const auto mesh = driver.Simplify(**model, Triangles(12, Finish::kCollapse));
  ASSERT_TRUE(mesh.ok()) << mesh.status();
  EXPECT_EQ(mesh->triangles.size() / 3, 12u);
  EXPECT_EQ(mesh->positions.size() / 3, 24u);
  EXPECT_TRUE(WeldedTopology(*mesh).Closed());
  for (std::size_t v = 0; v < mesh->positions.size() / 3; ++v) {
    const Point normal = PointAt(mesh->attributes, v);
    for (std::size_t k = 0; k < 3; ++k) {
      const float expected = cube.values[3 * std::size_t{mesh->sources[v]} + k];
      EXPECT_NEAR(normal[k], expected, 1e-5);
      const float x = mesh->positions[3 * v + k];
      EXPECT_NEAR(x, std::round(x), 1e-3);
    }
  }
}

TEST_P(WedgesTest, AreTheSameForAnyNumberOfThreads) {
  Attributed sphere = Split(Made("noisy-sphere-5k"), Octant, LinearAt, 2);
  sphere.sends_groups = true;
  const SimplifiedMesh one = Simplified(sphere.Input(), 400, 1);
  const SimplifiedMesh four = Simplified(sphere.Input(), 400, 4);
  EXPECT_EQ(one.positions, four.positions);
  EXPECT_EQ(one.triangles, four.triangles);
  EXPECT_EQ(one.sources, four.sources);
  EXPECT_EQ(one.attributes, four.attributes);
  EXPECT_EQ(one.groups, four.groups);
}

TEST_P(WedgesTest, LeaveLockedVerticesWhereTheyAre) {
  Attributed sphere = Split(Made("noisy-sphere-5k"), Octant, LinearAt, 2);
  std::vector<std::uint8_t> locked(sphere.groups.size());
  for (std::size_t v = 0; v < locked.size(); v += 50) locked[v] = 1;
  ModelInput input = sphere.Input();
  input.locked = locked;
  const SimplifiedMesh mesh = Simplified(input, 600);
  EXPECT_LE(mesh.triangles.size() / 3, GetParam() == Finish::kCollapse ? 600u : 5'000u);
  std::set<Point> points;
  for (std::size_t v = 0; v < mesh.sources.size(); ++v) points.insert(PointAt(mesh.positions, v));
  for (std::size_t v = 0; v < locked.size(); v += 50) {
    EXPECT_TRUE(points.contains(PointAt(sphere.mesh.positions, v))) << v;
  }
}

TEST_P(WedgesTest, LeaveALockedVertexBetweenTwoTriangles) {
  FloatMesh mesh = Made("terrain-1k");
  const auto tip = static_cast<std::uint32_t>(mesh.positions.size() / 3);
  mesh.positions.insert(mesh.positions.end(), {0.5f, 0.5f, 2, 0.51f, 0.5f, 2, 0.5f, 0.51f, 2, 0.49f,
                                               0.5f, 2, 0.5f, 0.49f, 2});
  mesh.triangles.insert(mesh.triangles.end(), {tip, tip + 1, tip + 2, tip, tip + 3, tip + 4});
  std::vector<std::uint8_t> locked(mesh.positions.size() / 3);
  locked[tip] = 1;
  ModelInput input = mesh.Input();
  input.locked = locked;
  for (const std::uint64_t triangles : {700u, 100u, 20u}) {
    const SimplifiedMesh result = Simplified(input, triangles);
    EXPECT_NE(std::find(result.sources.begin(), result.sources.end(), tip), result.sources.end())
        << triangles;
  }
}

TEST_P(WedgesTest, LeaveLockedBordersWhereTheyAre) {
  const FloatMesh terrain = Made("terrain-5k");
  ModelInput input = terrain.Input();
  input.borders = Borders::kLocked;
  const SimplifiedMesh mesh = Simplified(input, 500);
  const auto border_points = [](std::span<const float> positions,
                                std::span<const std::uint32_t> triangles) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
    for (std::size_t t = 0; t < triangles.size(); t += 3) {
      for (std::size_t k = 0; k < 3; ++k) {
        ++edges[std::minmax(triangles[t + k], triangles[t + (k + 1) % 3])];
      }
    }
    std::set<Point> points;
    for (const auto& [edge, count] : edges) {
      if (count != 1) continue;
      points.insert(PointAt(positions, edge.first));
      points.insert(PointAt(positions, edge.second));
    }
    return points;
  };
  EXPECT_EQ(border_points(mesh.positions, mesh.triangles),
            border_points(terrain.positions, terrain.triangles));
}

TEST_P(WedgesTest, SurviveAdversarialMeshesWithAnyAttributes) {
  std::mt19937_64 random(11);
  for (std::uint64_t seed = 1; seed <= test_support::SeedCount(400); ++seed) {
    SCOPED_TRACE(seed);
    const auto made = meshes::MakeAdversarialMesh(seed);
    Attributed any{FloatsOf(made), {}, {}};
    const std::size_t vertices = any.mesh.positions.size() / 3;
    const std::array<float, 6> choices = {0, -0.0f, 1, -1e6f, 1e6f, 1e-30f};
    any.attribute.components = 1 + seed % 4;
    any.attribute.is_normal = any.attribute.components == 3;
    any.attribute.weight = seed % 5 == 0 ? 1000.0f : 0.1f;
    for (std::size_t i = 0; i < vertices * any.attribute.components; ++i) {
      any.values.push_back(choices[random() % choices.size()]);
    }
    std::vector<std::uint8_t> locked(vertices);
    for (std::uint8_t& lock : locked) lock = random() % 7 == 0 ? 1 : 0;
    ModelInput input = any.Input();
    if (seed % 2 == 0) input.locked = locked;
    input.borders = std::array{Borders::kLocked, Borders::kWeighted, Borders::kFree}[seed % 3];
    SimplifyDriver driver(2);
    auto model = driver.Open(input);
    if (!model.ok()) {
      EXPECT_EQ(model.status().code(), absl::StatusCode::kInvalidArgument) << model.status();
      continue;
    }
    const auto mesh =
        driver.Simplify(**model, Triangles(1 + any.mesh.triangles.size() / 12, GetParam()));
    ASSERT_TRUE(mesh.ok()) << mesh.status();
    ASSERT_EQ(mesh->attributes.size(), mesh->sources.size() * any.attribute.components);
    for (const float x : mesh->positions) ASSERT_TRUE(std::isfinite(x));
    for (const float x : mesh->attributes) ASSERT_TRUE(std::abs(x) <= 1e6f);
    for (const std::uint32_t v : mesh->triangles) ASSERT_LT(v, mesh->sources.size());
    for (const std::uint32_t v : mesh->sources) ASSERT_LT(v, vertices);
  }
}

}  // namespace
}  // namespace warpyard::simplify
