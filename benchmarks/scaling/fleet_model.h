// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A model of many servers behind a proxy: discrete events, one processor a server, preempted by
// earlier deadlines as a resident kernel does it.
#ifndef WARPYARD_BENCHMARKS_SCALING_FLEET_MODEL_H_
#define WARPYARD_BENCHMARKS_SCALING_FLEET_MODEL_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace warpyard::scaling {

inline constexpr double kNever = std::numeric_limits<double>::infinity();

/// A kind of job. @units seconds
struct JobKind {
  std::string name;
  double share;         ///< of all jobs
  double service;       ///< mean time of a server's processor
  double deadline;      ///< after the arrival; kNever: none
  bool is_exponential;  ///< service times: exponential, or all equal
};

/// How the proxy chooses a server for a job that may go to any.
enum class Balancer {
  kRoundRobin,
  kTwoChoices,  ///< of two at random, the one with fewer jobs in flight
  kLeastJobs,   ///< the fewest jobs in flight, as the proxy counts them itself
  kLeastWait,   ///< the least work, as servers reported it at most `report_period` ago
};

struct FleetOptions {
  std::size_t servers = 1000;
  std::vector<JobKind> kinds;
  Balancer balancer = Balancer::kLeastJobs;
  bool first_come_first_served = false;  ///< else the earliest deadline first, preemptive
  double load = 0.8;                     ///< work that arrives, as part of what all servers can do
  double seconds = 20;                   ///< simulated
  double warm_up = 2;                    ///< of them, not counted
  double report_period = 0;              ///< of kLeastWait
  double sticky_share = 0;               ///< jobs of sessions, whose residents are on one server
  double reopen = 0;                     ///< work of opening a lost resident
  double time_to_failure = kNever;       ///< of a server, mean
  double repair = 10;                    ///< until it is back, without its residents
  double noticed_after = 1;              ///< the proxy sends jobs to a dead server until then
  std::uint64_t seed = 1;
};

struct FleetResult {
  std::uint64_t jobs = 0;
  double miss_ratio = 0;       ///< of jobs with a deadline
  double utilisation = 0;      ///< of the servers that are up
  double mean_wait = 0;        ///< seconds beyond the service, of all jobs
  double wait_p99 = 0;         ///< of jobs with a deadline
  std::uint64_t reopened = 0;  ///< residents that were opened again
  std::uint64_t repeated = 0;  ///< jobs that were sent again after their server failed
  std::size_t most_jobs = 0;   ///< that one server had at once
};

FleetResult Simulate(const FleetOptions& options);

}  // namespace warpyard::scaling

#endif  // WARPYARD_BENCHMARKS_SCALING_FLEET_MODEL_H_
