// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Components: from the deepest cells on upwards, the edges of a depth join what they connect. A
// component that joined others becomes a node; those are its children.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_BUILD_JOIN_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_BUILD_JOIN_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/simplify/build/planes.h"
#include "core/workload/simplify/job/lists.h"
#include "core/workload/simplify/job/stages.h"

namespace warpyard::simplify {

inline constexpr std::uint32_t kGrown = kNone - 1;

struct EachRoot {
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    return job.build.components.root_count;
  }
};

/// The least leaf of a component. Shortens the way for others.
template <class Scope>
WY_HD std::uint32_t LeastOf(const BuildView& build, std::uint32_t leaf) {
  std::uint32_t parent = Scope::Word(build.components.least[leaf]).LoadRelaxed();
  while (parent != leaf) {
    const std::uint32_t above = Scope::Word(build.components.least[parent]).LoadRelaxed();
    if (above != parent) Scope::Word(build.components.least[leaf]).StoreRelaxed(above);
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
    for (int k = 0; k < 3; ++k) {
      if (edges.Depth(k) != job.build.components.depth) continue;
      const std::uint32_t* const corners = CornersOf(job.model, triangle);
      Join<Scope>(job.build, corners[k], corners[k == 2 ? 0 : k + 1]);
    }
  }

 private:
  template <class Scope>
  WY_HD static void Join(const BuildView& build, std::uint32_t a, std::uint32_t b) {
    while (true) {
      a = LeastOf<Scope>(build, a);
      b = LeastOf<Scope>(build, b);
      if (a == b) return;
      std::uint32_t greater = a > b ? a : b;
      const std::uint32_t lesser = a > b ? b : a;
      if (Scope::Word(build.components.least[greater]).CompareExchangeRelaxed(greater, lesser))
        return;
    }
  }
};

/// Marks components that joined others.
struct MarkGrown {
  static constexpr const char* kName = "SimplifyMarkGrown";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t i) {
    const std::uint32_t root = job.build.components.roots[i];
    const std::uint32_t least = LeastOf<Scope>(job.build, root);
    if (least != root) Scope::Word(job.build.components.made[least]).StoreRelaxed(kGrown);
  }
};

/// Gives the new nodes their numbers, and lists the components that are left. @shape values: a new
///     node counts 1 << 32, and a component that is left 1
struct NumberNodes : EachRoot {
  static constexpr const char* kNames[] = {"SimplifyCountNodes", "SimplifyNumberNodes"};
  WY_HD static std::uint64_t Value(const SimplifyJob& job, std::uint32_t i) {
    const std::uint32_t root = job.build.components.roots[i];
    if (job.build.components.least[root] != root) return 0;
    return (job.build.components.made[root] != kNone ? std::uint64_t{1} << 32 : 0) + 1;
  }
  template <class Scope>
  WY_HD static void Place(const SimplifyJob& job, std::uint32_t i, std::uint64_t value,
                          std::uint64_t before) {
    if (value == 0) return;
    const std::uint32_t root = job.build.components.roots[i];
    job.build.components.next[static_cast<std::uint32_t>(before)] = root;
    if (value >> 32 == 0) return;
    const std::uint32_t node =
        job.build.components.first_node + static_cast<std::uint32_t>(before >> 32);
    job.build.components.made[root] = node;
    job.model.parents[node] = kNone;
  }
  WY_HD static void End(const SimplifyJob& job, std::uint64_t total) {
    job.counters->roots = static_cast<std::uint32_t>(total);
    job.counters->joined = static_cast<std::uint32_t>(total >> 32);
  }
};

/// Gives the components of before their parents.
struct LinkParents {
  static constexpr const char* kName = "SimplifyLinkParents";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t i) {
    const std::uint32_t root = job.build.components.roots[i];
    const std::uint32_t made = job.build.components.made[LeastOf<Scope>(job.build, root)];
    if (made != kNone) job.model.parents[job.build.components.node_of[root]] = made;
  }
};

/// Makes the new nodes those of their components.
struct TakeNodes {
  static constexpr const char* kName = "SimplifyTakeNodes";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t i) {
    const std::uint32_t root = job.build.components.roots[i];
    const std::uint32_t made = job.build.components.made[root];
    if (made == kNone) return;
    job.build.components.node_of[root] = made;
    job.build.components.made[root] = kNone;
  }
};

using JoinStages =
    JoinedStages<Stages<EachRow<JoinEdges, EachTriangle>, EachRow<MarkGrown, EachRoot>>,
                 ScanStages<NumberNodes>,
                 Stages<EachRow<LinkParents, EachRoot>, EachRow<TakeNodes, EachRoot>>>;

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_BUILD_JOIN_H_
