// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The one door into core: open scenes, submit jobs, cancel, read statistics. No network types.
//
// The engine trusts the contents of what it is given (finite coordinates, indices in range, layouts
// as declared): server/convert validates untrusted input first. It checks sizes against its limits.
#ifndef WARPYARD_CORE_ENGINE_ENGINE_H_
#define WARPYARD_CORE_ENGINE_ENGINE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/base/ids.h"
#include "core/policy/policy.h"
#include "core/workload/ccd/collision_types.h"
#include "core/workload/synthetic/synthetic_job.h"
#include "core/workload/synthetic/synthetic_run.h"

namespace warpyard {

/// Where work runs: kAuto takes CUDA where a device answers, else CPU threads
/// (Engine::StartNote says why).
enum class BackendChoice { kAuto, kCuda, kCpu };

struct EngineOptions {
  BackendChoice backend = BackendChoice::kAuto;
  /// CPU worker threads; 0: one per hardware thread.
  int threads = 0;
  /// CUDA devices by number; empty: all that answer.
  std::vector<int> devices;
  /// Which job's elements the workers of a device draw first.
  policy::PolicyOptions policy;
  /// A device without jobs keeps its kernel for so long, so that the next job need not launch it;
  /// InfiniteDuration: always. CPU threads sleep instead.
  absl::Duration linger = absl::Milliseconds(2);
  /// Blocks of the kernel that stays on a CUDA device, two or more; 0: as many as fit. Fewer leave
  /// multiprocessors to other processes; while there are more of these, each block has one for
  /// itself.
  unsigned most_blocks = 0;
  /// A job that runs longer ends with RESOURCE_EXHAUSTED; a device on which it then still does not
  /// end is taken for lost.
  absl::Duration job_time_limit = absl::Seconds(60);
  /// Bytes that scenes and scratch may take on each device (or the host, for CPU threads); 0: 80 %
  /// of what is free at start.
  std::size_t memory_limit_bytes = 0;
  /// Jobs that may wait; one more is refused with RESOURCE_EXHAUSTED.
  int max_pending_jobs = 1024;
  /// Scenes that may be open; one more is refused with RESOURCE_EXHAUSTED.
  int max_scenes = 256;
};

/// Order among jobs without a deadline.
enum class Priority { kLow, kNormal, kHigh, kUrgent };

/// Tenants are numbers below this.
inline constexpr std::uint32_t kMaxTenants = policy::kMaxTenants;

struct JobOptions {
  Priority priority = Priority::kNormal;
  /// By default jobs with a deadline run first, earliest first; a job that is late ends with
  /// DEADLINE_EXCEEDED.
  absl::Time deadline = absl::InfiniteFuture();
  /// On whose account the job runs. @shape less than kMaxTenants
  std::uint32_t tenant = 0;
  /// For a caller that would wait anyway: a job that may start at once is done by the calling
  /// thread, and its completion runs within the call. That spares two wake-ups, as long as a short
  /// step. A job that may not start yet waits as others do. (CUDA's current device of the thread
  /// may be another afterwards.)
  bool lend_thread = false;
};

/// A mesh to open as a scene. All views must stay valid until the completion has run.
struct SceneDescription {
  ccd::PositionsView positions;
  /// @shape 3 vertex indices a triangle
  std::span<const std::uint32_t> triangles;
  /// Also the bodies that a pose moves. @shape one group a vertex, or empty
  std::span<const std::uint32_t> vertex_groups;
  ccd::GroupRule group_rule = ccd::GroupRule::kAll;
  /// @shape one row a group, for ccd::GroupRule::kMatrix: see ccd::CheckGroupMatrix
  std::span<const std::uint64_t> group_matrix = {};
};

struct SceneInfo {
  SceneId id;
  std::uint32_t edges = 0;
  /// Matrices of a pose; 0: steps bring positions, see ccd::CountBodies.
  std::uint32_t bodies = 0;
  ccd::PhaseTimes phases;
};

/// One step of a scene. All views must stay valid until the completion has run.
struct StepDescription {
  SceneId scene;
  ccd::StepPositions end;
  /// Empty: the end of the scene's last step, or its rest positions.
  std::optional<ccd::StepPositions> start;
  ccd::CollisionOptions options;
};

/// What the engine is doing now and has done; counters only grow.
struct EngineStatistics {
  struct Queue {
    std::string name;  ///< a procedure
    std::uint64_t size = 0;
    std::uint64_t capacity = 0;
  };
  struct Procedure {
    std::string name;
    std::uint64_t executed_items = 0;
    std::uint64_t spawned_items = 0;
    absl::Duration busy;            ///< summed over workers
    absl::Duration shortest_batch;  ///< of elements drawn together; 0: none yet
    absl::Duration longest_batch;
  };
  struct Device {
    std::string name;  ///< "cpu" or "cuda:0"
    bool lost = false;
    bool resident = false;        ///< whether its workers run or wait for work now
    std::uint64_t launches = 0;   ///< times that they were started
    std::uint64_t workers = 0;    ///< blocks, or threads
    std::uint64_t spills = 0;     ///< elements that workers gave to others
    std::uint64_t back_offs = 0;  ///< pauses of idle workers
    std::uint64_t running_events = 0;
    std::uint64_t jobs_running = 0;
    std::uint64_t scenes = 0;
    std::uint64_t memory_used_bytes = 0;
    std::uint64_t memory_limit_bytes = 0;
    absl::Duration busy;  ///< summed over workers
    std::vector<Queue> queues;
    std::vector<Procedure> procedures;
    std::vector<absl::Duration> tenants;  ///< time of workers, by tenant
  };
  std::vector<Device> devices;
  std::uint64_t jobs_pending = 0;  ///< wait to be given to a device
  std::uint64_t max_jobs_pending = 0;
  std::uint64_t jobs_running = 0;
  std::uint64_t scenes = 0;
  std::uint64_t memory_used_bytes = 0;
  std::uint64_t memory_limit_bytes = 0;
};

/// Whether a device can run jobs.
struct DeviceHealth {
  std::string name;     ///< as EngineStatistics::Device
  absl::Status status;  ///< not OK: it is lost, for good
};

/// Runs jobs on its devices. Thread-safe.
///
/// A scene lives on the device that suits it best when it is opened; its steps run there. Jobs of
/// all clients share the workers of a device, in the order of the policy.
///
/// Completions run exactly once, on an engine thread, never within the call that takes them (but
/// see JobOptions::lend_thread); they may call the engine, and must not block. The destructor
/// cancels what is left, waits for the completions and then returns.
class Engine {
 public:
  using OpenDone = std::function<void(absl::StatusOr<SceneInfo>)>;
  using StepDone = std::function<void(absl::StatusOr<ccd::CollisionResult>)>;
  using LoadDone = std::function<void(absl::StatusOr<synthetic::SyntheticResult>)>;

  /// @errors INVALID_ARGUMENT: EngineOptions::most_blocks; UNAVAILABLE: kCuda was asked for and no
  ///     device answers (or built without CUDA), or one that was named does not.
  static absl::StatusOr<std::unique_ptr<Engine>> Create(const EngineOptions& options);

  virtual ~Engine() = default;

  /// Uploads a mesh and builds its clusters of triangles; `done` gets the scene.
  /// @errors RESOURCE_EXHAUSTED (memory, scenes, pending jobs), DEADLINE_EXCEEDED, CANCELLED,
  ///     UNAVAILABLE (device lost)
  virtual JobId OpenScene(const SceneDescription& scene, const JobOptions& job, OpenDone done) = 0;

  /// Runs one step; steps of one scene run in the order of submission.
  /// @errors as OpenScene, NOT_FOUND (no such scene), and INVALID_ARGUMENT (another number of
  ///     vertices or bodies than the scene has, a pose that takes a body too far away,
  ///     ccd::CheckOptions), UNIMPLEMENTED (the devices' program does not have the traversal)
  virtual JobId Step(const StepDescription& step, const JobOptions& job, StepDone done) = 0;

  /// Runs synthetic load, for benchmarks and to see how a deployment copes; see
  /// synthetic::CheckLoad for what it may be. @errors as OpenScene, and INVALID_ARGUMENT
  virtual JobId RunLoad(const synthetic::SyntheticJob& load, const JobOptions& job,
                        LoadDone done) = 0;

  /// Asks a job to end early: its completion gets CANCELLED unless it was done before. Unknown or
  /// finished jobs are ignored.
  virtual void Cancel(JobId job) = 0;

  /// Frees a scene after the steps that were submitted before.
  /// @errors NOT_FOUND
  virtual absl::Status CloseScene(SceneId scene) = 0;

  virtual EngineStatistics Statistics() const = 0;

  /// One entry a device. Jobs end with UNAVAILABLE once all are lost.
  virtual std::vector<DeviceHealth> Health() const = 0;

  /// "cpu, 2 threads" or "cuda, NVIDIA H200", one after another for several devices.
  virtual std::string BackendDescription() const = 0;

  /// For an operator: which devices were left out when the engine was made, and why; or empty.
  virtual std::string StartNote() const { return ""; }
};

}  // namespace warpyard

#endif  // WARPYARD_CORE_ENGINE_ENGINE_H_
