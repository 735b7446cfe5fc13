// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What a model keeps on the device.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_JOB_MODEL_VIEW_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_JOB_MODEL_VIEW_H_

#include <cstdint>
#include <limits>

#include "core/base/macros.h"
#include "core/workload/geometry/vector3.h"
#include "core/workload/simplify/quadric.h"

namespace warpyard::simplify {

using geometry::Vector3d;

inline constexpr std::uint32_t kNone = ~0u;
/// The error of nodes with a locked leaf: they stand for nothing but themselves.
inline constexpr float kLocked = std::numeric_limits<float>::infinity();
/// The greatest error of all other nodes.
inline constexpr float kMostError = std::numeric_limits<float>::max();

/// A point as it is stored, relative to the model's origin.
struct FloatPoint {
  float x, y, z;
};

/// How lengths of a model are made relative to the largest side of its box.
struct Frame {
  Vector3d low;
  double extent;

  WY_HD Vector3d Normal(const FloatPoint& p) const {
    const Vector3d point{static_cast<double>(p.x), static_cast<double>(p.y),
                         static_cast<double>(p.z)};
    return (1 / extent) * (point - low);
  }
  WY_HD FloatPoint Stored(const Vector3d& p) const {
    const Vector3d point = low + extent * p;
    return {static_cast<float>(point.x), static_cast<float>(point.y), static_cast<float>(point.z)};
  }
};

/// A number of an attribute.
struct Channel {
  float weight;                 ///< an error of 1 counts as much as this distance, relative
  float low, high;              ///< of all values
  std::uint32_t begins_normal;  ///< not 0: this one and the next two are a unit vector
};

/// Wedges: what the corners of triangles at one position are that have equal attributes and one
/// group. [Hoppe 1999, section 4] They have a tree of their own, whose nodes lie in nodes of the
/// positions' tree: first the leaves, in the order of their first vertices, then inner nodes,
/// children before parents. See wedges/field.h for fields.
struct WedgeView {
  std::uint32_t channels, leaves,
      nodes;                    ///< no leaves: the model has neither attributes nor groups
  const Channel* rules;         ///< [channels]
  const std::uint32_t* groups;  ///< [vertices of the input], or null
  std::uint32_t* corners;       ///< [triangles][3], leaves
  std::uint32_t* parents;       ///< [nodes]; kNone: it has none
  std::uint32_t* owners;        ///< [nodes], of the positions' tree
  std::uint32_t* sources;       ///< [nodes], as ModelView::sources
  float* values;                ///< [leaves][channels]
  float* fields;                ///< [nodes][FieldWords(channels)]
};

/// Where nodes are and face, for views: spheres around the leaves, relative, and cones of normals
/// (views/cone.h). @shape [nodes]
struct BoundsView {
  float* radii;
  std::uint32_t* cones;
};

/// What is kept of a model. Nodes: first the leaves, which are the welded vertices in the order of
/// their first occurrence, then inner nodes, children before parents.
struct ModelView {
  Frame frame;
  std::uint32_t leaves, nodes, triangles;
  std::uint32_t* corners;  ///< [triangles][3], leaves
  float* keys;             ///< [triangles], the error at which two corners become one
  std::uint32_t* joints;   ///< [triangles], the node in which they do
  std::uint32_t* parents;  ///< [nodes]; kNone: it has none
  /// Roots of the sums and of the means of squared distances to planes, relative. 0 for leaves, and
  /// at least those of the children. Infinite for a locked leaf. @shape [nodes]
  float* errors;
  float* distances;
  FloatPoint* places;      ///< [nodes]
  Quadric* quadrics;       ///< [nodes], relative
  std::uint32_t* sources;  ///< [nodes], a vertex of the input at a leaf, or near a node
  BoundsView bounds;
  WedgeView wedges;
};

/// Words of a bit for each inner node.
WY_HD inline std::uint32_t ExpandedWords(const ModelView& model) {
  return (model.nodes - model.leaves + 31) / 32;
}

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_JOB_MODEL_VIEW_H_
