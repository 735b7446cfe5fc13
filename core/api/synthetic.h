// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Synthetic load on an engine, for benchmarks and for tests of a deployment.
#ifndef WARPYARD_CORE_API_SYNTHETIC_H_
#define WARPYARD_CORE_API_SYNTHETIC_H_

#include <functional>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/engine/engine.h"
#include "core/workload/synthetic/synthetic_job.h"
#include "core/workload/synthetic/synthetic_run.h"

namespace warpyard::synthetic {

/// The phases in the result of a job.
inline constexpr std::string_view kPhases[] = {"queue", "prepare", "run"};

using RunDone = std::function<void(absl::StatusOr<SyntheticResult>)>;

/// Runs a job that only keeps a device busy. The engine needs EngineOptions::synthetic_jobs.
/// @errors as Engine::Run; INVALID_ARGUMENT: CheckJob; UNIMPLEMENTED: the workers' program lacks
///     synthetic jobs
JobId Run(Engine& engine, const SyntheticJob& synthetic, const JobOptions& job, RunDone done);

}  // namespace warpyard::synthetic

#endif  // WARPYARD_CORE_API_SYNTHETIC_H_
