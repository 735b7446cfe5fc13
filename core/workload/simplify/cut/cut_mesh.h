// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The mesh at an error: the corner of a triangle is the topmost ancestor with an error of at most
// that. It depends on the leaf alone, so no thread waits for another.
//
// Triangles on the same three nodes are counted against one another: opposite ones cancel, and of
// equal ones the first remains. So a closed mesh stays closed.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_CUT_CUT_MESH_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_CUT_CUT_MESH_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/simplify/build/planes.h"
#include "core/workload/simplify/build/weld.h"
#include "core/workload/simplify/cut/stand_in.h"
#include "core/workload/simplify/job/stages.h"
#include "core/workload/simplify/wedges/wedges.h"

namespace warpyard::simplify {

struct EachSurvivor {
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    const std::uint32_t count = job.counters->survivors;
    return count <= job.cut.capacity ? count : 0;
  }
};
struct EachCutTriangle {
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    return job.counters->overflow != 0 ? 0 : job.counters->triangles;
  }
};
/// The words that a cut begins with: of nodes, of wedges, and of the hash table.
struct EachCutWord {
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    const std::uint32_t slots = job.cut.table.mask + 1, wedges = job.model.wedges.nodes;
    const std::uint32_t nodes = job.model.nodes > wedges ? job.model.nodes : wedges;
    return slots > nodes ? slots : nodes;
  }
};

struct ClearCut {
  static constexpr const char* kName = "SimplifyClearCut";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t i) {
    if (i < job.model.nodes) job.cut.points.first_use[i] = kNone;
    if (i < job.model.wedges.nodes) job.cut.wedges.first_use[i] = kNone;
    if (job.cut.clears && i < ExpandedWords(job.model)) job.cut.expanded[i] = 0;
    ClearSlot(job, i);
  }
  /// Clears a slot of the hash table, if there is one of this number.
  WY_HD static void ClearSlot(const SimplifyJob& job, std::uint32_t i) {
    if (i > job.cut.table.mask) return;
    job.cut.table.triangles[i] = kNone;
    job.cut.table.surplus[i] = 0;
  }
};

/// Lists the triangles that keep three corners, and maps these to the nodes that stand for them.
struct ListSurvivors : EachTriangle {
  static constexpr const char* kNames[] = {"SimplifyCountSurvivors", "SimplifyListSurvivors"};
  static constexpr bool kPlacesOnlySome = true;
  WY_HD static std::uint64_t Value(const SimplifyJob& job, std::uint32_t triangle) {
    if (job.cut.expanded == nullptr && job.cut.rule == CutRule::kError) {
      return job.model.keys[triangle] > CutErrorOf(job) ? 1 : 0;
    }
    return Stands(job, job.model.joints[triangle]) ? 0 : 1;
  }
  template <class Scope>
  WY_HD static void Place(const SimplifyJob& job, std::uint32_t triangle, std::uint64_t value,
                          std::uint64_t before) {
    if (value == 0 || before >= job.cut.capacity) return;
    job.cut.survivors[before] = triangle;
    const std::uint32_t* const corners = CornersOf(job.model, triangle);
    std::uint32_t* const mapped = job.cut.mapped + 3 * before;
    MapCorners(job, corners, mapped);
    const bool is_triangle =
        mapped[0] != mapped[1] && mapped[1] != mapped[2] && mapped[2] != mapped[0];
    if (!is_triangle) mapped[0] = kNone;
  }
  WY_HD static void End(const SimplifyJob& job, std::uint64_t total) {
    job.counters->survivors = static_cast<std::uint32_t>(total);
    if (total > job.cut.capacity) job.counters->overflow = 1;
  }
};

/// Three nodes in ascending order, and whether that is the other orientation.
struct OrderedCorners {
  std::uint32_t nodes[3];
  bool turned;

  WY_HD static OrderedCorners Of(const std::uint32_t* mapped) {
    OrderedCorners ordered{{mapped[0], mapped[1], mapped[2]}, false};
    ordered.Order(0, 1);
    ordered.Order(1, 2);
    ordered.Order(0, 1);
    return ordered;
  }
  WY_HD bool IsSame(const OrderedCorners& other) const {
    return nodes[0] == other.nodes[0] && nodes[1] == other.nodes[1] && nodes[2] == other.nodes[2];
  }
  /// @shape seed: one that no client knows, or it could send triangles with equal hashes
  WY_HD std::uint32_t Hash(std::uint32_t seed) const {
    return Mixed(nodes[0] + Mixed(nodes[1] + Mixed(nodes[2] + Mixed(seed))));
  }

 private:
  WY_HD void Order(int a, int b) {
    if (nodes[a] <= nodes[b]) return;
    const std::uint32_t node = nodes[a];
    nodes[a] = nodes[b];
    nodes[b] = node;
    turned = !turned;
  }
};

/// Counts triangles on the same nodes against one another.
struct CancelOpposites {
  static constexpr const char* kName = "SimplifyCancelOpposites";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t i) {
    const CutView& cut = job.cut;
    const std::uint32_t* const mapped = cut.mapped + 3 * std::uint64_t{i};
    if (mapped[0] == kNone) return;
    const OrderedCorners own = OrderedCorners::Of(mapped);
    std::uint32_t slot = own.Hash(cut.table.seed) & cut.table.mask;
    for (;; slot = (slot + 1) & cut.table.mask) {
      const auto word = Scope::Word(cut.table.triangles[slot]);
      std::uint32_t other = word.LoadRelaxed();
      if (other == kNone && word.CompareExchangeRelaxed(other, i)) break;
      if (!own.IsSame(OrderedCorners::Of(cut.mapped + 3 * std::uint64_t{other}))) continue;
      word.FetchMinRelaxed(i);
      break;
    }
    Scope::Word(cut.table.surplus[slot]).FetchAddRelaxed(own.turned ? -1 : 1);
    cut.slots[i] = slot;
  }
};

/// Tells a node, or a wedge, of a corner of the cut that uses it.
template <class Scope>
WY_HD void TellUse(const NumberingView& numbering, std::uint32_t node, std::uint64_t corner) {
  Scope::Word(numbering.first_use[node]).FetchMinRelaxed(static_cast<std::uint32_t>(corner));
}

/// The first survivor of each three nodes is kept, with the orientation that more of them have.
struct KeptTriangle {
  std::uint32_t survivor;
  bool turns;  ///< whether it gets the other orientation

  WY_HD static bool Is(const CutView& cut, std::uint32_t i) {
    if (cut.mapped[3 * std::uint64_t{i}] == kNone) return false;
    return cut.table.triangles[cut.slots[i]] == i && cut.table.surplus[cut.slots[i]] != 0;
  }
  /// @shape i: a survivor that is kept
  WY_HD static KeptTriangle Of(const CutView& cut, std::uint32_t i) {
    const bool turned = OrderedCorners::Of(cut.mapped + 3 * std::uint64_t{i}).turned;
    return {i, turned != (cut.table.surplus[cut.slots[i]] < 0)};
  }

  /// The nodes of its corners. @shape k: 0 to 2
  WY_HD std::uint32_t Point(const SimplifyJob& job, std::uint32_t k) const {
    return job.cut.mapped[3 * std::uint64_t{survivor} + Corner(k)];
  }
  WY_HD std::uint32_t Wedge(const SimplifyJob& job, std::uint32_t k) const {
    const std::uint64_t triangle = job.cut.survivors[survivor];
    return WedgeStandIn(job, job.model.wedges.corners[3 * triangle + Corner(k)]);
  }

 private:
  WY_HD std::uint32_t Corner(std::uint32_t k) const { return turns ? (3 - k) % 3 : k; }
};

/// Lists the triangles that are kept, and finds the first corners of the nodes and wedges in use.
struct KeepSurplus : EachSurvivor {
  static constexpr const char* kNames[] = {"SimplifyCountSurplus", "SimplifyKeepSurplus"};
  static constexpr bool kPlacesOnlySome = true;
  WY_HD static std::uint64_t Value(const SimplifyJob& job, std::uint32_t i) {
    return KeptTriangle::Is(job.cut, i) ? 1 : 0;
  }
  template <class Scope>
  WY_HD static void Place(const SimplifyJob& job, std::uint32_t i, std::uint64_t value,
                          std::uint64_t before) {
    if (value == 0) return;
    const KeptTriangle kept = KeptTriangle::Of(job.cut, i);
    for (std::uint32_t k = 0; k < 3; ++k) {
      const std::uint64_t corner = 3 * before + k;
      const std::uint32_t node = job.mesh.corners[corner] = kept.Point(job, k);
      TellUse<Scope>(job.cut.points, node, corner);
      if (job.model.wedges.leaves == 0) continue;
      const std::uint32_t wedge = job.mesh.wedge_corners[corner] = kept.Wedge(job, k);
      TellUse<Scope>(job.cut.wedges, wedge, corner);
    }
  }
  WY_HD static void End(const SimplifyJob& job, std::uint64_t total) {
    job.counters->triangles = static_cast<std::uint32_t>(total);
  }
};

/// The vertices of a cut: nodes of the tree that are in use.
struct CutPoints {
  static constexpr const char* kNames[] = {"SimplifyCountVertices", "SimplifyNumberVertices"};
  static constexpr const char* kNumber = "SimplifyNumberCorners";

  WY_HD static bool Exist(const SimplifyJob&) { return true; }
  WY_HD static std::uint32_t* Corners(const SimplifyJob& job) { return job.mesh.corners; }
  WY_HD static std::uint32_t* FirstUse(const SimplifyJob& job) { return job.cut.points.first_use; }
  WY_HD static std::uint32_t* Numbers(const SimplifyJob& job) { return job.cut.points.numbers; }
  WY_HD static void Make(const SimplifyJob& job, std::uint64_t vertex, std::uint32_t node) {
    job.mesh.nodes[vertex] = node;
    job.mesh.positions[vertex] = job.model.frame.Normal(job.model.places[node]);
    job.mesh.quadrics[vertex] = job.model.quadrics[node];
  }
  WY_HD static void SetCount(const SimplifyJob& job, std::uint64_t count) {
    job.counters->vertices = static_cast<std::uint32_t>(count);
  }
};

/// Its wedges: nodes of their tree.
struct CutWedges {
  static constexpr const char* kNames[] = {"SimplifyCountCutWedges", "SimplifyNumberCutWedges"};
  static constexpr const char* kNumber = "SimplifyNumberWedgeCorners";

  WY_HD static bool Exist(const SimplifyJob& job) { return job.model.wedges.leaves != 0; }
  WY_HD static std::uint32_t* Corners(const SimplifyJob& job) { return job.mesh.wedge_corners; }
  WY_HD static std::uint32_t* FirstUse(const SimplifyJob& job) { return job.cut.wedges.first_use; }
  WY_HD static std::uint32_t* Numbers(const SimplifyJob& job) { return job.cut.wedges.numbers; }
  WY_HD static void Make(const SimplifyJob& job, std::uint64_t wedge, std::uint32_t node) {
    const WedgeView& wedges = job.model.wedges;
    const auto to = static_cast<std::uint32_t>(wedge);
    job.mesh.wedge_nodes[to] = node;
    job.mesh.wedge_sources[to] = wedges.sources[node];
    CopyField(FieldOf(wedges.fields, wedges.channels, node), wedges.channels,
              FieldOf(job.mesh.fields, wedges.channels, to));
  }
  WY_HD static void SetCount(const SimplifyJob& job, std::uint64_t count) {
    job.counters->wedges = static_cast<std::uint32_t>(count);
  }
};

/// @shape derived from the things, whose names a prefix sum takes
template <class Things>
struct EachCutCorner : Things {
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    return Things::Exist(job) ? 3 * EachCutTriangle::Count<Scope>(job) : 0;
  }
};

/// Gives the nodes in use their numbers, in the order of their first corners.
template <class Things>
struct NumberUses : EachCutCorner<Things> {
  static constexpr bool kPlacesOnlySome = true;
  WY_HD static std::uint64_t Value(const SimplifyJob& job, std::uint32_t corner) {
    return Things::FirstUse(job)[Things::Corners(job)[corner]] == corner ? 1 : 0;
  }
  template <class Scope>
  WY_HD static void Place(const SimplifyJob& job, std::uint32_t corner, std::uint64_t value,
                          std::uint64_t before) {
    if (value == 0) return;
    Things::Numbers(job)[corner] = static_cast<std::uint32_t>(before);
    Things::Make(job, before, Things::Corners(job)[corner]);
  }
  WY_HD static void End(const SimplifyJob& job, std::uint64_t total) {
    Things::SetCount(job, total);
  }
};

template <class Things>
struct NumberCorners {
  static constexpr const char* kName = Things::kNumber;
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t corner) {
    std::uint32_t& node = Things::Corners(job)[corner];
    node = Things::Numbers(job)[Things::FirstUse(job)[node]];
  }
};

template <class Things>
using NumberStages = JoinedStages<ScanStages<NumberUses<Things>>,
                                  Stages<EachRow<NumberCorners<Things>, EachCutCorner<Things>>>>;

using CutStages =
    JoinedStages<Stages<EachRow<ClearCut, EachCutWord>>, ScanStages<ListSurvivors>,
                 Stages<EachRow<CancelOpposites, EachSurvivor>>, ScanStages<KeepSurplus>,
                 NumberStages<CutPoints>, NumberStages<CutWedges>>;

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_CUT_CUT_MESH_H_
