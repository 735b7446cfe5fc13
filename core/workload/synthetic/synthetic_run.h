// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The host code of synthetic jobs: the limits of a job, its memory, its totals.
#ifndef WARPYARD_CORE_WORKLOAD_SYNTHETIC_SYNTHETIC_RUN_H_
#define WARPYARD_CORE_WORKLOAD_SYNTHETIC_SYNTHETIC_RUN_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/base/phase_times.h"
#include "core/base/task.h"
#include "core/device/backend.h"
#include "core/procedure/event_runner.h"
#include "core/workload/synthetic/synthetic_job.h"

namespace warpyard::synthetic {

using SyntheticRunner = procedure::EventRunner<SyntheticJob>;

// Limits of a job from a client. An element checks every few tens of microseconds whether its event
// is cancelled, so a long job does no harm; the limits keep numbers in range and mistakes small.
inline constexpr std::uint32_t kMaxElements = 1u << 28;  ///< for `elements` and `total`
inline constexpr double kMaxMeanElements = 1e10;         ///< elements of a job in the mean
inline constexpr std::uint32_t kMaxDepths = 64;
inline constexpr std::uint32_t kMaxFma = 1u << 28;          ///< operations an element
inline constexpr std::uint32_t kMaxLoads = 1u << 24;        ///< an element
inline constexpr std::uint32_t kMaxSpinNs = 1'000'000'000;  ///< an element
inline constexpr std::uint32_t kMaxMemoryWords = 1u << 28;  ///< 1 GiB

/// The result of a synthetic job.
struct SyntheticResult {
  std::uint64_t executed = 0;  ///< elements, if the job counts them
  std::uint64_t checksum = 0;  ///< equal jobs that count have equal checksums
  absl::Duration queue;        ///< until the device got the job; set by core/api
  absl::Duration prepare;      ///< to allocate and fill its memory
  absl::Duration run;          ///< on the device
};

/// The phases of a job, in order.
inline PhaseTimes PhasesOf(const SyntheticResult& result) {
  return {{"queue", result.queue}, {"prepare", result.prepare}, {"run", result.run}};
}

/// Mean number of elements of a job, over all seeds.
double MeanElements(const SyntheticJob& job);

/// Checks that a service may run the job: no faults, no pointers, values within the limits above.
/// @errors INVALID_ARGUMENT with the field's name
absl::Status CheckJob(const SyntheticJob& job);

/// Allocates the memory that the job needs, runs the job and sums its counters. A job that counts
/// nothing needs no memory. @shape `job`: as CheckJob allows
/// @errors RESOURCE_EXHAUSTED (memory), and those of SyntheticRunner::Run
Task<absl::StatusOr<SyntheticResult>> RunJob(device::Backend& backend, SyntheticRunner& runner,
                                             SyntheticJob job, const procedure::CancelToken& token);

}  // namespace warpyard::synthetic

#endif  // WARPYARD_CORE_WORKLOAD_SYNTHETIC_SYNTHETIC_RUN_H_
