// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The inner nodes of the wedges' tree: their fields, which a node of the positions' tree sums up
// together with its own quadric.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_WEDGES_WEDGE_NODES_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_WEDGES_WEDGE_NODES_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/simplify/job/lists.h"
#include "core/workload/simplify/job/stages.h"
#include "core/workload/simplify/wedges/wedges.h"

namespace warpyard::simplify {

struct EachInnerNode {
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    return job.model.nodes - job.model.leaves;
  }
};

/// Gives all fields no weight. Those of leaves have the values, for wedges without area. And begins
/// the lists of inner nodes: there are more wedges.
struct BeginFields {
  static constexpr const char* kName = "SimplifyBeginFields";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t node) {
    const WedgeView& wedges = job.model.wedges;
    if (node < job.model.nodes - job.model.leaves) job.build.merged.counts[node] = 0;
    float* const field = FieldOf(wedges.fields, wedges.channels, node);
    field[0] = 0;
    const bool is_leaf = node < wedges.leaves;
    wedges.sources[node] = is_leaf ? job.build.input.wedges.slots[node] : kNone;
    if (!is_leaf) return;
    for (std::uint32_t k = 0; k < wedges.channels; ++k) {
      LinearFunction{{0, 0, 0}, WedgeValues(wedges, node)[k]}.Store(field, k);
    }
  }
};

/// The inner node in which a wedge becomes part of a greater one, from 0 on; kNone: in none.
WY_HD inline std::uint32_t MergedIn(const SimplifyJob& job, std::uint32_t wedge) {
  const std::uint32_t parent = job.model.wedges.parents[wedge];
  return parent == kNone ? kNone : job.model.wedges.owners[parent] - job.model.leaves;
}

struct CountMerged {
  static constexpr const char* kName = "SimplifyCountMerged";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t wedge) {
    const std::uint32_t inner = MergedIn(job, wedge);
    if (inner != kNone) CountItem<Scope>(job.build.merged, inner);
  }
};

struct PlaceMerged {
  static constexpr const char* kNames[] = {"SimplifySumMerged", "SimplifyPlaceMerged"};
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    return job.model.wedges.leaves == 0 ? 0 : EachInnerNode::Count<Scope>(job);
  }
  WY_HD static std::uint64_t Value(const SimplifyJob& job, std::uint32_t i) {
    return job.build.merged.counts[i];
  }
  template <class Scope>
  WY_HD static void Place(const SimplifyJob& job, std::uint32_t i, std::uint64_t,
                          std::uint64_t before) {
    job.build.merged.offsets[i] = static_cast<std::uint32_t>(before);
  }
  WY_HD static void End(const SimplifyJob& job, std::uint64_t total) {
    job.build.merged.offsets[job.model.nodes - job.model.leaves] =
        static_cast<std::uint32_t>(total);
  }
};

struct FillMerged {
  static constexpr const char* kName = "SimplifyFillMerged";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t wedge) {
    const std::uint32_t inner = MergedIn(job, wedge);
    if (inner != kNone) AddItem<Scope>(job.build.merged, inner, wedge);
  }
};

/// Merges the fields of an inner node's wedges, in the order of these; the quadric gets the errors.
/// Not inlined: see Each.
WY_DEVICE_CALL WY_HD inline void MergeWedges(const SimplifyJob& job, std::uint32_t inner,
                                             Quadric& quadric) {
  const WedgeView& wedges = job.model.wedges;
  SortList(job.build.merged, inner);
  const Range list = ListOf(job.build.merged, inner);
  for (std::uint32_t i = list.begin; i < list.end; ++i) {
    const std::uint32_t wedge = job.build.merged.items[i], parent = wedges.parents[wedge];
    const float* const field = FieldOf(wedges.fields, wedges.channels, wedge);
    float* const sum = FieldOf(wedges.fields, wedges.channels, parent);
    const bool is_first = wedges.sources[parent] == kNone;
    wedges.sources[parent] = wedges.sources[wedge];
    if (is_first) {
      CopyField(field, wedges.channels, sum);
      continue;
    }
    AddDifference(wedges, sum, field, quadric);
    MergeField(wedges, field, sum);
  }
}

/// Gives the wedges of an inner node their sources: of those of their parts, the nearest ones.
WY_DEVICE_CALL WY_HD inline void PlaceWedges(const SimplifyJob& job, std::uint32_t inner,
                                             const Vector3d& place) {
  const WedgeView& wedges = job.model.wedges;
  const auto distance_of = [&](std::uint32_t source) {
    const Vector3d apart = job.model.frame.Normal(job.build.input.positions[source]) - place;
    return Dot(apart, apart);
  };
  const Range list = ListOf(job.build.merged, inner);
  for (std::uint32_t i = list.begin; i < list.end; ++i) {
    const std::uint32_t wedge = job.build.merged.items[i], source = wedges.sources[wedge];
    std::uint32_t& nearest = wedges.sources[wedges.parents[wedge]];
    const double own = distance_of(source), least = distance_of(nearest);
    if (own < least || (own == least && source < nearest)) nearest = source;
  }
}

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_WEDGES_WEDGE_NODES_H_
