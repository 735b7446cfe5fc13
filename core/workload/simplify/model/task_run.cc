// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/model/task_run.h"

#include "core/base/macros.h"
#include "core/workload/simplify/job/scan.h"

namespace warpyard::simplify {

absl::Status TaskRun::Reserve(std::uint64_t indices) {
  WY_RETURN_IF_ERROR(memory_.words.Reserve(backend_, 1));
  return memory_.sums.Reserve(backend_, indices / kSpan + 1);
}

Counters* TaskRun::HostCounters() {
  memory::HostVector<Counters>& host = memory_.host_counters;
  if (host.empty() || !backend_.Reaches(host.data())) {
    host = memory::HostVector<Counters>(1, memory::HostAllocator<Counters>(backend_.HostMemory()));
  }
  return MayWriteTo(host.data()) ? host.data() : nullptr;
}

absl::StatusOr<Counters> TaskRun::operator()(SimplifyTask task, SimplifyJob job) {
  // An event that is short may be done before anybody sees that it is cancelled.
  if (token_.Cancelled()) return absl::CancelledError("the job was cancelled");
  CounterWords* const words = memory_.words.data();
  if (!memory_.is_clear) {
    const CounterWords zeros{};
    WY_RETURN_IF_ERROR(backend_.CopyIn(words, &zeros, sizeof zeros));
  }
  job.task = task;
  job.counters = &words->counters;
  job.bins = words->bins;
  job.host_counters = HostCounters();
  job.scan = {memory_.sums.data(), &words->counters.scan.done, &words->counters.scan.total};
  // An event that fails may leave bins that it has counted.
  memory_.is_clear = false;
  WY_RETURN_IF_ERROR(runner_.Run(job, token_).status());
  if (job.host_counters != nullptr) {
    memory_.is_clear = true;
    return *job.host_counters;
  }
  Counters counters;
  WY_RETURN_IF_ERROR(backend_.CopyOut(&counters, job.counters, sizeof counters));
  return counters;
}

}  // namespace warpyard::simplify
