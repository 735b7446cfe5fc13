// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Components: from the deepest cells on upwards, the edges of a depth join what they connect. A
// component that joined others becomes a node; those are its children. The same for wedges: what
// joins these joins their points, too, so a new node of theirs lies in a new one of the points.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_BUILD_JOIN_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_BUILD_JOIN_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/simplify/build/planes.h"
#include "core/workload/simplify/job/lists.h"
#include "core/workload/simplify/job/stages.h"

namespace warpyard::simplify {

inline constexpr std::uint32_t kGrown = kNone - 1;

WY_HD inline const ComponentsView& ComponentsOf(const SimplifyJob& job) {
  return job.build.joins_wedges ? job.build.wedges : job.build.points;
}

struct EachRoot {
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    return ComponentsOf(job).root_count;
  }
};

/// The least leaf of a component. Shortens the way for others.
template <class Scope>
WY_HD std::uint32_t LeastOf(const ComponentsView& components, std::uint32_t leaf) {
  std::uint32_t parent = Scope::Word(components.least[leaf]).LoadRelaxed();
  while (parent != leaf) {
    const std::uint32_t above = Scope::Word(components.least[parent]).LoadRelaxed();
    if (above != parent) Scope::Word(components.least[leaf]).StoreRelaxed(above);
    leaf = parent;
    parent = above;
  }
  return leaf;
}

/// Joins the ends of a triangle's edges of this depth.
struct JoinEdges {
  static constexpr const char* kName = "SimplifyJoinEdges";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t triangle) {
    const EdgeWord edges{job.build.edges[triangle]};
    const ComponentsView& components = ComponentsOf(job);
    for (int k = 0; k < 3; ++k) {
      if (edges.Depth(k) != job.build.depth) continue;
      const std::uint32_t* const corners = components.corners + 3 * std::uint64_t{triangle};
      Join<Scope>(components, corners[k], corners[k == 2 ? 0 : k + 1]);
    }
  }

 private:
  template <class Scope>
  WY_HD static void Join(const ComponentsView& components, std::uint32_t a, std::uint32_t b) {
    while (true) {
      a = LeastOf<Scope>(components, a);
      b = LeastOf<Scope>(components, b);
      if (a == b) return;
      std::uint32_t greater = a > b ? a : b;
      const std::uint32_t lesser = a > b ? b : a;
      if (Scope::Word(components.least[greater]).CompareExchangeRelaxed(greater, lesser)) return;
    }
  }
};

/// Marks components that joined others.
struct MarkGrown {
  static constexpr const char* kName = "SimplifyMarkGrown";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t i) {
    const ComponentsView& components = ComponentsOf(job);
    const std::uint32_t root = components.roots[i];
    const std::uint32_t least = LeastOf<Scope>(components, root);
    if (least != root) Scope::Word(components.made[least]).StoreRelaxed(kGrown);
  }
};

/// Gives the new nodes their numbers, and lists the components that are left. @shape values: a new
///     node counts 1 << 32, and a component that is left 1
struct NumberNodes : EachRoot {
  static constexpr const char* kNames[] = {"SimplifyCountNodes", "SimplifyNumberNodes"};
  WY_HD static std::uint64_t Value(const SimplifyJob& job, std::uint32_t i) {
    const ComponentsView& components = ComponentsOf(job);
    const std::uint32_t root = components.roots[i];
    if (components.least[root] != root) return 0;
    return (components.made[root] != kNone ? std::uint64_t{1} << 32 : 0) + 1;
  }
  template <class Scope>
  WY_HD static void Place(const SimplifyJob& job, std::uint32_t i, std::uint64_t value,
                          std::uint64_t before) {
    if (value == 0) return;
    const ComponentsView& components = ComponentsOf(job);
    const std::uint32_t root = components.roots[i];
    components.next[static_cast<std::uint32_t>(before)] = root;
    if (value >> 32 == 0) return;
    const std::uint32_t node = components.first_node + static_cast<std::uint32_t>(before >> 32);
    components.made[root] = node;
    components.parents[node] = kNone;
    if (!job.build.joins_wedges) return;
    const ComponentsView& points = job.build.points;
    std::uint32_t* const owners = job.model.wedges.owners;
    owners[node] = points.node_of[LeastOf<Scope>(points, owners[root])];
  }
  WY_HD static void End(const SimplifyJob& job, std::uint64_t total) {
    job.counters->join.roots = static_cast<std::uint32_t>(total);
    job.counters->join.made = static_cast<std::uint32_t>(total >> 32);
  }
};

/// Gives the components of before their parents.
struct LinkParents {
  static constexpr const char* kName = "SimplifyLinkParents";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t i) {
    const ComponentsView& components = ComponentsOf(job);
    const std::uint32_t root = components.roots[i];
    const std::uint32_t made = components.made[LeastOf<Scope>(components, root)];
    if (made != kNone) components.parents[components.node_of[root]] = made;
  }
};

/// Makes the new nodes those of their components.
struct TakeNodes {
  static constexpr const char* kName = "SimplifyTakeNodes";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t i) {
    const ComponentsView& components = ComponentsOf(job);
    const std::uint32_t root = components.roots[i];
    const std::uint32_t made = components.made[root];
    if (made == kNone) return;
    components.node_of[root] = made;
    components.made[root] = kNone;
  }
};

using JoinStages =
    JoinedStages<Stages<EachRow<JoinEdges, EachTriangle>, EachRow<MarkGrown, EachRoot>>,
                 ScanStages<NumberNodes>,
                 Stages<EachRow<LinkParents, EachRoot>, EachRow<TakeNodes, EachRoot>>>;

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_BUILD_JOIN_H_
