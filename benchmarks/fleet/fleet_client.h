// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A client of one scene. It submits each step at a time that was chosen before, also while earlier
// steps are not done. It records how each step ends.
#ifndef WARPYARD_BENCHMARKS_FLEET_FLEET_CLIENT_H_
#define WARPYARD_BENCHMARKS_FLEET_FLEET_CLIENT_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "benchmarks/scenes/moving_scene.h"
#include "core/api/collision.h"
#include "core/engine/engine.h"

namespace warpyard::fleet_bench {

/// What became of steps.
struct StepCounts {
  std::uint64_t asked = 0;
  std::uint64_t met = 0;
  std::uint64_t refused = 0;         ///< at once: the deadline could not be met
  std::uint64_t full = 0;            ///< at once: too many jobs waited
  std::uint64_t late = 0;            ///< done, or ended, after the deadline, or given up before it
  std::uint64_t overdue = 0;         ///< the deadline was over when the sender came to send it
  std::uint64_t failed = 0;          ///< for another reason
  std::vector<double> latencies_ms;  ///< of steps that were done, from their scheduled start
  std::vector<double> refusals_us;   ///< from the call to the refusal

  void Add(const StepCounts& other);
};

/// How the engine is told of deadlines.
struct Telling {
  bool deadlines = true;    ///< else it does not know them
  bool priorities = false;  ///< by how near the deadline is, of the deadlines of all clients
};

/// Thread-safe where not said otherwise.
class FleetClient {
 public:
  /// @shape scene: outlives the client
  FleetClient(Engine& engine, const scenes::MovingScene& scene, ccd::Report report)
      : engine_(engine), scene_(scene) {
    options_.report = report;
  }

  absl::Status Open();
  void Close() { static_cast<void>(engine_.Close(id_)); }
  const scenes::MovingScene& scene() const { return scene_; }

  /// Sends steps without deadlines one after another until Stop.
  void StartClosedLoop();
  void Stop() { stopped_ = true; }
  /// Steps that have not ended.
  std::size_t Running() const { return running_; }

  /// Sends a step now. @shape due: its scheduled start; deadline: from then on
  /// @scope one thread at a time
  void Send(absl::Time due, absl::Duration deadline, const JobOptions& job);

  /// Counts since the last call.
  StepCounts Take();
  absl::Status status() const;

 private:
  ccd::PositionsView Frame(std::size_t i) const;
  collision::StepDescription NextStep();
  void SendNext();
  void Count(const absl::Status& status, absl::Time due, absl::Time deadline, absl::Time called);

  Engine& engine_;
  const scenes::MovingScene& scene_;
  ccd::CollisionOptions options_;
  ResidentId id_{};
  std::size_t step_ = 0;
  std::atomic<bool> stopped_ = false;
  std::atomic<std::size_t> running_ = 0;
  mutable std::mutex mutex_;
  StepCounts counts_;    // guarded by mutex_
  absl::Status status_;  // guarded by mutex_: of steps that should not fail
};

/// When clients send, and for how long.
struct OpenLoop {
  std::vector<double> steps_per_second;   ///< by client
  std::vector<absl::Duration> deadlines;  ///< by client
  bool is_periodic = false;               ///< else with random gaps (Poisson)
  absl::Duration time;
  int threads = 1;
  Telling telling;
};

/// Sends all steps of a loop at their times, and returns when all have ended.
/// @errors DEADLINE_EXCEEDED: steps do not end
absl::Status RunOpenLoop(const OpenLoop& loop,
                         const std::vector<std::unique_ptr<FleetClient>>& clients);

/// Waits until no step runs. @errors DEADLINE_EXCEEDED
absl::Status AwaitAll(const std::vector<std::unique_ptr<FleetClient>>& clients);

}  // namespace warpyard::fleet_bench

#endif  // WARPYARD_BENCHMARKS_FLEET_FLEET_CLIENT_H_
