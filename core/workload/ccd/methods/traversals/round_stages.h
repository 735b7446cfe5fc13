// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The stages that all traversals of pairs of nodes share: a refit before their own stages, and the
// stages for the listed pairs of triangles after them.
//
// A traversal in rounds may take several events. Only the first event refits, and only the last
// event runs the stages after the rounds.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_ROUND_STAGES_H_
#define WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_ROUND_STAGES_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/ccd/job/stage_list.h"
#include "core/workload/ccd/methods/features/meet_triangles.h"
#include "core/workload/ccd/methods/hierarchies/hierarchy_refit.h"
#include "core/workload/ccd/methods/hierarchies/oriented_refit.h"
#include "core/workload/ccd/narrow/find_roots.h"

namespace warpyard::ccd {

/// The indices of another stage in the first event of a step; none in the others.
template <class Indices>
struct InFirstEvent {
  template <class Scope>
  WY_HD static std::uint32_t Count(const CollisionJob& job) {
    return job.step.resumed ? 0 : Indices::template Count<Scope>(job);
  }
};

/// The indices of another stage if neither another round nor a new start of the traversal is to
/// come.
template <class Indices>
struct AfterRounds {
  template <class Scope>
  WY_HD static std::uint32_t Count(const CollisionJob& job) {
    TraversalCounters& counters = job.step.counters->traversal;
    const std::uint64_t to_come =
        Scope::Word(counters.pending).LoadRelaxed() | Scope::Word(counters.needed).LoadRelaxed();
    return to_come != 0 ? 0 : Indices::template Count<Scope>(job);
  }
};

/// One index for a stage that starts a traversal; none for a single triangle, which meets no other.
struct OneOfSeveralTriangles {
  template <class Scope>
  WY_HD static std::uint32_t Count(const CollisionJob& job) {
    return job.scene.mesh.triangles < 2 ? 0 : 1;
  }
};

struct EachTriangleIfOriented {
  template <class Scope>
  WY_HD static std::uint32_t Count(const CollisionJob& job) {
    return job.step.work.oriented == nullptr ? 0 : job.scene.mesh.triangles;
  }
};

using StagesBeforeRounds = StageList<
    Stage<BoundVertices, StepPhase::kRefit, Deal::kGrains, InFirstEvent<EachVertexOrTriangle>>,
    Stage<RefitNodes, StepPhase::kRefit, Deal::kGrains, InFirstEvent<EachTriangle>>>;

/// Used instead of the list above by traversals that support oriented boxes.
using OrientedStagesBeforeRounds =
    JoinedStages<StagesBeforeRounds,
                 StageList<Stage<RefitOriented, StepPhase::kRefit, Deal::kGrains,
                                 InFirstEvent<EachTriangleIfOriented>>>>;

using StagesAfterRounds =
    StageList<Stage<MeetTriangles, StepPhase::kMeet, Deal::kGrains, AfterRounds<EachMeeting>>,
              Stage<WalkPairs, StepPhase::kNarrow, Deal::kParts, AfterRounds<EachPairToWalk>>,
              Stage<FindRoots, StepPhase::kNarrow, Deal::kParts, AfterRounds<EachPairToFind>>>;

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_ROUND_STAGES_H_
