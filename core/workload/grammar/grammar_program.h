// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The grammar program: the buildings of a batch, stage by stage of their grammar.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_GRAMMAR_PROGRAM_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_GRAMMAR_PROGRAM_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/grammar/derive/procedures.h"
#include "core/workload/grammar/job/derive_job.h"

namespace warpyard::grammar {

struct GrammarProgram {
  using Job = DeriveJob;
  using Procedures = GrammarProcedures;

  static constexpr std::uint32_t kMaxStages = kMostStages;

  WY_HD static std::uint32_t StageCount(const Job& job) { return job.stages; }

  /// Plans a stage once all stages before it are done. @scope Scope: of the caller
  template <class Scope>
  WY_HD static procedure::StagePlan Plan(const Job& job, std::uint32_t stage) {
    if (stage == 0) {
      return {IndexInProgram<StartBuildings>(), job.span.count,
              StartBuildings::Grain(job.span.count)};
    }
    return {IndexInProgram<StartStage<1>>() + (stage - 1), kDeferredLists, StartStage<1>::kGrain};
  }
};

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_GRAMMAR_PROGRAM_H_
