// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Drops the features of two clusters that do not overlap the box of the other cluster.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_BROAD_MEETING_SIFT_H_
#define WARPYARD_CORE_WORKLOAD_CCD_BROAD_MEETING_SIFT_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/base/no_index.h"
#include "core/exec/bits.h"
#include "core/exec/lane_sets.h"
#include "core/exec/scope.h"
#include "core/workload/ccd/broad/meeting_fetch.h"
#include "core/workload/ccd/broad/meeting_scratch.h"
#include "core/workload/ccd/broad/meeting_sections.h"
#include "core/workload/ccd/job/cluster.h"
#include "core/workload/ccd/job/scene_view.h"
#include "core/workload/geometry/bounds.h"

namespace warpyard::ccd {

/// The first cluster of a pair, which stays the same for several pairs, and its features that
/// overlap the second one.
/// @scope all members: the group
template <class Scope>
class MeetingSift {
 public:
  WY_HD MeetingSift(Scope& scope, const SceneView& scene, MeetingScratch& scratch)
      : scope_(scope),
        spans_(scene.clusters.spans),
        features_(scene.clusters.features),
        boxes_(scene.clusters.tree.boxes),
        scratch_(scratch) {}

  /// The first cluster of the pair; kNoIndex before any pair.
  WY_HD std::uint32_t Cluster() const { return cluster_; }
  WY_HD const geometry::Box& Box() const { return box_; }

  WY_HD void Load(std::uint32_t cluster) {
    cluster_ = cluster;
    box_ = boxes_[cluster];
    const FeatureSpan span = spans_[cluster];
    counts_ = UnpackCounts(span.counts);
    const Feature* const features = features_ + span.first;
    for (std::uint32_t i = scope_.Rank(); i < counts_.All(); i += scope_.Size()) {
      scratch_.own[i] = features[i];
    }
    scope_.Barrier();
  }

  /// Keeps the features of the fetched cluster that overlap the box of the own cluster, and lists
  /// the own features that overlap the box of the fetched cluster. If one of the clusters has no
  /// such feature, keeps none of either.
  WY_HD void Sift(const FetchedCluster& fetched, FeatureCounts& own, FeatureCounts& others) {
    if (scope_.Size() == 32) {
      // Few clusters have more features than a warp has lanes.
      const bool fit = counts_.All() <= 32 && fetched.counts.All() <= 32;
      return fit ? SiftByWarp<1>(fetched, own, others) : SiftByWarp<2>(fetched, own, others);
    }
    Feature feature{};
    others = SiftInRows(
        fetched.counts,
        [&](std::uint32_t i) {
          feature = features_[fetched.first + i];
          return geometry::Overlap(feature, box_);
        },
        [&](std::uint32_t, std::uint32_t place) { scratch_.other[place] = feature; });
    if (others.All() == 0) return;
    own = SiftInRows(
        counts_, [&](std::uint32_t i) { return geometry::Overlap(scratch_.own[i], fetched.box); },
        [&](std::uint32_t i, std::uint32_t place) {
          scratch_.met[place] = static_cast<std::uint8_t>(i);
        });
  }

 private:
  /// Makes all tests at once, so that no test waits for the vote on another. @shape kRows: rows of
  /// 32 features
  template <std::uint32_t kRows>
  WY_HD void SiftByWarp(const FetchedCluster& fetched, FeatureCounts& own, FeatureCounts& others) {
    const std::uint32_t rank = scope_.Rank();
    KeptFeatures<kRows> theirs, ours;
    for (std::uint32_t row = 0; row < kRows; ++row) {
      const std::uint32_t i = row * 32 + rank;
      theirs.rows[row] =
          scope_.Ballot(i < fetched.counts.All() && geometry::Overlap(fetched.features[row], box_));
      ours.rows[row] =
          scope_.Ballot(i < counts_.All() && geometry::Overlap(scratch_.own[i], fetched.box));
    }
    if (theirs.Before(32 * kRows) == 0 || ours.Before(32 * kRows) == 0) return;
    for (std::uint32_t row = 0; row < kRows; ++row) {
      const std::uint32_t i = row * 32 + rank;
      if (theirs.Has(i)) scratch_.other[theirs.Before(i)] = fetched.features[row];
      if (ours.Has(i)) scratch_.met[ours.Before(i)] = static_cast<std::uint8_t>(i);
    }
    own = ours.Counts(counts_);
    others = theirs.Counts(fetched.counts);
  }

  /// Calls put(i, place) for each feature i of a cluster for which test(i) holds; the threads test
  /// features in parallel. Places follow the order of features. Returns how many of each kind were
  /// put.
  template <class Test, class Put>
  WY_HD FeatureCounts SiftInRows(const FeatureCounts& counts, Test&& test, Put&& put) {
    const std::uint32_t edges_end = counts.faces + counts.edges;
    std::uint32_t faces = 0, faces_and_edges = 0, all = 0;
    for (std::uint32_t first = 0; first < counts.All(); first += scope_.Size()) {
      const std::uint32_t i = first + scope_.Rank();
      const bool keep = i < counts.All() && test(i);
      const std::uint32_t lanes = scope_.Ballot(keep);
      // A single thread writes without a branch; the next feature overwrites a rejected one.
      if (keep || scope_.Size() == 1) {
        put(i, all + exec::PlaceAmong(lanes, scope_.Rank()));
      }
      faces += exec::CountBits(lanes & LanesBefore(counts.faces, first));
      faces_and_edges += exec::CountBits(lanes & LanesBefore(edges_end, first));
      all += exec::CountBits(lanes);
    }
    return {faces, faces_and_edges - faces, all - faces_and_edges};
  }

  /// The lanes whose index is less than `end`, where lane 0 has index `first`.
  WY_HD static std::uint32_t LanesBefore(std::uint32_t end, std::uint32_t first) {
    return end <= first ? 0 : exec::LowBits(end - first);
  }

  Scope& scope_;
  // Copies, because the job is in memory that a device would read again each time.
  const FeatureSpan* const spans_;
  const Feature* const features_;
  const geometry::Box* const boxes_;
  MeetingScratch& scratch_;
  std::uint32_t cluster_ = kNoIndex;
  geometry::Box box_{};
  FeatureCounts counts_{};
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_BROAD_MEETING_SIFT_H_
