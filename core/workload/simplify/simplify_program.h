// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The simplification program: the tasks of its events, each a list of stages.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_SIMPLIFY_PROGRAM_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_SIMPLIFY_PROGRAM_H_

#include <algorithm>
#include <cstdint>
#include <tuple>

#include "core/base/macros.h"
#include "core/procedure/procedure_concept.h"
#include "core/procedure/procedure_list.h"
#include "core/procedure/visit_number.h"
#include "core/workload/simplify/build/join.h"
#include "core/workload/simplify/build/nodes.h"
#include "core/workload/simplify/build/planes.h"
#include "core/workload/simplify/build/weld.h"
#include "core/workload/simplify/collapse/apply.h"
#include "core/workload/simplify/collapse/compact.h"
#include "core/workload/simplify/collapse/emit.h"
#include "core/workload/simplify/cut/cut_mesh.h"
#include "core/workload/simplify/cut/cut_result.h"
#include "core/workload/simplify/cut/expand.h"
#include "core/workload/simplify/cut/select.h"
#include "core/workload/simplify/job/simplify_job.h"
#include "core/workload/simplify/measure/sample.h"

namespace warpyard::simplify {

/// The stages of a task.
template <SimplifyTask kIn, class StagesOfTask>
struct TaskOf {
  static constexpr SimplifyTask kTask = kIn;
  using List = StagesOfTask;
};

template <class... Tasks>
struct ProgramOf {
  using Job = SimplifyJob;
  using Procedures = procedure::JoinedLists<typename Tasks::List::Procedures...>;

  static constexpr std::uint32_t kMaxStages = std::max({Tasks::List::kCount...});

  WY_HD static std::uint32_t StageCount(const Job& job) {
    std::uint32_t count = 0;
    ((count = job.task == Tasks::kTask ? Tasks::List::kCount : count), ...);
    return count;
  }

  /// Plans a stage once all stages before it are done. Only reads. @scope Scope: of the caller
  template <class Scope>
  WY_HD static procedure::StagePlan Plan(const Job& job, std::uint32_t stage) {
    procedure::StagePlan plan{};
    std::uint32_t number = 0, position = 0;
    ((number = job.task == Tasks::kTask ? position : number, ++position), ...);
    const auto plan_task = [&]<std::uint32_t k>() {
      using Own = std::tuple_element_t<k, std::tuple<Tasks...>>;
      plan = Own::List::template Plan<Scope, Procedures>(job, stage);
    };
    procedure::VisitNumber<0, sizeof...(Tasks)>(number, plan_task);
    return plan;
  }

  /// Copies the counters to the host and clears them for the next event, which saves two copies.
  template <class Scope>
  WY_HD static void Finish(const Job& job) {
    if (job.host_counters != nullptr) MoveCounters(*job.counters, *job.host_counters);
  }

 private:
  /// Not inlined: see Each.
  WY_DEVICE_CALL WY_HD static void MoveCounters(Counters& from, Counters& to) {
    to = from;
    from = Counters{};
  }
};

/// A type of its own, so that its name stays short.
struct SimplifyProgram
    : ProgramOf<
          TaskOf<SimplifyTask::kWeld, WeldStages>, TaskOf<SimplifyTask::kEdges, EdgeStages>,
          TaskOf<SimplifyTask::kJoin, JoinStages>, TaskOf<SimplifyTask::kNodes, NodeStages>,
          TaskOf<SimplifyTask::kSelect, SelectStages>, TaskOf<SimplifyTask::kCut, CutStages>,
          TaskOf<SimplifyTask::kResult, ResultStages>, TaskOf<SimplifyTask::kExpand, ExpandStages>,
          TaskOf<SimplifyTask::kCollapse, CollapseStages>,
          TaskOf<SimplifyTask::kCompact, CompactStages>, TaskOf<SimplifyTask::kEmit, EmitStages>,
          TaskOf<SimplifyTask::kLink, LinkStages>, TaskOf<SimplifyTask::kMeasure, MeasureStages>> {
};

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_SIMPLIFY_PROGRAM_H_
