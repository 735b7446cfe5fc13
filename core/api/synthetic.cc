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
  const Growth& growth = synthetic.growth;
  const Work& work = synthetic.work;
  return engine.Run(
      api::OfKind(job, "load", synthetic.kind, synthetic.stages, synthetic.elements, growth.depths,
                  growth.child_permille[0], growth.child_permille[1], synthetic.total, work.kind,
                  work.amount, work.spread_permille),
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
