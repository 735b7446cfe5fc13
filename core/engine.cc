// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/engine.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "core/device/backend.h"
#include "core/dispatch/dispatcher.h"
#include "core/engine_device.h"
#include "core/workload/ccd/collision_program.h"
#include "core/workload/ccd/scene.h"

namespace warpyard {
namespace {

using ccd::CollisionProgram;

class DeviceEngine final : public Engine {
 public:
  DeviceEngine(EngineDevice device, const EngineOptions& options)
      : backend_(std::move(device.backend)),
        model_(std::move(device.model)),
        max_scenes_(static_cast<std::size_t>(options.max_scenes)),
        dispatcher_(device.concurrent_jobs, static_cast<std::size_t>(options.max_pending_jobs)) {}

  JobId OpenScene(const SceneDescription& scene, const JobOptions& job, OpenDone done) override {
    auto shared_done = std::make_shared<OpenDone>(std::move(done));
    dispatch::Task task;
    task.reject = [shared_done](absl::Status status) { (*shared_done)(std::move(status)); };
    task.run = [this, scene, shared_done](const dispatch::Task::Running& running) {
      (*shared_done)(Explain(Guard<SceneInfo>([&] { return Open(scene, running); }), running));
    };
    return Submit(job, 0, std::move(task));
  }

  JobId Step(const StepDescription& step, const JobOptions& job, StepDone done) override {
    auto shared_done = std::make_shared<StepDone>(std::move(done));
    dispatch::Task task;
    task.reject = [shared_done](absl::Status status) { (*shared_done)(std::move(status)); };
    std::shared_ptr<ccd::Scene> scene = FindScene(step.scene);
    if (scene == nullptr) {
      dispatcher_.Reject(std::move(task), NoSuchScene());
      return {};
    }
    task.run = [this, step, scene, shared_done](const dispatch::Task::Running& running) {
      (*shared_done)(Explain(
          Guard<ccd::CollisionResult>([&] { return RunStep(*scene, step, running); }), running));
    };
    return Submit(job, step.scene.value, std::move(task));
  }

  void Cancel(JobId job) override { dispatcher_.Cancel(job); }

  absl::Status CloseScene(SceneId scene) override {
    std::shared_ptr<ccd::Scene> closed;  // freed after the lock, or by the last step that uses it
    std::lock_guard lock(mutex_);
    const auto found = scenes_.find(scene);
    if (found == scenes_.end()) return NoSuchScene();
    closed = std::move(found->second);
    scenes_.erase(found);
    return absl::OkStatus();
  }

  EngineStatistics Statistics() const override {
    EngineStatistics statistics;
    statistics.queues.push_back({"jobs", dispatcher_.Pending(), dispatcher_.MaxPending()});
    const auto fills = model_->QueueFills();
    const auto counters = model_->Counters();
    for (std::size_t p = 0; p < counters.size(); ++p) {
      const char* name = CollisionProgram::Procedures::kNames[p];
      statistics.queues.push_back({absl::StrCat("work/", name), fills[p].size, fills[p].capacity});
      statistics.procedures.push_back(
          {name, counters[p].executed, absl::Nanoseconds(counters[p].busy_ns)});
    }
    statistics.jobs_running = dispatcher_.Running();
    {
      std::lock_guard lock(mutex_);
      statistics.scenes = scenes_.size();
    }
    statistics.memory_used_bytes = backend_->MemoryUsed();
    statistics.memory_limit_bytes = backend_->MemoryLimit();
    return statistics;
  }

  std::string BackendDescription() const override { return backend_->Description(); }

 private:
  static absl::Status NoSuchScene() { return absl::NotFoundError("no such scene"); }

  JobId Submit(const JobOptions& job, std::uint64_t chain, dispatch::Task task) {
    return dispatcher_.Submit(job.deadline, static_cast<int>(job.priority), chain, std::move(task));
  }

  /// The host's memory can run out in containers; that fails one job, not the process.
  template <class T, class Work>
  static absl::StatusOr<T> Guard(Work work) {
    try {
      return work();
    } catch (const std::bad_alloc&) {
      return absl::ResourceExhaustedError("the host has no memory left for this job");
    }
  }

  /// CANCELLED from below says that the token fired; the dispatcher knows why.
  template <class T>
  static absl::StatusOr<T> Explain(absl::StatusOr<T> result,
                                   const dispatch::Task::Running& running) {
    if (absl::IsCancelled(result.status())) return running.error();
    return result;
  }

  absl::StatusOr<SceneInfo> Open(const SceneDescription& description,
                                 const dispatch::Task::Running& running) {
    {
      std::lock_guard lock(mutex_);
      WY_RETURN_IF_ERROR(CheckSceneLimit());
    }
    SceneInfo info;
    info.phases.push_back({"queue", running.waited});
    WY_ASSIGN_OR_RETURN(std::shared_ptr<ccd::Scene> scene,
                        ccd::Scene::Open(*backend_, *model_,
                                         {description.positions, description.triangles,
                                          description.vertex_groups, description.group_rule},
                                         running.token, info.phases));
    info.edges = scene->EdgeCount();
    std::lock_guard lock(mutex_);
    WY_RETURN_IF_ERROR(CheckSceneLimit());  // another scene may have come in between
    info.id = SceneId{++last_scene_};
    scenes_.emplace(info.id, std::move(scene));
    return info;
  }

  absl::StatusOr<ccd::CollisionResult> RunStep(ccd::Scene& scene, const StepDescription& step,
                                               const dispatch::Task::Running& running) {
    WY_ASSIGN_OR_RETURN(ccd::CollisionResult result,
                        scene.Step(*model_, {step.end, step.start}, step.options, running.token));
    ccd::PhaseTimes& phases = result.statistics.phases;
    phases.insert(phases.begin(), {"queue", running.waited});
    return result;
  }

  /// The caller holds the lock.
  absl::Status CheckSceneLimit() const {
    if (scenes_.size() < max_scenes_) return absl::OkStatus();
    return absl::ResourceExhaustedError(
        absl::StrCat("scenes: ", scenes_.size(), " are open, the limit (--max-scenes)"));
  }

  std::shared_ptr<ccd::Scene> FindScene(SceneId id) const {
    std::lock_guard lock(mutex_);
    const auto found = scenes_.find(id);
    return found == scenes_.end() ? nullptr : found->second;
  }

  const std::unique_ptr<device::Backend> backend_;
  const std::unique_ptr<model::ExecutionModel<CollisionProgram>> model_;
  const std::size_t max_scenes_;
  mutable std::mutex mutex_;
  std::map<SceneId, std::shared_ptr<ccd::Scene>> scenes_;
  std::uint64_t last_scene_ = 0;
  dispatch::Dispatcher dispatcher_;  // last: its threads use all of the above
};

absl::StatusOr<EngineDevice> MakeDevice(const EngineOptions& options) {
  if (options.backend != BackendChoice::kCpu) {
    absl::StatusOr<EngineDevice> cuda = MakeCudaDevice(options);
    if (cuda.ok() || options.backend == BackendChoice::kCuda) return cuda;
  }
  return MakeCpuDevice(options);
}

}  // namespace

absl::StatusOr<std::unique_ptr<Engine>> Engine::Create(const EngineOptions& options) {
  WY_ASSIGN_OR_RETURN(EngineDevice device, MakeDevice(options));
  return std::make_unique<DeviceEngine>(std::move(device), options);
}

}  // namespace warpyard
