// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The one door into core: open scenes, submit jobs, cancel, read statistics. No network types.
//
// The engine trusts the contents of what it is given (finite coordinates, indices in range, layouts
// as declared): server/convert validates untrusted input first. It checks sizes against its limits.
#ifndef WARPYARD_CORE_ENGINE_H_
#define WARPYARD_CORE_ENGINE_H_

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
#include "core/workload/ccd/collision_types.h"

namespace warpyard {

/// Where work runs: kAuto takes CUDA where a device answers, else CPU threads.
enum class BackendChoice { kAuto, kCuda, kCpu };

struct EngineOptions {
  BackendChoice backend = BackendChoice::kAuto;
  /// CPU worker threads; 0: one per hardware thread.
  int threads = 0;
  /// Bytes that scenes and scratch may take on the device (or the host, for CPU threads); 0: 80 %
  /// of what is free at start.
  std::size_t memory_limit_bytes = 0;
  /// Jobs that may wait; one more is refused with RESOURCE_EXHAUSTED.
  int max_pending_jobs = 1024;
  /// Scenes that may be open; one more is refused with RESOURCE_EXHAUSTED.
  int max_scenes = 256;
};

/// Order among jobs without a deadline.
enum class Priority { kLow, kNormal, kHigh, kUrgent };

struct JobOptions {
  Priority priority = Priority::kNormal;
  /// Jobs with a deadline run first, earliest first; a job that is late ends with
  /// DEADLINE_EXCEEDED.
  absl::Time deadline = absl::InfiniteFuture();
};

/// A mesh to open as a scene. All views must stay valid until the completion has run.
struct SceneDescription {
  ccd::PositionsView positions;
  /// @shape 3 vertex indices a triangle
  std::span<const std::uint32_t> triangles;
  /// @shape one group a vertex, or empty
  std::span<const std::uint32_t> vertex_groups;
  ccd::GroupRule group_rule = ccd::GroupRule::kAll;
};

struct SceneInfo {
  SceneId id;
  std::uint32_t edges = 0;
  ccd::PhaseTimes phases;
};

/// One step of a scene. All views must stay valid until the completion has run.
struct StepDescription {
  SceneId scene;
  ccd::PositionsView end;
  /// Empty: the end of the scene's last step, or its rest positions.
  std::optional<ccd::PositionsView> start;
  ccd::CollisionOptions options;
};

/// What the engine is doing now and has done; counters only grow.
struct EngineStatistics {
  struct Queue {
    std::string name;  ///< "jobs", or "work/<procedure>"
    std::uint64_t size = 0;
    std::uint64_t capacity = 0;
  };
  struct Procedure {
    std::string name;
    std::uint64_t executed_items = 0;
    absl::Duration busy;  ///< summed over workers
  };
  std::vector<Queue> queues;
  std::vector<Procedure> procedures;
  std::uint64_t jobs_running = 0;
  std::uint64_t scenes = 0;
  std::uint64_t memory_used_bytes = 0;
  std::uint64_t memory_limit_bytes = 0;
};

/// Runs jobs on one device. Thread-safe.
///
/// Completions run exactly once, on an engine thread, never within the call that takes them; they
/// may call the engine, and must not block. The destructor cancels what is left, waits for the
/// completions and then returns.
class Engine {
 public:
  using OpenDone = std::function<void(absl::StatusOr<SceneInfo>)>;
  using StepDone = std::function<void(absl::StatusOr<ccd::CollisionResult>)>;

  /// @errors UNAVAILABLE: kCuda was asked for and no device answers (or built without CUDA).
  static absl::StatusOr<std::unique_ptr<Engine>> Create(const EngineOptions& options);

  virtual ~Engine() = default;

  /// Uploads a mesh and builds its hierarchy; `done` gets the scene.
  /// @errors RESOURCE_EXHAUSTED (memory, scenes, pending jobs), DEADLINE_EXCEEDED, CANCELLED,
  ///     UNAVAILABLE (device lost)
  virtual JobId OpenScene(const SceneDescription& scene, const JobOptions& job, OpenDone done) = 0;

  /// Runs one step; steps of one scene run in the order of submission.
  /// @errors as OpenScene, and NOT_FOUND (no such scene)
  virtual JobId Step(const StepDescription& step, const JobOptions& job, StepDone done) = 0;

  /// Asks a job to end early: its completion gets CANCELLED unless it was done before. Unknown or
  /// finished jobs are ignored.
  virtual void Cancel(JobId job) = 0;

  /// Frees a scene after the steps that were submitted before.
  /// @errors NOT_FOUND
  virtual absl::Status CloseScene(SceneId scene) = 0;

  virtual EngineStatistics Statistics() const = 0;

  /// "cpu, 2 threads" or "cuda, NVIDIA H200".
  virtual std::string BackendDescription() const = 0;
};

}  // namespace warpyard

#endif  // WARPYARD_CORE_ENGINE_H_
