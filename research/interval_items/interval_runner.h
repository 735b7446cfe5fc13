// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Runs the collision jobs of a ccd::Scene as jobs of an IntervalProgram. The scene does not change.
#ifndef WARPYARD_RESEARCH_INTERVAL_ITEMS_INTERVAL_RUNNER_H_
#define WARPYARD_RESEARCH_INTERVAL_ITEMS_INTERVAL_RUNNER_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "core/device/backend.h"
#include "core/memory/device_array.h"
#include "core/procedure/event_runner.h"
#include "core/workload/ccd/job/collision_runner.h"
#include "research/interval_items/interval_job.h"

namespace warpyard::interval_items {

/// @scope one caller at a time
class IntervalRunner final : public ccd::CollisionRunner {
 public:
  /// @shape runner: of a program that has IntervalProgram
  IntervalRunner(device::Backend& backend, procedure::EventRunner<IntervalJob>& runner)
      : backend_(backend), runner_(runner) {}

  /// Intervals that a work item examines, from the next step on; 0: FindRoots walks whole pairs.
  std::uint32_t intervals = 0;

  /// Items that continued a walk, in all steps since the runner was made.
  std::uint64_t ContinuedWalks() const { return continued_walks_; }

  /// @errors INVALID_ARGUMENT: intervals for the cubic root finder; and those of EventRunner
  absl::StatusOr<procedure::StageTimes> Run(const ccd::CollisionJob& job,
                                            const procedure::CancelToken& token) override {
    IntervalJob own{job, 0, nullptr, nullptr};
    if (job.task != ccd::CollisionTask::kStep || intervals == 0) return runner_.Run(own, token);
    if (job.step.asked.root_finder == ccd::RootFinder::kCubic) {
      return absl::InvalidArgumentError(absl::StrCat(
          "intervals: ", intervals, ", but only the conservative root finder has intervals"));
    }
    WY_RETURN_IF_ERROR(Reserve(job.step.lists));
    std::uint64_t continued = 0;
    WY_RETURN_IF_ERROR(backend_.CopyIn(counter_.data(), &continued, sizeof continued));
    own.intervals = intervals;
    own.walk_times = walk_times_.data();
    own.continued_walks = counter_.data();
    auto times = runner_.Run(own, token);
    WY_RETURN_IF_ERROR(backend_.CopyOut(&continued, counter_.data(), sizeof continued));
    continued_walks_ += continued;
    return times;
  }

  bool CallsFinish() const override { return runner_.CallsFinish(); }
  std::uint32_t Workers() const override { return runner_.Workers(); }

 private:
  absl::Status Reserve(const ccd::StepListsView& lists) {
    WY_RETURN_IF_ERROR(counter_.Reserve(backend_, 1));
    return walk_times_.Reserve(backend_, lists.survivors[0].capacity + lists.survivors[1].capacity);
  }

  device::Backend& backend_;
  procedure::EventRunner<IntervalJob>& runner_;
  memory::DeviceArray<double> walk_times_;
  memory::DeviceArray<std::uint64_t> counter_;
  std::uint64_t continued_walks_ = 0;
};

}  // namespace warpyard::interval_items

#endif  // WARPYARD_RESEARCH_INTERVAL_ITEMS_INTERVAL_RUNNER_H_
