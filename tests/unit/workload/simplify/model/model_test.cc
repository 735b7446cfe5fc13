// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/model/model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "benchmarks/meshes/adversarial_mesh.h"
#include "benchmarks/meshes/procedural_mesh.h"
#include "client_examples/mesh_measure/mesh_topology.h"
#include "client_examples/mesh_measure/surface_distance.h"
#include "tests/support/seed_count.h"
#include "tests/support/simplify/simplify_driver.h"
#include "tests/unit/workload/simplify/model/opened_model.h"

namespace warpyard::simplify {
namespace {

using mesh_measure::MeshTopology;
using test_support::FloatMesh;
using test_support::FloatsOf;
using test_support::Made;
using test_support::SimplifyDriver;

TEST_F(ModelTest, HitsItsTargetAndKeepsTheTopology) {
  for (const char* name : {"noisy-sphere-20k", "torus-knot-20k", "cad-part-10k", "terrain-10k",
                           "many-parts-20k", "thin-sheets-10k"}) {
    SCOPED_TRACE(name);
    const FloatMesh mesh = Made(name);
    Open(mesh);
    const MeshTopology before = TopologyOf(mesh.positions, mesh.triangles);
    for (const std::uint64_t triangles : {8000u, 2000u}) {
      if (2 * triangles > mesh.triangles.size() / 3) continue;
      const SimplifiedMesh result = Simplified(Triangles(triangles));
      ExpectSound(result, mesh);
      EXPECT_LE(result.triangles.size() / 3, triangles);
      EXPECT_GE(result.triangles.size() / 3 * 100, triangles * 99);
      EXPECT_EQ(result.statistics.shortfall, Shortfall::kNone);
      const MeshTopology after = TopologyOf(result.positions, result.triangles);
      EXPECT_EQ(after.non_manifold_edges, 0u);
      EXPECT_EQ(after.misoriented_edges, 0u);
      EXPECT_EQ(after.Closed(), before.Closed());
      EXPECT_EQ(after.border_edges == 0, before.border_edges == 0);
    }
  }
}

TEST_F(ModelTest, ClosedStaysClosedInCutsToo) {
  for (const char* name : {"noisy-sphere-20k", "torus-knot-20k", "cad-part-10k"}) {
    const FloatMesh mesh = Made(name);
    Open(mesh);
    for (const std::uint64_t triangles : {5000u, 500u, 50u}) {
      const SimplifiedMesh result = Simplified(Triangles(triangles, Finish::kCut));
      ExpectSound(result, mesh);
      EXPECT_EQ(TopologyOf(result.positions, result.triangles).border_edges, 0u) << name;
    }
  }
}

TEST_F(ModelTest, DoesNotMergeParts) {
  const FloatMesh mesh = Made("many-parts-20k");
  Open(mesh);
  const std::uint64_t parts = TopologyOf(mesh.positions, mesh.triangles).components;
  const SimplifiedMesh result = Simplified(Triangles(parts * 40));
  EXPECT_EQ(TopologyOf(result.positions, result.triangles).components, parts);
}

TEST_F(ModelTest, StaysNearTheSurface) {
  const FloatMesh mesh = Made("noisy-sphere-20k");
  Open(mesh);
  double before = 0;
  for (const std::uint64_t triangles : {8000u, 2000u, 500u}) {
    const SimplifiedMesh result = Simplified(Triangles(triangles));
    const auto distance = mesh_measure::MeasureDistance(
        {Doubles(mesh.positions), mesh.triangles}, {Doubles(result.positions), result.triangles});
    ASSERT_TRUE(distance.ok());
    EXPECT_GT(distance->RmsPercent(), before);
    EXPECT_LT(distance->RmsPercent(), 0.6);
    before = distance->RmsPercent();
  }
}

TEST_F(ModelTest, GivesTheSameBytesWhateverTheThreads) {
  const FloatMesh mesh = Made("torus-knot-20k");
  std::vector<SimplifiedMesh> results;
  for (const int threads : {1, 2, 5}) {
    SimplifyDriver driver(threads);
    const auto model = driver.Open(mesh.Input());
    ASSERT_TRUE(model.ok());
    results.push_back(*driver.Simplify(**model, Triangles(1500)));
    EXPECT_EQ(results.back().positions, results.front().positions) << threads;
    EXPECT_EQ(results.back().triangles, results.front().triangles) << threads;
    EXPECT_EQ(results.back().sources, results.front().sources) << threads;
  }
}

TEST_F(ModelTest, StaysWithinAnErrorInTheUnitsOfTheMesh) {
  const FloatMesh mesh = Made("terrain-10k");
  Open(mesh);
  std::size_t before = mesh.triangles.size();
  for (const double part : {0.0005, 0.002, 0.01}) {
    SimplifyOptions options;
    options.max_error = part * model_->View().frame.extent;
    const SimplifiedMesh result = Simplified(options);
    ExpectSound(result, mesh);
    EXPECT_LT(result.triangles.size(), before);
    EXPECT_EQ(result.statistics.shortfall, Shortfall::kNone);
    EXPECT_LE(result.statistics.max_error, 1.0001 * *options.max_error);
    EXPECT_GT(result.statistics.max_error, *options.max_error / 4);
    before = result.triangles.size();
  }
}

TEST_F(ModelTest, KeepsEveryPositionOfAModelThatNeedsNoChange) {
  const FloatMesh mesh = Made("torus-knot-3k");
  Open(mesh);
  const SimplifiedMesh result = Simplified(Triangles(mesh.triangles.size()));
  EXPECT_EQ(result.triangles.size(), mesh.triangles.size());
  EXPECT_LT(result.statistics.max_error, 1e-6);
  for (std::size_t v = 0; v < result.sources.size(); ++v) {
    for (std::size_t k = 0; k < 3; ++k) {
      ASSERT_EQ(result.positions[3 * v + k], mesh.positions[3 * result.sources[v] + k]);
    }
  }
}

TEST_F(ModelTest, NeedsFewPassesWhereSurfacesAreFlat) {
  const FloatMesh mesh = Made("cad-part-20k");
  Open(mesh);
  const SimplifiedMesh result = Simplified(Triangles(2'000));
  EXPECT_EQ(result.statistics.shortfall, Shortfall::kNone);
  EXPECT_LT(result.statistics.passes, 20u);
}

TEST_F(ModelTest, MakesNoTrianglesWithoutArea) {
  for (const char* name : {"cad-part-20k", "cad-part-30k", "cad-part-50k"}) {
    const FloatMesh mesh = Made(name);
    Open(mesh);
    ASSERT_EQ(TopologyOf(mesh.positions, mesh.triangles).zero_area, 0u) << name;
    for (const std::uint64_t part : {2u, 10u, 100u}) {
      const SimplifiedMesh result = Simplified(Triangles(mesh.triangles.size() / 3 / part));
      EXPECT_EQ(TopologyOf(result.positions, result.triangles).zero_area, 0u) << name << part;
    }
  }
}

TEST_F(ModelTest, ReachesAnErrorOfAnySize) {
  Open(Made("noisy-sphere-3k"));
  for (const Finish finish : {Finish::kCut, Finish::kCollapse}) {
    SimplifyOptions options;
    options.max_error = 1000;
    options.finish = finish;
    const SimplifiedMesh result = Simplified(options);
    EXPECT_GE(result.triangles.size() / 3, 1u);
    EXPECT_EQ(result.statistics.shortfall, Shortfall::kNone);
    EXPECT_LT(result.statistics.max_error, 1000);
  }
}

TEST_F(ModelTest, SaysWhyATargetIsNotReached) {
  const FloatMesh mesh = Made("noisy-sphere-3k");
  Open(mesh);
  const SimplifiedMesh result = Simplified(Triangles(1));
  ExpectSound(result, mesh);
  EXPECT_GE(result.triangles.size() / 3, 4u) << "a closed surface has four triangles at least";
  EXPECT_EQ(result.statistics.shortfall, Shortfall::kTopology);
}

TEST_F(ModelTest, IsNeverEmpty) {
  for (const char* name : {"noisy-sphere-3k", "torus-knot-3k", "many-parts-2k"}) {
    Open(Made(name));
    const SimplifiedMesh result = Simplified(Triangles(1, Finish::kCut));
    EXPECT_GE(result.triangles.size() / 3, 2u) << name;
    EXPECT_EQ(result.statistics.shortfall, Shortfall::kTopology);
  }
}

TEST_F(ModelTest, GivesItsBestResultInTime) {
  const FloatMesh mesh = Made("noisy-sphere-100k");
  Open(mesh);
  SimplifyOptions options = Triangles(1000);
  options.finish_by = absl::Now();
  const SimplifiedMesh result = Simplified(options);
  ExpectSound(result, mesh);
  EXPECT_EQ(result.statistics.shortfall, Shortfall::kTime);
  EXPECT_EQ(result.statistics.passes, 1u);
  EXPECT_GT(result.triangles.size() / 3, 1000u);
}

TEST_F(ModelTest, IsCancelled) {
  Open(Made("noisy-sphere-20k"));
  driver_.token().Cancel();
  EXPECT_TRUE(absl::IsCancelled(driver_.Simplify(*model_, Triangles(100)).status()));
}

TEST_F(ModelTest, ReturnsAllMemory) {
  Open(Made("noisy-sphere-3k"));
  const std::size_t used = driver_.backend().MemoryUsed();
  Simplified(Triangles(100));
  const std::size_t kept = driver_.backend().MemoryUsed();
  EXPECT_LE(kept, used + (1u << 20) + 4 * model_->View().triangles) << "for the next job";
  Simplified(Triangles(100));
  EXPECT_EQ(driver_.backend().MemoryUsed(), kept);
  model_.reset();
  EXPECT_EQ(driver_.backend().MemoryUsed(), 0u);
}

TEST_F(ModelTest, TakesAdversarialMeshes) {
  const std::uint64_t seeds = test_support::SeedCount(1000);
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const meshes::TriangleMesh made = meshes::MakeAdversarialMesh(seed);
    SCOPED_TRACE(made.name);
    const FloatMesh mesh = FloatsOf(made);
    const auto model = driver_.Open(mesh.Input());
    if (!model.ok()) {
      EXPECT_TRUE(absl::IsInvalidArgument(model.status())) << model.status();
      continue;
    }
    for (const Finish finish : {Finish::kCut, Finish::kCollapse}) {
      const std::uint64_t target = std::max<std::uint64_t>(mesh.triangles.size() / 3 / 5, 1);
      const auto result = driver_.Simplify(**model, Triangles(target, finish));
      ASSERT_TRUE(result.ok()) << result.status();
      ExpectSound(*result, mesh);
      const MeshTopology before = TopologyOf(mesh.positions, mesh.triangles);
      const MeshTopology after = TopologyOf(result->positions, result->triangles);
      if (before.Closed()) {
        EXPECT_EQ(after.border_edges, 0u);
      }
      // Cuts of meshes far from the origin may: their floats are coarse.
      if (before.zero_area == 0 && finish == Finish::kCollapse) {
        EXPECT_EQ(after.zero_area, 0u);
      }
      if (result->statistics.shortfall == Shortfall::kNone) {
        EXPECT_LE(result->triangles.size() / 3, target);
      }
    }
  }
}

}  // namespace
}  // namespace warpyard::simplify
