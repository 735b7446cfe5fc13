// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The leaves of the wedges' tree, and their fields.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_WEDGES_WEDGES_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_WEDGES_WEDGES_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/simplify/job/lists.h"
#include "core/workload/simplify/job/simplify_job.h"
#include "core/workload/simplify/limits.h"
#include "core/workload/simplify/wedges/field.h"

namespace warpyard::simplify {

WY_HD inline const std::uint32_t* CornersOf(const ModelView& model, std::uint32_t triangle) {
  return model.corners + 3 * std::uint64_t{triangle};
}
/// kWeld has left the sources of the leaves in the slots.
WY_HD inline Vector3d LeafAt(const SimplifyJob& job, std::uint32_t leaf) {
  return job.model.frame.Normal(job.build.input.positions[job.build.input.points.slots[leaf]]);
}

struct EachWedgeLeaf {
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    return job.model.wedges.leaves;
  }
};
struct EachWedgeNode {
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    return job.model.wedges.nodes;
  }
};

/// Makes a leaf a component of its own.
WY_HD inline void BeginComponent(const ComponentsView& components, std::uint32_t leaf) {
  components.least[leaf] = components.roots[leaf] = components.node_of[leaf] = leaf;
  components.made[leaf] = components.parents[leaf] = kNone;
}

WY_HD inline const float* WedgeValues(const WedgeView& wedges, std::uint32_t leaf) {
  return wedges.values + std::uint64_t{wedges.channels} * leaf;
}

/// The wedge of a triangle's corner. @shape corner: a leaf that the triangle has
WY_HD inline std::uint32_t WedgeAt(const ModelView& model, std::uint32_t triangle,
                                   std::uint32_t corner) {
  const std::uint32_t* const corners = CornersOf(model, triangle);
  const int k = corners[0] == corner ? 0 : (corners[1] == corner ? 1 : 2);
  return model.wedges.corners[3 * std::uint64_t{triangle} + static_cast<std::uint64_t>(k)];
}

/// Whether two wedges at one position have one group, and equal attributes but for normals.
WY_HD inline bool HasSameLook(const SimplifyJob& job, std::uint32_t a, std::uint32_t b) {
  if (a == b) return true;
  const WedgeView& wedges = job.model.wedges;
  const std::uint32_t* const sources = job.build.input.wedges.slots;
  if (wedges.groups != nullptr && wedges.groups[sources[a]] != wedges.groups[sources[b]]) {
    return false;
  }
  for (std::uint32_t k = 0; k < wedges.channels; ++k) {
    if (wedges.rules[k].begins_normal != 0) {
      k += 2;
    } else if (WedgeValues(wedges, a)[k] != WedgeValues(wedges, b)[k]) {
      return false;
    }
  }
  return true;
}

/// Makes each wedge a component of its own, and keeps its values.
struct BeginWedges {
  static constexpr const char* kName = "SimplifyBeginWedges";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t wedge) {
    const WedgeView& wedges = job.model.wedges;
    const std::uint64_t source = job.build.input.wedges.slots[wedge];
    const float* const values = job.build.input.attributes + wedges.channels * source;
    float* const kept = wedges.values + std::uint64_t{wedges.channels} * wedge;
    for (std::uint32_t k = 0; k < wedges.channels; ++k) kept[k] = values[k];
    BeginComponent(job.build.wedges, wedge);
  }
};

/// Sums up the fields of the triangles around a leaf for its wedges, in the order of the triangles;
/// the quadric gets the errors of the sums. Not inlined: see Each. @shape fields of the wedges: of
/// no weight
WY_DEVICE_CALL WY_HD inline void AddFields(const SimplifyJob& job, std::uint32_t leaf,
                                           Quadric& quadric) {
  const WedgeView& wedges = job.model.wedges;
  const Range list = ListOf(job.build.around, leaf);
  for (std::uint32_t i = list.begin; i < list.end; ++i) {
    const std::uint32_t triangle = job.build.around.items[i];
    const std::uint32_t* const corners = CornersOf(job.model, triangle);
    const Vector3d at[3] = {LeafAt(job, corners[0]), LeafAt(job, corners[1]),
                            LeafAt(job, corners[2])};
    const FieldTriangle shape = FieldTriangle::Of(at);
    float field[FieldWords(kMostChannels)];
    field[0] = static_cast<float>(shape.area);
    const std::uint32_t* const own = wedges.corners + 3 * std::uint64_t{triangle};
    for (std::uint32_t k = 0; k < wedges.channels; ++k) {
      const float values[3] = {WedgeValues(wedges, own[0])[k], WedgeValues(wedges, own[1])[k],
                               WedgeValues(wedges, own[2])[k]};
      shape.Through(values).Store(field, k);
    }
    float* const sum = FieldOf(wedges.fields, wedges.channels, WedgeAt(job.model, triangle, leaf));
    AddDifference(wedges, sum, field, quadric);
    MergeField(wedges, field, sum);
  }
}

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_WEDGES_WEDGES_H_
