// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The synthetic program: its procedures and the stages of its events.
#ifndef WARPYARD_CORE_WORKLOAD_SYNTHETIC_SYNTHETIC_PROGRAM_H_
#define WARPYARD_CORE_WORKLOAD_SYNTHETIC_SYNTHETIC_PROGRAM_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/synthetic/synthetic_job.h"
#include "core/workload/synthetic/synthetic_procedures.h"

namespace warpyard::synthetic {

struct SyntheticProgram {
  using Job = SyntheticJob;
  using Procedures = SyntheticProcedures;

  static constexpr std::uint32_t kMaxStages = 4;
  static constexpr std::uint32_t kStackElements = 256;
  static constexpr unsigned kMegakernelBlocks = 6;  ///< its procedures take few registers
  static constexpr std::uint32_t kBlockWarps = 4;

  /// Prioritised packages count turns, which needs a single stage.
  WY_HD static std::uint32_t StageCount(const Job& job) {
    if (job.kind == SyntheticKind::kPrioritised) return 1;
    return job.stages < kMaxStages ? job.stages : kMaxStages;
  }

  /// All stages are equal: a stage ends when all its spawned elements are done.
  template <class Scope>
  WY_HD static procedure::StagePlan Plan(const Job& job, std::uint32_t) {
    if (job.kind == SyntheticKind::kFlat) return Of<RunPackages>(job.elements);
    if (job.kind == SyntheticKind::kFlatWarps) return Of<RunWarps>(job.elements);
    return Of<SeedElements>(job.elements);
  }

 private:
  template <class P>
  WY_HD static procedure::StagePlan Of(std::uint32_t count) {
    return {Procedures::IndexOf<P>(), count, P::kGrain};
  }
};

}  // namespace warpyard::synthetic

#endif  // WARPYARD_CORE_WORKLOAD_SYNTHETIC_SYNTHETIC_PROGRAM_H_
