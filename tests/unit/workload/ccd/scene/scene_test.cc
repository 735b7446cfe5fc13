// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Scenes after events that were interrupted.

#include "core/workload/ccd/scene/scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "core/device/cpu_backend.h"
#include "core/exec/thread_scope.h"
#include "core/workload/ccd/collision_program.h"
#include "tests/support/mesh_fixtures.h"

namespace warpyard::test_support {
namespace {

/// Runs events on the calling thread, element after element.
class InterruptibleRunner final : public ccd::CollisionRunner {
 public:
  using Program = ccd::CollisionProgram;

  /// Makes the next event of a task end after this many elements.
  void Interrupt(ccd::CollisionTask task, std::uint32_t elements) {
    interrupted_ = task;
    left_ = elements;
  }

  absl::StatusOr<procedure::StageTimes> Run(const ccd::CollisionJob& job,
                                            const procedure::CancelToken&) override {
    ccd::CollisionJob own = job;
    exec::ThreadScope scope(shared_);
    for (std::uint32_t stage = 0; stage < Program::StageCount(own); ++stage) {
      const procedure::StagePlan plan = Program::Plan<exec::ThreadScope>(own, stage);
      for (std::uint32_t begin = 0; begin < plan.count; begin += plan.grain) {
        if (interrupted_ == job.task && left_-- == 0) {
          interrupted_.reset();
          Program::Finish<exec::ThreadScope>(own);
          return absl::CancelledError("interrupted");
        }
        procedure::Context<exec::ThreadScope, ccd::CollisionJob> context{scope, own};
        std::uint32_t range[] = {begin, begin + std::min(plan.grain, plan.count - begin)};
        Program::Procedures::Execute(plan.procedure, context, range);
      }
    }
    Program::Finish<exec::ThreadScope>(own);
    procedure::StageTimes times;
    times.begin_ns.resize(Program::StageCount(own) + 1);
    return times;
  }

  bool CallsFinish() const override { return true; }

 private:
  std::optional<ccd::CollisionTask> interrupted_;
  std::uint32_t left_ = 0;
  alignas(16) std::byte shared_[Program::Procedures::SharedBytes(1) + 16];
};

/// A scene that steps between positions of a mesh.
class SteppedScene {
 public:
  explicit SteppedScene(const Motion& motion) : SteppedScene(motion, motion.start) {}
  SteppedScene(const Motion& motion, const std::vector<double>& rest)
      : motion_(motion), backend_(1, 0) {
    ccd::SceneInput input;
    input.positions = View(rest);
    input.triangles = motion.triangles;
    input.vertex_groups = motion.vertex_groups;
    PhaseTimes phases;
    auto scene = ccd::Scene::Open(backend_, runner, input, token_, phases);
    EXPECT_TRUE(scene.ok()) << scene.status();
    scene_ = *std::move(scene);
  }

  /// Steps from the start to the end, whatever the steps before did.
  absl::StatusOr<ccd::CollisionResult> Step(ccd::Report report, double factor = 0) {
    ccd::CollisionOptions options;
    options.report = report;
    options.rebuild_factor = factor;
    options.unsorted = unsorted;
    const ccd::StepInput input = {View(motion_.end), View(motion_.start)};
    return scene_->Step(runner, input, options, token_).RunNow();
  }

  InterruptibleRunner runner;
  bool unsorted = false;

 private:
  static ccd::PositionsView View(const std::vector<double>& values) {
    return {ccd::ScalarType::kFloat64, values.data(), values.size() / 3};
  }

  const Motion& motion_;
  device::CpuBackend backend_;
  procedure::CancelToken token_;
  std::unique_ptr<ccd::Scene> scene_;
};

/// All results of a step, and its counts; for the earliest time the counts depend on samples.
std::vector<double> Numbers(const absl::StatusOr<ccd::CollisionResult>& result) {
  if (!result.ok()) return {};
  const ccd::CollisionStatistics& statistics = result->statistics;
  std::vector<double> numbers = {result->earliest_time.value_or(2), statistics.hierarchy.size};
  if (!result->vertex_face.empty() || !result->edge_edge.empty()) {
    numbers.insert(numbers.end(), {static_cast<double>(statistics.vertex_face_candidates),
                                   static_cast<double>(statistics.edge_edge_candidates)});
  }
  for (const auto& pair : result->vertex_face) {
    numbers.insert(numbers.end(), {double(pair.vertex), double(pair.face), pair.time});
  }
  for (const auto& pair : result->edge_edge) {
    numbers.insert(numbers.end(),
                   {double(pair.a0), double(pair.a1), double(pair.b0), double(pair.b1), pair.time});
  }
  return numbers;
}

/// About 1100 clusters, so the tree has three levels.
Motion Crowd() { return TriangleSoup(41, {8800, 0.05, 0.05}); }

TEST(InterruptedStep, LeavesTheNextOneRight) {
  const Motion motion = Crowd();
  for (const ccd::Report report : {ccd::Report::kCollisions, ccd::Report::kEarliest}) {
    const auto expected = Numbers(SteppedScene(motion).Step(report));
    ASSERT_FALSE(expected.empty());
    // Interrupts in the first stage, after it, and in the sample.
    for (const std::uint32_t elements : {1u, 40u, 700u, 1099u, 1101u, 1200u}) {
      SteppedScene scene(motion);
      scene.runner.Interrupt(ccd::CollisionTask::kStep, elements);
      EXPECT_TRUE(absl::IsCancelled(scene.Step(report).status()));
      for (int again = 0; again < 2; ++again) {
        EXPECT_EQ(Numbers(scene.Step(report)), expected) << "after " << elements << " elements";
      }
    }
  }
}

TEST(InterruptedStep, LeavesListsOfTheHostToTheNextOne) {
  const Motion motion = Crowd();
  SteppedScene scene(motion);
  scene.unsorted = true;
  const auto expected = scene.Step(ccd::Report::kCollisions);
  ASSERT_TRUE(expected.ok() && expected->edge_edge.size() > 100);
  for (int turn = 0; turn < 2; ++turn) {  // by now they are written where the caller gets them
    scene.runner.Interrupt(ccd::CollisionTask::kStep, 2600);
    EXPECT_TRUE(absl::IsCancelled(scene.Step(ccd::Report::kCollisions).status()));
    EXPECT_TRUE(scene.Step(ccd::Report::kEarliest).ok());
    EXPECT_EQ(Numbers(scene.Step(ccd::Report::kCollisions)), Numbers(expected));
  }
}

TEST(InterruptedRebuild, LeavesTheNextOneRight) {
  // Triangles have changed places since the scene was opened, so the triangles of a cluster
  // separate.
  const Motion at_rest = TriangleSoup(41, {2000, 0.05, 0.05});
  Motion motion = at_rest;
  Random random(42);
  for (std::size_t t = motion.Triangles() - 1; t > 0; --t) {
    const std::size_t other = random.Below(static_cast<std::uint32_t>(t + 1));
    for (auto* frame : {&motion.start, &motion.end}) {
      std::swap_ranges(&(*frame)[9 * t], &(*frame)[9 * t] + 9, &(*frame)[9 * other]);
    }
  }
  constexpr ccd::Report kReport = ccd::Report::kCollisions;
  SteppedScene whole(motion, at_rest.start);
  for (int step = 0; step < 3; ++step) {
    EXPECT_EQ(whole.Step(kReport, 1.25)->statistics.hierarchy.rebuilt, step == 2);
  }
  const auto expected = Numbers(whole.Step(kReport));
  // Arranging takes two elements, bounding 32.
  for (const std::uint32_t elements : {1u, 3u, 20u}) {
    SteppedScene scene(motion, at_rest.start);
    scene.runner.Interrupt(ccd::CollisionTask::kArrangeClusters, elements);
    for (int step = 0; step < 3; ++step) EXPECT_EQ(scene.Step(kReport, 1.25).ok(), step < 2);
    EXPECT_TRUE(scene.Step(kReport, 1.25)->statistics.hierarchy.rebuilt);
    EXPECT_EQ(Numbers(scene.Step(kReport)), expected) << "after " << elements << " elements";
  }
}

}  // namespace
}  // namespace warpyard::test_support
