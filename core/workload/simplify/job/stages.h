// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The stages of a task as data: a list of types that reads from top to bottom like a table.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_JOB_STAGES_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_JOB_STAGES_H_

#include <cstdint>
#include <tuple>

#include "core/base/macros.h"
#include "core/procedure/procedure_concept.h"
#include "core/procedure/procedure_list.h"
#include "core/procedure/visit_number.h"
#include "core/workload/simplify/job/each.h"
#include "core/workload/simplify/job/scan.h"

namespace warpyard::simplify {

/// A stage. @shape Indices: `template <class Scope> static std::uint32_t Count(const SimplifyJob&)`
template <class P, class Indices>
struct Row {
  using Procedure = P;

  template <class Scope, class All>
  WY_HD static procedure::StagePlan Plan(const SimplifyJob& job) {
    return {All::template IndexOf<P>(), Indices::template Count<Scope>(job), P::kGrain};
  }
};

template <class F, class Indices>
struct EachRow : Row<Each<F>, Indices> {
  template <class Scope, class All>
  WY_HD static procedure::StagePlan Plan(const SimplifyJob& job) {
    procedure::StagePlan plan = Row<Each<F>, Indices>::template Plan<Scope, All>(job);
    plan.grain = GrainOf(plan.count);
    return plan;
  }
};

/// The same, and what is done after the last index; see AndLast.
template <class F, class Indices, class Last>
struct EachLastRow : Row<AndLast<Each<F>, Indices, Last>, Indices> {
  template <class Scope, class All>
  WY_HD static procedure::StagePlan Plan(const SimplifyJob& job) {
    using Own = Row<AndLast<Each<F>, Indices, Last>, Indices>;
    procedure::StagePlan plan = Own::template Plan<Scope, All>(job);
    plan.grain = GrainOf(plan.count);
    return plan;
  }
};

template <class F>
struct SpansOfAny {
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    return SpansOf(F::template Count<Scope>(job));
  }
};
/// None where there is one span: it is placed when it is summed.
template <class F>
struct SpansIfSeveral {
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    const std::uint32_t spans = SpansOfAny<F>::template Count<Scope>(job);
    return spans > 1 ? spans : 0;
  }
};
template <class... Rows>
struct Stages {
  static constexpr std::uint32_t kCount = sizeof...(Rows);
  using Procedures = procedure::JoinedLists<procedure::ProcedureList<typename Rows::Procedure>...>;

  template <class Scope, class All>
  WY_HD static procedure::StagePlan Plan(const SimplifyJob& job, std::uint32_t stage) {
    procedure::StagePlan plan{};
    const auto plan_row = [&]<std::uint32_t k>() {
      using Own = std::tuple_element_t<k, std::tuple<Rows...>>;
      plan = Own::template Plan<Scope, All>(job);
    };
    procedure::VisitNumber<0, kCount>(stage, plan_row);
    return plan;
  }
};

template <class... Lists>
struct JoinedStagesOf;
template <class... Some>
struct JoinedStagesOf<Stages<Some...>> {
  using Type = Stages<Some...>;
};
template <class... Some, class... More, class... Lists>
struct JoinedStagesOf<Stages<Some...>, Stages<More...>, Lists...> {
  using Type = typename JoinedStagesOf<Stages<Some..., More...>, Lists...>::Type;
};
/// The stages of several lists, one after the other.
template <class... Lists>
using JoinedStages = typename JoinedStagesOf<Lists...>::Type;

/// A prefix sum; see SumSpans.
template <class F>
using ScanStages = Stages<Row<SumSpans<F>, SpansOfAny<F>>, Row<PlaceSpans<F>, SpansIfSeveral<F>>>;

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_JOB_STAGES_H_
