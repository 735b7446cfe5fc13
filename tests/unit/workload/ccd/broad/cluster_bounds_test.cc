// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/broad/cluster_bounds.h"

#include <gmpxx.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/workload/ccd/broad/cluster_build.h"
#include "core/workload/ccd/methods/hierarchies/hierarchy_refit.h"
#include "tests/support/mesh_fixtures.h"
#include "tests/support/serial_sorts.h"
#include "tests/unit/engine/position_forms.h"
#include "tests/unit/workload/ccd/broad/cluster_faults.h"
#include "tests/unit/workload/ccd/broad/hierarchy_fixture.h"
#include "tests/unit/workload/ccd/stage_runners.h"

namespace warpyard::test_support {
namespace {

using ccd::PositionFormat;

/// A soup of three bodies, followed by vertices without a triangle.
Motion SoupAndLooseVertices(std::uint64_t seed, std::uint32_t triangles, std::size_t loose) {
  Motion motion = TriangleSoup(seed, {triangles, 0.1, 0.5});
  Random random(seed);
  for (std::size_t i = 0; i < 3 * loose; ++i) {
    motion.start.push_back(random.Uniform(-5, 5));
    motion.end.push_back(random.Uniform(-5, 5));
  }
  motion.vertex_groups.resize(motion.Vertices());
  for (std::uint32_t& group : motion.vertex_groups) group = random.Below(3);
  return motion;
}

/// A scene whose clusters are arranged.
class Arranged {
 public:
  Arranged(Motion of, std::uint64_t seed)
      : motion(std::move(of)), run_(seed, hierarchy_), hierarchy_(motion) {
    hierarchy_.BuildAndRefit(run_);
    run_.operator()<ccd::ArrangeClusters>(job().scene.Clusters());
  }

  ccd::CollisionJob& job() { return hierarchy_.job; }
  HostHierarchy& hierarchy() { return hierarchy_; }
  void Bound() { run_.operator()<ccd::BoundClusters>(ccd::BoundClusters::IndicesOf(job())); }

  /// The boxes that BoundVertices makes.
  std::vector<Extent> BoxesByLeaves() {
    const ccd::SceneView& scene = job().scene;
    run_.operator()<ccd::BoundVertices>(std::max(scene.mesh.triangles, scene.mesh.vertices));
    std::vector<Extent> boxes;
    for (std::uint32_t v = 0; v < scene.mesh.vertices; ++v) {
      boxes.push_back(Extent::Of(scene.hierarchy.vertex_boxes[v]));
    }
    return boxes;
  }
  std::vector<Extent> BoxesByClusters() { return ClusterFaults(motion, job()).BoxesOfVertices(); }

  /// The doubles of an end, filled with values that are no positions.
  std::vector<geometry::Vector3d> Doubles(int end) {
    const geometry::Vector3d* const from = end == 0 ? job().step.start : job().step.end;
    return {from, from + job().scene.mesh.vertices};
  }
  void Spoil(int end) {
    std::fill_n(job().step.sources[end].to, 3 * motion.Vertices(), std::nan(""));
  }

  const Motion motion;

 private:
  InRandomOrder run_;
  HostHierarchy hierarchy_;
};

/// Positions of both ends in a form, and the doubles that they mean.
class InForm {
 public:
  InForm(PositionFormat format, const Motion& motion)
      : format_(format), doubles_{motion.start, motion.end} {
    Random random(7);
    for (std::size_t end = 0; end < 2; ++end) {
      floats_[end].assign(doubles_[end].begin(), doubles_[end].end());
      places_.emplace_back(doubles_[end]);
      poses_.push_back(Pose::Random(random, 3, 1, 1));
      if (format == PositionFormat::kFloat32) {
        doubles_[end].assign(floats_[end].begin(), floats_[end].end());
      } else if (format == PositionFormat::kQuantized16) {
        doubles_[end] = places_[end].Doubles();
      } else if (format == PositionFormat::kPose) {
        doubles_[end] = poses_[end].Doubles(motion.start, motion.vertex_groups);
      }
      rest_.resize(motion.Vertices());
      std::memcpy(rest_.data(), motion.start.data(), motion.start.size() * sizeof(double));
    }
  }

  void GiveTo(Arranged& scene) {
    scene.job().scene.mesh.rest = rest_.data();
    for (std::size_t end = 0; end < 2; ++end) {
      ccd::PositionSource& source = scene.job().step.sources[end];
      source.format = format_;
      scene.Spoil(static_cast<int>(end));
      if (format_ == PositionFormat::kConverted) {
        std::copy(doubles_[end].begin(), doubles_[end].end(), source.to);
      } else if (format_ == PositionFormat::kFloat32) {
        source.data = floats_[end].data();
      } else if (format_ == PositionFormat::kFloat64) {
        source.data = doubles_[end].data();
      } else if (format_ == PositionFormat::kPose) {
        source.data = poses_[end].View().matrices;
      } else {
        const ccd::PositionsView view = places_[end].View();
        source.data = view.data;
        for (int axis = 0; axis < 3; ++axis) {
          source.low[axis] = view.box.low[axis];
          source.spacing[axis] = ccd::SpacingOf(view.box, axis);
        }
      }
    }
  }

  /// Whether the scene has these doubles, bit for bit.
  bool AreIn(Arranged& scene) const {
    for (std::size_t end = 0; end < 2; ++end) {
      const std::vector<geometry::Vector3d> doubles = scene.Doubles(static_cast<int>(end));
      if (std::memcmp(doubles.data(), doubles_[end].data(),
                      doubles_[end].size() * sizeof(double)) != 0) {
        return false;
      }
    }
    return true;
  }

  static constexpr PositionFormat kAll[] = {PositionFormat::kConverted, PositionFormat::kFloat32,
                                            PositionFormat::kFloat64, PositionFormat::kQuantized16,
                                            PositionFormat::kPose};

 private:
  const PositionFormat format_;
  std::vector<double> doubles_[2];
  std::vector<float> floats_[2];
  std::vector<QuantizedPositions> places_;
  std::vector<Pose> poses_;
  std::vector<geometry::Vector3d> rest_;
};

void SetEarliest(ccd::CollisionJob& job, double time) {
  job.step.asked.report = ccd::Report::kEarliest;
  std::memcpy(&job.step.counters->earliest_bits, &time, sizeof time);
}

TEST(BoundClusters, TakesPositionsInEveryForm) {
  for (const PositionFormat format : InForm::kAll) {
    Arranged scene(SoupAndLooseVertices(1, 300, 40), 1);
    InForm form(format, scene.motion);
    form.GiveTo(scene);
    scene.Bound();
    const std::string where = "form " + std::to_string(static_cast<int>(format));
    EXPECT_TRUE(form.AreIn(scene)) << where;
    EXPECT_EQ(ClusterFaults(scene.motion, scene.job()).OfWholeStep(), "") << where;
  }
}

TEST(BoundClusters, ReadsDoublesInItsSecondPass) {
  for (const PositionFormat format : InForm::kAll) {
    Arranged scene(SoupAndLooseVertices(2, 300, 40), 2);
    InForm form(format, scene.motion);
    form.GiveTo(scene);
    scene.job().scene.order.size_scale = 1024;
    SetEarliest(scene.job(), 2);
    scene.Bound();
    const ccd::HierarchySize sizes = scene.job().step.counters->sizes[0];
    EXPECT_GT(sizes.triangles, 0u);
    for (ccd::PositionSource& source : scene.job().step.sources) source.data = nullptr;
    SetEarliest(scene.job(), 0.25);
    ccd::SampleParts::Begin<exec::ThreadScope>(*scene.job().step.counters);
    scene.Bound();
    const std::string where = "form " + std::to_string(static_cast<int>(format));
    EXPECT_TRUE(form.AreIn(scene)) << where;
    EXPECT_EQ(ClusterFaults(scene.motion, scene.job()).OfStepUntil(0.25), "") << where;
    EXPECT_EQ(scene.job().step.counters->sizes[0].triangles, sizes.triangles) << "counted again";
    EXPECT_EQ(scene.job().step.counters->sizes[0].nodes, sizes.nodes) << "counted again";
  }
}

TEST(BoundClusters, GivesVerticesTheBoxesThatBoundVerticesGives) {
  for (const double separation : {0.0, 1.0 / 3}) {
    for (const double end_time : {1.0, 0.7}) {
      Arranged scene(FoldingCloth(3, 20, 30), 3);
      scene.job().step.asked.min_separation = separation;
      scene.job().step.asked.end_time = end_time;
      scene.job().step.asked.tolerance = 1e-6;
      scene.Bound();
      EXPECT_EQ(scene.BoxesByClusters(), scene.BoxesByLeaves())
          << "separation " << separation << ", until " << end_time;
    }
  }
}

TEST(BoundClusters, EmptiesRowsOfAllVertices) {
  for (const std::size_t loose : {0u, 7u, 5000u}) {
    Arranged scene(SoupAndLooseVertices(4, 30, loose), 4);
    const std::uint32_t vertices = scene.job().scene.mesh.vertices;
    std::vector<std::uint32_t> words(ccd::ContactRows::WordsOf(vertices), 0xabababab);
    scene.job().step.lists.rows = ccd::ContactRows::In(words.data(), vertices);
    scene.Bound();
    EXPECT_EQ(words, std::vector<std::uint32_t>(words.size(), 0)) << loose << " loose vertices";
  }
}

TEST(BoundClusters, SharesOutVerticesOfNoTriangle) {
  for (const std::size_t loose : {1u, 1000u, 5000u}) {
    for (const std::uint32_t lanes : {1u, 4u, 32u}) {
      Arranged scene(SoupAndLooseVertices(5, 9, loose), 5);
      InForm form(PositionFormat::kFloat32, scene.motion);
      form.GiveTo(scene);
      std::string failure;
      const std::uint32_t indices = ccd::BoundClusters::IndicesOf(scene.job());
      EXPECT_LE(scene.motion.Vertices(), 32u * indices) << "large shares";
      ByLanes{scene.hierarchy(), lanes, failure}.operator()<ccd::BoundClusters>(indices);
      ASSERT_EQ(failure, "");
      EXPECT_TRUE(form.AreIn(scene)) << loose << " vertices, " << lanes << " lanes";
      EXPECT_EQ(ClusterFaults(scene.motion, scene.job()).OfWholeStep(), "");
    }
  }
}

TEST(BoundClusters, BoundsAnyRangesOfClustersAlike) {
  Arranged scene(TriangleSoup(8, {900, 0.1, 0.1}), 8);  // 113 clusters, 32 of a node
  const std::uint32_t all = ccd::BoundClusters::IndicesOf(scene.job());
  ScratchOf<ccd::BoundClusters> scratch;
  exec::ThreadScope scope(scratch.bytes);
  ThreadContext context{scope, scene.job()};
  for (int pass = 0; pass < 2; ++pass) {
    for (const auto& [begin, end] : {std::pair(70u, 104u), {0u, 5u}, {104u, all}, {5u, 70u}}) {
      ccd::BoundClusters::Execute(context, {begin, end});
    }
    EXPECT_EQ(ClusterFaults(scene.motion, scene.job()).OfWholeStep(), "");
  }
}

TEST(BoundClusters, HasAnIndexForEachClusterWhereAllVerticesAreOfTriangles) {
  for (const std::uint32_t triangles : {1u, 2u, 8u, 9u, 11u, 1000u}) {
    Arranged scene(TriangleSoup(6, {triangles, 0.1, 0.1}), 6);
    EXPECT_EQ(ccd::BoundClusters::IndicesOf(scene.job()), scene.job().scene.Clusters());
  }
}

TEST(BoundClusters, EmptiesTheListsOfASample) {
  Arranged scene(TriangleSoup(10, {30, 0.3, 0.3}), 10);
  ccd::StepCounters& counters = *scene.job().step.counters;
  counters.meetings = 3;
  for (std::size_t kind = 0; kind < 2; ++kind) counters.candidates[kind] = 4;
  for (std::size_t kind = 0; kind < 2; ++kind) counters.survivors[kind] = 5;
  counters.left = 7;
  ccd::SampleParts::Begin<exec::ThreadScope>(counters);
  counters.earliest_bits = 6;
  scene.Bound();
  EXPECT_EQ(counters.meetings, 0u);
  EXPECT_EQ(counters.sampled, 8u) << "candidates of the sample, of both kinds";
  EXPECT_EQ(ccd::SampleParts::Of<exec::ThreadScope>(counters), ccd::SamplePart::kAfter);
  for (std::size_t kind = 0; kind < 2; ++kind) EXPECT_EQ(counters.candidates[kind], 0u);
  for (std::size_t kind = 0; kind < 2; ++kind) EXPECT_EQ(counters.survivors[kind], 0u);
  EXPECT_EQ(counters.left, 0u);
  EXPECT_EQ(counters.earliest_bits, 6u) << "what the sample was for";
}

// Exact arithmetic decides which features are within the separation; the boxes around them must
// overlap.
TEST(BoundClusters, KeepsHalfTheSeparationAroundEachVertex) {
  for (const double scale : {1e-3, 1.0, 1e7}) {
    for (const double separation : {1e-9, 1.0 / 3, 0.3e5}) {
      Motion motion = TriangleSoup(16, {100, 0.1, 0.5});
      for (auto* frame : {&motion.start, &motion.end}) {
        for (double& value : *frame) value *= scale;
      }
      Arranged scene(motion, 16);
      scene.job().step.asked.min_separation = separation;
      scene.job().step.asked.tolerance = 1e-6;
      for (const double end_time : {1.0, 0.25}) {
        scene.job().step.asked.end_time = end_time;
        scene.Bound();
        const std::vector<Extent> boxes = scene.BoxesByClusters();
        const mpq_class half = mpq_class(separation) / 2, t(end_time);
        for (std::size_t i = 0; i < motion.start.size(); ++i) {
          const mpq_class start(motion.start[i]), end(motion.end[i]);
          const mpq_class at = (1 - t) * start + t * end;
          const Extent& box = boxes[i / 3];
          ASSERT_LE(mpq_class(box.low[i % 3]), std::min(start, at) - half);
          ASSERT_GE(mpq_class(box.high[i % 3]), std::max(start, at) + half);
          const double loose = 4e-7 * (std::abs(motion.start[i]) + std::abs(motion.end[i])) +
                               2e-7 * separation + 3e-6;
          ASSERT_GE(mpq_class(box.low[i % 3]) + mpq_class(loose), std::min(start, at) - half);
        }
      }
    }
  }
}

}  // namespace
}  // namespace warpyard::test_support
