// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Which features of two clusters are compared, and in which order.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_BROAD_MEETING_SECTIONS_H_
#define WARPYARD_CORE_WORKLOAD_CCD_BROAD_MEETING_SECTIONS_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/workload/ccd/job/cluster.h"

namespace warpyard::ccd {

/// The features of a cluster that a warp keeps: for each row of 32 features, one bit for each lane.
template <std::uint32_t kRows>
struct KeptFeatures {
  std::uint32_t rows[kRows];

  WY_HD bool Has(std::uint32_t i) const { return (rows[i / 32] >> i % 32 & 1u) != 0; }

  /// How many of the first `end` features are kept.
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

/// Features of one kind in each of two clusters; each feature of the first cluster is compared with
/// each of the second.
struct MeetingSection {
  std::uint32_t own, other;  ///< the first ones
  std::uint32_t rows, columns;
  WY_HD std::uint32_t Pairs() const { return rows * columns; }
};

/// All comparisons of two clusters: edges with edges, the first cluster's faces with the second's
/// vertices, and the first cluster's vertices with the second's faces. Within one cluster the last
/// two are the same.
struct MeetingSections {
  MeetingSection of[3];

  WY_HD MeetingSections(const FeatureCounts& own, const FeatureCounts& others, bool same)
      : of{{own.faces, others.faces, own.edges, others.edges},
           {0, others.faces + others.edges, same ? 0 : own.faces, others.vertices},
           {own.faces + own.edges, 0, own.vertices, others.faces}} {}

  WY_HD std::uint32_t Pairs() const { return of[0].Pairs() + of[1].Pairs() + of[2].Pairs(); }
};

/// Finds the features of a pair from the pair's number. A single thread steps from pair to pair;
/// the lanes of a warp divide the number instead.
class MeetingCursor {
 public:
  template <class Scope>
  WY_HD MeetingCursor(const MeetingSections& sections, const Scope& scope)
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
  /// Goes to the next section that has pairs, if there is one.
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
    // Half a unit away from the values where rounding could change the result.
    const float inverse =
        exec::RoughReciprocal(static_cast<float>(section_.columns == 0 ? 1 : section_.columns));
    row_ = static_cast<std::uint32_t>((static_cast<float>(place) + 0.5f) * inverse);
    column_ = place - row_ * section_.columns;
  }

  const MeetingSections& sections_;
  const bool alone_;
  MeetingSection section_{};
  std::uint32_t kind_ = 0, row_ = 0, column_ = 0;
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_BROAD_MEETING_SECTIONS_H_
