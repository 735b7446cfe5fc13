// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The edges of a mesh, and what a collapse of each would cost. [Garland & Heckbert 1997]
//
// A vertex has a list of its neighbours. An edge belongs to the lesser one of its vertices.
// Vertices at edges of more than two triangles, or with very many triangles, are crowded: none of
// their edges collapses.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_COLLAPSE_EDGES_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_COLLAPSE_EDGES_H_

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/simplify/collapse/surroundings.h"
#include "core/workload/simplify/job/bins.h"
#include "core/workload/simplify/job/stages.h"
#include "core/workload/simplify/wedges/pairs.h"

namespace warpyard::simplify {

/// Bits of CollapseView::flags.
struct VertexFlags {
  static constexpr std::uint32_t kBorder = 1;   ///< it has an edge of one triangle
  static constexpr std::uint32_t kCrowded = 2;  ///< none of its edges may collapse
  static constexpr std::uint32_t kSeam = 4;     ///< it has several wedges
  static constexpr std::uint32_t kLocked = 8;   ///< it stays where it is
  static constexpr std::uint32_t kTaken = 16;   ///< it has a triangle with an end of a chosen edge
};

/// The most triangles around a vertex whose edges may collapse.
inline constexpr std::uint32_t kMostAround = 64;
/// Of a cost: the edge does not collapse in this pass.
inline constexpr float kNever = -1;

/// A vertex beside another one, as CollapseView::edges has it.
struct Neighbour {
  static constexpr std::uint32_t kOneTriangle = 1u << 30;
  std::uint32_t word;  ///< triangles at the edge << 30 | vertex; more than two count as three

  WY_HD std::uint32_t Vertex() const { return word & (kOneTriangle - 1); }
  WY_HD std::uint32_t Triangles() const { return word >> 30; }
};

struct Edge {
  std::uint32_t from, to;
  std::uint32_t triangles;

  WY_HD static Edge At(const SimplifyJob& job, std::uint32_t from, std::uint32_t place) {
    const Neighbour to{job.collapse.edges[place]};
    return {from, to.Vertex(), to.Triangles()};
  }
};

/// The places of a vertex's neighbours: there are at most two for each of its triangles.
WY_HD inline Range NeighboursOf(const SimplifyJob& job, std::uint32_t vertex) {
  const std::uint32_t begin = 2 * job.collapse.around.offsets[vertex];
  return {begin, begin + job.collapse.edge_count[vertex]};
}
WY_HD inline bool IsNeighbour(const SimplifyJob& job, std::uint32_t vertex, std::uint32_t other) {
  const Range list = NeighboursOf(job, vertex);
  for (std::uint32_t place = list.begin; place < list.end; ++place) {
    if (Neighbour{job.collapse.edges[place]}.Vertex() == other) return true;
  }
  return false;
}

/// The quadric of both ends, and of their wedges becoming one.
WY_HD inline Quadric QuadricOf(const SimplifyJob& job, const Edge& edge) {
  Quadric quadric = job.mesh.quadrics[edge.from];
  quadric += job.mesh.quadrics[edge.to];
  if (job.model.wedges.channels != 0) AddWedges(job, edge.from, edge.to, quadric);
  return quadric;
}

/// Where the edge collapses: at the least error, no farther from its middle than twice its length;
/// or where a locked end is. The place is rounded as results store it: else a triangle with area
/// could become one without area in the result.
WY_HD inline Vector3d PlaceOf(const SimplifyJob& job, const Edge& edge, const Quadric& quadric) {
  constexpr double kPull = 1e-3;  // of the weight, to the middle
  for (const std::uint32_t end : {edge.from, edge.to}) {
    if ((job.collapse.flags[end] & VertexFlags::kLocked) != 0) return job.mesh.positions[end];
  }
  const Vector3d from = job.mesh.positions[edge.from], to = job.mesh.positions[edge.to];
  const Vector3d middle = 0.5 * (from + to);
  const Vector3d place = quadric.Minimum(middle, kPull * quadric.weight);
  const Vector3d step = place - middle, along = from - to;
  const double moved = Dot(step, step), most = 4 * Dot(along, along);  // squared
  const Frame& frame = job.model.frame;
  return frame.Normal(frame.Stored(moved > most ? middle + sqrt(most / moved) * step : place));
}

/// Lists the neighbours of a vertex, and finds its flags.
struct ListEdges {
  static constexpr const char* kName = "SimplifyListEdges";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t vertex) {
    const CollapseView& collapse = job.collapse;
    const Range list = ListOf(collapse.around, vertex);
    collapse.moved[vertex] = vertex;
    collapse.chosen[vertex] = kNone;
    collapse.best[vertex] = ~std::uint64_t{0};
    std::uint32_t flags = 0, count = 0;
    std::uint32_t* const words = collapse.edges + 2 * list.begin;
    if (list.end - list.begin > kMostAround) {
      flags = VertexFlags::kCrowded;
    } else {
      SortList(collapse.around, vertex);
      for (std::uint32_t i = list.begin; i < list.end; ++i) {
        const std::uint32_t* const corners = MeshCorners(job, collapse.around.items[i]);
        for (int k = 0; k < 3; ++k) {
          if (corners[k] != vertex) Add(words, count, corners[k]);
        }
      }
    }
    for (std::uint32_t i = 0; i < count; ++i) flags |= FlagsOf(Neighbour{words[i]});
    if (job.model.wedges.leaves != 0 && HasSeam(job, vertex)) flags |= VertexFlags::kSeam;
    // An inner node with this error stands for nothing.
    const bool is_locked = job.model.errors[job.mesh.nodes[vertex]] == simplify::kLocked;
    if (is_locked) flags |= VertexFlags::kLocked;
    collapse.flags[vertex] = flags;
    collapse.edge_count[vertex] = count;
  }

 private:
  /// Counts a triangle with a neighbour.
  WY_HD static void Add(std::uint32_t* words, std::uint32_t& count, std::uint32_t other) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const Neighbour known{words[i]};
      if (known.Vertex() != other) continue;
      if (known.Triangles() < 3) words[i] += Neighbour::kOneTriangle;
      return;
    }
    words[count++] = other | Neighbour::kOneTriangle;
  }
  WY_HD static std::uint32_t FlagsOf(const Neighbour& neighbour) {
    if (neighbour.Triangles() == 1) return VertexFlags::kBorder;
    return neighbour.Triangles() > 2 ? VertexFlags::kCrowded : 0;
  }
};

/// Finds what the collapse of each edge costs, and counts the costs.
struct FindCosts {
  static constexpr const char* kName = "SimplifyFindCosts";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t vertex) {
    const Range edges = NeighboursOf(job, vertex);
    for (std::uint32_t place = edges.begin; place < edges.end; ++place) {
      const Edge edge = Edge::At(job, vertex, place);
      const float cost = edge.to > vertex ? CostOf(job, edge) : kNever;
      job.collapse.costs[place] = cost;
      if (cost >= 0) Scope::Word(job.bins[BinOf(cost)]).FetchAddRelaxed(1);
    }
  }

 private:
  WY_HD static float CostOf(const SimplifyJob& job, const Edge& edge) {
    const std::uint32_t flags[2] = {job.collapse.flags[edge.from], job.collapse.flags[edge.to]};
    if (((flags[0] | flags[1]) & VertexFlags::kCrowded) != 0) return kNever;
    const std::uint32_t both = flags[0] & flags[1];
    if ((both & VertexFlags::kLocked) != 0) return kNever;
    const bool bridges = (both & VertexFlags::kBorder) != 0 && edge.triangles == 2;
    if (bridges) return kNever;  // it would pinch the surface
    const bool meets_seam = ((flags[0] | flags[1]) & VertexFlags::kSeam) != 0;
    if (meets_seam && !MayJoinWedges(job, edge.from, edge.to, (both & VertexFlags::kSeam) != 0)) {
      return kNever;
    }
    const Quadric quadric = QuadricOf(job, edge);
    return static_cast<float>(quadric.At(PlaceOf(job, edge, quadric)));
  }
};

/// Chooses the limit of the costs: that of the cheapest part of all edges.
struct ChooseLimit {
  template <class Scope>
  WY_HD static void Do(Scope& scope, LaneSums& lanes, const SimplifyJob& job) {
    std::uint64_t own = 0, all = 0;
    for (std::uint32_t i = scope.Rank(); i < kCostBins; i += scope.Size()) {
      own += job.bins[i];
    }
    lanes.Before(scope, own, all);
    const auto part = static_cast<std::uint64_t>(static_cast<double>(job.collapse.part) *
                                                 static_cast<double>(all));
    const BinSum found = FindInBins(scope, lanes, {job.bins, kCostBins, false}, part + 1);
    if (scope.Rank() != 0) return;
    job.counters->pass.edges = static_cast<std::uint32_t>(all);
    job.counters->pass.limit = found.bin;
  }
};

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_COLLAPSE_EDGES_H_
