// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Statistics of an engine: counters, fill levels, health.
#ifndef WARPYARD_CORE_ENGINE_STATISTICS_H_
#define WARPYARD_CORE_ENGINE_STATISTICS_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "core/engine/engine_options.h"

namespace warpyard {

/// A snapshot of the engine's work; counters only grow.
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
    absl::Duration shortest_round;  ///< of elements executed together; 0: none yet
    absl::Duration longest_round;
  };
  /// What workers did to get elements.
  struct Draws {
    std::uint64_t looks = 0;      ///< at what they could draw
    std::uint64_t claims = 0;     ///< of elements of a stage
    std::uint64_t misses = 0;     ///< claims that came too late
    std::uint64_t back_offs = 0;  ///< pauses of idle workers
    absl::Duration held;          ///< in which events waited for one with a near deadline
  };
  /// Jobs of a device, and what became of those with a deadline.
  struct Jobs {
    std::uint64_t running = 0;
    std::uint64_t accepted = 0;
    std::uint64_t refused = 0;  ///< at once: the deadline could not be met
    std::uint64_t unseen = 0;   ///< refused, since more jobs came than admission could decide about
    std::uint64_t gave_way = 0;  ///< accepted, then refused for a tenant that had less
    std::uint64_t given_up = 0;  ///< accepted, not started: the deadline could not be met any more
    std::uint64_t missed = 0;    ///< accepted, started, and not done at the deadline
    std::uint64_t late = 0;      ///< run as late work: WhenLate::kRun
    absl::Duration backlog;      ///< until the accepted jobs are done
    double safety = 1;           ///< factor of expected work; grows while accepted jobs are late
  };
  struct Device {
    std::string name;  ///< "cpu" or "cuda:0"
    bool lost = false;
    bool resident = false;       ///< its workers run or wait for work now
    std::uint64_t launches = 0;  ///< starts of the workers
    std::uint64_t workers = 0;   ///< warps, or threads
    std::uint64_t spills = 0;    ///< elements that workers gave to others
    Draws draws;
    Jobs jobs;
    std::uint64_t running_events = 0;
    std::uint64_t residents = 0;
    std::uint64_t memory_used_bytes = 0;
    std::uint64_t memory_limit_bytes = 0;
    std::vector<Queue> queues;
    std::vector<Procedure> procedures;
    std::vector<absl::Duration> tenants;  ///< time of workers, by tenant

    /// Time that workers executed procedures, summed over workers.
    absl::Duration Busy() const {
      absl::Duration sum;
      for (const Procedure& procedure : procedures) sum += procedure.busy;
      return sum;
    }
  };
  /// Jobs of one priority that wait for a device.
  struct Waiting {
    std::uint64_t jobs = 0;
    absl::Duration longest;  ///< how long the oldest of them has waited; 0: none waits
  };
  std::vector<Device> devices;
  std::array<Waiting, kPriorities> waiting;  ///< by priority
  std::uint64_t jobs_pending = 0;            ///< jobs that wait for a device
  std::uint64_t max_jobs_pending = 0;
  std::uint64_t jobs_running = 0;
  std::uint64_t residents = 0;
  std::uint64_t memory_used_bytes = 0;
  std::uint64_t memory_limit_bytes = 0;
};

/// Whether a device can run jobs.
struct DeviceHealth {
  std::string name;     ///< as EngineStatistics::Device
  absl::Status status;  ///< not OK: it is lost, for good
};

}  // namespace warpyard

#endif  // WARPYARD_CORE_ENGINE_STATISTICS_H_
