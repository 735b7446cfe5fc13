// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The inner nodes: sums of their children, from below; and the keys of the triangles.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_BUILD_NODES_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_BUILD_NODES_H_

#include <cmath>
#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/simplify/build/planes.h"
#include "core/workload/simplify/build/weld.h"
#include "core/workload/simplify/job/lists.h"
#include "core/workload/simplify/job/stages.h"
#include "core/workload/simplify/views/bounds.h"
#include "core/workload/simplify/wedges/wedge_nodes.h"

namespace warpyard::simplify {

struct EachNode {
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    return job.model.nodes;
  }
};

/// Counts children, and begins the errors of inner nodes.
struct CountChildren {
  static constexpr const char* kName = "SimplifyCountChildren";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t node) {
    if (node >= job.model.leaves) job.model.errors[node] = 0;
    const std::uint32_t parent = job.model.parents[node];
    if (parent != kNone) CountItem<Scope>(job.build.around, parent - job.model.leaves);
  }
};

struct EachTriangleIfLocked {
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    const InputView& input = job.build.input;
    return input.locks != nullptr || input.locks_borders ? job.model.triangles : 0;
  }
};

/// Keeps the vertices around a locked one apart in all cuts: if they became one, or cancelled each
/// other, it would be in no triangle. Collapses may still join them.
struct LockRings {
  static constexpr const char* kName = "SimplifyLockRings";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t triangle) {
    const std::uint32_t* const corners = CornersOf(job.model, triangle);
    bool is_locked = false;
    for (int k = 0; k < 3; ++k) is_locked |= job.model.errors[corners[k]] == kLocked;
    for (int k = 0; k < 3 && is_locked; ++k) {
      const std::uint32_t parent = job.model.parents[corners[k]];
      if (parent != kNone) Scope::Word(job.model.errors[parent]).StoreRelaxed(kLocked);
    }
  }
};

struct PlaceChildren : EachInnerNode {
  static constexpr const char* kNames[] = {"SimplifySumChildren", "SimplifyPlaceChildren"};
  WY_HD static std::uint64_t Value(const SimplifyJob& job, std::uint32_t i) {
    return job.build.around.counts[i];
  }
  template <class Scope>
  WY_HD static void Place(const SimplifyJob& job, std::uint32_t i, std::uint64_t,
                          std::uint64_t before) {
    job.build.around.offsets[i] = static_cast<std::uint32_t>(before);
  }
  WY_HD static void End(const SimplifyJob& job, std::uint64_t total) {
    job.build.around.offsets[job.model.nodes - job.model.leaves] =
        static_cast<std::uint32_t>(total);
  }
};

struct FillChildren {
  static constexpr const char* kName = "SimplifyFillChildren";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t node) {
    if (node < job.model.leaves) {
      const Vector3d at = LeafAt(job, node);
      job.build.below[node] = {1, at, at, at};
    }
    const std::uint32_t parent = job.model.parents[node];
    if (parent != kNone) AddItem<Scope>(job.build.around, parent - job.model.leaves, node);
  }
};

/// Sums up the children of a node and places it.
struct SumNode {
  static constexpr const char* kName = "SimplifySumNode";
  static constexpr double kPull = 1e-3;  ///< of the weight, to the mean of the leaves

  WY_HD static void Do(const SimplifyJob& job, std::uint32_t node) {
    const ModelView& model = job.model;
    const std::uint32_t inner = node - model.leaves;
    SortList(job.build.around, inner);
    const Range children = ListOf(job.build.around, inner);
    NodeLeaves own = job.build.below[job.build.around.items[children.begin]];
    Quadric quadric = model.quadrics[job.build.around.items[children.begin]];
    float error = model.errors[node], distance = error;  // infinite, or 0
    for (std::uint32_t i = children.begin; i < children.end; ++i) {
      const std::uint32_t child = job.build.around.items[i];
      if (model.errors[child] > error) error = model.errors[child];
      if (model.distances[child] > distance) distance = model.distances[child];
      if (i == children.begin) continue;
      quadric += model.quadrics[child];
      Add(job.build.below[child], own);
    }
    if (model.wedges.leaves != 0) MergeWedges(job, inner, quadric);
    const Vector3d place = PlaceOf(quadric, own);
    const double sum = quadric.At(place);
    const auto own_error = static_cast<float>(sqrt(sum) + TieBreak(own, node));
    const auto own_distance =
        static_cast<float>(quadric.weight > 0 ? sqrt(sum / quadric.weight) : 0);
    job.build.below[node] = own;
    model.quadrics[node] = quadric;
    model.places[node] = model.frame.Stored(place);
    model.errors[node] = own_error > error ? own_error : error;
    model.distances[node] = own_distance > distance ? own_distance : distance;
    model.sources[node] = SourceOf(job, children, place);
    BoundNode(job, node);
    if (model.wedges.leaves != 0) PlaceWedges(job, inner, place);
  }

 private:
  WY_HD static void Add(const NodeLeaves& child, NodeLeaves& own) {
    own.count += child.count;
    own.sum = own.sum + child.sum;
    Least(child.low.x, own.low.x);
    Least(child.low.y, own.low.y);
    Least(child.low.z, own.low.z);
    Greatest(child.high.x, own.high.x);
    Greatest(child.high.y, own.high.y);
    Greatest(child.high.z, own.high.z);
  }
  WY_HD static void Least(double value, double& least) { least = value < least ? value : least; }
  WY_HD static void Greatest(double value, double& greatest) {
    greatest = value > greatest ? value : greatest;
  }

  /// An error of a millionth of the node's size. Where a surface is flat all errors would else be
  /// 0, and a cut by them has all of its triangles or the least. It grows with the node, as errors
  /// do, and is otherwise as by chance.
  WY_HD static double TieBreak(const NodeLeaves& own, std::uint32_t node) {
    constexpr double kPart = 1e-6;  // of the node's size
    const Vector3d size = own.high - own.low;
    return kPart * Dot(size, size) * (1 + Mixed(node) * 0x1p-32);
  }

  /// Of the children's sources, the nearest one.
  WY_HD static std::uint32_t SourceOf(const SimplifyJob& job, const Range& children,
                                      const Vector3d& place) {
    std::uint32_t nearest = kNone;
    double least = 0;
    for (std::uint32_t i = children.begin; i < children.end; ++i) {
      const std::uint32_t source = job.model.sources[job.build.around.items[i]];
      const Vector3d apart = job.model.frame.Normal(job.build.input.positions[source]) - place;
      const double distance = Dot(apart, apart);
      if (nearest != kNone && !(distance < least)) continue;
      nearest = source;
      least = distance;
    }
    return nearest;
  }

  /// No farther from the mean of the leaves than half the diagonal of their box.
  WY_HD static Vector3d PlaceOf(const Quadric& quadric, const NodeLeaves& own) {
    const Vector3d mean = (1 / own.count) * own.sum;
    const Vector3d place = quadric.Minimum(mean, kPull * quadric.weight);
    const double moved = LengthOf(place - mean);
    const double most = LengthOf(own.high - own.low) / 2;
    return moved > most ? mean + (most / moved) * (place - mean) : place;
  }
};

/// Climbs from a leaf and sums up each node all of whose other children are done: whoever comes
/// last does. The counts of the children are those who came.
struct SumNodes {
  static constexpr const char* kName = "SimplifySumNodes";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t leaf) {
    const ListsView& children = job.build.around;
    std::uint32_t node = job.model.parents[leaf];
    while (node != kNone) {
      const std::uint32_t inner = node - job.model.leaves;
      const Range list = ListOf(children, inner);
      const std::uint32_t came = Scope::Word(children.counts[inner]).FetchAddAcqRel(1) + 1;
      if (came != list.end - list.begin) return;
      SumNode::Do(job, node);
      node = job.model.parents[node];
    }
  }
};
/// The node in which a triangle's first two corners become one: that of its deepest edge. The nodes
/// of other edges have the third corner, too, and lie above.
struct FindKeys {
  static constexpr const char* kName = "SimplifyFindKeys";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t triangle) {
    const EdgeWord edges{job.build.edges[triangle]};
    int deepest = 0;
    for (int k = 1; k < 3; ++k) {
      if (edges.Depth(k) > edges.Depth(deepest)) deepest = k;
    }
    const std::uint32_t begin = job.build.depth_begins[kDeepest - edges.Depth(deepest)];
    std::uint32_t node = CornersOf(job.model, triangle)[deepest];
    while (node < begin) node = job.model.parents[node];
    job.model.joints[triangle] = node;
    job.model.keys[triangle] = job.model.errors[node];
  }
};

/// The lists of the children take the place of those of the triangles around leaves.
using NodeStages =
    JoinedStages<Stages<EachRow<BeginFields, EachWedgeNode>, EachRow<SumPlanes, EachLeaf>,
                        EachRow<CountChildren, EachNode>>,
                 ScanStages<PlaceChildren>, Stages<EachRow<CountMerged, EachWedgeNode>>,
                 ScanStages<PlaceMerged>,
                 Stages<EachRow<FillChildren, EachNode>, EachRow<FillMerged, EachWedgeNode>,
                        EachRow<LockRings, EachTriangleIfLocked>, EachRow<SumNodes, EachLeaf>,
                        EachRow<FindKeys, EachTriangle>>>;

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_BUILD_NODES_H_
