// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Small jobs with deadlines, and their times from traces.
//
// A small job has several stages, each for a part of the device. So its time has the delay of a
// free worker once for each stage.
#ifndef WARPYARD_BENCHMARKS_SCHEDULER_CASES_SMALL_JOBS_H_
#define WARPYARD_BENCHMARKS_SCHEDULER_CASES_SMALL_JOBS_H_

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/scheduler/cases/job_trace.h"
#include "benchmarks/scheduler/session.h"
#include "benchmarks/support/samples.h"
#include "core/base/macros.h"

namespace warpyard::bench {

/// Four stages for a part of a device with `blocks` blocks. @shape form: kFlat or kFlatWarps
inline synthetic::SyntheticJob SmallJob(synthetic::SyntheticKind form, std::uint32_t blocks,
                                        std::uint32_t element_ns) {
  constexpr std::uint32_t kStages = 4;
  constexpr std::uint32_t kBlocksPerPackage = 4;
  constexpr std::uint32_t kWarpElements = 125;  // of a stage, but no more than there are blocks
  const std::uint32_t elements = form == synthetic::SyntheticKind::kFlat
                                     ? std::max(blocks / kBlocksPerPackage, 1u)
                                     : std::min(blocks, kWarpElements);
  synthetic::SyntheticJob job = FlatJob(elements, synthetic::WorkKind::kSpin, element_ns);
  job.kind = form;
  job.stages = kStages;
  return job;
}

/// Times of small jobs, in the time of the device. @units microseconds
struct SmallJobTimes {
  std::vector<double> first_us;  ///< from the beginning of a job to that of its first element
  std::vector<double> whole_us;
  bool correct = true;
};

/// A small job whose elements record when they begin. @scope one run at a time
class TracedJob {
 public:
  /// @errors those of the backend
  static absl::StatusOr<TracedJob> Create(device::Backend& backend,
                                          const synthetic::SyntheticJob& job) {
    TracedJob traced;
    WY_ASSIGN_OR_RETURN(traced.trace_, JobTrace::Create(backend, job.elements * job.stages));
    traced.job_ = job;
    traced.trace_.Attach(traced.job_);
    traced.expected_ = synthetic::CountNodes(traced.job_);
    return traced;
  }

  const synthetic::SyntheticJob& job() const { return job_; }

  /// Runs the job and adds its times.
  absl::Status Run(Session& session, std::uint64_t deadline_ns, SmallJobTimes& times) {
    WY_RETURN_IF_ERROR(trace_.Clear());
    policy::EventAttributes attributes;
    attributes.deadline_ns = deadline_ns;
    const procedure::CancelToken never;
    WY_ASSIGN_OR_RETURN(const procedure::StageTimes stages,
                        session.model().Run(job_, attributes, never));
    times.whole_us.push_back(Microseconds(stages.begin_ns.front(), stages.begin_ns.back()));
    WY_ASSIGN_OR_RETURN(const TracedElements elements, trace_.Read());
    if (elements.totals != expected_ || elements.entries.size() != expected_.executed) {
      times.correct = false;
      return absl::OkStatus();
    }
    const auto first = std::min_element(
        elements.entries.begin(), elements.entries.end(),
        [](const auto& one, const auto& other) { return one.begin_ns < other.begin_ns; });
    times.first_us.push_back(Microseconds(stages.begin_ns.front(), first->begin_ns));
    return absl::OkStatus();
  }

 private:
  static double Microseconds(std::uint64_t begin_ns, std::uint64_t end_ns) {
    return static_cast<double>(static_cast<std::int64_t>(end_ns - begin_ns)) * 1e-3;
  }

  JobTrace trace_;
  synthetic::SyntheticJob job_;
  synthetic::SyntheticTotals expected_;
};

/// Adds one repetition.
inline void AddTimes(const SmallJobTimes& times, Cell& cell) {
  for (const auto& [name, us] :
       {std::pair("first", &times.first_us), std::pair("whole", &times.whole_us)}) {
    const std::string prefix = name;
    cell.Add(prefix + "_p50_us", Quantile(*us, 0.5));
    cell.Add(prefix + "_p99_us", Quantile(*us, 0.99));
    cell.Add(prefix + "_max_us", Quantile(*us, 1));
  }
  cell.correct &= times.correct;
}

}  // namespace warpyard::bench

#endif  // WARPYARD_BENCHMARKS_SCHEDULER_CASES_SMALL_JOBS_H_
