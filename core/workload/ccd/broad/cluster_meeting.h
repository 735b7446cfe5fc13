// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Pairs of features of clusters that overlap: every pair whose swept boxes overlap, each once.
//
// Of two clusters, features outside the other's box are left out first; what is left is compared,
// 32 pairs a look. Pairs gather in lists of the warp, so that all its threads have one in each of
// the filters in single precision; what these leave is listed for root finding. For a group of one
// thread (a CPU worker) the same lists are batches that stay in its cache.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_BROAD_CLUSTER_MEETING_H_
#define WARPYARD_CORE_WORKLOAD_CCD_BROAD_CLUSTER_MEETING_H_

#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/exec/lane_sets.h"
#include "core/exec/scope.h"
#include "core/procedure/lane_buffer.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/ccd/job/collision_job.h"
#include "core/workload/ccd/narrow/float_filter.h"
#include "core/workload/ccd/narrow/separation.h"

namespace warpyard::ccd {

using procedure::Context;
using procedure::LaneBuffer;
using procedure::Range;

/// Stage over pairs of clusters: finds candidates, filters them, lists the survivors.
struct MeetClusters {
  using Pairs = LaneBuffer<MarkedPair, 96>;
  using NearPairs = LaneBuffer<MarkedPair, 64>;
  struct Scratch {
    Feature own[kClusterFeatures];       ///< of the first cluster
    Feature other[kClusterFeatures];     ///< of the second, those that meet the first one's box
    std::uint8_t met[kClusterFeatures];  ///< places in `own` that meet the box of the other
    Pairs::Memory candidates;
    NearPairs::Memory near;
    NearPairs::Memory survivors;
  };

  using Item = Range;
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::size_t kSharedBytes = sizeof(Scratch);
  static constexpr const char* kName = "MeetClusters";
  static constexpr bool kUneven = true;
  static constexpr std::uint32_t kGrain = 16;
  static constexpr std::uint32_t kLeastGrain = 1;  // where there are few

  template <exec::LaneScope Scope>
  WY_HD static void Execute(Context<Scope, CollisionJob>& context, const Range& range) {
    if (context.Cancelled()) return;
    Meetings<Scope> meetings(context);
    meetings.Run(range);
    meetings.AddCounters();
  }

 private:
  static constexpr std::uint32_t kNobody = 0xffffffffu;

  /// Features of one kind of two clusters that are to be compared, all with all.
  struct Section {
    std::uint32_t own, other;  ///< the first ones
    std::uint32_t rows, columns;
    WY_HD std::uint32_t Pairs() const { return rows * columns; }
  };

  /// All that there is to compare of two clusters. Edges are met with edges, own faces with the
  /// other's vertices, own vertices with the other's faces; within a cluster the last say it all.
  struct Sections {
    Section of[3];

    WY_HD Sections(const FeatureCounts& own, const FeatureCounts& others, bool same)
        : of{{own.faces, others.faces, own.edges, others.edges},
             {0, others.faces + others.edges, same ? 0 : own.faces, others.vertices},
             {own.faces + own.edges, 0, own.vertices, others.faces}} {}

    WY_HD std::uint32_t Pairs() const { return of[0].Pairs() + of[1].Pairs() + of[2].Pairs(); }
  };

  /// Each of its phases is called from one place only: several copies of the filters, which are
  /// inlined, would not fit the instruction cache of a device.
  template <class Scope>
  class Meetings {
   public:
    WY_HD explicit Meetings(Context<Scope, CollisionJob>& context)
        : context_(context),
          scope_(context.scope),
          scene_(context.job.scene),
          scratch_(context.template Shared<Scratch>()),
          candidates_(scratch_.candidates),
          near_(scratch_.near),
          survivors_(scratch_.survivors),
          tables_{scene_.triangle_records, scene_.edge_vertices, scene_.vertex_points},
          features_(scene_.features),
          boxes_(scene_.tree.boxes),
          all_collide_(scene_.vertex_groups == nullptr || scene_.group_rule == GroupRule::kAll),
          filters_(context.job.step.report != Report::kCandidates),
          margins_(FloatMarginsOf()),
          begin_(Scope::Cycles()) {}

    /// Compares pairs of clusters; the last turn has none, and filters what is left.
    WY_HD void Run(const Range& range) {
      const PairIds* const meetings = context_.job.step.meetings.items;
      Fetch(PairAt(meetings, range, range.begin));
      WY_ROLLED
      for (std::uint32_t i = range.begin; i <= range.end; ++i) {
        const PairIds pair = fetched_.pair;
        if (pair.a != cluster_ && pair.a != kNobody) Load(pair.a);
        FeatureCounts own{}, others{};
        if (pair.a != kNobody) Sift(own, others);
        Fetch(PairAt(meetings, range, i + 1));  // is there when it is needed
        scope_.Barrier();
        Compare(Sections(own, others, pair.a == pair.b), pair.a == pair.b, pair.a == kNobody);
        scope_.Barrier();
      }
    }

    WY_HD void AddCounters() {
      if (scope_.Rank() != 0) return;
      StepCounters& counters = *context_.job.step.counters;
      for (std::uint32_t kind = 0; kind < 2; ++kind) {
        if (found_[kind] == 0) continue;
        Scope::Word(counters.candidates[kind]).FetchAddRelaxed(found_[kind]);
      }
      Scope::Word(counters.filter_cycles).FetchAddRelaxed(filter_cycles_);
      Scope::Word(counters.traverse_cycles).FetchAddRelaxed(Scope::Cycles() - begin_);
    }

   private:
    /// What is loaded of a pair of clusters ahead of its turn: of the features of the second one as
    /// many as a warp holds, which is all of them.
    struct Fetched {
      PairIds pair;
      geometry::Box box;
      FeatureCounts counts;
      std::uint32_t first;  ///< of its features
      Feature features[2];
    };
    static_assert(kClusterFeatures <= 2 * 32);

    /// A lane's share of the next pairs.
    struct Share {
      PairIds pair;
      FeatureSpan span;  ///< of the second cluster
    };

    /// What floats must differ by.
    WY_HD FloatMargins FloatMarginsOf() {
      const ClusterTree& tree = scene_.tree;
      std::uint32_t least = ~0u;  // of the complements
      const std::uint32_t top = tree.levels - 1;
      for (std::uint32_t i = scope_.Rank(); i < tree.Count(top); i += scope_.Size()) {
        const geometry::Box box = tree.boxes[tree.first[top] + i];
        for (int k = 0; k < 3; ++k) {
          const float size = box.high[k] > -box.low[k] ? box.high[k] : -box.low[k];
          const std::uint32_t bits = ~geometry::OrderedBits(size);
          least = bits < least ? bits : least;
        }
      }
      const float largest = geometry::FromOrderedBits(~scope_.Min(least));
      return {largest * 0x1p-22f + 1e-36f, NearOf(context_.job.step)};
    }

    /// The pair with this number and where the features of its second cluster lie; nobody behind
    /// the range. Each lane reads one of the next pairs, so that the reads of all these, of which
    /// the second follows from the first, take place at once. @shape i: one more at each call
    WY_HD Share PairAt(const PairIds* meetings, const Range& range, std::uint32_t i) {
      if (i >= range.end) return {{kNobody, kNobody}, {0, 0}};
      const std::uint32_t turn = (i - range.begin) % scope_.Size();
      if (turn == 0 && i + scope_.Rank() < range.end) {
        mine_.pair = meetings[i + scope_.Rank()];
        mine_.span = scene_.feature_spans[mine_.pair.b];
      }
      return scope_.BroadcastFrom(mine_, turn);
    }

    WY_HD void Fetch(const Share& share) {
      fetched_.pair = share.pair;
      fetched_.counts = UnpackCounts(share.span.counts);
      fetched_.first = share.span.first;
      if (share.pair.b == kNobody) return;
      fetched_.box = boxes_[share.pair.b];
      if (scope_.Size() != 32) return;
      FetchRow<0>();
      if (fetched_.counts.All() > 32) FetchRow<1>();
    }

    template <std::uint32_t kRow>
    WY_HD void FetchRow() {
      const std::uint32_t i = kRow * 32 + scope_.Rank();
      if (i < fetched_.counts.All()) fetched_.features[kRow] = features_[fetched_.first + i];
    }

    WY_HD void Load(std::uint32_t cluster) {
      cluster_ = cluster;
      box_ = boxes_[cluster];
      const FeatureSpan span = scene_.feature_spans[cluster];
      counts_ = UnpackCounts(span.counts);
      const Feature* const features = features_ + span.first;
      for (std::uint32_t i = scope_.Rank(); i < counts_.All(); i += scope_.Size()) {
        scratch_.own[i] = features[i];
      }
      scope_.Barrier();
    }

    /// Keeps the features of the fetched cluster that meet the box of the own one, and lists the
    /// own ones that meet its box; none of either if the other has none.
    WY_HD void Sift(FeatureCounts& own, FeatureCounts& others) {
      if (scope_.Size() == 32) {
        // Few clusters have more features than a warp has lanes.
        const bool fit = counts_.All() <= 32 && fetched_.counts.All() <= 32;
        return fit ? SiftByWarp<1>(own, others) : SiftByWarp<2>(own, others);
      }
      Feature feature{};
      others = SiftInRows(
          fetched_.counts,
          [&](std::uint32_t i) {
            feature = features_[fetched_.first + i];
            return geometry::Overlap(feature, box_);
          },
          [&](std::uint32_t, std::uint32_t place) { scratch_.other[place] = feature; });
      if (others.All() == 0) return;
      own = SiftInRows(
          counts_,
          [&](std::uint32_t i) { return geometry::Overlap(scratch_.own[i], fetched_.box); },
          [&](std::uint32_t i, std::uint32_t place) {
            scratch_.met[place] = static_cast<std::uint8_t>(i);
          });
    }

    /// All tests at once: none waits for the votes of another. @shape kRows: of 32 features each
    template <std::uint32_t kRows>
    WY_HD void SiftByWarp(FeatureCounts& own, FeatureCounts& others) {
      const std::uint32_t rank = scope_.Rank();
      Kept<kRows> theirs, ours;
      for (std::uint32_t row = 0; row < kRows; ++row) {
        const std::uint32_t i = row * 32 + rank;
        theirs.rows[row] = scope_.Ballot(i < fetched_.counts.All() &&
                                         geometry::Overlap(fetched_.features[row], box_));
        ours.rows[row] =
            scope_.Ballot(i < counts_.All() && geometry::Overlap(scratch_.own[i], fetched_.box));
      }
      if (theirs.Before(32 * kRows) == 0 || ours.Before(32 * kRows) == 0) return;
      for (std::uint32_t row = 0; row < kRows; ++row) {
        const std::uint32_t i = row * 32 + rank;
        if (theirs.Has(i)) scratch_.other[theirs.Before(i)] = fetched_.features[row];
        if (ours.Has(i)) scratch_.met[ours.Before(i)] = static_cast<std::uint8_t>(i);
      }
      own = ours.Counts(counts_);
      others = theirs.Counts(fetched_.counts);
    }

    /// Which features of a cluster a warp keeps: those of lanes, in rows.
    template <std::uint32_t kRows>
    struct Kept {
      std::uint32_t rows[kRows];

      WY_HD bool Has(std::uint32_t i) const { return (rows[i / 32] >> i % 32 & 1u) != 0; }

      /// How many of the first `end` features.
      WY_HD std::uint32_t Before(std::uint32_t end) const {
        std::uint32_t count = exec::CountBits(rows[0] & exec::LowBits(end));
        if constexpr (kRows == 2) {
          count += exec::CountBits(rows[1] & exec::LowBits(end < 32 ? 0 : end - 32));
        }
        return count;
      }
      WY_HD FeatureCounts Counts(const FeatureCounts& of) const {
        const std::uint32_t faces = Before(of.faces), edges_too = Before(of.faces + of.edges);
        return {faces, edges_too - faces, Before(32 * kRows) - edges_too};
      }
    };

    /// Calls put(i, place) for the features i of a cluster for which test(i) holds, as many at a
    /// time as there are threads; places are in their order. Returns how many of each kind there
    /// are.
    template <class Test, class Put>
    WY_HD FeatureCounts SiftInRows(const FeatureCounts& counts, Test&& test, Put&& put) {
      const std::uint32_t edges_end = counts.faces + counts.edges;
      std::uint32_t faces = 0, faces_and_edges = 0, all = 0;
      for (std::uint32_t first = 0; first < counts.All(); first += scope_.Size()) {
        const std::uint32_t i = first + scope_.Rank();
        const bool keep = i < counts.All() && test(i);
        const std::uint32_t lanes = scope_.Ballot(keep);
        // A thread that is alone writes anyway, free of branches; the next one takes the place.
        if (keep || scope_.Size() == 1) {
          put(i, all + exec::PlaceAmong(lanes, scope_.Rank()));
        }
        faces += exec::CountBits(lanes & LanesBefore(counts.faces, first));
        faces_and_edges += exec::CountBits(lanes & LanesBefore(edges_end, first));
        all += exec::CountBits(lanes);
      }
      return {faces, faces_and_edges - faces, all - faces_and_edges};
    }

    /// Lanes whose index is less than `end`, where lane 0 has index `first`.
    WY_HD static std::uint32_t LanesBefore(std::uint32_t end, std::uint32_t first) {
      return end <= first ? 0 : exec::LowBits(end - first);
    }

    /// Meets all pairs of the sections. @shape last: there are none, and what is left is filtered
    WY_HD void Compare(const Sections& sections, bool same, bool last) {
      const std::uint32_t pairs = sections.Pairs();
      if (pairs == 0 && !last) return;
      Cursor cursor(sections, scope_);
      std::uint32_t first = 0;
      WY_ROLLED
      while (true) {
        MarkedPair pair{};
        const bool meet = first + scope_.Rank() < pairs && Meet(cursor, same, pair);
        candidates_.Push(scope_, meet, pair);
        if (last || candidates_.IsNearlyFull(scope_)) FilterCandidates(last);
        first += scope_.Size();
        if (first >= pairs) return;
        cursor.Advance(first + scope_.Rank());
      }
    }

    /// Finds the features of a pair by its number. A thread that is alone takes one after the
    /// other; lanes divide.
    class Cursor {
     public:
      WY_HD Cursor(const Sections& sections, const Scope& scope)
          : sections_(sections), alone_(scope.Size() == 1) {
        if (alone_) {
          EnterFull();
        } else {
          Find(scope.Rank());
        }
      }

      WY_HD void Advance(std::uint32_t number) {
        if (!alone_) return Find(number);
        if (++column_ < section_.columns) return;
        column_ = 0;
        if (++row_ < section_.rows) return;
        row_ = 0;
        ++kind_;
        EnterFull();
      }

      WY_HD bool MeetsEdges() const { return kind_ == 0; }
      WY_HD bool MeetsOwnFaces() const { return kind_ == 1; }
      WY_HD std::uint32_t Own() const { return section_.own + row_; }
      WY_HD std::uint32_t Other() const { return section_.other + column_; }

     private:
      /// Goes on to the next section that has pairs, if there is one.
      WY_HD void EnterFull() {
        while (kind_ < 3 && sections_.of[kind_].Pairs() == 0) ++kind_;
        if (kind_ < 3) section_ = sections_.of[kind_];
      }

      WY_HD void Find(std::uint32_t number) {
        const std::uint32_t faces = sections_.of[0].Pairs();
        const std::uint32_t vertices = faces + sections_.of[1].Pairs();
        kind_ = number < faces ? 0 : number < vertices ? 1 : 2;
        section_ = kind_ == 0 ? sections_.of[0] : kind_ == 1 ? sections_.of[1] : sections_.of[2];
        const std::uint32_t place = number - (kind_ == 0 ? 0 : kind_ == 1 ? faces : vertices);
        // Half a unit away from where rounding could change the result.
        const float inverse =
            exec::RoughReciprocal(static_cast<float>(section_.columns == 0 ? 1 : section_.columns));
        row_ = static_cast<std::uint32_t>((static_cast<float>(place) + 0.5f) * inverse);
        column_ = place - row_ * section_.columns;
      }

      const Sections& sections_;
      const bool alone_;
      Section section_{};
      std::uint32_t kind_ = 0, row_ = 0, column_ = 0;
    };

    /// Whether the boxes of two features overlap that may meet.
    WY_HD bool Meet(const Cursor& cursor, bool same, MarkedPair& pair) const {
      const Feature& own = scratch_.own[scratch_.met[cursor.Own()]];
      const Feature& other = scratch_.other[cursor.Other()];
      bool meet = geometry::Overlap(own, other) & MayCollide(own, other);
      const bool swap = cursor.MeetsOwnFaces() | (cursor.MeetsEdges() & (own.id > other.id));
      if (cursor.MeetsEdges() & same) meet = meet & (own.id < other.id);  // each is met twice
      pair = MarkedPair::Of(cursor.MeetsEdges() ? PairKind::kEdgeEdge : PairKind::kVertexFace,
                            swap ? PairIds{other.id, own.id} : PairIds{own.id, other.id});
      return meet;
    }

    /// Whether the group rule lets two features meet.
    WY_HD bool MayCollide(const Feature& a, const Feature& b) const {
      return all_collide_ || GroupsMayCollide(scene_, a.group, b.group);
    }

    /// Filters candidates along the axes while all lanes get one, or until none is left.
    WY_HD void FilterCandidates(bool all) {
      const std::uint64_t begin = Scope::Cycles();
      const std::uint32_t least = all ? 1 : scope_.Size();
      WY_ROLLED
      do {
        MarkedPair pair{};
        bool near = candidates_.Take(scope_, pair);
        bool counts = false;
        if (near) {
          std::uint32_t vertices[4];
          VerticesOf(tables_, pair.Kind(), pair.Ids(), vertices);
          counts = !ShareVertex(pair.Kind(), vertices);
          near = counts && !(filters_ && ApartOnAnyAxis(pair.Kind(), PointsOf(tables_, vertices).of,
                                                        margins_.OfCoordinates()));
        }
        const bool edges = pair.Kind() == PairKind::kEdgeEdge;
        found_[0] += exec::CountBits(scope_.Ballot(counts && !edges));
        found_[1] += exec::CountBits(scope_.Ballot(counts && edges));
        near_.Push(scope_, near, pair);
        const bool last = all && candidates_.Count() == 0;
        if (last || near_.IsNearlyFull(scope_)) FilterNear(last);
      } while (candidates_.Count() >= least);
      filter_cycles_ += Scope::Cycles() - begin;
    }

    /// The other filters, in the same way.
    WY_HD void FilterNear(bool all) {
      const std::uint32_t least = all ? 1 : scope_.Size();
      WY_ROLLED
      do {
        MarkedPair pair{};
        bool survives = near_.Take(scope_, pair);
        if (survives && filters_) {
          std::uint32_t vertices[4];
          VerticesOf(tables_, pair.Kind(), pair.Ids(), vertices);
          survives = !ApartInFloats(pair.Kind(), PointsOf(tables_, vertices).of, margins_);
        }
        survivors_.Push(scope_, survives, pair);
        const bool last = all && near_.Count() == 0;
        if (last || survivors_.IsNearlyFull(scope_)) ListSurvivors();
      } while (near_.Count() >= least);
    }

    WY_HD void ListSurvivors() {
      WY_ROLLED
      for (std::uint32_t kind = 0; kind < 2; ++kind) {
        survivors_.CopyTo(
            scope_, context_.job.step.survivors[kind],
            [&](const MarkedPair& pair) { return pair.Kind() == static_cast<PairKind>(kind); },
            [](const MarkedPair& pair) { return pair.Ids(); });
      }
      survivors_.Clear(scope_);
    }

    Context<Scope, CollisionJob>& context_;
    Scope& scope_;
    const SceneView& scene_;
    Scratch& scratch_;
    Pairs candidates_;
    NearPairs near_;  // that may touch, as far as the axes tell
    NearPairs survivors_;
    // Copies: the job is in memory that a device would read anew each time.
    const PairTables tables_;
    const Feature* const features_;
    const geometry::Box* const boxes_;
    const bool all_collide_;
    const bool filters_;
    const FloatMargins margins_;
    const std::uint64_t begin_;
    std::uint64_t filter_cycles_ = 0;
    std::uint32_t found_[2] = {0, 0};
    std::uint32_t cluster_ = kNobody;
    geometry::Box box_{};
    FeatureCounts counts_{};
    Fetched fetched_{};
    Share mine_{};
  };
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_BROAD_CLUSTER_MEETING_H_
