// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/model/build_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "benchmarks/meshes/adversarial_mesh.h"
#include "benchmarks/meshes/procedural_mesh.h"
#include "tests/support/simplify/reference_tree.h"
#include "tests/support/simplify/simplify_driver.h"

namespace warpyard::simplify {
namespace {

using test_support::BuildReference;
using test_support::CommonAncestor;
using test_support::FloatMesh;
using test_support::FloatsOf;
using test_support::Made;
using test_support::ReferenceTree;
using test_support::SimplifyDriver;
using ::testing::HasSubstr;

/// Compares all of a tree, bit by bit.
void ExpectTree(const ModelArrays& arrays, const ReferenceTree& expected) {
  const ModelView& view = arrays.view;
  ASSERT_EQ(view.leaves, expected.leaves);
  ASSERT_EQ(view.nodes, expected.Nodes());
  ASSERT_EQ(view.triangles, expected.triangles.size());
  for (std::uint32_t node = 0; node < view.nodes; ++node) {
    ASSERT_EQ(view.parents[node], expected.parents[node]) << node;
    ASSERT_EQ(view.errors[node], expected.errors[node]) << node;
    ASSERT_EQ(view.distances[node], expected.distances[node]) << node;
    ASSERT_EQ(view.quadrics[node].constant, expected.quadrics[node].constant) << node;
    const FloatPoint place = view.frame.Stored(expected.positions[node]);
    if (node < view.leaves) {
      ASSERT_EQ(view.sources[node], expected.sources[node]);
    } else {
      ASSERT_EQ(view.places[node].x, place.x);
      ASSERT_EQ(view.places[node].y, place.y);
      ASSERT_EQ(view.places[node].z, place.z);
    }
  }
  for (std::uint32_t t = 0; t < view.triangles; ++t) {
    const auto& corners = expected.triangles[t];
    ASSERT_TRUE(std::equal(corners.begin(), corners.end(), view.corners + 3 * t)) << t;
    ASSERT_EQ(view.keys[t], expected.keys[t]) << t;
    const std::uint32_t joint = view.joints[t];
    const bool joins = joint == CommonAncestor(expected, corners[0], corners[1]) ||
                       joint == CommonAncestor(expected, corners[1], corners[2]) ||
                       joint == CommonAncestor(expected, corners[2], corners[0]);
    ASSERT_TRUE(joins) << t;
    ASSERT_EQ(view.keys[t], view.errors[joint]) << t;
  }
}

void ExpectSameTree(const FloatMesh& mesh, int threads, Borders borders = Borders::kWeighted) {
  SimplifyDriver driver(threads);
  TaskMemory memory;
  TaskRun run = driver.Tasks(memory);
  ModelInput input = mesh.Input();
  input.borders = borders;
  const auto built = BuildModel(run, input);
  ASSERT_TRUE(built.ok()) << built.status();
  ExpectTree(*built, BuildReference(mesh.Exact(), borders == Borders::kFree ? 0 : 2));
}

TEST(BuildModel, MakesTheTreeOfTheOracle) {
  for (const char* name : {"noisy-sphere-3k", "terrain-2k", "cad-part-4k", "many-parts-2k",
                           "thin-sheets-1k", "torus-knot-3k"}) {
    SCOPED_TRACE(name);
    ExpectSameTree(Made(name), 1);
    ExpectSameTree(Made(name), 3);
  }
}

TEST(BuildModel, GivesFreeBordersNoPlanes) {
  for (const char* name : {"noisy-sphere-3k", "terrain-2k", "thin-sheets-1k"}) {
    SCOPED_TRACE(name);
    ExpectSameTree(Made(name), 2, Borders::kFree);
  }
}

TEST(BuildModel, MakesTheTreeOfTheOracleForAdversarialMeshes) {
  int built = 0;
  for (std::uint64_t seed = 0; seed < 3 * meshes::kAdversarialKinds; ++seed) {
    const meshes::TriangleMesh mesh = meshes::MakeAdversarialMesh(seed);
    SCOPED_TRACE(mesh.name);
    const FloatMesh floats = FloatsOf(mesh);
    SimplifyDriver driver(2);
    TaskMemory memory;
    TaskRun run = driver.Tasks(memory);
    const auto model = BuildModel(run, floats.Input());
    if (!model.ok()) {
      EXPECT_TRUE(absl::IsInvalidArgument(model.status())) << model.status();
      continue;
    }
    ++built;
    ExpectTree(*model, BuildReference(floats.Exact()));
  }
  EXPECT_GT(built, 40);
}

TEST(BuildModel, HandlesAVertexWithManyTriangles) {
  FloatMesh fan({0, 0, 1}, {});
  constexpr std::uint32_t kRim = 3000;
  for (std::uint32_t i = 0; i < kRim; ++i) {
    const double angle = 6.283185307179586 * i / kRim;
    fan.positions.insert(fan.positions.end(), {static_cast<float>(std::cos(angle)),
                                               static_cast<float>(std::sin(angle)), 0});
    fan.triangles.insert(fan.triangles.end(), {0, 1 + i, 1 + (i + 1) % kRim});
  }
  ExpectSameTree(fan, 2);
}

TEST(BuildModel, JoinsEqualPositionsAndDropsWhatIsLeftOfTriangles) {
  const FloatMesh mesh({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, -0.0f, 1, 0, 0, 5, 5, 5, 0, 0, 1},
                       {0, 1, 2, 3, 4, 6, 2, 3, 1});
  SimplifyDriver driver(1);
  TaskMemory memory;
  TaskRun run = driver.Tasks(memory);
  const auto built = BuildModel(run, mesh.Input());
  ASSERT_TRUE(built.ok()) << built.status();
  EXPECT_EQ(built->view.leaves, 4u) << "vertex 5 has no triangle";
  EXPECT_EQ(built->view.triangles, 2u) << "the third one has a repeated corner";
}

TEST(BuildModel, FreesWhatOnlyTheBuildNeeds) {
  SimplifyDriver driver(1);
  {
    TaskMemory memory;
    TaskRun run = driver.Tasks(memory);
    const FloatMesh mesh = Made("noisy-sphere-20k");
    const auto built = BuildModel(run, mesh.Input());
    ASSERT_TRUE(built.ok());
    const std::uint64_t triangles = built->view.triangles;
    EXPECT_LE(built->Bytes(), 120 * triangles);
  }
  EXPECT_EQ(driver.backend().MemoryUsed(), 0u);
}

TEST(BuildModel, RefusesModelsThatDoNotFitAndSaysWhatTheyNeed) {
  // Too few bytes for the vertices, and for the tree.
  for (const std::uint64_t limit : {200'000, 2'000'000}) {
    SimplifyDriver driver(1, limit);
    {
      TaskMemory memory;
      TaskRun run = driver.Tasks(memory);
      const FloatMesh mesh = Made("noisy-sphere-20k");
      const auto built = BuildModel(run, mesh.Input());
      EXPECT_TRUE(absl::IsResourceExhausted(built.status())) << built.status();
      EXPECT_THAT(built.status().message(), HasSubstr("triangles needs"));
    }
    EXPECT_EQ(driver.backend().MemoryUsed(), 0u);
  }
}

TEST(BuildModel, NamesTheFirstIndexWithoutAVertexThenTheFirstVertexThatIsNotFinite) {
  SimplifyDriver driver(3);
  TaskMemory memory;
  TaskRun run = driver.Tasks(memory);
  const auto error_of = [&](const FloatMesh& mesh) {
    const absl::Status status = BuildModel(run, mesh.Input()).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
    return std::string(status.message());
  };
  const FloatMesh good = Made("noisy-sphere-20k");
  const auto vertices = static_cast<std::uint32_t>(good.positions.size() / 3);
  FloatMesh mesh = good;
  mesh.positions[3 * 4000 + 1] = std::nanf("");
  mesh.positions[3 * 5000] = std::numeric_limits<float>::infinity();
  EXPECT_THAT(error_of(mesh), HasSubstr("vertex 4000 is ("));
  mesh.triangles[50'000] = vertices + 2;
  mesh.triangles[20'002] = ~0u;
  EXPECT_THAT(error_of(mesh), HasSubstr("triangles[20002]: 4294967295, expected less than"));
  mesh.positions = good.positions;
  EXPECT_THAT(error_of(mesh), HasSubstr("triangles[20002]"));
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    mesh.positions[i] = static_cast<float>(2 + i % 3);
  }
  mesh.triangles = good.triangles;
  EXPECT_THAT(error_of(mesh), HasSubstr("largest side of their box is 0"));
  const auto built = BuildModel(run, good.Input());
  ASSERT_TRUE(built.ok()) << built.status();
  ExpectTree(*built, BuildReference(good.Exact()));
}

TEST(BuildModel, TakesNoLongForPositionsThatEqualNoOther) {
  SimplifyDriver driver(2);
  TaskMemory memory;
  TaskRun run = driver.Tasks(memory);
  FloatMesh mesh = Made("noisy-sphere-20k");
  mesh.positions.resize(3 * 80'000, std::nanf(""));  // all in one place of the hash table
  EXPECT_THAT(BuildModel(run, mesh.Input()).status().message(), HasSubstr("is (nan, nan, nan)"));
}

TEST(BuildModel, KeepsFloatsAndStoresDoublesRelativeToTheirBox) {
  SimplifyDriver driver(1);
  TaskMemory memory;
  TaskRun run = driver.Tasks(memory);
  const std::vector<std::uint32_t> triangle = {0, 1, 2};
  const std::vector<float> floats = {100, 0, -3, 101, 2, -1, 100, 1, -2};
  const auto kept = BuildModel(run, {{geometry::ScalarType::kFloat32, floats.data(), 3}, triangle});
  ASSERT_TRUE(kept.ok()) << kept.status();
  EXPECT_EQ(kept->facts.origin.x, 0);
  EXPECT_EQ(kept->view.frame.low.x, 100);
  EXPECT_EQ(kept->view.frame.extent, 2);
  EXPECT_EQ(kept->view.places[1].x, 101);
  const std::vector<double> doubles = {1e9 + 0.125, 0, 0, 1e9 + 1, 0, 0, 1e9 + 0.125, 1, 0};
  const auto moved =
      BuildModel(run, {{geometry::ScalarType::kFloat64, doubles.data(), 3}, triangle});
  ASSERT_TRUE(moved.ok()) << moved.status();
  EXPECT_EQ(moved->facts.origin.x, 1e9 + 0.125);
  EXPECT_EQ(moved->view.frame.low.x, 0);
  EXPECT_EQ(moved->view.places[1].x, 0.875f) << "a float near 1e9 would have steps of 64";
}

TEST(BuildModel, IsCancelled) {
  SimplifyDriver driver(2);
  driver.token().Cancel();
  TaskMemory memory;
  TaskRun run = driver.Tasks(memory);
  const FloatMesh mesh = Made("noisy-sphere-20k");
  EXPECT_TRUE(absl::IsCancelled(BuildModel(run, mesh.Input()).status()));
}

}  // namespace
}  // namespace warpyard::simplify
