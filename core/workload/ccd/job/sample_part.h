// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The parts of a step that examines a sample of its clusters first.
//
// A step for the earliest time may examine some clusters before it examines all of them. Any
// contact of the sample limits the time up to which the second pass must search. The stages of both
// passes are the same procedures. They ask here in which part of the step they run.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_JOB_SAMPLE_PART_H_
#define WARPYARD_CORE_WORKLOAD_CCD_JOB_SAMPLE_PART_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/ccd/job/step_counters.h"

namespace warpyard::ccd {

/// A step without a sample stays in kBefore. The host starts a step with zeros, so kBefore is 0.
enum class SamplePart : std::uint64_t { kBefore, kIn, kAfter };

/// The part of a step, as a word of its counters. Only the first element of a stage may change the
/// word. Planning a stage must not, since benchmarks plan a stage more than once.
class SampleParts {
 public:
  /// @scope any thread
  template <class Scope>
  WY_HD static SamplePart Of(StepCounters& counters) {
    return static_cast<SamplePart>(Scope::Word(counters.sample_part).LoadRelaxed());
  }

  /// @scope the first element of the stage that searches the sample, one thread. No element of that
  ///     stage reads the part.
  template <class Scope>
  WY_HD static void Begin(StepCounters& counters) {
    Put<Scope>(counters, SamplePart::kIn);
  }

  /// Empties the lists before all clusters are searched, because the second pass finds the sample's
  /// pairs again. Before a sample the lists are empty already, so the call has no effect.
  /// @scope the first element of a stage that bounds clusters, one thread. Other elements of that
  /// stage only distinguish kBefore from the later parts, so they may run at the same time.
  template <class Scope>
  WY_HD static void EndIfBegun(StepCounters& counters) {
    if (Of<Scope>(counters) != SamplePart::kBefore) Put<Scope>(counters, SamplePart::kAfter);
    counters.sampled = counters.candidates[0] + counters.candidates[1];
    counters.meetings = counters.candidates[0] = counters.candidates[1] = 0;
    counters.survivors[0] = counters.survivors[1] = counters.left = 0;
  }

 private:
  template <class Scope>
  WY_HD static void Put(StepCounters& counters, SamplePart part) {
    Scope::Word(counters.sample_part).StoreRelaxed(static_cast<std::uint64_t>(part));
  }
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_JOB_SAMPLE_PART_H_
