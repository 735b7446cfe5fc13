// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Makes a model fit for searches and samples: children and triangles in linked lists, spheres that
// have all triangles, and sums of areas. The lists have the order of the workers; what is found in
// them does not depend on it.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_MEASURE_LINK_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_MEASURE_LINK_H_

#include <cmath>
#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/simplify/job/bins.h"
#include "core/workload/simplify/job/stages.h"
#include "core/workload/simplify/wedges/wedges.h"

namespace warpyard::simplify {

WY_HD inline Vector3d PlaceAt(const SearchView& search, std::uint32_t node) {
  return search.frame.Normal(search.places[node]);
}
WY_HD inline const std::uint32_t* CornersOf(const SearchView& search, std::uint32_t triangle) {
  return search.corners + 3 * std::uint64_t{triangle};
}

struct EachSearchNode {
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    return job.measure.from.nodes;
  }
};
struct EachSearchTriangle {
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    return job.measure.from.triangles;
  }
};

struct BeginLinks {
  static constexpr const char* kName = "SimplifyBeginLinks";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t node) {
    const SearchView& search = job.measure.from;
    search.first_child[node] = kNone;
    search.reach[node] = 0;
    if (node < search.leaves) search.first_triangle[node] = kNone;
    if (node == 0) search.first_child[search.nodes] = kNone;
  }
};

struct LinkNodes {
  static constexpr const char* kName = "SimplifyLinkNodes";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t node) {
    const SearchView& search = job.measure.from;
    const std::uint32_t parent = search.parents[node];
    const std::uint32_t list = parent == kNone ? search.nodes : parent;
    search.sibling[node] = Scope::Word(search.first_child[list]).ExchangeRelaxed(node);
    if (parent == kNone) Scope::Word(job.counters->parts).FetchAddRelaxed(1);
  }
};

/// Lists a triangle at its leaf, and grows the spheres of all nodes above it.
struct LinkTriangles {
  static constexpr const char* kName = "SimplifyLinkTriangles";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t triangle) {
    const SearchView& search = job.measure.from;
    const std::uint32_t* const corners = CornersOf(search, triangle);
    search.next_triangle[triangle] =
        Scope::Word(search.first_triangle[corners[0]]).ExchangeRelaxed(triangle);
    for (std::uint32_t node = corners[0]; node != kNone; node = search.parents[node]) {
      const Vector3d place = PlaceAt(search, node);
      double most = 0;
      for (int k = 0; k < 3; ++k) {
        const double apart = LengthOf(PlaceAt(search, corners[k]) - place);
        most = apart > most ? apart : most;
      }
      // A little more, for what rounding to single precision takes.
      const std::uint32_t bits = OrderedBits(static_cast<float>(most * (1 + 1e-6)));
      const auto reach = Scope::Word(search.reach[node]);
      if (bits > reach.LoadRelaxed()) reach.FetchMaxRelaxed(bits);
    }
  }
};

/// The area of a triangle in steps of 2^-34 of the squared side of the model, and one more, so that
/// sums are exact and each triangle has some.
WY_HD inline std::uint64_t AreaOf(const SearchView& search, std::uint32_t triangle) {
  const std::uint32_t* const corners = CornersOf(search, triangle);
  const Vector3d at = PlaceAt(search, corners[0]);
  const Vector3d cross = Cross(PlaceAt(search, corners[1]) - at, PlaceAt(search, corners[2]) - at);
  return static_cast<std::uint64_t>(LengthOf(cross) / 2 * 17179869184.0) + 1;
}

struct SumAreas : EachSearchTriangle {
  static constexpr const char* kNames[] = {"SimplifySumAreas", "SimplifyPlaceAreas"};
  WY_HD static std::uint64_t Value(const SimplifyJob& job, std::uint32_t triangle) {
    return AreaOf(job.measure.from, triangle);
  }
  template <class Scope>
  WY_HD static void Place(const SimplifyJob& job, std::uint32_t triangle, std::uint64_t value,
                          std::uint64_t before) {
    job.measure.from.areas[triangle] = before + value;
  }
  WY_HD static void End(const SimplifyJob&, std::uint64_t) {}
};

using LinkStages =
    JoinedStages<Stages<EachRow<BeginLinks, EachSearchNode>, EachRow<LinkNodes, EachSearchNode>,
                        EachRow<LinkTriangles, EachSearchTriangle>>,
                 ScanStages<SumAreas>>;

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_MEASURE_LINK_H_
