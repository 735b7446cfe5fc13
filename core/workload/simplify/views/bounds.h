// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The spheres and cones of nodes, from below.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_VIEWS_BOUNDS_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_VIEWS_BOUNDS_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/simplify/job/lists.h"
#include "core/workload/simplify/views/cone.h"
#include "core/workload/simplify/wedges/wedges.h"

namespace warpyard::simplify {

/// The normal of a triangle; false if it has none.
WY_HD inline bool NormalOf(const SimplifyJob& job, std::uint32_t triangle, Vector3d& normal) {
  const std::uint32_t* const corners = CornersOf(job.model, triangle);
  const Vector3d at = LeafAt(job, corners[0]);
  const Vector3d cross = Cross(LeafAt(job, corners[1]) - at, LeafAt(job, corners[2]) - at);
  const double length = LengthOf(cross);
  if (!(length > 0)) return false;
  normal = (1 / length) * cross;
  return true;
}

/// Gives a leaf the cone of the triangles around it. Not inlined: see Each.
WY_DEVICE_CALL WY_HD inline void BoundLeaf(const SimplifyJob& job, std::uint32_t leaf) {
  const Range list = ListOf(job.build.around, leaf);
  Vector3d axis{0, 0, 0}, normal;
  for (std::uint32_t i = list.begin; i < list.end; ++i) {
    if (NormalOf(job, job.build.around.items[i], normal)) axis = axis + normal;
  }
  ConeSum cone(axis);
  for (std::uint32_t i = list.begin; i < list.end; ++i) {
    if (NormalOf(job, job.build.around.items[i], normal)) cone.Add(normal, {1, 0});
  }
  job.model.bounds.cones[leaf] = cone.Word();
  job.model.bounds.radii[leaf] = 0;
}

/// Gives an inner node a sphere and a cone that have those of its children.
WY_DEVICE_CALL WY_HD inline void BoundNode(const SimplifyJob& job, std::uint32_t node) {
  const ModelView& model = job.model;
  const ListsView& lists = job.build.around;
  const Range children = ListOf(lists, node - model.leaves);
  const Vector3d place = model.frame.Normal(model.places[node]);
  Vector3d axis{0, 0, 0};
  double radius = 0;
  bool is_all = false;
  for (std::uint32_t i = children.begin; i < children.end; ++i) {
    const std::uint32_t child = lists.items[i];
    const Vector3d apart = model.frame.Normal(model.places[child]) - place;
    const double reach = LengthOf(apart) + model.bounds.radii[child];
    if (reach > radius) radius = reach;
    is_all |= model.bounds.cones[child] == Cone::kAll;
    if (!is_all) axis = axis + Cone::Of(model.bounds.cones[child]).axis;
  }
  ConeSum sum(axis);
  for (std::uint32_t i = children.begin; i < children.end && !is_all; ++i) {
    const Cone cone = Cone::Of(model.bounds.cones[lists.items[i]]);
    sum.Add(cone.axis, cone.angle);
  }
  model.bounds.cones[node] = is_all ? Cone::kAll : sum.Word();
  // A little more, for what rounding to single precision takes.
  model.bounds.radii[node] = static_cast<float>(radius * (1 + 1e-6));
}

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_VIEWS_BOUNDS_H_
