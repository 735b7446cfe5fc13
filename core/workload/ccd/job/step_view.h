// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A step of a scene as plain pointers into backend memory, for collision procedures.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_JOB_STEP_VIEW_H_
#define WARPYARD_CORE_WORKLOAD_CCD_JOB_STEP_VIEW_H_

#include <cstdint>
#include <cstring>

#include "core/base/macros.h"
#include "core/workload/ccd/collision_types.h"
#include "core/workload/ccd/job/contact_rows.h"
#include "core/workload/ccd/job/device_list.h"
#include "core/workload/ccd/job/position_source.h"
#include "core/workload/ccd/job/scene_view.h"
#include "core/workload/ccd/job/step_counters.h"
#include "core/workload/ccd/job/traversal_view.h"
#include "core/workload/geometry/bounds.h"
#include "core/workload/geometry/vector3.h"

namespace warpyard::ccd {

/// The options of a step, from CollisionOptions.
struct StepQuestion {
  Report report;
  RootFinder root_finder;
  double tolerance;
  std::uint32_t max_intervals;
  double min_separation;
  double end_time;  ///< contacts from this time on do not count; 1: all count
  bool sorted;      ///< lists of collisions are to be sorted by ids
};

/// The lists of a step, in the order in which its stages fill them.
struct StepListsView {
  DeviceList<PairIds> meetings;      ///< clusters that overlap, or leaves
  DeviceList<PairIds> survivors[2];  ///< by PairKind: pairs that the filters left
  DeviceList<LeftPair> left;         ///< survivors that a walk in floats could not prove free
  DeviceList<VertexFaceCollision> vertex_face;
  DeviceList<EdgeEdgeCollision> edge_edge;
  ContactRows rows;  ///< for the sort, which copies collisions to the survivors' memory
};

/// What a world of a set does in an event. A resting world is not in the step: it ends where it
/// starts. A waiting world is in the step and has its turn in another event.
enum class WorldState : std::uint32_t { kMoves, kRests, kWaits };

/// What the worlds of a set do in an event. All pointers are null for a scene of its own.
struct WorldsStepView {
  const WorldState* states;   ///< @shape [worlds], or null: all move
  const Vector3d* committed;  ///< @shape [vertices]: the end of the last step
  std::uint64_t* earliest;    ///< @shape [worlds]: as StepCounters::earliest_bits, of each world
};

/// One step of a scene.
struct StepView {
  const Vector3d* start;      ///< @shape [vertices]
  const Vector3d* end;        ///< @shape [vertices]
  PositionSource sources[2];  ///< of start and end
  StepQuestion asked;
  Traversal traversal;
  bool samples;    ///< stages of a sample come before the others (sample_part.h)
  bool by_number;  ///< MeetNumbered takes the place of several stages, unless jobs share the event
  bool resumed;    ///< the event continues the rounds of an earlier one
  StepListsView lists;
  WorldsStepView worlds;
  TraversalView work;
  std::uint64_t* spare_keys;  ///< @shape [triangles]: of a build from the top
  StepCounters* counters;
  StepCounters* host_counters;  ///< host memory that gets the counters at the end; or null
  bool clears_counters;         ///< the end, once it has copied them, prepares them for a next step
};

/// Whether a world moves in this event.
WY_HD inline bool Moves(const StepView& step, std::uint32_t world) {
  return step.worlds.states == nullptr || step.worlds.states[world] == WorldState::kMoves;
}

/// The word with the earliest time of a world.
WY_HD inline std::uint64_t& EarliestBits(const StepView& step, std::uint32_t world) {
  return step.worlds.earliest == nullptr ? step.counters->earliest_bits
                                         : step.worlds.earliest[world];
}

/// The time up to which a world must be examined. With Report::kEarliest it is the earliest contact
/// known so far, since nothing later matters.
template <class Scope>
WY_HD double EndTime(const StepView& step, std::uint32_t world = 0) {
  if (step.asked.report != Report::kEarliest) return step.asked.end_time;
  const std::uint64_t bits = Scope::Word(EarliestBits(step, world)).LoadRelaxed();
  double time;
  memcpy(&time, &bits, sizeof time);
  return time < step.asked.end_time ? time : step.asked.end_time;
}

/// More than any distance at which root finders report a pair: the cubic one reports pairs within
/// the tolerance. The minimum separation is enlarged slightly, for the roundings of the sum.
WY_HD inline float NearOf(const StepView& step) {
  return geometry::RoundUp(2 * step.asked.tolerance + (1 + 0x1p-20) * step.asked.min_separation);
}

/// Limit of pairs that one step may examine: a stage counts its indices in 32 bits.
inline constexpr std::uint64_t kMostPairs = 0x7fffffffu;

/// Reads the eight points of a pair.
WY_HD inline MovingPair LoadPair(const SceneView& scene, const StepView& step, PairKind kind,
                                 PairIds ids) {
  std::uint32_t v[4];
  VerticesOf(scene.mesh, kind, ids, v);
  MovingPair pair;
  pair.kind = kind;
  for (int k = 0; k < 4; ++k) {
    pair.start[k] = step.start[v[k]];
    pair.end[k] = step.end[v[k]];
  }
  return pair;
}

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_JOB_STEP_VIEW_H_
