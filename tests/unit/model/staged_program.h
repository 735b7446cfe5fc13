// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A program whose events have only stages.
#ifndef WARPYARD_TESTS_UNIT_MODEL_STAGED_PROGRAM_H_
#define WARPYARD_TESTS_UNIT_MODEL_STAGED_PROGRAM_H_

#include <cstdint>

#include "core/procedure/procedure_concept.h"

namespace warpyard::test_support {

struct StagedJob {
  static constexpr std::uint32_t kMostStages = 5;

  std::uint32_t stages;
  std::uint32_t grain;
  std::uint32_t counts[kMostStages];  ///< indices of each stage
  std::uint32_t* finished = nullptr;  ///< number of calls of Finish; or null
};

/// The procedure of a stage has the number of the stage.
struct StagedProgram {
  using Job = StagedJob;
  static constexpr std::uint32_t kMaxStages = StagedJob::kMostStages;

  static std::uint32_t StageCount(const Job& job) { return job.stages; }

  template <class Scope>
  static procedure::StagePlan Plan(const Job& job, std::uint32_t stage) {
    return {ProcedureId(stage), job.counts[stage], job.grain};
  }

  template <class Scope>
  static void Finish(const Job& job) {
    if (job.finished != nullptr) ++*job.finished;
  }
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_UNIT_MODEL_STAGED_PROGRAM_H_
