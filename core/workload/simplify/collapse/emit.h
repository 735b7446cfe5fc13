// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The mesh that is handed out: vertices in use, with single precision and the model's origin.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_COLLAPSE_EMIT_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_COLLAPSE_EMIT_H_

#include <cmath>
#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/simplify/collapse/surroundings.h"
#include "core/workload/simplify/job/bins.h"
#include "core/workload/simplify/job/stages.h"
#include "core/workload/simplify/wedges/wedges.h"

namespace warpyard::simplify {

/// The vertices that are handed out: wedges, or vertices of the mesh where there are none.
struct EachOutput {
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    return HasWedges(job) ? job.mesh.wedges : job.mesh.vertices;
  }
  WY_HD static bool HasWedges(const SimplifyJob& job) { return job.model.wedges.leaves != 0; }
  WY_HD static const std::uint32_t* Corners(const SimplifyJob& job, std::uint32_t triangle) {
    const std::uint32_t* const all = HasWedges(job) ? job.mesh.wedge_corners : job.mesh.corners;
    return all + 3 * std::uint64_t{triangle};
  }
};

struct ForgetUses {
  static constexpr const char* kName = "SimplifyForgetUses";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t output) {
    job.emit.uses[output] = kNone;
  }
};

struct MarkUses {
  static constexpr const char* kName = "SimplifyMarkUses";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t triangle) {
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t output = EachOutput::Corners(job, triangle)[k];
      Scope::Word(job.emit.uses[output]).StoreRelaxed(MeshCorners(job, triangle)[k]);
    }
  }
};

/// Tells the error of a vertex. @shape at: where it is
template <class Scope>
WY_HD void TellError(const SimplifyJob& job, const Quadric& quadric, const Vector3d& at) {
  if (!(quadric.weight > 0)) return;
  const double square = quadric.At(at) / quadric.weight;
  const std::uint32_t bits = OrderedBits(static_cast<float>(sqrt(square)));
  const auto greatest = Scope::Word(job.counters->max_error);
  if (bits > greatest.LoadRelaxed()) greatest.FetchMaxRelaxed(bits);
}

WY_HD inline bool IsAt(const SimplifyJob& job, std::uint32_t node, const Vector3d& at) {
  const Vector3d place = job.model.frame.Normal(job.model.places[node]);
  return at.x == place.x && at.y == place.y && at.z == place.z;
}

struct WedgeToEmit {
  std::uint32_t node;    ///< of the tree, or kNone
  std::uint32_t source;  ///< vertex of the input
  const float* field;
};

/// Stores the source of a wedge, its group, and its attributes at a place. A wedge that is as it
/// was, and where it was, has its own values; others have those of their field. At a seam a vertex
/// may move although one of its wedges joined none. @shape to: number among those that are handed
///     out
WY_HD inline void EmitWedge(const SimplifyJob& job, std::uint64_t to, const WedgeToEmit& wedge,
                            const Vector3d& at) {
  const WedgeView& wedges = job.model.wedges;
  job.emit.sources[to] = wedge.source;
  if (wedges.groups != nullptr) job.emit.groups[to] = wedges.groups[wedge.source];
  float* const out = job.emit.attributes + wedges.channels * to;
  if (wedge.node >= wedges.leaves || !IsAt(job, wedges.owners[wedge.node], at)) {
    EvaluateField(wedges, wedge.field, at, out);
    return;
  }
  const float* const values = WedgeValues(wedges, wedge.node);
  for (std::uint32_t k = 0; k < wedges.channels; ++k) out[k] = values[k];
}

struct EmitVertices : EachOutput {
  static constexpr const char* kNames[] = {"SimplifyCountUses", "SimplifyEmitVertices"};
  static constexpr bool kPlacesOnlySome = true;
  WY_HD static std::uint64_t Value(const SimplifyJob& job, std::uint32_t output) {
    return job.emit.uses[output] != kNone ? 1 : 0;
  }
  template <class Scope>
  WY_HD static void Place(const SimplifyJob& job, std::uint32_t output, std::uint64_t value,
                          std::uint64_t before) {
    if (value == 0) return;
    const std::uint32_t vertex = job.emit.uses[output], node = job.mesh.nodes[vertex];
    const Vector3d at = job.mesh.positions[vertex];
    job.emit.positions[before] =
        IsAt(job, node, at) ? job.model.places[node] : job.model.frame.Stored(at);
    job.emit.uses[output] = static_cast<std::uint32_t>(before);
    TellError<Scope>(job, job.mesh.quadrics[vertex], at);
    if (job.emit.ids != nullptr) {
      job.emit.ids[before] = HasWedges(job) ? job.mesh.wedge_nodes[output] : node;
    }
    if (!HasWedges(job)) {
      job.emit.sources[before] = job.model.sources[node];
      return;
    }
    const float* const field = FieldOf(job.mesh.fields, job.model.wedges.channels, output);
    const std::uint32_t source = job.mesh.wedge_sources[output];
    EmitWedge(job, before, {job.mesh.wedge_nodes[output], source, field}, at);
  }
  WY_HD static void End(const SimplifyJob& job, std::uint64_t total) {
    job.counters->vertices = static_cast<std::uint32_t>(total);
  }
};

struct EmitTriangles {
  static constexpr const char* kName = "SimplifyEmitTriangles";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t triangle) {
    std::uint32_t* const corners = job.emit.corners + 3 * std::uint64_t{triangle};
    for (int k = 0; k < 3; ++k) {
      corners[k] = job.emit.uses[EachOutput::Corners(job, triangle)[k]];
    }
  }
};

using EmitStages =
    JoinedStages<Stages<EachRow<ForgetUses, EachOutput>, EachRow<MarkUses, EachMeshTriangle>>,
                 ScanStages<EmitVertices>, Stages<EachRow<EmitTriangles, EachMeshTriangle>>>;

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_COLLAPSE_EMIT_H_
