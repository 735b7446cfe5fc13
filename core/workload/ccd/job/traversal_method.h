// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What a traversal is: a class with the procedures that it brings and the stages that it plans.
//
// A program has the traversals that it is made of (collision_program.h), and a step names one of
// them. All find the same pairs: those whose swept boxes overlap, each once. What they need beside
// the scene is allocated when a step first asks for them (traversal_memory.h).
#ifndef WARPYARD_CORE_WORKLOAD_CCD_JOB_TRAVERSAL_METHOD_H_
#define WARPYARD_CORE_WORKLOAD_CCD_JOB_TRAVERSAL_METHOD_H_

#include <cstdint>
#include <type_traits>

#include "core/base/macros.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/ccd/job/collision_job.h"

namespace warpyard::ccd {

/// Memory of a scene that a traversal needs; see TraversalView.
struct TraversalNeeds {
  bool level = false;   ///< the pairs of a level, and places for what they spawn
  bool stacks = false;  ///< a stack of pairs for each worker, twice
  bool deques = false;  ///< a deque of pairs for each worker
  bool front = false;   ///< where the traversal ended in this step and in the last one
};

/// What a traversal declares beside `template <class Scope, class Procedures> static
/// procedure::StagePlan Plan(const CollisionJob&, StepStage)`, which plans all stages of a step:
///   kTraversal   the one that it is
///   Procedures   list of what its stages run; of all traversals, each procedure is in a program
///                once
///   kNeeds       memory
template <class T>
concept TraversalMethod = requires {
  requires std::is_same_v<decltype(T::kTraversal), const Traversal>;
  requires std::is_same_v<decltype(T::kNeeds), const TraversalNeeds>;
  {T::Procedures::kCount + 0u};
};

/// A stage that has nothing to do.
inline constexpr procedure::StagePlan kNoStage{};

/// A stage over `count` indices. @shape Procedures: of the program
template <class P, class Procedures>
WY_HD procedure::StagePlan PlanOf(std::uint32_t count) {
  constexpr ProcedureId kIndex = Procedures::template IndexOf<P>();
  static_assert(kIndex < Procedures::kCount, "the program has all procedures of its traversals");
  return {kIndex, count, P::kGrain};
}

/// The same for indices of unlike work: where there are few, they are dealt out in small parts, so
/// that all workers get some.
template <class P, class Procedures>
WY_HD procedure::StagePlan PlanInParts(std::uint32_t count) {
  constexpr std::uint32_t kParts = 4096;
  procedure::StagePlan plan = PlanOf<P, Procedures>(count);
  const std::uint32_t part = count / kParts;
  // Whole multiples, so that a warp's last look at an element is not at a few indices.
  const std::uint32_t grain = part / P::kLeastGrain * P::kLeastGrain;
  if (grain < plan.grain) plan.grain = grain == 0 ? P::kLeastGrain : grain;
  return plan;
}

/// The same for indices of like work: where that is not too long, a part for each warp of a large
/// device, since a second turn of a few takes as long as the first one of all.
template <class P, class Procedures>
WY_HD procedure::StagePlan PlanInShares(std::uint32_t count) {
  constexpr std::uint32_t kWarps = 1664;  // an H200 has 132 times 14
  procedure::StagePlan plan = PlanOf<P, Procedures>(count);
  const std::uint32_t share = (count + kWarps - 1) / kWarps;
  if (share < plan.grain) plan.grain = share == 0 ? 1 : share;
  return plan;
}

/// Indices of BoundVertices.
WY_HD inline std::uint32_t VerticesAndNodes(const CollisionJob& job) {
  const std::uint32_t triangles = job.scene.triangles, vertices = job.scene.vertices;
  return vertices > triangles ? vertices : triangles;
}

/// Items of a list; none when it ran over and the step must be run again with a larger one.
template <class Scope, class T>
WY_HD std::uint32_t CountOf(const DeviceList<T>& list) {
  const std::uint64_t count = Scope::Word(*list.count).LoadRelaxed();
  return count <= list.capacity && count <= kMostPairs ? static_cast<std::uint32_t>(count) : 0;
}

/// Pairs for root finding; none when candidates are the result, or when the lists ran over and
/// the step must be run again with larger ones.
template <class Scope>
WY_HD std::uint32_t SurvivorCount(const StepView& step) {
  if (step.report == Report::kCandidates) return 0;
  std::uint64_t sum = 0;
  for (const DeviceList<PairIds>& list : step.survivors) {
    const std::uint64_t count = Scope::Word(*list.count).LoadRelaxed();
    if (count > list.capacity) return 0;
    sum += count;
  }
  return sum <= kMostPairs ? static_cast<std::uint32_t>(sum) : 0;
}

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_JOB_TRAVERSAL_METHOD_H_
