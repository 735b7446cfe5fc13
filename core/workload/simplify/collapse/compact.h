// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Closes the gaps among the vertices and wedges of a mesh that collapses left, so that passes do
// not go over those that are gone. The order stays.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_COLLAPSE_COMPACT_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_COLLAPSE_COMPACT_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/simplify/collapse/surroundings.h"
#include "core/workload/simplify/job/stages.h"
#include "core/workload/simplify/wedges/pairs.h"

namespace warpyard::simplify {

/// Vertices, and their places in the new lists.
struct MeshPoints {
  static constexpr const char* kForget = "SimplifyForgetVertices";
  static constexpr const char* kMark = "SimplifyMarkVertices";
  static constexpr const char* kNames[] = {"SimplifyCountKeptVertices", "SimplifyMoveVertices"};
  static constexpr const char* kRename = "SimplifyRenameCorners";

  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    return job.mesh.vertices;
  }
  WY_HD static std::uint32_t* Corners(const SimplifyJob& job) { return job.mesh.corners; }
  WY_HD static std::uint32_t* Numbers(const SimplifyJob& job) { return job.collapse.moved; }
  WY_HD static void Move(const SimplifyJob& job, std::uint32_t from, std::uint64_t to) {
    const MeshView &mesh = job.mesh, &next = job.compacted;
    next.positions[to] = mesh.positions[from];
    next.quadrics[to] = mesh.quadrics[from];
    next.nodes[to] = mesh.nodes[from];
  }
  WY_HD static void SetCount(const SimplifyJob& job, std::uint64_t count) {
    job.counters->vertices = static_cast<std::uint32_t>(count);
  }
};

struct MeshWedges {
  static constexpr const char* kForget = "SimplifyForgetWedges";
  static constexpr const char* kMark = "SimplifyMarkWedges";
  static constexpr const char* kNames[] = {"SimplifyCountKeptWedges", "SimplifyMoveWedges"};
  static constexpr const char* kRename = "SimplifyRenameWedgeCorners";

  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    return job.mesh.wedges;
  }
  WY_HD static std::uint32_t* Corners(const SimplifyJob& job) { return job.mesh.wedge_corners; }
  WY_HD static std::uint32_t* Numbers(const SimplifyJob& job) { return job.collapse.wedge_moved; }
  WY_HD static void Move(const SimplifyJob& job, std::uint32_t from, std::uint64_t to) {
    const MeshView &mesh = job.mesh, &next = job.compacted;
    const std::uint32_t channels = job.model.wedges.channels;
    next.wedge_nodes[to] = mesh.wedge_nodes[from];
    next.wedge_sources[to] = mesh.wedge_sources[from];
    CopyField(FieldOf(mesh.fields, channels, from), channels,
              FieldOf(next.fields, channels, static_cast<std::uint32_t>(to)));
  }
  WY_HD static void SetCount(const SimplifyJob& job, std::uint64_t count) {
    job.counters->wedges = static_cast<std::uint32_t>(count);
  }
};

/// Corners of things: none where there are no things.
template <class Things>
struct EachCornerOf {
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    return Things::template Count<Scope>(job) == 0 ? 0 : 3 * job.mesh.triangles;
  }
};

template <class Things>
struct ForgetThings {
  static constexpr const char* kName = Things::kForget;
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t i) {
    Things::Numbers(job)[i] = kNone;
  }
};

template <class Things>
struct MarkThings {
  static constexpr const char* kName = Things::kMark;
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t corner) {
    Scope::Word(Things::Numbers(job)[Things::Corners(job)[corner]]).StoreRelaxed(0);
  }
};

template <class Things>
struct MoveThings : Things {
  WY_HD static std::uint64_t Value(const SimplifyJob& job, std::uint32_t i) {
    return Things::Numbers(job)[i] != kNone ? 1 : 0;
  }
  template <class Scope>
  WY_HD static void Place(const SimplifyJob& job, std::uint32_t i, std::uint64_t value,
                          std::uint64_t before) {
    if (value == 0) return;
    Things::Numbers(job)[i] = static_cast<std::uint32_t>(before);
    Things::Move(job, i, before);
  }
  WY_HD static void End(const SimplifyJob& job, std::uint64_t total) {
    Things::SetCount(job, total);
  }
};

template <class Things>
struct RenameCorners {
  static constexpr const char* kName = Things::kRename;
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t corner) {
    std::uint32_t& thing = Things::Corners(job)[corner];
    thing = Things::Numbers(job)[thing];
  }
};

template <class Things>
using CompactThings = JoinedStages<Stages<EachRow<ForgetThings<Things>, Things>,
                                          EachRow<MarkThings<Things>, EachCornerOf<Things>>>,
                                   ScanStages<MoveThings<Things>>,
                                   Stages<EachRow<RenameCorners<Things>, EachCornerOf<Things>>>>;
using CompactStages = JoinedStages<CompactThings<MeshPoints>, CompactThings<MeshWedges>>;

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_COLLAPSE_COMPACT_H_
