// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The mesh that is handed out: vertices in use, with single precision and the model's origin.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_COLLAPSE_EMIT_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_COLLAPSE_EMIT_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/simplify/collapse/surroundings.h"
#include "core/workload/simplify/job/stages.h"

namespace warpyard::simplify {

struct ForgetUses {
  static constexpr const char* kName = "SimplifyForgetUses";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t vertex) {
    job.collapse.moved[vertex] = kNone;
  }
};

struct MarkUses {
  static constexpr const char* kName = "SimplifyMarkUses";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t triangle) {
    for (int k = 0; k < 3; ++k) {
      Scope::Word(job.collapse.moved[MeshCorners(job, triangle)[k]]).StoreRelaxed(0);
    }
  }
};

struct EmitVertices : EachMeshVertex {
  static constexpr const char* kNames[] = {"SimplifyCountUses", "SimplifyEmitVertices"};
  WY_HD static std::uint64_t Value(const SimplifyJob& job, std::uint32_t vertex) {
    return job.collapse.moved[vertex] != kNone ? 1 : 0;
  }
  template <class Scope>
  WY_HD static void Place(const SimplifyJob& job, std::uint32_t vertex, std::uint64_t value,
                          std::uint64_t before) {
    if (value == 0) return;
    const std::uint32_t node = job.mesh.nodes[vertex];
    const Vector3d at = job.mesh.positions[vertex];
    const FloatPoint kept = job.model.places[node];
    const Vector3d same = job.model.frame.Normal(kept);
    const bool moved = at.x != same.x || at.y != same.y || at.z != same.z;
    job.emit.positions[before] = moved ? job.model.frame.Stored(at) : kept;
    job.emit.sources[before] = job.model.sources[node];
    job.collapse.moved[vertex] = static_cast<std::uint32_t>(before);
  }
  WY_HD static void End(const SimplifyJob& job, std::uint64_t total) {
    job.counters->vertices = static_cast<std::uint32_t>(total);
  }
};

struct EmitTriangles {
  static constexpr const char* kName = "SimplifyEmitTriangles";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t triangle) {
    for (std::uint64_t k = 0; k < 3; ++k) {
      const std::uint64_t corner = 3 * std::uint64_t{triangle} + k;
      job.emit.corners[corner] = job.collapse.moved[job.mesh.corners[corner]];
    }
  }
};

using EmitStages =
    JoinedStages<Stages<EachRow<ForgetUses, EachMeshVertex>, EachRow<MarkUses, EachMeshTriangle>>,
                 ScanStages<EmitVertices>, Stages<EachRow<EmitTriangles, EachMeshTriangle>>>;

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_COLLAPSE_EMIT_H_
