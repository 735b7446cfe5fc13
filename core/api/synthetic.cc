// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/api/synthetic.h"

#include <memory>
#include <utility>

#include "core/api/typed_jobs.h"
#include "core/base/macros.h"

namespace warpyard::synthetic {

JobId Run(Engine& engine, const SyntheticJob& synthetic, const JobOptions& job, RunDone done) {
  auto result = std::make_shared<SyntheticResult>();
  return engine.Run(
      job,
      [synthetic, result](JobContext& context) -> absl::Status {
        WY_RETURN_IF_ERROR(CheckJob(synthetic));
        JobContext::Runner<SyntheticJob> runner(context);
        WY_ASSIGN_OR_RETURN(*result, RunJob(context.backend(), runner, synthetic, context.token()));
        result->queue = context.waited();
        return absl::OkStatus();
      },
      api::Completion(result, std::move(done)));
}

}  // namespace warpyard::synthetic
