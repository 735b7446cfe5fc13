// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Which edges collapse in a pass: of those that may, the cheapest one of all triangles around both
// of its ends.
//
// The tests come before the choice: an edge that may not collapse must not hold up its neighbours.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_COLLAPSE_CHOOSE_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_COLLAPSE_CHOOSE_H_

#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/simplify/build/weld.h"
#include "core/workload/simplify/collapse/edges.h"
#include "core/workload/simplify/job/bins.h"
#include "core/workload/simplify/job/stages.h"

namespace warpyard::simplify {

/// The order of edges: by the bin of the cost, then as by chance, then by the place. Edges of
/// nearly equal costs would else wait for one another in long rows, where surfaces are flat: of an
/// edge and its neighbours, only the first one collapses in a pass.
WY_HD inline std::uint64_t OrderOf(const SimplifyJob& job, std::uint32_t place) {
  constexpr std::uint32_t kChance = 21;  // bits
  const std::uint64_t bin = BinOf(job.collapse.costs[place]);
  return bin << (32 + kChance) | std::uint64_t{Mixed(place) >> (32 - kChance)} << 32 | place;
}

/// Whether a collapse changes nothing but shape. The threads of a group share what is around the
/// edge. @scope all members: the group
template <class Scope>
class CollapseTest {
 public:
  WY_HD CollapseTest(Scope& scope, const SimplifyJob& job, const Edge& edge, const Vector3d& place)
      : scope_(scope), job_(job), edge_(edge), place_(place) {}

  WY_HD bool Allows() {
    return FindThirds() && KeepsTopology(edge_.from, edge_.to) && !Folds(edge_.from, edge_.to) &&
           !Folds(edge_.to, edge_.from);
  }

 private:
  static constexpr double kLeastCosine = 0.25;  // of a triangle's normals before and after
  static constexpr double kLeastHeight = 1e-6;  // of a triangle, by its longest edge

  WY_HD Range Around(std::uint32_t vertex) const { return ListOf(job_.collapse.around, vertex); }
  WY_HD const std::uint32_t* Corners(std::uint32_t i) const {
    return MeshCorners(job_, job_.collapse.around.items[i]);
  }
  template <class Test>
  WY_HD bool AnyOf(const Range& list, Test&& test) const {
    bool found = false;
    for (std::uint32_t i = list.begin + scope_.Rank(); i < list.end; i += scope_.Size()) {
      found |= test(i);
    }
    return scope_.Any(found);
  }

  /// Finds the third corners of the edge's triangles. False: they are the same.
  WY_HD bool FindThirds() {
    const Range list = Around(edge_.from);
    std::uint32_t least = kNone, greatest = 0;
    for (std::uint32_t i = list.begin + scope_.Rank(); i < list.end; i += scope_.Size()) {
      const std::uint32_t* const corners = Corners(i);
      if (!HasCorner(corners, edge_.to)) continue;
      const std::uint32_t third = corners[0] ^ corners[1] ^ corners[2] ^ edge_.from ^ edge_.to;
      least = third < least ? third : least;
      greatest = third > greatest ? third : greatest;
    }
    thirds_[0] = scope_.Min(least);
    thirds_[1] = ~scope_.Min(~greatest);
    return edge_.triangles == 1 || thirds_[0] != thirds_[1];
  }

  /// The link condition: the ends have no neighbours in common but the thirds, and no triangle of
  /// each on the same edge of these. Without it, edges of more than two triangles come about, and
  /// two triangles on the same corners.
  WY_HD bool KeepsTopology(std::uint32_t from, std::uint32_t to) const {
    const bool meets = AnyOf(NeighboursOf(job_, from), [&](std::uint32_t place) {
      const std::uint32_t vertex = Neighbour{job_.collapse.edges[place]}.Vertex();
      if (vertex == to || vertex == thirds_[0] || vertex == thirds_[1]) return false;
      return IsNeighbour(job_, to, vertex);
    });
    if (meets || TakesLastTriangle()) return false;
    return thirds_[0] == thirds_[1] || !(HasThirds(from) && HasThirds(to));
  }

  /// Whether a locked vertex might be left without triangles: one of the edge's has no neighbour
  /// there, and others that have none may go in the same pass.
  WY_HD bool TakesLastTriangle() const {
    const std::uint32_t from = edge_.from, to = edge_.to;
    if (IsAloneAt(thirds_[0], from, to) || IsAloneAt(thirds_[1], from, to)) return true;
    return edge_.triangles == 1 &&
           (IsAloneAt(from, to, thirds_[0]) || IsAloneAt(to, from, thirds_[0]));
  }
  /// @shape a, b: the other corners of a triangle
  WY_HD bool IsAloneAt(std::uint32_t locked, std::uint32_t a, std::uint32_t b) const {
    if ((job_.collapse.flags[locked] & VertexFlags::kLocked) == 0) return false;
    const Range list = NeighboursOf(job_, locked);
    for (std::uint32_t place = list.begin; place < list.end; ++place) {
      const Neighbour neighbour{job_.collapse.edges[place]};
      const bool is_corner = neighbour.Vertex() == a || neighbour.Vertex() == b;
      if (is_corner && neighbour.Triangles() > 1) return false;
    }
    return true;
  }

  /// Whether a triangle of a vertex has both thirds.
  WY_HD bool HasThirds(std::uint32_t vertex) const {
    return AnyOf(Around(vertex), [&](std::uint32_t i) {
      return HasCorner(Corners(i), thirds_[0]) && HasCorner(Corners(i), thirds_[1]);
    });
  }

  /// Whether a triangle folds over, or becomes a line, when one end moves.
  WY_HD bool Folds(std::uint32_t moved, std::uint32_t other) const {
    return AnyOf(Around(moved), [&](std::uint32_t i) {
      return !HasCorner(Corners(i), other) && FoldsOver(Corners(i), moved);
    });
  }
  WY_HD bool FoldsOver(const std::uint32_t* corners, std::uint32_t moved) const {
    Vector3d before[3], after[3];
    for (int k = 0; k < 3; ++k) {
      before[k] = job_.mesh.positions[corners[k]];
      after[k] = corners[k] == moved ? place_ : before[k];
    }
    const Vector3d old = Cross(before[1] - before[0], before[2] - before[0]);
    const Vector3d now = Cross(after[1] - after[0], after[2] - after[0]);
    const double cosine = Dot(old, now), area = Dot(now, now);
    if (!(cosine > 0)) return true;
    if (cosine * cosine < kLeastCosine * kLeastCosine * Dot(old, old) * area) return true;
    return IsThin(after, area) && !IsThin(before, Dot(old, old));
  }
  /// Whether three corners are as good as on a line: rounding alone decides about their normal.
  /// @shape area: of the parallelogram, squared
  WY_HD static bool IsThin(const Vector3d* corners, double area) {
    double longest = 0;  // edge, squared
    for (int k = 0; k < 3; ++k) {
      const Vector3d edge = corners[k == 2 ? 0 : k + 1] - corners[k];
      const double length = Dot(edge, edge);
      longest = length > longest ? length : longest;
    }
    return area < kLeastHeight * kLeastHeight * longest * longest;
  }

  Scope& scope_;
  const SimplifyJob& job_;
  const Edge edge_;
  const Vector3d place_;
  std::uint32_t thirds_[2] = {kNone, kNone};
};

/// Tests the cheap edges of a vertex, and tells their ends of those that may collapse. A group has
/// a vertex: the tests of an edge read some hundred words, most of which depend on others.
struct TestEdges {
  using Item = Range;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "SimplifyTestEdges";
  static constexpr std::uint32_t kThreads = 8;
  static constexpr std::uint32_t kGrain = 4;

  template <class Scope>
  WY_HD static void Execute(Context<Scope, SimplifyJob>& context, const Range& range) {
    for (std::uint32_t vertex = range.begin; vertex < range.end; ++vertex) {
      TestVertex(context.scope, context.job, vertex);
    }
  }

 private:
  /// Not inlined: see Each.
  template <class Scope>
  WY_DEVICE_CALL WY_HD static void TestVertex(Scope scope, const SimplifyJob& job,
                                              std::uint32_t vertex) {
    const CollapseView& collapse = job.collapse;
    const Range edges = NeighboursOf(job, vertex);
    for (std::uint32_t place = edges.begin; place < edges.end; ++place) {
      const float cost = collapse.costs[place];
      if (cost < 0) continue;
      const Edge edge = Edge::At(job, vertex, place);
      const bool may = BinOf(cost) <= job.counters->pass.limit && MayCollapse(scope, job, edge);
      scope.Barrier();  // all have read the cost
      if (scope.Rank() != 0) continue;
      if (!may) {
        collapse.costs[place] = kNever;
        continue;
      }
      const std::uint64_t order = OrderOf(job, place);
      Scope::Word(collapse.best[edge.from]).FetchMinRelaxed(order);
      Scope::Word(collapse.best[edge.to]).FetchMinRelaxed(order);
    }
  }

  template <class Scope>
  WY_HD static bool MayCollapse(Scope& scope, const SimplifyJob& job, const Edge& edge) {
    const Quadric quadric = QuadricOf(job, edge);
    const Vector3d place = PlaceOf(job, edge, quadric);
    if (quadric.At(place) > job.collapse.bound * quadric.weight) return false;
    return CollapseTest<Scope>(scope, job, edge, place).Allows();
  }
};

struct FindCheapest {
  static constexpr const char* kName = "SimplifyFindCheapest";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t triangle) {
    const std::uint32_t* const corners = MeshCorners(job, triangle);
    std::uint64_t least = job.collapse.best[corners[0]];
    for (int k = 1; k < 3; ++k) {
      const std::uint64_t order = job.collapse.best[corners[k]];
      if (order < least) least = order;
    }
    job.collapse.cheapest[triangle] = least;
  }
};

/// Offers the edges that are left to their ends again, for another round of choices in the pass:
/// lists, costs and tests take far longer than choices.
struct OfferAgain {
  static constexpr const char* kName = "SimplifyOfferAgain";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t vertex) {
    const CollapseView& collapse = job.collapse;
    if (IsTaken(job, vertex)) return;
    const Range edges = NeighboursOf(job, vertex);
    for (std::uint32_t place = edges.begin; place < edges.end; ++place) {
      const Edge edge = Edge::At(job, vertex, place);
      if (collapse.costs[place] < 0 || IsTaken(job, edge.to)) continue;
      const std::uint64_t order = OrderOf(job, place);
      Scope::Word(collapse.best[edge.from]).FetchMinRelaxed(order);
      Scope::Word(collapse.best[edge.to]).FetchMinRelaxed(order);
    }
  }

 private:
  WY_HD static bool IsTaken(const SimplifyJob& job, std::uint32_t vertex) {
    return (job.collapse.flags[vertex] & VertexFlags::kTaken) != 0;
  }
};

/// Chooses the edges that are the cheapest ones of all triangles around them.
struct ChooseEdges {
  static constexpr const char* kName = "SimplifyChooseEdges";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t vertex) {
    const CollapseView& collapse = job.collapse;
    const std::uint64_t best = collapse.best[vertex];
    collapse.best[vertex] = ~std::uint64_t{0};  // for the next round
    const Range edges = NeighboursOf(job, vertex);
    const auto place = static_cast<std::uint32_t>(best);
    if (best == ~std::uint64_t{0} || place < edges.begin || place >= edges.end) return;
    const Edge edge = Edge::At(job, vertex, place);
    if (!IsCheapest(job, edge.from, best) || !IsCheapest(job, edge.to, best)) return;
    collapse.chosen[vertex] = place;
    Take<Scope>(job, edge.from);
    Take<Scope>(job, edge.to);
    Scope::Word(job.bins[BinOf(collapse.costs[place])]).FetchAddRelaxed(edge.triangles);
  }

 private:
  /// Takes all vertices of the triangles around a vertex.
  template <class Scope>
  WY_HD static void Take(const SimplifyJob& job, std::uint32_t vertex) {
    const Range list = ListOf(job.collapse.around, vertex);
    for (std::uint32_t i = list.begin; i < list.end; ++i) {
      const std::uint32_t* const corners = MeshCorners(job, job.collapse.around.items[i]);
      for (int k = 0; k < 3; ++k) {
        Scope::Word(job.collapse.flags[corners[k]]).FetchOrRelaxed(VertexFlags::kTaken);
      }
    }
  }
  WY_HD static bool IsCheapest(const SimplifyJob& job, std::uint32_t vertex, std::uint64_t order) {
    const Range list = ListOf(job.collapse.around, vertex);
    for (std::uint32_t i = list.begin; i < list.end; ++i) {
      if (job.collapse.cheapest[job.collapse.around.items[i]] != order) return false;
    }
    return true;
  }
};

/// Finds how many of the chosen edges collapse: no more than the target asks for.
struct ChooseLast {
  template <class Scope>
  WY_HD static void Do(Scope& scope, LaneSums& lanes, const SimplifyJob& job) {
    const std::uint32_t wanted = job.mesh.triangles - job.collapse.target;
    const BinSum found = FindInBins(scope, lanes, {job.bins, kCostBins, false}, wanted);
    if (scope.Rank() != 0) return;
    job.counters->pass.last = found.bin;
    job.counters->pass.last_room = wanted - found.before;
  }
};

/// Three rounds of choices.
using ChoiceStages =
    Stages<EachRow<FindCheapest, EachMeshTriangle>, EachRow<ChooseEdges, EachMeshVertex>,
           EachRow<OfferAgain, EachMeshVertex>, EachRow<FindCheapest, EachMeshTriangle>,
           EachRow<ChooseEdges, EachMeshVertex>, EachRow<OfferAgain, EachMeshVertex>,
           EachRow<FindCheapest, EachMeshTriangle>,
           EachLastRow<ChooseEdges, EachMeshVertex, ChooseLast>>;

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_COLLAPSE_CHOOSE_H_
