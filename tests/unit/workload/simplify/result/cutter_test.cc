// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/result/cutter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "benchmarks/meshes/procedural_mesh.h"
#include "core/workload/simplify/model/build_model.h"
#include "tests/support/simplify/reference_cut.h"
#include "tests/support/simplify/simplify_driver.h"

namespace warpyard::simplify {
namespace {

using test_support::FloatMesh;
using test_support::ReferenceCut;
using test_support::ReferenceTree;
using test_support::SimplifyDriver;
using Corners = std::array<std::uint32_t, 3>;

/// Triangles of nodes, each with its least node first.
std::multiset<Corners> Canonical(std::vector<Corners> triangles) {
  std::multiset<Corners> all;
  for (Corners& t : triangles) {
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    all.insert(t);
  }
  return all;
}

std::multiset<Corners> NodesOf(const MeshView& mesh) {
  std::vector<Corners> triangles;
  for (std::uint32_t t = 0; t < mesh.triangles; ++t) {
    Corners corners;
    for (std::uint32_t k = 0; k < 3; ++k) corners[k] = mesh.nodes[mesh.corners[3 * t + k]];
    triangles.push_back(corners);
  }
  return Canonical(triangles);
}

std::multiset<Corners> NodesOf(const ReferenceCut& cut) {
  std::vector<Corners> triangles;
  for (const Corners& t : cut.triangles) {
    triangles.push_back({cut.vertices[t[0]], cut.vertices[t[1]], cut.vertices[t[2]]});
  }
  return Canonical(triangles);
}

/// A model, its tree in the plainest way, and cuts of it.
class CutterTest : public ::testing::Test {
 protected:
  void Build(const char* name, int threads = 2) {
    const FloatMesh mesh = test_support::Made(name);
    cutter_.reset();  // before the memory's owner
    arrays_ = {};
    run_.reset();
    memory_ = {};
    driver_.emplace(threads);
    run_.emplace(driver_->Tasks(memory_));
    auto built = BuildModel(*run_, mesh.Input());
    ASSERT_TRUE(built.ok()) << built.status();
    arrays_ = *std::move(built);
    tree_ = test_support::BuildReference(mesh.Exact());
    cutter_.emplace(*run_, arrays_, job_);
  }
  float Quantile(double part) const {
    std::vector<float> keys = tree_.keys;
    std::sort(keys.begin(), keys.end());
    return keys[static_cast<std::size_t>(part * static_cast<double>(keys.size() - 1))];
  }

  std::optional<SimplifyDriver> driver_;
  TaskMemory memory_;
  std::optional<TaskRun> run_;
  ModelArrays arrays_;
  ReferenceTree tree_;
  SimplifyJob job_{};
  std::optional<Cutter> cutter_;
};

TEST_F(CutterTest, MakesTheCutsOfTheOracle) {
  for (const char* name : {"noisy-sphere-3k", "terrain-2k", "cad-part-4k", "many-parts-2k",
                           "thin-sheets-1k", "torus-knot-3k"}) {
    SCOPED_TRACE(name);
    Build(name);
    for (const double part : {0.0, 0.3, 0.7, 0.9, 0.99, 1.0}) {
      const float error = Quantile(part);
      ASSERT_TRUE(cutter_->Cut({.error = error}).ok());
      EXPECT_EQ(NodesOf(job_.mesh), NodesOf(test_support::CutAt(tree_, error))) << part;
    }
    ASSERT_TRUE(cutter_->Cut({.error = -1}).ok());
    EXPECT_EQ(job_.mesh.triangles, tree_.triangles.size());
  }
}

TEST_F(CutterTest, HasTheSameVerticesWhateverTheThreads) {
  std::vector<std::uint32_t> first;
  for (const int threads : {1, 2, 4}) {
    Build("torus-knot-3k", threads);
    ASSERT_TRUE(cutter_->Cut({.error = Quantile(0.9)}).ok());
    std::vector<std::uint32_t> all(job_.mesh.corners, job_.mesh.corners + 3 * job_.mesh.triangles);
    all.insert(all.end(), job_.mesh.nodes, job_.mesh.nodes + job_.mesh.vertices);
    if (threads == 1) first = all;
    EXPECT_EQ(all, first) << threads;
  }
}

TEST_F(CutterTest, SelectsTheErrorOfANumberOfTriangles) {
  Build("noisy-sphere-3k");
  const std::size_t all = tree_.triangles.size();
  for (const std::uint64_t triangles : {1ul, 2ul, 17ul, 1000ul, 2000ul, all - 1}) {
    const auto at = cutter_->Select(triangles);
    ASSERT_TRUE(at.ok());
    const auto greater = static_cast<std::uint64_t>(std::count_if(
        tree_.keys.begin(), tree_.keys.end(), [&](float key) { return key > at->error; }));
    const auto as_great = static_cast<std::uint64_t>(std::count_if(
        tree_.keys.begin(), tree_.keys.end(), [&](float key) { return key >= at->error; }));
    EXPECT_LE(greater, triangles);
    EXPECT_GT(as_great, triangles);
    EXPECT_EQ(at->survivors, greater);
  }
  EXPECT_LT(cutter_->Select(all)->error, 0);
}

TEST_F(CutterTest, CutsAtLevelsOfTheOctree) {
  Build("noisy-sphere-3k");
  std::uint32_t before = 0;
  for (std::uint32_t level = 0; level <= kDeepest; ++level) {
    ASSERT_TRUE(cutter_->Cut(AtLevel(arrays_, level)).ok());
    EXPECT_GE(job_.mesh.triangles, before) << level;
    before = job_.mesh.triangles;
  }
  EXPECT_EQ(before, tree_.triangles.size()) << "no two vertices are in a smallest cell";
}

TEST_F(CutterTest, CutsAtDistancesInTheUnitsOfTheMesh) {
  Build("terrain-2k");
  std::vector<bool> stays(tree_.Nodes());
  const double distance = 0.01 * tree_.extent;
  ASSERT_TRUE(cutter_->Cut(AtDistance(arrays_, distance)).ok());
  EXPECT_LT(job_.mesh.triangles, tree_.triangles.size());
  EXPECT_GT(job_.mesh.triangles, 0u);
  for (std::uint32_t v = 0; v < job_.mesh.vertices; ++v) {
    EXPECT_LE(tree_.distances[job_.mesh.nodes[v]], static_cast<float>(distance / tree_.extent));
  }
}

TEST_F(CutterTest, ExpandsNodesAsTheOracleDoes) {
  std::uint32_t expanded = 0;
  for (const char* name : {"noisy-sphere-20k", "cad-part-10k", "torus-knot-20k"}) {
    SCOPED_TRACE(name);
    Build(name);
    for (const double part : {0.5, 0.9, 0.98, 0.995, 0.999}) {
      const float error = Quantile(part);
      const auto count = cutter_->CutToManifold({.error = error});
      ASSERT_TRUE(count.ok()) << count.status();
      expanded += *count;
      EXPECT_EQ(NodesOf(job_.mesh), NodesOf(CutToManifold(tree_, error))) << part;
    }
  }
  EXPECT_GT(expanded, 0u) << "the meshes should need some";
}

}  // namespace
}  // namespace warpyard::simplify
