// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What a collapse does to wedges. Each triangle of the edge has a wedge at either end, and the two
// become one. Other wedges of the ends stay as they are. Where two wedges of one end would become
// parts of the same one, the edge does not collapse: it would average across a seam.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_WEDGES_PAIRS_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_WEDGES_PAIRS_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/simplify/collapse/surroundings.h"
#include "core/workload/simplify/wedges/field.h"

namespace warpyard::simplify {

struct EachMeshWedge {
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    return job.mesh.wedges;
  }
};

struct KeepWedges {
  static constexpr const char* kName = "SimplifyKeepWedges";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t wedge) {
    job.collapse.wedge_moved[wedge] = wedge;
  }
};

/// The wedge of a triangle's corner. @shape vertex: one that the triangle has
WY_HD inline std::uint32_t MeshWedgeAt(const SimplifyJob& job, std::uint32_t triangle,
                                       std::uint32_t vertex) {
  const std::uint32_t* const corners = MeshCorners(job, triangle);
  const std::uint32_t k = corners[0] == vertex ? 0 : (corners[1] == vertex ? 1 : 2);
  return job.mesh.wedge_corners[3 * std::uint64_t{triangle} + k];
}

/// Whether a vertex has several wedges.
WY_HD inline bool HasSeam(const SimplifyJob& job, std::uint32_t vertex) {
  const ListsView& around = job.collapse.around;
  const Range list = ListOf(around, vertex);
  for (std::uint32_t i = list.begin + 1; i < list.end; ++i) {
    if (MeshWedgeAt(job, around.items[i], vertex) !=
        MeshWedgeAt(job, around.items[list.begin], vertex)) {
      return true;
    }
  }
  return false;
}

/// The wedges of an edge's triangles at its ends. @shape count: 1 or 2; the pairs differ
struct WedgePairs {
  std::uint32_t count = 0;
  std::uint32_t from[2] = {kNone, kNone}, to[2] = {kNone, kNone};

  /// @shape edge: of at most two triangles
  WY_HD static WedgePairs Of(const SimplifyJob& job, std::uint32_t from, std::uint32_t to) {
    const ListsView& around = job.collapse.around;
    const Range list = ListOf(around, from);
    WedgePairs pairs;
    for (std::uint32_t i = list.begin; i < list.end; ++i) {
      const std::uint32_t triangle = around.items[i];
      if (!HasCorner(MeshCorners(job, triangle), to)) continue;
      pairs.Add(MeshWedgeAt(job, triangle, from), MeshWedgeAt(job, triangle, to));
      if (pairs.count == 2) break;
    }
    return pairs;
  }
  /// Whether no two wedges of one end become parts of the same one.
  WY_HD bool KeepSeams() const { return count < 2 || (from[0] != from[1] && to[0] != to[1]); }

 private:
  WY_HD void Add(std::uint32_t a, std::uint32_t b) {
    if (count == 1 && from[0] == a && to[0] == b) return;
    from[count] = a;
    to[count] = b;
    ++count;
  }
};

/// @shape both_at_seams: both ends have several wedges; then the edge must lie along a seam, or the
///     collapse would pinch the part between two of them
WY_DEVICE_CALL WY_HD inline bool MayJoinWedges(const SimplifyJob& job, std::uint32_t from,
                                               std::uint32_t to, bool both_at_seams) {
  const WedgePairs pairs = WedgePairs::Of(job, from, to);
  if (!pairs.KeepSeams()) return false;
  const Range list = ListOf(job.collapse.around, from);
  const bool is_border = CountWith(job, list, to, 2) == 1;
  return !both_at_seams || pairs.count == 2 || is_border;
}

/// Adds by how much the errors of attributes grow when an edge collapses. Not inlined: see Each.
WY_DEVICE_CALL WY_HD inline void AddWedges(const SimplifyJob& job, std::uint32_t from,
                                           std::uint32_t to, Quadric& quadric) {
  const WedgeView& wedges = job.model.wedges;
  const WedgePairs pairs = WedgePairs::Of(job, from, to);
  for (std::uint32_t i = 0; i < pairs.count; ++i) {
    AddDifference(wedges, FieldOf(job.mesh.fields, wedges.channels, pairs.from[i]),
                  FieldOf(job.mesh.fields, wedges.channels, pairs.to[i]), quadric);
  }
}

struct JoinOptions {
  bool takes_to;  ///< the vertex has the source of the end that goes
  bool keeps;     ///< the end that stays is locked: it keeps its values
};

/// Makes the wedges of the end that goes parts of those of the other one.
WY_DEVICE_CALL WY_HD inline void JoinWedges(const SimplifyJob& job, std::uint32_t from,
                                            std::uint32_t to, const JoinOptions& options) {
  const MeshView& mesh = job.mesh;
  const WedgeView& wedges = job.model.wedges;
  const WedgePairs pairs = WedgePairs::Of(job, from, to);
  for (std::uint32_t i = 0; i < pairs.count; ++i) {
    const std::uint32_t kept = pairs.from[i], gone = pairs.to[i];
    MergeField(wedges, FieldOf(mesh.fields, wedges.channels, gone),
               FieldOf(mesh.fields, wedges.channels, kept));
    if (options.takes_to) {
      mesh.wedge_sources[kept] = mesh.wedge_sources[gone];
      mesh.wedge_nodes[kept] = mesh.wedge_nodes[gone];
    }
    if (!options.keeps) mesh.wedge_nodes[kept] = kNone;
    job.collapse.wedge_moved[gone] = kept;
  }
}

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_WEDGES_PAIRS_H_
