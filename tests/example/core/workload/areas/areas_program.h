// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The areas program: its procedures and the stages of its events.
#ifndef WARPYARD_TESTS_EXAMPLE_CORE_WORKLOAD_AREAS_AREAS_PROGRAM_H_
#define WARPYARD_TESTS_EXAMPLE_CORE_WORKLOAD_AREAS_AREAS_PROGRAM_H_

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/procedure/procedure_concept.h"
#include "core/procedure/procedure_list.h"
#include "core/workload/geometry/vector3.h"
#include "tests/example/core/workload/areas/areas_job.h"

namespace warpyard::areas {

using procedure::Context;
using procedure::Range;

WY_HD inline double AreaOf(const AreasJob& job, std::uint32_t triangle) {
  const std::uint32_t* const corner = job.corners + 3 * std::size_t{triangle};
  const geometry::Vector3d& a = job.positions[corner[0]];
  const geometry::Vector3d normal =
      Cross(job.positions[corner[1]] - a, job.positions[corner[2]] - a);
  return 0.5 * sqrt(Dot(normal, normal));
}

/// The number of limits that `area` reaches.
WY_HD inline std::uint32_t ClassOf(const AreasJob& job, double area) {
  std::uint32_t reached = 0;
  while (reached < job.limit_count && area >= job.limits[reached]) ++reached;
  return reached;
}

/// Stage over triangles: the area of each, and how many are in each class.
struct MeasureTriangles {
  struct Scratch {
    std::uint32_t counts[kMaxClasses];
  };

  using Item = Range;
  static constexpr std::size_t kSharedBytes = sizeof(Scratch);
  static constexpr const char* kName = "MeasureTriangles";
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::uint32_t kGrain = 1024;

  template <class Scope>
  WY_HD static void Execute(Context<Scope, AreasJob>& context, const Range& range) {
    const AreasJob& job = context.job;
    Scope& scope = context.scope;
    // One word for each class would make all triangles wait for each other, so each group counts by
    // itself.
    std::uint32_t(&own)[kMaxClasses] = context.template Shared<Scratch>().counts;
    for (std::uint32_t c = scope.Rank(); c <= job.limit_count; c += scope.Size()) own[c] = 0;
    scope.Barrier();
    for (std::uint32_t t = range.begin + scope.Rank(); t < range.end; t += scope.Size()) {
      const double area = AreaOf(job, t);
      job.areas[t] = area;
      Scope::BlockWord(own[ClassOf(job, area)]).FetchAddRelaxed(1);
    }
    scope.Barrier();
    for (std::uint32_t c = scope.Rank(); c <= job.limit_count; c += scope.Size()) {
      if (own[c] != 0) Scope::Word(job.counts[c]).FetchAddRelaxed(own[c]);
    }
  }
};

/// Stage over spans: the sum of the areas of each span, in the order of the triangles. A sum of
/// doubles depends on its order, and an atomic sum would have another order in every run.
struct SumSpans {
  using Item = Range;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "SumSpans";
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::uint32_t kGrain = 32;

  template <class Scope>
  WY_HD static void Execute(Context<Scope, AreasJob>& context, const Range& range) {
    const AreasJob& job = context.job;
    for (std::uint32_t span = range.begin + context.scope.Rank(); span < range.end;
         span += context.scope.Size()) {
      const std::uint32_t begin = span * kSpan;
      const std::uint32_t end = job.triangles - begin < kSpan ? job.triangles : begin + kSpan;
      double sum = 0;
      for (std::uint32_t t = begin; t < end; ++t) sum += job.areas[t];
      job.sums[span] = sum;
    }
  }
};

struct AreasProgram {
  using Job = AreasJob;
  using Procedures = procedure::ProcedureList<MeasureTriangles, SumSpans>;

  static constexpr std::uint32_t kMaxStages = 2;

  WY_HD static std::uint32_t StageCount(const Job&) { return kMaxStages; }

  /// Plans a stage once all stages before it are done. @scope Scope: of the caller
  template <class Scope>
  WY_HD static procedure::StagePlan Plan(const Job& job, std::uint32_t stage) {
    return stage == 0 ? Of<MeasureTriangles>(job.triangles) : Of<SumSpans>(job.Spans());
  }

 private:
  template <class P>
  WY_HD static procedure::StagePlan Of(std::uint32_t count) {
    return {Procedures::IndexOf<P>(), count, P::kGrain};
  }
};

}  // namespace warpyard::areas

#endif  // WARPYARD_TESTS_EXAMPLE_CORE_WORKLOAD_AREAS_AREAS_PROGRAM_H_
