// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Stages that sort the lists of collisions of a step: a counting sort by first ids, then ranks
// within each row (contact_rows.h).
//
// A library's sort would need the resident kernel to leave the device. Root finding has counted the
// collisions of each row. The first stage turns these counts into the place where each row begins.
// The second stage copies each collision to a place in its row. The third stage counts, for each
// collision, how many collisions of its row come before it, and writes the collision to that place
// in the list. Most rows have few collisions. Where a row is so long that ranking it would take
// longer than all stages before, the host sorts instead (StepCounters::unranked). Source: ours.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_CONTACTS_CONTACT_SORT_H_
#define WARPYARD_CORE_WORKLOAD_CCD_CONTACTS_CONTACT_SORT_H_

#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/scope.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/ccd/job/collision_job.h"
#include "core/workload/ccd/job/contact_rows.h"
#include "core/workload/ccd/job/stage_list.h"

namespace warpyard::ccd {

/// The host sorts lists that together are shorter than this, because that takes less time than
/// stages.
inline constexpr std::uint64_t kLeastSorted = 2048;

/// Number of collisions that the workers sort; 0 if the host sorts.
/// @shape vertex_faces, edge_edges: StepCounters::listed_contacts
WY_HD inline std::uint32_t SortedCount(const StepView& step, std::uint64_t vertex_faces,
                                       std::uint64_t edge_edges) {
  const bool fit = vertex_faces <= step.lists.vertex_face.capacity &&
                   edge_edges <= step.lists.edge_edge.capacity;
  const std::uint64_t sum = vertex_faces + edge_edges;
  if (step.lists.rows.ends == nullptr || !fit || sum < kLeastSorted || sum > kMostPairs) return 0;
  return static_cast<std::uint32_t>(sum);
}

/// Whether the workers have sorted the lists. @shape counters: of a finished step
inline bool IsSorted(const StepView& step, const StepCounters& counters) {
  const std::uint64_t* const listed = counters.listed_contacts;
  return counters.unranked == 0 && SortedCount(step, listed[0], listed[1]) != 0;
}

/// Vertex-face pairs come first where one index runs over both lists.
template <class Scope>
WY_HD std::uint32_t VertexFacesListed(const StepView& step) {
  return static_cast<std::uint32_t>(Scope::Word(*step.lists.vertex_face.count).LoadRelaxed());
}

/// Stage over parts of rows: replaces the length of each row by the place where it begins.
struct PlaceRows {
  using Item = procedure::Range;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "PlaceRows";
  static constexpr bool kUneven = true;
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::uint32_t kGrain = 2;

  template <exec::LaneScope Scope>
  WY_HD static void Execute(procedure::Context<Scope, CollisionJob>& context,
                            const procedure::Range& range) {
    Scope& scope = context.scope;
    const ContactRows& rows = context.job.step.lists.rows;
    const std::uint32_t last = scope.Size() - 1;
    std::uint32_t next = 0;
    for (std::uint32_t part = scope.Rank(); part < range.begin; part += scope.Size()) {
      next += rows.parts[part];
    }
    next = scope.BroadcastFrom(SumThrough(scope, next), last);
    const std::uint64_t end = std::uint64_t{range.end} << rows.shift;
    const std::uint32_t most = end < rows.Rows() ? static_cast<std::uint32_t>(end) : rows.Rows();
    WY_ROLLED
    for (std::uint32_t first = range.begin << rows.shift; first < most; first += scope.Size()) {
      const std::uint32_t row = first + scope.Rank();
      const std::uint32_t count = row < most ? rows.ends[row] : 0;
      const std::uint32_t through = SumThrough(scope, count);
      if (row < most) rows.ends[row] = next + through - count;
      next += scope.BroadcastFrom(through, last);
    }
  }

 private:
  /// The sum of the values of all lanes up to and including this one.
  template <class Scope>
  WY_HD static std::uint32_t SumThrough(Scope& scope, std::uint32_t value) {
    WY_ROLLED
    for (std::uint32_t distance = 1; distance < scope.Size(); distance *= 2) {
      const bool has = scope.Rank() >= distance;
      const std::uint32_t other =
          scope.BroadcastFrom(value, has ? scope.Rank() - distance : scope.Rank());
      if (has) value += other;
    }
    return value;
  }
};

/// Stage over collisions: copies each collision to its row.
struct DealContacts {
  using Item = procedure::Range;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "DealContacts";
  static constexpr bool kUneven = true;
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::uint32_t kGrain = 128;
  static constexpr std::uint32_t kLeastGrain = 64;

  template <class Scope>
  WY_HD static void Execute(procedure::Context<Scope, CollisionJob>& context,
                            const procedure::Range& range) {
    const StepView& step = context.job.step;
    const std::uint32_t vertex_faces = VertexFacesListed<Scope>(step);
    for (std::uint32_t i = range.begin + context.scope.Rank(); i < range.end;
         i += context.scope.Size()) {
      const bool edges = i >= vertex_faces;
      const RowContact contact = edges
                                     ? RowContact::Of(step.lists.edge_edge.items[i - vertex_faces])
                                     : RowContact::Of(step.lists.vertex_face.items[i]);
      const std::uint32_t row = step.lists.rows.RowOf(edges, contact.ids[0]);
      const std::uint32_t place = Scope::Word(step.lists.rows.ends[row]).FetchAddRelaxed(1);
      step.lists.rows.dealt[edges ? 1 : 0][edges ? place - vertex_faces : place] = contact;
    }
  }
};

/// Stage over collisions, row after row: writes each collision to its place in its list.
///
/// Each thread of a group counts how many collisions of the row come before its own. A group of one
/// thread sorts the rows that begin in its range.
struct RankContacts {
  using Item = procedure::Range;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "RankContacts";
  static constexpr bool kUneven = true;
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::uint32_t kGrain = 128;
  static constexpr std::uint32_t kLeastGrain = 64;
  /// Ranking a row takes as many comparisons as the square of its length, so the host sorts longer
  /// rows.
  static constexpr std::uint32_t kLongestRow = 4096;

  template <class Scope>
  WY_HD static void Execute(procedure::Context<Scope, CollisionJob>& context,
                            const procedure::Range& range) {
    const std::uint32_t vertex_faces = VertexFacesListed<Scope>(context.job.step);
    if (context.scope.Size() == 1) {
      SortRows(context, range, vertex_faces);
    } else {
      RankEach(context, range, vertex_faces);
    }
  }

 private:
  /// The collisions of a row, by their places in the list of their kind.
  struct Row {
    RowContact* dealt;
    std::uint32_t begin, end;
    bool edges;

    WY_HD Row(const StepView& step, std::uint32_t vertex_faces, std::uint32_t row)
        : edges(row >= step.lists.rows.vertices) {
      const std::uint32_t skipped = edges ? vertex_faces : 0;  // the places of the other kind
      dealt = step.lists.rows.dealt[edges ? 1 : 0];
      begin = step.lists.rows.BeginOf(row) - skipped;
      end = step.lists.rows.ends[row] - skipped;
    }

    /// Whether the row is too long to rank. If so, also tells the host to sort.
    template <class Scope>
    WY_HD bool IsTooLong(const StepView& step) const {
      if (end - begin <= kLongestRow) return false;
      Scope::Word(step.counters->unranked).StoreRelaxed(1);
      return true;
    }

    /// Writes the collision from place `at` of the rows to place `place` of the list.
    WY_HD void Write(const StepView& step, std::uint32_t at, std::uint32_t place) const {
      if (edges) {
        step.lists.edge_edge.items[place] = dealt[at].EdgeEdge();
      } else {
        step.lists.vertex_face.items[place] = dealt[at].VertexFace();
      }
    }
  };

  template <class Scope>
  WY_HD static void RankEach(procedure::Context<Scope, CollisionJob>& context,
                             const procedure::Range& range, std::uint32_t vertex_faces) {
    const StepView& step = context.job.step;
    const Scope& scope = context.scope;
    for (std::uint32_t first = range.begin; first < range.end; first += scope.Size()) {
      if (first != range.begin && context.Cancelled()) return;
      const std::uint32_t i = first + scope.Rank();
      if (i >= range.end) continue;
      const bool edges = i >= vertex_faces;
      const std::uint32_t at = edges ? i - vertex_faces : i;
      const std::uint32_t first_id = step.lists.rows.dealt[edges ? 1 : 0][at].ids[0];
      const Row row(step, vertex_faces, step.lists.rows.RowOf(edges, first_id));
      row.Write(step, at, row.template IsTooLong<Scope>(step) ? at : RankOf(row, at));
    }
  }

  WY_HD static std::uint32_t RankOf(const Row& row, std::uint32_t at) {
    const RowContact own = row.dealt[at];
    std::uint32_t place = row.begin;
    WY_ROLLED
    for (std::uint32_t other = row.begin; other < row.end; ++other) {
      place += row.dealt[other].IsBefore(own) ? 1 : 0;
    }
    return place;
  }

  /// A row that begins before the range must not be read, because another thread moves its
  /// collisions.
  template <class Scope>
  WY_HD static void SortRows(procedure::Context<Scope, CollisionJob>& context,
                             const procedure::Range& range, std::uint32_t vertex_faces) {
    const StepView& step = context.job.step;
    std::uint32_t index = step.lists.rows.RowAt(range.begin), end = step.lists.rows.BeginOf(index);
    for (; end < range.end; ++index) {
      const std::uint32_t begin = end;
      end = step.lists.rows.ends[index];
      if (begin < range.begin || begin == end) continue;
      if (context.Cancelled()) return;
      const Row row(step, vertex_faces, index);
      if (!row.template IsTooLong<Scope>(step)) Sort(row);
      for (std::uint32_t at = row.begin; at < row.end; ++at) row.Write(step, at, at);
    }
  }

  /// Shell sort: insertion over gaps that shrink to 1.
  WY_HD static void Sort(const Row& row) {
    for (std::uint32_t gap = (row.end - row.begin) / 16 + 2; gap > 1;) {
      gap = gap == 2 ? 1 : gap * 5 / 11;
      for (std::uint32_t next = row.begin + gap; next < row.end; ++next) {
        const RowContact contact = row.dealt[next];
        std::uint32_t place = next;
        for (; place - row.begin >= gap && contact.IsBefore(row.dealt[place - gap]); place -= gap) {
          row.dealt[place] = row.dealt[place - gap];
        }
        row.dealt[place] = contact;
      }
    }
  }
};

/// Indices of the sort stages: none where the host sorts.
struct EachContactToSort {
  template <class Scope>
  WY_HD static std::uint32_t Count(const CollisionJob& job) {
    const StepListsView& lists = job.step.lists;
    return SortedCount(job.step, Scope::Word(*lists.vertex_face.count).LoadRelaxed(),
                       Scope::Word(*lists.edge_edge.count).LoadRelaxed());
  }
  static bool ArePassedOver(const CollisionJob& job) { return job.step.lists.rows.ends == nullptr; }
};
struct EachPartOfRows {
  template <class Scope>
  WY_HD static std::uint32_t Count(const CollisionJob& job) {
    return EachContactToSort::Count<Scope>(job) == 0 ? 0 : job.step.lists.rows.Parts();
  }
  static bool ArePassedOver(const CollisionJob& job) {
    return EachContactToSort::ArePassedOver(job);
  }
};

/// The stages of every step after root finding.
using SortStages =
    StageList<Stage<PlaceRows, StepPhase::kSort, Deal::kGrains, EachPartOfRows>,
              Stage<DealContacts, StepPhase::kSort, Deal::kParts, EachContactToSort>,
              Stage<RankContacts, StepPhase::kSort, Deal::kParts, EachContactToSort>>;

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_CONTACTS_CONTACT_SORT_H_
