// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/model/task_run.h"

#include "core/base/macros.h"
#include "core/workload/simplify/job/scan.h"

namespace warpyard::simplify {

absl::Status TaskRun::Reserve(std::uint64_t indices) {
  WY_RETURN_IF_ERROR(counters_.Reserve(backend_, 1));
  return sums_.Reserve(backend_, indices / kSpan + 1);
}

absl::StatusOr<Counters> TaskRun::operator()(SimplifyTask task, SimplifyJob job,
                                             std::uint32_t rank) {
  // An event that is short may be done before anybody sees that it is cancelled.
  if (token_.Cancelled()) return absl::CancelledError("the job was cancelled");
  Counters counters{};
  counters.select.rank = rank;
  WY_RETURN_IF_ERROR(backend_.CopyIn(counters_.data(), &counters, sizeof counters));
  job.task = task;
  job.counters = counters_.data();
  job.scan = {sums_.data(), &counters_.data()->scan.done, &counters_.data()->scan.total};
  WY_RETURN_IF_ERROR(runner_.Run(job, token_).status());
  WY_RETURN_IF_ERROR(backend_.CopyOut(&counters, counters_.data(), offsetof(Counters, bins)));
  return counters;
}

}  // namespace warpyard::simplify
