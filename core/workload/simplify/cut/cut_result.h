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
    const std::uint32_t slots = job.result.uses.mask + 1;
    return survivors > slots ? survivors : slots;
  }
};
struct CancelAndClear {
  static constexpr const char* kName = "SimplifyCancelAndClear";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t i) {
    if (i <= job.result.uses.mask) {
      job.result.uses.nodes[i] = kNone;
      job.result.uses.first_use[i] = kNone;
    }
    if (i < EachSurvivor::Count<Scope>(job)) CancelOpposites::Do<Scope>(job, i);
  }
};

/// Tells the table of a corner, and the corner of its slot.
struct CornersByTable {
  static constexpr const char* kKeepNames[] = {"SimplifyCountResult", "SimplifyKeepResult"};
  template <class Scope>
  WY_HD static void Keep(const SimplifyJob& job, const KeptTriangle& kept, std::uint64_t triangle) {
    const UsesView& uses = job.result.uses;
    const bool has_wedges = EachOutput::HasWedges(job);
    for (std::uint32_t k = 0; k < 3; ++k) {
      const std::uint64_t corner = 3 * triangle + k;
      const std::uint32_t point = kept.Point(job, k);
      if (has_wedges) uses.points[corner] = point;
      uses.slots[corner] = TellUse<Scope>(job, has_wedges ? kept.Wedge(job, k) : point,
                                          static_cast<std::uint32_t>(corner));
    }
  }

 private:
  /// Returns the slot of a node. A full table is an overflow; then the slot has no meaning.
  template <class Scope>
  WY_HD static std::uint32_t TellUse(const SimplifyJob& job, std::uint32_t node,
                                     std::uint32_t corner) {
    constexpr std::uint32_t kPatience = 64;  // slots until it asks whether others found it full
    const UsesView& uses = job.result.uses;
    const auto overflow = Scope::Word(job.counters->overflow);
    std::uint32_t slot = Mixed(node + Mixed(job.cut.table.seed)) & uses.mask;
    for (std::uint32_t i = 0; i <= uses.mask; ++i, slot = (slot + 1) & uses.mask) {
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

/// Gives the nodes in use their numbers, in the order of their first corners, and hands them out.
struct EmitNodes {
  static constexpr const char* kNames[] = {"SimplifyCountNodes", "SimplifyEmitNodes"};
  static constexpr bool kPlacesOnlySome = true;
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    return 3 * EachCutTriangle::Count<Scope>(job);
  }
  WY_HD static std::uint64_t Value(const SimplifyJob& job, std::uint32_t corner) {
    return job.result.uses.first_use[job.result.uses.slots[corner]] == corner ? 1 : 0;
  }
  template <class Scope>
  WY_HD static void Place(const SimplifyJob& job, std::uint32_t corner, std::uint64_t value,
                          std::uint64_t before) {
    const UsesView& uses = job.result.uses;
    if (value == 0 || before >= uses.capacity) return;
    const std::uint32_t node = uses.nodes[uses.slots[corner]];
    uses.nodes[uses.slots[corner]] = static_cast<std::uint32_t>(before);
    const bool has_wedges = EachOutput::HasWedges(job);
    const std::uint32_t point = has_wedges ? uses.points[corner] : node;
    const FloatPoint place = job.model.places[point];
    const Vector3d at = job.model.frame.Normal(place);
    job.emit.positions[before] = place;
    TellError<Scope>(job, job.model.quadrics[point], at);
    if (job.emit.ids != nullptr) job.emit.ids[before] = node;
    if (!has_wedges) {
      job.emit.sources[before] = job.model.sources[point];
      return;
    }
    const WedgeView& wedges = job.model.wedges;
    const float* const field = FieldOf(wedges.fields, wedges.channels, node);
    EmitWedge(job, before, {node, wedges.sources[node], field}, at);
  }
  /// More vertices than there is room for are told by their number: Count reads the overflow.
  WY_HD static void End(const SimplifyJob& job, std::uint64_t total) {
    job.counters->vertices = static_cast<std::uint32_t>(total);
  }
};

/// Corners of the result, and words to clear, even if there is no result.
struct EachWordToEnd {
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    const std::uint32_t corners = EmitNodes::Count<Scope>(job), words = MarkedWords(job);
    const std::uint32_t most = corners > words ? corners : words;
    return most > job.cut.table.mask ? most : job.cut.table.mask + 1;
  }
};
/// Hands out the triangles and the state.
struct EndResult {
  static constexpr const char* kName = "SimplifyEndResult";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t i) {
    const UsesView& uses = job.result.uses;
    if (i < EmitNodes::Count<Scope>(job)) job.emit.corners[i] = uses.nodes[uses.slots[i]];
    ClearCut::ClearSlot(job, i);
    if (i >= MarkedWords(job)) return;
    if (job.result.views.state != nullptr) job.result.views.state[i] = job.cut.expanded[i];
    job.cut.expanded[i] = 0;
  }
};

using ResultStages =
    JoinedStages<Stages<EachRow<BeginResult, EachWordToBegin>>, SelectStages, MarkStages,
                 ScanStages<ListSurvivors>, Stages<EachRow<CancelAndClear, EachSurvivorAndUse>>,
                 ScanStages<KeepSurplus<CornersByTable>>, ScanStages<EmitNodes>,
                 Stages<EachRow<EndResult, EachWordToEnd>>>;

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_CUT_CUT_RESULT_H_
