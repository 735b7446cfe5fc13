// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/engine/engine.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <new>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "core/base/macros.h"
#include "core/dispatch/dispatcher.h"
#include "core/dispatch/load_ledger.h"
#include "core/engine/engine_device.h"
#include "core/engine/engine_statistics.h"
#include "core/workload/ccd/scene/scene.h"

namespace warpyard {
namespace {

using dispatch::LoadLedger;
using Running = dispatch::Task::Running;

/// How fast the expected time of a scene's steps follows their times.
constexpr double kSmoothing = 0.25;

/// A scene and where it lives.
struct OpenedScene {
  std::unique_ptr<ccd::Scene> scene;
  std::size_t device = 0;
  LoadLedger::Claim claim;
  std::atomic<double> step_seconds{0};  ///< on the device, lately; 0: not known
};

int UrgencyOf(const JobOptions& job) {
  return job.deadline != absl::InfiniteFuture() ? dispatch::kDeadlineUrgency
                                                : static_cast<int>(job.priority) + 1;
}

/// Models know the monotonic clock; a deadline of the wall clock moves with it.
std::uint64_t ToSteadyNs(absl::Time deadline) {
  if (deadline == absl::InfiniteFuture()) return policy::kNoDeadline;
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  const absl::Duration left = std::max(deadline - absl::Now(), absl::ZeroDuration());
  return static_cast<std::uint64_t>(
      absl::ToInt64Nanoseconds(absl::FromChrono(now) + std::min(left, absl::Hours(24 * 365))));
}

/// What the devices took for a step, without copies.
absl::Duration DeviceTime(const ccd::PhaseTimes& phases) {
  absl::Duration sum;
  for (const ccd::PhaseTime& phase : phases) {
    if (phase.phase == "refit" || phase.phase == "broad" || phase.phase == "narrow") {
      sum += phase.duration;
    }
  }
  return sum;
}

std::vector<double> PowersOf(const std::vector<EngineDevice>& devices) {
  std::vector<double> powers;
  for (const EngineDevice& device : devices) {
    powers.push_back(std::max(1.0, static_cast<double>(device.model->Statistics().workers)));
  }
  return powers;
}

dispatch::DispatcherOptions ToDispatcherOptions(const std::vector<EngineDevice>& devices,
                                                const EngineOptions& options) {
  dispatch::DispatcherOptions dispatcher;
  dispatcher.devices.clear();
  for (const EngineDevice& device : devices) dispatcher.devices.push_back(device.runners);
  dispatcher.max_pending = static_cast<std::size_t>(options.max_pending_jobs);
  dispatcher.time_limit = options.job_time_limit;
  return dispatcher;
}

class DeviceEngine final : public Engine {
 public:
  DeviceEngine(EngineDevices devices, const EngineOptions& options)
      : devices_(std::move(devices.devices)),
        note_(std::move(devices.note)),
        max_scenes_(static_cast<std::size_t>(options.max_scenes)),
        ledger_(PowersOf(devices_)),
        dispatcher_(ToDispatcherOptions(devices_, options)) {}

  JobId OpenScene(const SceneDescription& scene, const JobOptions& job, OpenDone done) override {
    return SubmitAnywhere<SceneInfo>(
        job, std::move(done), [this, scene, job](std::size_t device, const Running& running) {
          return Open(scene, device, job, running);
        });
  }

  JobId RunLoad(const synthetic::SyntheticJob& load, const JobOptions& job,
                LoadDone done) override {
    if (const absl::Status status = synthetic::CheckLoad(load); !status.ok()) {
      return Reject<synthetic::SyntheticResult>(std::move(done), status);
    }
    return SubmitAnywhere<synthetic::SyntheticResult>(
        job, std::move(done), [this, load, job](std::size_t device, const Running& running) {
          return RunLoadOn(device, load, job, running);
        });
  }

  JobId Step(const StepDescription& step, const JobOptions& job, StepDone done) override {
    std::shared_ptr<OpenedScene> scene = FindScene(step.scene);
    if (scene == nullptr) return Reject<ccd::CollisionResult>(std::move(done), NoSuchScene());
    const Placement place{scene->device, step.scene.value,
                          scene->step_seconds.load(std::memory_order_relaxed)};
    return Submit<ccd::CollisionResult>(job, place, std::move(done),
                                        [this, step, scene, job](const Running& running) {
                                          return RunStep(*scene, step, job, running);
                                        });
  }

  void Cancel(JobId job) override { dispatcher_.Cancel(job); }

  absl::Status CloseScene(SceneId scene) override {
    std::shared_ptr<OpenedScene> closed;  // freed after the lock, or by the last step that uses it
    std::lock_guard lock(mutex_);
    const auto found = scenes_.find(scene);
    if (found == scenes_.end()) return NoSuchScene();
    closed = std::move(found->second);
    scenes_.erase(found);
    return absl::OkStatus();
  }

  EngineStatistics Statistics() const override {
    EngineStatistics statistics;
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      EngineStatistics::Device device = StatisticsOf(devices_[i]);
      device.jobs_running = dispatcher_.RunningOn(i);
      device.scenes = ledger_.Scenes(i);
      statistics.memory_used_bytes += device.memory_used_bytes;
      statistics.memory_limit_bytes += device.memory_limit_bytes;
      statistics.devices.push_back(std::move(device));
    }
    statistics.jobs_pending = dispatcher_.Pending();
    statistics.max_jobs_pending = dispatcher_.MaxPending();
    statistics.jobs_running = dispatcher_.Running();
    std::lock_guard lock(mutex_);
    statistics.scenes = scenes_.size();
    return statistics;
  }

  std::vector<DeviceHealth> Health() const override {
    std::vector<DeviceHealth> health;
    for (const EngineDevice& device : devices_) {
      health.push_back({device.name, device.model->Health()});
    }
    return health;
  }

  std::string BackendDescription() const override {
    std::string description;
    for (const EngineDevice& device : devices_) {
      absl::StrAppend(&description, description.empty() ? "" : "; ", device.backend->Description());
    }
    return description;
  }

  std::string StartNote() const override { return note_; }

 private:
  /// Where a job runs, in which chain, and how long it may take there.
  struct Placement {
    std::size_t device = 0;
    std::uint64_t chain = 0;
    double seconds = 0;
  };

  static absl::Status NoSuchScene() { return absl::NotFoundError("no such scene"); }

  template <class T>
  JobId Reject(std::function<void(absl::StatusOr<T>)> done, absl::Status status) {
    dispatch::Task task;
    task.reject = [done = std::move(done)](absl::Status why) { done(std::move(why)); };
    dispatcher_.Reject(std::move(task), std::move(status));
    return {};
  }

  /// Submits a job to the device that suits it best. @shape work(device, running)
  template <class T, class Work>
  JobId SubmitAnywhere(const JobOptions& job, std::function<void(absl::StatusOr<T>)> done,
                       Work work) {
    std::vector<bool> lost;
    for (const EngineDevice& device : devices_) lost.push_back(!device.model->Health().ok());
    const std::optional<std::size_t> device = ledger_.ChooseDevice(lost, UrgencyOf(job));
    if (!device) {
      return Reject<T>(std::move(done),
                       absl::UnavailableError(absl::StrCat("no device is left: ",
                                                           devices_[0].model->Health().message())));
    }
    return Submit<T>(
        job, {*device, 0, 0}, std::move(done),
        [work, device = *device](const Running& running) { return work(device, running); });
  }

  template <class T, class Work>
  JobId Submit(const JobOptions& job, const Placement& place,
               std::function<void(absl::StatusOr<T>)> done, Work work) {
    if (job.tenant >= kMaxTenants) {
      return Reject<T>(std::move(done),
                       absl::InvalidArgumentError(absl::StrCat(
                           "tenant: ", job.tenant, ", expected less than ", kMaxTenants)));
    }
    auto shared_done = std::make_shared<std::function<void(absl::StatusOr<T>)>>(std::move(done));
    dispatch::Task task;
    task.reject = [shared_done](absl::Status status) { (*shared_done)(std::move(status)); };
    // The claim ends with the task, however that ends.
    task.run = [work, shared_done,
                claim = ledger_.AddEvent(place.device, UrgencyOf(job), place.seconds)](
                   const Running& running) {
      (*shared_done)(Explain<T>(Guard<T>([&] { return work(running); }), running));
    };
    return dispatcher_.Submit(
        {job.deadline, static_cast<int>(job.priority), place.chain, place.device, job.lend_thread},
        std::move(task));
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
  static absl::StatusOr<T> Explain(absl::StatusOr<T> result, const Running& running) {
    if (absl::IsCancelled(result.status())) return running.error();
    return result;
  }

  /// Runs events of one program on a device, for one job. @shape `seconds`: 0: not known
  template <class SubProgram>
  model::BoundRunner<ServiceProgram, SubProgram> RunnerOn(std::size_t device, const JobOptions& job,
                                                          double seconds = 0) {
    policy::EventAttributes attributes;
    attributes.deadline_ns = ToSteadyNs(job.deadline);
    attributes.priority = static_cast<std::uint32_t>(job.priority);
    attributes.tenant = job.tenant;
    // Policies compare it with the time of all workers: with what the event takes if it has them
    // all for so long.
    const auto workers = static_cast<double>(devices_[device].model->Statistics().workers);
    attributes.expected_ns = static_cast<std::uint64_t>(seconds * 1e9 * workers);
    return {*devices_[device].model, attributes};
  }

  absl::StatusOr<SceneInfo> Open(const SceneDescription& description, std::size_t device,
                                 const JobOptions& job, const Running& running) {
    {
      std::lock_guard lock(mutex_);
      WY_RETURN_IF_ERROR(CheckSceneLimit());
    }
    SceneInfo info;
    info.phases.push_back({"queue", running.waited});
    auto runner = RunnerOn<ccd::CollisionProgram>(device, job);
    auto opened = std::make_shared<OpenedScene>();
    opened->device = device;
    opened->claim = ledger_.AddScene(device);
    WY_ASSIGN_OR_RETURN(
        opened->scene,
        ccd::Scene::Open(*devices_[device].backend, runner,
                         {description.positions, description.triangles, description.vertex_groups,
                          description.group_rule, description.group_matrix},
                         running.token, info.phases));
    info.edges = opened->scene->EdgeCount();
    info.bodies = opened->scene->BodyCount();
    std::lock_guard lock(mutex_);
    WY_RETURN_IF_ERROR(CheckSceneLimit());  // another scene may have come in between
    info.id = SceneId{++last_scene_};
    scenes_.emplace(info.id, std::move(opened));
    return info;
  }

  absl::StatusOr<ccd::CollisionResult> RunStep(OpenedScene& scene, const StepDescription& step,
                                               const JobOptions& job, const Running& running) {
    const double expected = scene.step_seconds.load(std::memory_order_relaxed);
    auto runner = RunnerOn<ccd::CollisionProgram>(scene.device, job, expected);
    WY_ASSIGN_OR_RETURN(
        ccd::CollisionResult result,
        scene.scene->Step(runner, {step.end, step.start}, step.options, running.token));
    ccd::PhaseTimes& phases = result.statistics.phases;
    const double seconds = absl::ToDoubleSeconds(DeviceTime(phases));
    scene.step_seconds.store(expected == 0 ? seconds : expected + kSmoothing * (seconds - expected),
                             std::memory_order_relaxed);
    phases.insert(phases.begin(), {"queue", running.waited});
    return result;
  }

  absl::StatusOr<synthetic::SyntheticResult> RunLoadOn(std::size_t device,
                                                       const synthetic::SyntheticJob& load,
                                                       const JobOptions& job,
                                                       const Running& running) {
    auto runner = RunnerOn<synthetic::SyntheticProgram>(device, job);
    WY_ASSIGN_OR_RETURN(synthetic::SyntheticResult result,
                        synthetic::RunLoad(*devices_[device].backend, runner, load, running.token));
    result.queue = running.waited;
    return result;
  }

  /// The caller holds the lock.
  absl::Status CheckSceneLimit() const {
    if (scenes_.size() < max_scenes_) return absl::OkStatus();
    return absl::ResourceExhaustedError(
        absl::StrCat("scenes: ", scenes_.size(), " are open, the limit (--max-scenes)"));
  }

  std::shared_ptr<OpenedScene> FindScene(SceneId id) const {
    std::lock_guard lock(mutex_);
    const auto found = scenes_.find(id);
    return found == scenes_.end() ? nullptr : found->second;
  }

  // In the order in which they need each other: scenes free their memory on the devices.
  const std::vector<EngineDevice> devices_;
  const std::string note_;
  const std::size_t max_scenes_;
  LoadLedger ledger_;
  mutable std::mutex mutex_;
  std::map<SceneId, std::shared_ptr<OpenedScene>> scenes_;
  std::uint64_t last_scene_ = 0;
  dispatch::Dispatcher dispatcher_;  // last: its threads use all of the above
};

absl::StatusOr<EngineDevices> MakeDevices(const EngineOptions& options) {
  EngineDevices made;
  if (options.backend != BackendChoice::kCpu) {
    absl::StatusOr<EngineDevices> cuda = MakeCudaDevices(options);
    if (cuda.ok() || options.backend == BackendChoice::kCuda) return cuda;
    made.note = absl::StrCat("CUDA is not used: ", cuda.status().message());
  }
  made.devices.push_back(MakeCpuDevice(options));
  return made;
}

}  // namespace

std::unique_ptr<Engine> MakeEngine(EngineDevices devices, const EngineOptions& options) {
  return std::make_unique<DeviceEngine>(std::move(devices), options);
}

absl::StatusOr<std::unique_ptr<Engine>> Engine::Create(const EngineOptions& options) {
  if (options.most_blocks == 1) {
    return absl::InvalidArgumentError("most_blocks: 1, expected 0 or at least 2");
  }
  WY_ASSIGN_OR_RETURN(EngineDevices devices, MakeDevices(options));
  return MakeEngine(std::move(devices), options);
}

}  // namespace warpyard
