// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A cut as it is handed out, in one event: for views, at an error or a level, or with a number of
// triangles.
//
// It takes time for its triangles, and looks once at the inner nodes, or the keys, and the
// triangles of the model. All vertices of a cut are in use and lie where their nodes do. So they go
// to the result when they get their numbers, in the order of their first corners, and their nodes
// are in a hash table. Each event clears its tables while a later stage looks at other ones, so
// that the next event begins at once. [docs/adr/0054-short-simplifications.md]
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_CUT_CUT_RESULT_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_CUT_CUT_RESULT_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/simplify/collapse/emit.h"
#include "core/workload/simplify/cut/cut_mesh.h"
#include "core/workload/simplify/cut/select.h"
#include "core/workload/simplify/job/stages.h"
#include "core/workload/simplify/views/mark.h"

namespace warpyard::simplify {

/// The bits of expanded nodes, where a cut asks for them.
WY_HD inline std::uint32_t MarkedWords(const SimplifyJob& job) {
  return job.cut.rule == CutRule::kExpanded ? ExpandedWords(job.model) : 0;
}

/// Words that are clear between events, but for events that failed and new memory.
struct EachWordToBegin {
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    if (!job.result.begins) return 0;
    const std::uint32_t words = MarkedWords(job), slots = job.cut.table.mask + 1;
    return words > slots ? words : slots;
  }
};
struct BeginResult {
  static constexpr const char* kName = "SimplifyBeginResult";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t i) {
    if (i < MarkedWords(job)) job.cut.expanded[i] = 0;
    ClearCut::ClearSlot(job, i);
  }
};

/// Survivors, and slots of the table of uses, of which nobody has taken one yet.
struct EachSurvivorAndUse {
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    const std::uint32_t survivors = EachSurvivor::Count<Scope>(job);
    const std::uint32_t slots = job.result.uses.slot_count;
    return survivors > slots ? survivors : slots;
  }
};
struct CancelAndClear {
  static constexpr const char* kName = "SimplifyCancelAndClear";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t i) {
    if (i < job.result.uses.slot_count) {
      job.result.uses.nodes[i] = kNone;
      job.result.uses.first_use[i] = kNone;
    }
    if (i < EachSurvivor::Count<Scope>(job)) CancelOpposites::Do<Scope>(job, i);
  }
};

/// Finds the first corners of the nodes, or wedges, of the triangles that are kept. Corners are
/// those of survivors, after the turn: their order is that of the result.
struct TellUses {
  static constexpr const char* kName = "SimplifyTellUses";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t i) {
    const UsesView& uses = job.result.uses;
    const std::uint64_t first = 3 * std::uint64_t{i};
    if (!KeptTriangle::Is(job.cut, i)) {
      uses.slots[first] = kNone;
      return;
    }
    const KeptTriangle kept = KeptTriangle::Of(job.cut, i);
    const bool has_wedges = EachOutput::HasWedges(job);
    for (std::uint32_t k = 0; k < 3; ++k) {
      const std::uint32_t point = kept.Point(job, k);
      if (has_wedges) uses.points[first + k] = point;
      uses.slots[first + k] = Tell<Scope>(job, has_wedges ? kept.Wedge(job, k) : point,
                                          static_cast<std::uint32_t>(first) + k);
    }
  }

 private:
  /// Returns the slot of a node. A full table is an overflow; then the slot has no meaning.
  template <class Scope>
  WY_HD static std::uint32_t Tell(const SimplifyJob& job, std::uint32_t node,
                                  std::uint32_t corner) {
    constexpr std::uint32_t kPatience = 64;  // slots until it asks whether others found it full
    const UsesView& uses = job.result.uses;
    if (!uses.is_hashed) {
      Scope::Word(uses.first_use[node]).FetchMinRelaxed(corner);
      return node;
    }
    const auto overflow = Scope::Word(job.counters->overflow);
    const std::uint32_t mask = uses.slot_count - 1;
    std::uint32_t slot = Mixed(node + Mixed(job.cut.table.seed)) & mask;
    for (std::uint32_t i = 0; i <= mask; ++i, slot = (slot + 1) & mask) {
      if (i % kPatience == kPatience - 1 && overflow.LoadRelaxed() != 0) return 0;
      const auto word = Scope::Word(uses.nodes[slot]);
      std::uint32_t other = word.LoadRelaxed();
      const bool takes = other == kNone && word.CompareExchangeRelaxed(other, node);
      if (!takes && other != node) continue;
      Scope::Word(uses.first_use[slot]).FetchMinRelaxed(corner);
      return slot;
    }
    overflow.StoreRelaxed(1);
    return 0;
  }
};

/// Gives triangles and vertices their numbers. A sum has the triangles in its lower half, and the
/// vertices, which are first corners of nodes, in its upper half.
struct NumberResult {
  static constexpr const char* kNames[] = {"SimplifyCountResult", "SimplifyNumberResult"};
  static constexpr bool kPlacesOnlySome = true;
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    return job.counters->overflow != 0 ? 0 : EachSurvivor::Count<Scope>(job);
  }
  WY_HD static std::uint64_t Value(const SimplifyJob& job, std::uint32_t i) {
    const std::uint64_t first = 3 * std::uint64_t{i};
    if (job.result.uses.slots[first] == kNone) return 0;
    std::uint64_t value = 1;
    for (std::uint64_t k = 0; k < 3; ++k) {
      if (IsFirst(job.result.uses, first + k)) value += std::uint64_t{1} << 32;
    }
    return value;
  }
  template <class Scope>
  WY_HD static void Place(const SimplifyJob& job, std::uint32_t i, std::uint64_t value,
                          std::uint64_t before) {
    if (value == 0) return;
    const UsesView& uses = job.result.uses;
    uses.kept[static_cast<std::uint32_t>(before)] = i;
    auto vertex = static_cast<std::uint32_t>(before >> 32);
    const std::uint64_t first = 3 * std::uint64_t{i};
    for (std::uint64_t corner = first; corner < first + 3; ++corner) {
      if (!IsFirst(uses, corner)) continue;
      uses.numbers[uses.slots[corner]] = vertex;
      if (vertex < uses.capacity) uses.firsts[vertex] = static_cast<std::uint32_t>(corner);
      ++vertex;
    }
  }
  /// More vertices than there is room for are told by their number: Count reads the overflow.
  WY_HD static void End(const SimplifyJob& job, std::uint64_t total) {
    job.counters->triangles = static_cast<std::uint32_t>(total);
    job.counters->vertices = static_cast<std::uint32_t>(total >> 32);
  }

 private:
  WY_HD static bool IsFirst(const UsesView& uses, std::uint64_t corner) {
    return uses.first_use[uses.slots[corner]] == corner;
  }
};

/// Corners and vertices of the result, and words to clear, even if the result had too little room.
struct EachWordToEnd {
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    const std::uint32_t corners = Corners(job), vertices = Vertices(job), words = MarkedWords(job);
    std::uint32_t most = job.cut.table.mask + 1;
    most = corners > most ? corners : most;
    most = vertices > most ? vertices : most;
    return words > most ? words : most;
  }
  WY_HD static std::uint32_t Corners(const SimplifyJob& job) {
    return Fits(job) ? 3 * job.counters->triangles : 0;
  }
  WY_HD static std::uint32_t Vertices(const SimplifyJob& job) {
    return Fits(job) ? job.counters->vertices : 0;
  }

 private:
  WY_HD static bool Fits(const SimplifyJob& job) {
    return job.counters->overflow == 0 && job.counters->vertices <= job.result.uses.capacity;
  }
};
/// Hands out the triangles, the vertices and the state.
struct EndResult {
  static constexpr const char* kName = "SimplifyEndResult";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t i) {
    const UsesView& uses = job.result.uses;
    if (i < EachWordToEnd::Corners(job)) {
      const std::uint64_t corner = 3 * std::uint64_t{uses.kept[i / 3]} + i % 3;
      job.emit.corners[i] = uses.numbers[uses.slots[corner]];
    }
    if (i < EachWordToEnd::Vertices(job)) EmitVertex<Scope>(job, i);
    ClearCut::ClearSlot(job, i);
    if (i >= MarkedWords(job)) return;
    if (job.result.views.state != nullptr) job.result.views.state[i] = job.cut.expanded[i];
    job.cut.expanded[i] = 0;
  }

 private:
  template <class Scope>
  WY_HD static void EmitVertex(const SimplifyJob& job, std::uint32_t vertex) {
    const UsesView& uses = job.result.uses;
    const std::uint32_t corner = uses.firsts[vertex], slot = uses.slots[corner];
    const std::uint32_t node = uses.is_hashed ? uses.nodes[slot] : slot;
    const bool has_wedges = EachOutput::HasWedges(job);
    const std::uint32_t point = has_wedges ? uses.points[corner] : node;
    const FloatPoint place = job.model.places[point];
    const Vector3d at = job.model.frame.Normal(place);
    job.emit.positions[vertex] = place;
    TellError<Scope>(job, job.model.quadrics[point], at);
    if (job.emit.ids != nullptr) job.emit.ids[vertex] = node;
    if (!has_wedges) {
      job.emit.sources[vertex] = job.model.sources[point];
      return;
    }
    const WedgeView& wedges = job.model.wedges;
    const float* const field = FieldOf(wedges.fields, wedges.channels, node);
    EmitWedge(job, vertex, {node, wedges.sources[node], field}, at);
  }
};

using ResultStages = JoinedStages<
    Stages<EachRow<BeginResult, EachWordToBegin>>, SelectStages, MarkStages,
    ScanStages<ListSurvivors>,
    Stages<EachRow<CancelAndClear, EachSurvivorAndUse>, EachRow<TellUses, EachSurvivor>>,
    ScanStages<NumberResult>, Stages<EachRow<EndResult, EachWordToEnd>>>;

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_CUT_CUT_RESULT_H_
