// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A scene whose steps wait in an event loop, and what it sees of its events.
#ifndef WARPYARD_TESTS_UNIT_ENGINE_STEPPING_SCENE_H_
#define WARPYARD_TESTS_UNIT_ENGINE_STEPPING_SCENE_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "core/base/task.h"
#include "core/engine/engine_device.h"
#include "core/engine/event_loop.h"
#include "core/workload/ccd/scene/scene.h"
#include "tests/support/motion.h"

namespace warpyard::test_support {

/// Names of the lists of a step.
using ListNames = std::set<std::string>;

/// The lists that a run of a step was too long for. @shape counters: at the end of the run
inline ListNames Overflowed(const ccd::StepListsView& lists, const ccd::StepCounters& counters) {
  ListNames names;
  const auto compare = [&](const char* name, std::uint64_t count, std::uint64_t capacity) {
    if (count > capacity) names.insert(name);
  };
  compare("meetings", counters.meetings, lists.meetings.capacity);
  compare("vertex-face survivors", counters.survivors[0], lists.survivors[0].capacity);
  compare("edge-edge survivors", counters.survivors[1], lists.survivors[1].capacity);
  compare("left", counters.left, lists.left.capacity);
  compare("vertex-face collisions", counters.listed_contacts[0], lists.vertex_face.capacity);
  compare("edge-edge collisions", counters.listed_contacts[1], lists.edge_edge.capacity);
  return names;
}

/// Runs the events of a scene and keeps how each of them went.
class WatchedRunner final : public ccd::CollisionRunner {
 public:
  struct EventSeen {
    std::uint32_t jobs;  ///< that shared it
    ListNames overflowed;
  };

  /// @shape loop: null: each event blocks, and is of one job
  WatchedRunner(EngineDevice& device, EventLoop* loop) : device_(device), loop_(loop) {}

  absl::StatusOr<procedure::StageTimes> Run(const ccd::CollisionJob& job,
                                            const procedure::CancelToken& token) override {
    return device_.workers->Run(procedure::AnyJob::Of(job), {}, token);
  }
  bool Starts() const override { return loop_ != nullptr; }
  absl::Status Start(const ccd::CollisionJob& job, const procedure::CancelToken& token,
                     procedure::EventEnded ended) override {
    return loop_->Start(procedure::AnyJob::Of(job), {}, token,
                        [this, &job, ended = std::move(ended)](auto end) {
                          if (end.ok()) events.push_back({end->jobs, OverflowedIn(job)});
                          ended(std::move(end));
                        });
  }
  bool CallsFinish() const override { return device_.workers->CallsFinish(); }
  std::uint32_t Workers() const override { return device_.workers->Blocks(); }

  std::vector<EventSeen> events;

 private:
  ListNames OverflowedIn(const ccd::CollisionJob& job) const {
    EXPECT_NE(job.step.host_counters, nullptr);
    if (job.step.host_counters == nullptr) return {};
    return Overflowed(job.step.lists, *job.step.host_counters);
  }

  EngineDevice& device_;
  EventLoop* const loop_;
};

/// A scene whose events run in a loop, or block.
class SteppingScene {
 public:
  using Result = absl::StatusOr<ccd::CollisionResult>;

  /// @shape rest: positions when the scene is opened; motion: of its steps, outlives the object
  SteppingScene(EngineDevice& device, EventLoop* loop, const std::vector<double>& rest,
                const Motion& motion)
      : motion_(motion), runner_(device, loop) {
    WatchedRunner opens(device, nullptr);
    PhaseTimes phases;
    auto scene = ccd::Scene::Open(*device.backend, opens,
                                  {.positions = View(rest),
                                   .triangles = motion.triangles,
                                   .vertex_groups = motion.vertex_groups},
                                  token_, phases);
    EXPECT_TRUE(scene.ok()) << scene.status();
    scene_ = *std::move(scene);
  }

  /// Starts a step from the start of the motion: to its end, or one that stays there.
  /// @shape options: live until the step has ended
  void Start(bool moves, const ccd::CollisionOptions& options) {
    result_.reset();
    runner_.events.clear();
    input_ = {View(moves ? motion_.end : motion_.start), View(motion_.start)};
    StepInto(*this, options);
  }

  bool HasEnded() const { return result_.has_value(); }
  /// Of the step that ended last.
  const Result& result() const { return *result_; }
  const std::vector<WatchedRunner::EventSeen>& events() const { return runner_.events; }

 private:
  static DetachedTask StepInto(SteppingScene& scene, const ccd::CollisionOptions& options) {
    scene.result_ = co_await scene.scene_->Step(scene.runner_, scene.input_, options, scene.token_);
  }
  static ccd::PositionsView View(const std::vector<double>& values) {
    return {ccd::ScalarType::kFloat64, values.data(), values.size() / 3};
  }

  const Motion& motion_;
  procedure::CancelToken token_;
  WatchedRunner runner_;
  ccd::StepInput input_;
  std::unique_ptr<ccd::Scene> scene_;
  std::optional<Result> result_;
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_UNIT_ENGINE_STEPPING_SCENE_H_
