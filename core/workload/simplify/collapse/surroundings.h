// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What is around the vertices of a mesh: lists of triangles.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_COLLAPSE_SURROUNDINGS_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_COLLAPSE_SURROUNDINGS_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/simplify/build/planes.h"
#include "core/workload/simplify/job/lists.h"
#include "core/workload/simplify/job/stages.h"

namespace warpyard::simplify {

struct EachMeshVertex {
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    return job.mesh.vertices;
  }
};
struct EachMeshTriangle {
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    return job.mesh.triangles;
  }
};

WY_HD inline const std::uint32_t* MeshCorners(const SimplifyJob& job, std::uint32_t triangle) {
  return job.mesh.corners + 3 * std::uint64_t{triangle};
}

/// How many triangles of a list have a vertex, up to `most`.
WY_HD inline std::uint32_t CountWith(const SimplifyJob& job, const Range& list,
                                     std::uint32_t vertex, std::uint32_t most) {
  std::uint32_t count = 0;
  for (std::uint32_t i = list.begin; i < list.end && count < most; ++i) {
    if (HasCorner(MeshCorners(job, job.collapse.around.items[i]), vertex)) ++count;
  }
  return count;
}

struct CountCorners {
  static constexpr const char* kName = "SimplifyCountCorners";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t triangle) {
    for (int k = 0; k < 3; ++k) {
      CountItem<Scope>(job.collapse.around, MeshCorners(job, triangle)[k]);
    }
  }
};

struct PlaceLists : EachMeshVertex {
  static constexpr const char* kNames[] = {"SimplifySumLists", "SimplifyPlaceLists"};
  WY_HD static std::uint64_t Value(const SimplifyJob& job, std::uint32_t vertex) {
    return job.collapse.around.counts[vertex];
  }
  template <class Scope>
  WY_HD static void Place(const SimplifyJob& job, std::uint32_t vertex, std::uint64_t,
                          std::uint64_t before) {
    job.collapse.around.offsets[vertex] = static_cast<std::uint32_t>(before);
  }
  WY_HD static void End(const SimplifyJob& job, std::uint64_t total) {
    job.collapse.around.offsets[job.mesh.vertices] = static_cast<std::uint32_t>(total);
  }
};

struct FillLists {
  static constexpr const char* kName = "SimplifyFillLists";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t triangle) {
    for (int k = 0; k < 3; ++k) {
      AddItem<Scope>(job.collapse.around, MeshCorners(job, triangle)[k], triangle);
    }
  }
};

using ListStages =
    JoinedStages<Stages<EachRow<CountCorners, EachMeshTriangle>>, ScanStages<PlaceLists>,
                 Stages<EachRow<FillLists, EachMeshTriangle>>>;

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_COLLAPSE_SURROUNDINGS_H_
