// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// All meshes of a file at the service, several of them at once.
#ifndef WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_RUN_JOBS_H_
#define WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_RUN_JOBS_H_

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "client_examples/cpp/simplify/plan.h"
#include "client_examples/cpp/simplify/remote/model.h"
#include "warpyard/v1/simplify_service.pb.h"

namespace warpyard::cli {

/// The levels of each job of a plan.
using JobLevels = std::vector<std::vector<v1::SimplifyResponse>>;

struct RunOptions {
  std::size_t levels = 1;     ///< of each job
  std::size_t in_flight = 1;  ///< jobs that are at the service together
};

/// Simplifies the meshes; the uploads of jobs are freed as soon as they are done. After an error no
/// further job begins.
/// @errors the first of SimplifyLevels, with the label of its job if there are several
absl::StatusOr<JobLevels> RunJobs(const RemoteService& service, const RunOptions& options,
                                  std::vector<MeshJob>& jobs);

}  // namespace warpyard::cli

#endif  // WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_RUN_JOBS_H_
