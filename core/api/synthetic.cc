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
  const JobOptions options =
      api::OfKind(job, "load", synthetic.kind, synthetic.stages, synthetic.elements, growth.depths,
                  growth.child_permille[0], growth.child_permille[1], synthetic.total, work.kind,
                  work.amount, work.spread_permille, synthetic.counting);
  auto carried = [synthetic, result](JobContext& context) -> Task<absl::Status> {
    WY_CO_RETURN_IF_ERROR(CheckJob(synthetic));
    JobContext::Runner<SyntheticJob> runner(context);
    WY_CO_ASSIGN_OR_RETURN(*result,
                           co_await RunJob(context.backend(), runner, synthetic, context.token()));
    result->queue = context.waited();
    co_return absl::OkStatus();
  };
  Engine::Done completion = api::Completion(result, std::move(done));
  if (work.kind != WorkKind::kMemory) {
    return engine.RunCarried(options, std::move(carried), std::move(completion));
  }
  // The host fills its memory first.
  return engine.Run(
      options,
      [carried = std::move(carried)](JobContext& context) { return carried(context).RunNow(); },
      std::move(completion));
}

}  // namespace warpyard::synthetic
