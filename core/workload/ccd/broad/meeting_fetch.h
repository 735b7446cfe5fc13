// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Loads pairs of clusters ahead of their turn, so that no turn waits for memory.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_BROAD_MEETING_FETCH_H_
#define WARPYARD_CORE_WORKLOAD_CCD_BROAD_MEETING_FETCH_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/base/no_index.h"
#include "core/exec/scope.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/ccd/job/cluster.h"
#include "core/workload/ccd/job/collision_job.h"
#include "core/workload/ccd/job/pair_ids.h"
#include "core/workload/ccd/job/scene_view.h"
#include "core/workload/geometry/bounds.h"

namespace warpyard::ccd {

/// What a thread loads from a pair of clusters before the pair's turn: two features of the second
/// cluster, so that a warp holds all of its features.
struct FetchedCluster {
  PairIds pair;
  geometry::Box box;
  FeatureCounts counts;
  std::uint32_t first;  ///< first of its features
  Feature features[2];
};
static_assert(kClusterFeatures <= 2 * 32);

/// Loads what a pair needs. @scope all members: the group
template <class Scope>
class PairFetch {
 public:
  WY_HD const FetchedCluster& Fetched() const { return fetched_; }

 protected:
  /// A lane's share of the next pairs.
  struct Share {
    PairIds pair;
    FeatureSpan span;  ///< of the second cluster
  };
  WY_HD static Share NoPair() { return {{kNoIndex, kNoIndex}, {0, 0}}; }

  WY_HD PairFetch(Scope& scope, const SceneView& scene)
      : scope_(scope),
        spans_(scene.clusters.spans),
        features_(scene.clusters.features),
        boxes_(scene.clusters.tree.boxes) {}

  WY_HD void Load(const Share& share) {
    fetched_.pair = share.pair;
    fetched_.counts = UnpackCounts(share.span.counts);
    fetched_.first = share.span.first;
    if (share.pair.b == kNoIndex) return;
    fetched_.box = boxes_[share.pair.b];
    if (scope_.Size() != 32) return;
    FetchRow<0>();
    if (fetched_.counts.All() > 32) FetchRow<1>();
  }

  Scope& scope_;
  // Copies, because the job is in memory that a device would read again each time.
  const FeatureSpan* const spans_;
  const Feature* const features_;
  const geometry::Box* const boxes_;

 private:
  template <std::uint32_t kRow>
  WY_HD void FetchRow() {
    const std::uint32_t i = kRow * 32 + scope_.Rank();
    if (i < fetched_.counts.All()) fetched_.features[kRow] = features_[fetched_.first + i];
  }

  FetchedCluster fetched_{};
};

/// The listed pairs of a range, one after the other. @scope all members: the group
template <class Scope>
class MeetingFetch : public PairFetch<Scope> {
 public:
  WY_HD MeetingFetch(Scope& scope, const CollisionJob& job, const procedure::Range& range)
      : PairFetch<Scope>(scope, job.scene),
        meetings_(job.step.lists.meetings.items),
        range_(range) {}

  /// Starts to load pair i; past the end of the range, its ids are kNoIndex. @shape i: first the
  /// begin of the range, then one more in each call
  WY_HD void Fetch(std::uint32_t i) { this->Load(PairAt(i)); }

  /// Whether pair i is past the one past the end.
  WY_HD bool IsOver(std::uint32_t i) const { return i > range_.end; }

 private:
  using typename PairFetch<Scope>::Share;

  /// The pair with this number, and where the features of its second cluster lie. Reading a pair
  /// takes two reads, and the second depends on the first. So each lane reads one of the next 32
  /// pairs, all at once.
  WY_HD Share PairAt(std::uint32_t i) {
    if (i >= range_.end) return this->NoPair();
    const std::uint32_t turn = (i - range_.begin) % this->scope_.Size();
    if (turn == 0 && i + this->scope_.Rank() < range_.end) {
      mine_.pair = meetings_[i + this->scope_.Rank()];
      mine_.span = this->spans_[mine_.pair.b];
    }
    return this->scope_.BroadcastFrom(mine_, turn);
  }

  const PairIds* const meetings_;
  const procedure::Range& range_;
  Share mine_{};
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_BROAD_MEETING_FETCH_H_
