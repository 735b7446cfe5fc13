// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Pairs of features of clusters that overlap: every pair whose swept boxes overlap, each once.
//
// Of two clusters, features outside the other's box are left out first; what is left is compared,
// 32 pairs a look. Pairs gather in lists of the warp, so that all its threads have one in each of
// the filters: a test in single precision, and the exact one for what survives it. For a group of
// one thread (a CPU worker) the same lists are batches that stay in its cache.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_CLUSTER_MEETING_H_
#define WARPYARD_CORE_WORKLOAD_CCD_CLUSTER_MEETING_H_

#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/exec/scope.h"
#include "core/procedure/lane_buffer.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/ccd/collision_job.h"
#include "core/workload/ccd/pair_filter.h"

namespace warpyard::ccd {

using procedure::Context;
using procedure::LaneBuffer;
using procedure::Range;

/// A lane's share of the pairs of rows and columns.
class PairCursor {
 public:
  /// @shape lane < lanes <= 32
  WY_HD PairCursor(std::uint32_t lane, std::uint32_t lanes, std::uint32_t columns)
      : columns_(columns) {
    if (columns == 0) return;
    // Half a unit away from where rounding could change the result.
    const float inverse = 1.0f / static_cast<float>(columns);
    row = static_cast<std::uint32_t>((static_cast<float>(lane) + 0.5f) * inverse);
    column = lane - row * columns;
    row_step_ = static_cast<std::uint32_t>((static_cast<float>(lanes) + 0.5f) * inverse);
    column_step_ = lanes - row_step_ * columns;
  }

  WY_HD void Advance() {
    row += row_step_;
    column += column_step_;
    if (column < columns_) return;
    column -= columns_;
    ++row;
  }

  std::uint32_t row = 0;
  std::uint32_t column = 0;

 private:
  std::uint32_t columns_;
  std::uint32_t row_step_ = 0;
  std::uint32_t column_step_ = 0;
};

/// Stage over pairs of clusters: finds candidates, filters them, lists the survivors.
struct MeetClusters {
  using Pairs = LaneBuffer<PairIds, 96>;
  using NearPairs = LaneBuffer<PairIds, 64>;
  struct Scratch {
    Feature own[kClusterFeatures];       ///< of the first cluster
    Feature other[kClusterFeatures];     ///< of the second, those that meet the first one's box
    std::uint8_t met[kClusterFeatures];  ///< places in `own` that meet the box of the other
    Pairs::Memory candidates[2];
    NearPairs::Memory near[2];
    NearPairs::Memory survivors[2];
  };

  using Item = Range;
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::size_t kSharedBytes = sizeof(Scratch);
  static constexpr const char* kName = "MeetClusters";
  static constexpr std::uint32_t kGrain = 32;

  template <exec::LaneScope Scope>
  WY_HD static void Execute(Context<Scope, CollisionJob>& context, const Range& range) {
    if (context.Cancelled()) return;
    Meetings<Scope> meetings(context);
    meetings.Run(range);
    meetings.AddCounters();
  }

 private:
  /// Features of two clusters that are to be compared. @shape own, other: of the first ones
  struct Block {
    PairKind kind;
    std::uint32_t own, own_count;
    std::uint32_t other, other_count;
    bool vertex_is_other;  ///< and the face is the own one
    bool last;             ///< of its kind: filters all that is left
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
          candidates_{Pairs(scratch_.candidates[0]), Pairs(scratch_.candidates[1])},
          near_{NearPairs(scratch_.near[0]), NearPairs(scratch_.near[1])},
          survivors_{NearPairs(scratch_.survivors[0]), NearPairs(scratch_.survivors[1])},
          margin_(FloatMargin()),
          begin_(Scope::Cycles()) {}

    /// Compares pairs of clusters; the last turn has none, and filters what is left.
    WY_HD void Run(const Range& range) {
      WY_ROLLED
      for (std::uint32_t i = range.begin; i <= range.end; ++i) {
        PairIds pair{kNobody, kNobody};
        if (i < range.end) pair = context_.job.step.meetings.items[i];
        if (pair.a != cluster_ && pair.a != kNobody) Load(pair.a);
        Meet(pair.b);
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
    /// What comparisons of floats must differ by, for the exact values to differ: four roundings of
    /// the largest coordinate, of which each comparison has less than three. In a step that ends
    /// early also for features not to come within the tolerance, see BoundVertices.
    WY_HD float FloatMargin() {
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
      const StepView& step = context_.job.step;
      const float near = EndTime<Scope>(step) < 1 ? geometry::RoundUp(2 * step.tolerance) : 0;
      return geometry::FromOrderedBits(~scope_.Min(least)) * 0x1p-22f + 1e-36f + near;
    }

    WY_HD void Load(std::uint32_t cluster) {
      cluster_ = cluster;
      box_ = scene_.tree.boxes[cluster];
      counts_ = UnpackCounts(scene_.feature_counts[cluster]);
      const Feature* const features = scene_.features + std::size_t{cluster} * kClusterFeatures;
      scope_.Barrier();
      for (std::uint32_t i = scope_.Rank(); i < counts_.All(); i += scope_.Size()) {
        scratch_.own[i] = features[i];
      }
      scope_.Barrier();
    }

    /// Compares the features of the first cluster with those of another, or of itself; or, with
    /// kNobody, filters and lists what is left.
    WY_HD void Meet(std::uint32_t other) {
      FeatureCounts own{0, 0, 0}, others{0, 0, 0};
      scope_.Barrier();  // the features of the one before were compared
      if (other != kNobody) {
        const geometry::Box other_box = scene_.tree.boxes[other];
        const Feature* const features = scene_.features + std::size_t{other} * kClusterFeatures;
        Feature feature{};
        others = Sift(
            UnpackCounts(scene_.feature_counts[other]),
            [&](std::uint32_t i) {
              feature = features[i];
              return geometry::Overlap(feature, box_);
            },
            [&](std::uint32_t, std::uint32_t place) { scratch_.other[place] = feature; });
        own = Sift(
            counts_, [&](std::uint32_t i) { return geometry::Overlap(scratch_.own[i], other_box); },
            [&](std::uint32_t i, std::uint32_t place) {
              scratch_.met[place] = static_cast<std::uint8_t>(i);
            });
      }
      scope_.Barrier();
      const bool last = other == kNobody, same = other == cluster_ && !last;
      WY_ROLLED
      for (std::uint32_t part = 0; part < 3; ++part) {
        Block block{PairKind::kVertexFace, 0, 0, 0, 0, part == 1, last && part != 1};
        if (part == 0) {
          block.kind = PairKind::kEdgeEdge;
          block.own = own.faces;
          block.own_count = own.edges;
          block.other = others.faces;
          block.other_count = others.edges;
        } else if (part == 1) {
          block.own_count = same ? 0 : own.faces;
          block.other = others.faces + others.edges;
          block.other_count = others.vertices;
        } else {
          block.own = own.faces + own.edges;
          block.own_count = own.vertices;
          block.other_count = others.faces;
        }
        Compare(block, same);
      }
    }

    /// Calls put(i, place) for the features i of a cluster for which test(i) holds; places are in
    /// their order. Returns how many of each kind there are.
    template <class Test, class Put>
    WY_HD FeatureCounts Sift(const FeatureCounts& counts, Test&& test, Put&& put) {
      const std::uint32_t edges_end = counts.faces + counts.edges;
      std::uint32_t faces = 0, faces_and_edges = 0, all = 0;
      for (std::uint32_t first = 0; first < counts.All(); first += scope_.Size()) {
        const std::uint32_t i = first + scope_.Rank();
        const bool keep = i < counts.All() && test(i);
        const std::uint32_t lanes = scope_.Ballot(keep);
        // A thread that is alone writes anyway, free of branches; the next one takes the place.
        if (keep || scope_.Size() == 1) {
          put(i, all + exec::CountBits(lanes & ((1u << scope_.Rank()) - 1u)));
        }
        faces += exec::CountBits(lanes & LanesBefore(counts.faces, first));
        faces_and_edges += exec::CountBits(lanes & LanesBefore(edges_end, first));
        all += exec::CountBits(lanes);
      }
      return {faces, faces_and_edges - faces, all - faces_and_edges};
    }

    /// Lanes whose index is less than `end`, where lane 0 has index `first`.
    WY_HD static std::uint32_t LanesBefore(std::uint32_t end, std::uint32_t first) {
      if (end <= first) return 0;
      return end - first >= 32 ? ~0u : (1u << (end - first)) - 1u;
    }

    WY_HD void Compare(const Block& block, bool same) {
      const std::uint32_t pairs = block.own_count * block.other_count;
      if (pairs == 0 && !block.last) return;
      const auto kind = static_cast<std::uint32_t>(block.kind);
      PairCursor cursor(scope_.Rank(), scope_.Size(), block.other_count);
      std::uint32_t first = 0;
      do {
        bool meet = first + scope_.Rank() < pairs;
        PairIds ids{};
        if (meet) {
          const Feature& own = scratch_.own[scratch_.met[block.own + cursor.row]];
          const Feature& other = scratch_.other[block.other + cursor.column];
          meet = geometry::Overlap(own, other) & MayCollide(own, other);
          ids = block.vertex_is_other ? PairIds{other.id, own.id} : PairIds{own.id, other.id};
          if (block.kind == PairKind::kEdgeEdge) {
            if (same) meet = meet & (own.id < other.id);  // each pair has been met twice
            if (ids.a > ids.b) ids = {ids.b, ids.a};
          }
        }
        candidates_[kind].Push(scope_, meet, ids);
        if (block.last || candidates_[kind].IsNearlyFull(scope_)) {
          FilterCandidates(kind, block.last);
        }
        first += scope_.Size();
        cursor.Advance();
      } while (first < pairs);
    }

    /// Whether the group rule lets two features meet.
    WY_HD bool MayCollide(const Feature& a, const Feature& b) const {
      if (scene_.vertex_groups == nullptr || scene_.group_rule == GroupRule::kAll) return true;
      return (a.group == b.group) == (scene_.group_rule == GroupRule::kSame);
    }

    /// Filters candidates while all lanes get one, or until none is left.
    WY_HD void FilterCandidates(std::uint32_t kind, bool all) {
      const std::uint64_t begin = Scope::Cycles();
      const std::uint32_t least = all ? 1 : scope_.Size();
      WY_ROLLED
      do {
        PairIds ids{};
        bool near = candidates_[kind].Take(scope_, ids);
        bool counts = false;
        if (near) {
          const auto pair_kind = static_cast<PairKind>(kind);
          std::uint32_t vertices[4];
          VerticesOf(scene_, pair_kind, ids, vertices);
          counts = !ShareVertex(pair_kind, vertices);
          near = counts && (context_.job.step.report == Report::kCandidates ||
                            !ApartInFloats(pair_kind, vertices));
        }
        found_[kind] += exec::CountBits(scope_.Ballot(counts));
        near_[kind].Push(scope_, near, ids);
        const bool last = all && candidates_[kind].Count() == 0;
        if (last || near_[kind].IsNearlyFull(scope_)) FilterNear(kind, last);
      } while (candidates_[kind].Count() >= least);
      filter_cycles_ += Scope::Cycles() - begin;
    }

    WY_HD bool ApartInFloats(PairKind kind, const std::uint32_t (&vertices)[4]) const {
      const FloatPoint* points[4];
      for (int k = 0; k < 4; ++k) points[k] = scene_.vertex_points + vertices[k];
      return ApartOnAnyAxis(kind, points, margin_);
    }

    /// The exact filters, in the same way.
    WY_HD void FilterNear(std::uint32_t kind, bool all) {
      const StepView& step = context_.job.step;
      const std::uint32_t least = all ? 1 : scope_.Size();
      WY_ROLLED
      do {
        PairIds ids{};
        bool survives = near_[kind].Take(scope_, ids);
        if (survives && step.report != Report::kCandidates) {
          survives = SurvivesFilters(LoadPair(scene_, step, static_cast<PairKind>(kind), ids));
        }
        survivors_[kind].Push(scope_, survives, ids);
        const bool last = all && near_[kind].Count() == 0;
        if (last || survivors_[kind].IsNearlyFull(scope_)) {
          survivors_[kind].FlushTo(scope_, step.survivors[kind]);
        }
      } while (near_[kind].Count() >= least);
    }

    Context<Scope, CollisionJob>& context_;
    Scope& scope_;
    const SceneView& scene_;
    Scratch& scratch_;
    Pairs candidates_[2];  // by kind
    NearPairs near_[2];    // that may touch, as far as floats tell
    NearPairs survivors_[2];
    const float margin_;
    const std::uint64_t begin_;
    std::uint64_t filter_cycles_ = 0;
    std::uint32_t found_[2] = {0, 0};
    static constexpr std::uint32_t kNobody = 0xffffffffu;
    std::uint32_t cluster_ = kNobody;
    geometry::Box box_{};
    FeatureCounts counts_{};
  };
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_CLUSTER_MEETING_H_
