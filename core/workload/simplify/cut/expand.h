// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Expands nodes of a cut at edges of more than two triangles. Where sheets of a surface come close,
// their components may touch in a cut; with the children of such nodes they do not.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_CUT_EXPAND_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_CUT_EXPAND_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/simplify/collapse/surroundings.h"
#include "core/workload/simplify/job/stages.h"
#include "core/workload/simplify/views/mark.h"

namespace warpyard::simplify {

/// Expands the inner nodes at crowded edges of a vertex, and all above them.
struct ExpandCrowded {
  static constexpr const char* kName = "SimplifyExpandCrowded";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t vertex) {
    const ListsView& around = job.collapse.around;
    const Range list = ListOf(around, vertex);
    for (std::uint32_t i = list.begin; i < list.end; ++i) {
      const std::uint32_t* const corners = MeshCorners(job, around.items[i]);
      for (int k = 0; k < 3; ++k) {
        // Each edge once: by the end that has fewer triangles around it.
        const std::uint32_t other = corners[k];
        if (other == vertex || !Leads(around, vertex, other)) continue;
        if (CountWith(job, list, other, 3) < 3) continue;
        Expand<Scope>(job, vertex);
        Expand<Scope>(job, other);
      }
    }
  }

 private:
  WY_HD static bool Leads(const ListsView& around, std::uint32_t vertex, std::uint32_t other) {
    const Range own = ListOf(around, vertex), far = ListOf(around, other);
    const std::uint32_t size = own.end - own.begin, far_size = far.end - far.begin;
    return size != far_size ? size < far_size : vertex < other;
  }
  template <class Scope>
  WY_HD static void Expand(const SimplifyJob& job, std::uint32_t vertex) {
    const std::uint32_t node = job.mesh.nodes[vertex];
    if (node < job.model.leaves) return;  // the mesh itself has such an edge
    const std::uint32_t count = ExpandUpwards<Scope>(job, node);
    if (count != 0) Scope::Word(job.counters->expanded).FetchAddRelaxed(count);
  }
};

using ExpandStages = JoinedStages<ListStages, Stages<EachRow<ExpandCrowded, EachMeshVertex>>>;

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_CUT_EXPAND_H_
