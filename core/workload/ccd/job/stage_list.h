// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The stages of an event as data: a list of types that reads from top to bottom like a table.
//
// Everything else follows from such a list: how many stages an event has, how each is planned,
// which procedures a program needs, and in which phase the time of a stage counts. The compiler
// unrolls the selection of a stage into comparisons, so a device stores no table.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_JOB_STAGE_LIST_H_
#define WARPYARD_CORE_WORKLOAD_CCD_JOB_STAGE_LIST_H_

#include <cstdint>
#include <tuple>

#include "core/base/macros.h"
#include "core/procedure/procedure_concept.h"
#include "core/procedure/procedure_list.h"
#include "core/procedure/visit_number.h"
#include "core/workload/ccd/job/collision_job.h"

namespace warpyard::ccd {

/// The phase in which the time of a stage counts. kMeet is broad and narrow phase in one stage; the
/// host divides its time by the cycles that groups spent in each phase.
enum class StepPhase : std::uint32_t { kBuild, kRefit, kBroad, kMeet, kNarrow, kSort, kEnd };

/// How the indices of a stage are divided into elements.
enum class Deal {
  kGrains,  ///< P::kGrain indices an element
  kParts,   ///< small if there are few indices, so that all workers get some; for unequal cost
  kShares   ///< one share for each warp, unless that is too long; for indices of equal cost
};

/// A stage that has nothing to do.
inline constexpr procedure::StagePlan kNoStage{};

/// A stage over `count` indices. @shape Procedures: of the program
template <class P, class Procedures>
WY_HD procedure::StagePlan PlanOf(std::uint32_t count) {
  constexpr ProcedureId kIndex = Procedures::template IndexOf<P>();
  static_assert(kIndex < Procedures::kCount, "the program has all procedures of its stages");
  return {kIndex, count, P::kGrain};
}

/// Deal::kParts. @shape P::kLeastGrain: fewest indices of an element
template <class P, class Procedures>
WY_HD procedure::StagePlan PlanInParts(std::uint32_t count) {
  constexpr std::uint32_t kParts = 4096;
  procedure::StagePlan plan = PlanOf<P, Procedures>(count);
  const std::uint32_t part = count / kParts;
  // Whole multiples, so that a warp's last round on an element is not nearly empty.
  const std::uint32_t grain = part / P::kLeastGrain * P::kLeastGrain;
  if (grain < plan.grain) plan.grain = grain == 0 ? P::kLeastGrain : grain;
  return plan;
}

/// Deal::kShares. A second turn of a few warps would take as long as the first turn of all.
/// @shape shares: CollisionJob::shares
template <class P, class Procedures>
WY_HD procedure::StagePlan PlanInShares(std::uint32_t count, std::uint32_t shares) {
  procedure::StagePlan plan = PlanOf<P, Procedures>(count);
  const std::uint32_t share = (count + shares - 1) / shares;
  if (share < plan.grain) plan.grain = share == 0 ? 1 : share;
  return plan;
}

/// One row of a list. A stage whose count is 0 is skipped; its procedure belongs to the program all
/// the same.
/// @shape Indices: `template <class Scope> static std::uint32_t Count(const CollisionJob&)`, which
/// only reads, since a stage may be planned more than once; and perhaps `static bool
/// ArePassedOver(const CollisionJob&)`, whether steps that share an event do without the stage.
/// Spawned: procedures that elements of P spawn, which follow it in the program
template <class P, StepPhase kIn, Deal kDeal, class Indices, class... Spawned>
struct Stage {
  using Procedures = procedure::ProcedureList<P, Spawned...>;
  static constexpr StepPhase kPhase = kIn;

  template <class Scope, class All>
  WY_HD static procedure::StagePlan Plan(const CollisionJob& job) {
    constexpr std::uint32_t kIndex = All::template IndexOf<P>();
    static_assert(((All::template IndexOf<Spawned>() > kIndex &&
                    All::template IndexOf<Spawned>() <= kIndex + sizeof...(Spawned)) &&
                   ...),
                  "a procedure spawns by places after its own");
    const std::uint32_t count = Indices::template Count<Scope>(job);
    if constexpr (kDeal == Deal::kParts) return PlanInParts<P, All>(count);
    if constexpr (kDeal == Deal::kShares) return PlanInShares<P, All>(count, job.shares);
    return PlanOf<P, All>(count);
  }

  static bool IsPassedOver(const CollisionJob& job) {
    if constexpr (requires { Indices::ArePassedOver(job); }) {
      return Indices::ArePassedOver(job);
    } else {
      return false;
    }
  }
};

template <class... Stages>
struct StageList {
  static constexpr std::uint32_t kCount = sizeof...(Stages);
  using Procedures = procedure::JoinedLists<typename Stages::Procedures...>;

  /// @shape [kCount]; for the host
  static constexpr StepPhase kPhases[] = {Stages::kPhase...};

  /// Plans the stage with this number; kNoStage past the last one. @scope Scope: of the caller
  template <class Scope, class All>
  WY_HD static procedure::StagePlan Plan(const CollisionJob& job, std::uint32_t stage) {
    procedure::StagePlan plan = kNoStage;
    const auto plan_stage = [&]<std::uint32_t k>() {
      using Own = std::tuple_element_t<k, std::tuple<Stages...>>;
      plan = Own::template Plan<Scope, All>(job);
    };
    procedure::VisitNumber<0, kCount>(stage, plan_stage);
    return plan;
  }

  /// Whether steps like this one do without the stage where they share an event.
  static bool PassesOver(const CollisionJob& job, std::uint32_t stage) {
    std::uint32_t position = 0;
    return ((position++ == stage && Stages::IsPassedOver(job)) || ...);
  }
};

/// Stages of several lists, one list after the other.
template <class... Lists>
struct JoinedStagesOf;
template <class... Stages>
struct JoinedStagesOf<StageList<Stages...>> {
  using Type = StageList<Stages...>;
};
template <class... Some, class... More, class... Lists>
struct JoinedStagesOf<StageList<Some...>, StageList<More...>, Lists...> {
  using Type = typename JoinedStagesOf<StageList<Some..., More...>, Lists...>::Type;
};
template <class... Lists>
using JoinedStages = typename JoinedStagesOf<Lists...>::Type;

/// Number of items of a list; 0 if it ran over, since the step must run again with a larger list.
template <class Scope, class T>
WY_HD std::uint32_t CountOf(const DeviceList<T>& list) {
  const std::uint64_t count = Scope::Word(*list.count).LoadRelaxed();
  return count <= list.capacity && count <= kMostPairs ? static_cast<std::uint32_t>(count) : 0;
}

/// Number of pairs for root finding. 0 if candidates are the result, or if the lists ran over,
/// since the step must run again with larger lists.
template <class Scope>
WY_HD std::uint32_t SurvivorCount(const StepView& step) {
  if (step.asked.report == Report::kCandidates) return 0;
  std::uint64_t sum = 0;
  for (const DeviceList<PairIds>& list : step.lists.survivors) {
    const std::uint64_t count = Scope::Word(*list.count).LoadRelaxed();
    if (count > list.capacity) return 0;
    sum += count;
  }
  return sum <= kMostPairs ? static_cast<std::uint32_t>(sum) : 0;
}

/// Indices of stages.
struct EachVertex {
  template <class Scope>
  WY_HD static std::uint32_t Count(const CollisionJob& job) {
    return job.scene.mesh.vertices;
  }
};
struct EachTriangle {
  template <class Scope>
  WY_HD static std::uint32_t Count(const CollisionJob& job) {
    return job.scene.mesh.triangles;
  }
};
struct EachVertexOrTriangle {
  template <class Scope>
  WY_HD static std::uint32_t Count(const CollisionJob& job) {
    const MeshView& mesh = job.scene.mesh;
    return mesh.vertices > mesh.triangles ? mesh.vertices : mesh.triangles;
  }
};
struct EachCluster {
  template <class Scope>
  WY_HD static std::uint32_t Count(const CollisionJob& job) {
    return job.scene.Clusters();
  }
};
struct EachMeeting {
  template <class Scope>
  WY_HD static std::uint32_t Count(const CollisionJob& job) {
    return CountOf<Scope>(job.step.lists.meetings);
  }
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_JOB_STAGE_LIST_H_
