// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// All ways to build and traverse the hierarchy of a scene, as clients request them. All give the
// results of the default.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/test_server.h"
#include "tests/support/mesh_fixtures.h"

namespace warpyard {
namespace {

using test_support::Bytes;
using test_support::Doubles;
using test_support::Motion;
using test_support::NewContext;
using test_support::TriangleSoup;
using ::testing::HasSubstr;

/// How a step finds its pairs.
struct Method {
  v1::Traversal traversal;
  v1::BoundingVolume volume;
  v1::HierarchyBuild build;

  std::string Name() const {
    return v1::Traversal_Name(traversal) + " " + v1::BoundingVolume_Name(volume) + " " +
           v1::HierarchyBuild_Name(build);
  }
  bool VisitsPairsOfNodes() const {
    return traversal != v1::TRAVERSAL_CLUSTERS && traversal != v1::TRAVERSAL_INDEPENDENT;
  }
  bool HasRounds() const {
    return traversal == v1::TRAVERSAL_COMPACTION || traversal == v1::TRAVERSAL_BALANCING;
  }
};

constexpr v1::Traversal kTraversals[] = {v1::TRAVERSAL_CLUSTERS,   v1::TRAVERSAL_INDEPENDENT,
                                         v1::TRAVERSAL_WORK_QUEUE, v1::TRAVERSAL_COMPACTION,
                                         v1::TRAVERSAL_BALANCING,  v1::TRAVERSAL_STEALING,
                                         v1::TRAVERSAL_FRONT};
constexpr v1::Traversal kWithOrientedBoxes[] = {v1::TRAVERSAL_WORK_QUEUE, v1::TRAVERSAL_STEALING,
                                                v1::TRAVERSAL_FRONT};
constexpr v1::HierarchyBuild kBuilds[] = {v1::HIERARCHY_BUILD_MORTON, v1::HIERARCHY_BUILD_TOP_DOWN};

std::vector<Method> AllMethods() {
  std::vector<Method> methods;
  for (const v1::HierarchyBuild build : kBuilds) {
    for (const v1::Traversal traversal : kTraversals) {
      methods.push_back({traversal, v1::BOUNDING_VOLUME_AXIS_ALIGNED_BOXES, build});
    }
    for (const v1::Traversal traversal : kWithOrientedBoxes) {
      methods.push_back({traversal, v1::BOUNDING_VOLUME_ORIENTED_BOXES, build});
    }
  }
  return methods;
}

v1::TriangleMesh MeshOf(const Motion& motion) {
  v1::TriangleMesh mesh;
  *mesh.mutable_positions() = Doubles(motion.start);
  mesh.set_triangles(Bytes(motion.triangles));
  return mesh;
}

v1::DetectRequest DetectOf(const Motion& motion, v1::Report report) {
  v1::DetectRequest request;
  *request.mutable_mesh() = MeshOf(motion);
  *request.mutable_end() = Doubles(motion.end);
  request.mutable_collision()->set_report(report);
  return request;
}

/// Everything except the statistics.
std::string Answer(v1::CollisionResult result) {
  result.clear_statistics();
  return result.SerializeAsString();
}

bool HasPhase(const v1::CollisionResult& result, const std::string& name) {
  for (const v1::PhaseDuration& phase : result.statistics().phases()) {
    if (phase.phase() == name) return true;
  }
  return false;
}

class MethodsTest : public test_support::RealServerTest {
 protected:
  using RealServerTest::Detect;
  v1::CollisionResult Detect(v1::DetectRequest request, const Method& method) {
    request.mutable_collision()->set_traversal(method.traversal);
    request.mutable_collision()->set_bounding_volume(method.volume);
    request.set_hierarchy_build(method.build);
    return Detect(request);
  }
};

TEST_F(MethodsTest, FindTheListsAndTimesOfTheDefault) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    // Every other soup has features that meet exactly.
    const Motion motion = TriangleSoup(seed, {250, 0.3, 0.25, seed % 2 == 0 ? 4 : 0});
    for (const v1::Report report : {v1::REPORT_COLLISIONS, v1::REPORT_EARLIEST}) {
      const v1::DetectRequest request = DetectOf(motion, report);
      const v1::CollisionResult expected = Detect(request);
      EXPECT_TRUE(expected.has_earliest_time());
      EXPECT_EQ(expected.vertex_face_times().empty(), report == v1::REPORT_EARLIEST);
      EXPECT_EQ(expected.edge_edge_times().empty(), report == v1::REPORT_EARLIEST);
      for (const Method& method : AllMethods()) {
        EXPECT_EQ(Answer(Detect(request, method)), Answer(expected))
            << method.Name() << ", seed " << seed << ", " << v1::Report_Name(report);
      }
    }
  }
}

TEST_F(MethodsTest, FindTheCandidatesOfTheDefaultUnlessBoxesAreOriented) {
  const v1::DetectRequest request =
      DetectOf(TriangleSoup(5, {250, 0.3, 0.25}), v1::REPORT_CANDIDATES);
  const v1::CollisionResult expected = Detect(request);
  for (const Method& method : AllMethods()) {
    const v1::CollisionResult found = Detect(request, method);
    if (method.volume == v1::BOUNDING_VOLUME_ORIENTED_BOXES) {
      EXPECT_LT(found.edge_edge_ids().size(), expected.edge_edge_ids().size()) << method.Name();
    } else {
      EXPECT_EQ(Answer(found), Answer(expected)) << method.Name();
    }
  }
}

TEST_F(MethodsTest, TellWhatTheyDid) {
  const v1::DetectRequest request =
      DetectOf(TriangleSoup(6, {250, 0.3, 0.25}), v1::REPORT_COLLISIONS);
  for (const Method& method : AllMethods()) {
    const v1::CollisionStatistics statistics = Detect(request, method).statistics();
    const v1::TraversalStatistics& traversal = statistics.traversal();
    EXPECT_EQ(statistics.has_traversal(), method.VisitsPairsOfNodes()) << method.Name();
    EXPECT_EQ(traversal.visited_node_pairs() != 0, method.VisitsPairsOfNodes()) << method.Name();
    EXPECT_EQ(traversal.triangle_pairs() != 0, method.VisitsPairsOfNodes()) << method.Name();
    EXPECT_LE(traversal.triangle_pairs(), traversal.visited_node_pairs()) << method.Name();
    EXPECT_EQ(traversal.front_pairs() != 0, method.traversal == v1::TRAVERSAL_FRONT)
        << method.Name();
    EXPECT_EQ(traversal.rounds() != 0, method.HasRounds()) << method.Name();
    EXPECT_FALSE(traversal.from_front()) << method.Name();
    EXPECT_GT(statistics.hierarchy().size(), 0) << method.Name();
    EXPECT_GT(statistics.hierarchy().growth(), 0) << method.Name();
    EXPECT_EQ(statistics.hierarchy().rebuilds(), 0u) << method.Name();
  }
}

/// Positions between start and end.
v1::Positions Between(const Motion& motion, double part) {
  std::vector<double> positions;
  for (std::size_t i = 0; i < motion.start.size(); ++i) {
    positions.push_back(motion.start[i] + part * (motion.end[i] - motion.start[i]));
  }
  return Doubles(positions);
}

class FrontsTest : public MethodsTest, public ::testing::WithParamInterface<v1::BoundingVolume> {};
INSTANTIATE_TEST_SUITE_P(Of, FrontsTest,
                         ::testing::Values(v1::BOUNDING_VOLUME_AXIS_ALIGNED_BOXES,
                                           v1::BOUNDING_VOLUME_ORIENTED_BOXES),
                         [](const auto& info) { return v1::BoundingVolume_Name(info.param); });

TEST_P(FrontsTest, AreTrackedFromStepToStep) {
  constexpr int kSteps = 6;
  for (const v1::HierarchyBuild build : kBuilds) {
    const Motion motion = TriangleSoup(7, {250, 0.3, 0.15});
    v1::OpenSceneRequest open;
    *open.mutable_mesh() = MeshOf(motion);
    open.set_hierarchy_build(build);
    v1::OpenSceneResponse opened;
    ASSERT_TRUE(stub_.OpenScene(NewContext().get(), open, &opened).ok());
    v1::StepRequest by_front, by_default;
    by_front.set_scene(opened.scene());
    by_front.mutable_collision()->set_traversal(v1::TRAVERSAL_FRONT);
    by_front.mutable_collision()->set_bounding_volume(GetParam());
    by_default.set_scene(server_->Open(open.mesh()));
    std::size_t collisions = 0;
    for (int step = 1; step <= kSteps; ++step) {
      *by_front.mutable_end() = *by_default.mutable_end() =
          Between(motion, static_cast<double>(step) / kSteps);
      const v1::CollisionResult found = Step(by_front);
      EXPECT_EQ(Answer(found), Answer(Step(by_default))) << step;
      EXPECT_EQ(found.statistics().traversal().from_front(), step > 1) << step;
      EXPECT_GT(found.statistics().traversal().front_pairs(), 0u) << step;
      EXPECT_EQ(HasPhase(found, "build"), step == 1 && build == v1::HIERARCHY_BUILD_MORTON);
      collisions += found.vertex_face_times().size() + found.edge_edge_times().size();
    }
    EXPECT_GT(collisions, 0u);
  }
}

TEST_F(MethodsTest, MayChangeFromStepToStep) {
  const Motion motion = TriangleSoup(8, {250, 0.3, 0.25});
  v1::StepRequest step;
  step.set_scene(server_->Open(MeshOf(motion)));
  *step.mutable_start() = Doubles(motion.start);
  *step.mutable_end() = Doubles(motion.end);
  const std::string expected = Answer(Step(step));
  for (int round = 0; round < 2; ++round) {
    for (const Method& method : AllMethods()) {
      step.mutable_collision()->set_traversal(method.traversal);
      step.mutable_collision()->set_bounding_volume(method.volume);
      EXPECT_EQ(Answer(Step(step)), expected) << method.Name();
    }
  }
}

TEST_F(MethodsTest, RebuildByTheFactorOfTheStep) {
  const Motion motion = TriangleSoup(9, {600, 0.2, 0.1});
  for (const v1::Traversal traversal : {v1::TRAVERSAL_CLUSTERS, v1::TRAVERSAL_FRONT}) {
    v1::StepRequest step;
    step.set_scene(server_->Open(MeshOf(motion)));
    *step.mutable_start() = Doubles(motion.start);
    *step.mutable_end() = Doubles(motion.end);
    step.mutable_collision()->set_traversal(traversal);
    step.mutable_collision()->set_rebuild_factor(0);
    const v1::CollisionResult never = Step(step);
    EXPECT_EQ(never.statistics().hierarchy().rebuilds(), 0u);
    EXPECT_FALSE(Step(step).statistics().hierarchy().rebuilt());
    // With this factor a rebuild is due unless the nodes have shrunk to a tenth.
    step.mutable_collision()->set_rebuild_factor(0.1);
    const v1::CollisionResult rebuilt = Step(step);
    EXPECT_TRUE(rebuilt.statistics().hierarchy().rebuilt());
    EXPECT_EQ(rebuilt.statistics().hierarchy().rebuilds(), 1u);
    EXPECT_FALSE(rebuilt.statistics().traversal().from_front()) << "nodes have new names";
    EXPECT_TRUE(HasPhase(rebuilt, "build"));
    EXPECT_EQ(Answer(rebuilt), Answer(never));
    EXPECT_FALSE(Step(step).statistics().hierarchy().rebuilt()) << "it rests";
  }
}

TEST_F(MethodsTest, AreRefusedWhereTheyCannotWork) {
  v1::DetectRequest request = DetectOf(TriangleSoup(10, {3, 0.3, 0.25}), v1::REPORT_COLLISIONS);
  request.mutable_collision()->set_bounding_volume(v1::BOUNDING_VOLUME_ORIENTED_BOXES);
  EXPECT_THAT(ErrorOf(request),
              HasSubstr("collision.bounding_volume: oriented boxes need the traversal work_queue, "
                        "stealing or front, not clusters"));
  request.mutable_collision()->set_traversal(static_cast<v1::Traversal>(9));
  EXPECT_THAT(ErrorOf(request), HasSubstr("collision.traversal: unknown value 9"));
  request.clear_collision();
  request.set_hierarchy_build(static_cast<v1::HierarchyBuild>(3));
  EXPECT_THAT(ErrorOf(request), HasSubstr("hierarchy_build: unknown value 3"));
}

}  // namespace
}  // namespace warpyard
