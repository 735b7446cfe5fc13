// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The first intervals of a pair's walk, in single precision.
//
// Most pairs that reach it are free of contact, and the walk in floats proves that (float_filter.h:
// margins). For the other pairs, root finding continues where the walk in floats ended.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_NARROW_FLOAT_WALK_H_
#define WARPYARD_CORE_WORKLOAD_CCD_NARROW_FLOAT_WALK_H_

#include "core/base/macros.h"
#include "core/workload/ccd/job/moving_pair.h"
#include "core/workload/ccd/narrow/closest_points.h"
#include "core/workload/ccd/narrow/float_filter.h"

namespace warpyard::ccd {

/// A walk of a few intervals, like that of the conservative finder. The direction between the
/// closest points need not be accurate.
class FloatWalk {
 public:
  using Vector3f = geometry::Vector3<float>;

  WY_HD explicit FloatWalk(const MovingPair& pair) : kind_(pair.kind) {
    const FloatPoint first = RoundedPoint(pair.start[0], pair.end[0]);
    const Vector3f origin{first.start[0], first.start[1], first.start[2]};
    float largest = 0;
    for (int k = 0; k < 4; ++k) {
      const FloatPoint point = RoundedPoint(pair.start[k], pair.end[k]);
      const Vector3f start{point.start[0], point.start[1], point.start[2]};
      const Vector3f end{point.end[0], point.end[1], point.end[2]};
      largest = PairVectors::Max(largest, PairVectors::Largest(start, end));
      start_[k] = start - origin;
      end_[k] = end - origin;
    }
    rounding_ = largest * 0x1p-22f + 1e-36f;
  }

  /// A time before which the features are apart. 1: they are apart at the end of the step, too.
  /// @shape near: see FloatMargins
  WY_HD float FreeUntil(float near) {
    float time = 0;
    WY_ROLLED
    for (int interval = 0; interval < kIntervals; ++interval) {
      const Vector3f d = OffsetAt(time);
      const float sum = PairVectors::Abs(d.x) + PairVectors::Abs(d.y) + PairVectors::Abs(d.z);
      const float margin = sum * (16 * rounding_ + near) + 1e-36f;
      if (!(margin < kLargestMargin)) break;
      Project(d);
      if (!(LeastAt(time) > margin)) break;
      const float reached = TimeAtLevel(2 * margin);
      if (!(reached > time) || !(LeastAt(reached) > margin)) break;
      time = reached;
      if (time == 1) break;
    }
    return time;
  }

 private:
  static constexpr int kIntervals = 3;

  WY_HD Vector3f At(int k, float t) const { return (1.0f - t) * start_[k] + t * end_[k]; }

  WY_HD Vector3f OffsetAt(float t) const {
    const Vector3f p0 = At(0, t), p1 = At(1, t), p2 = At(2, t), p3 = At(3, t);
    return kind_ == PairKind::kVertexFace ? PointTriangleOffset<float>(p0, p1, p2, p3)
                                          : SegmentSegmentOffset<float>(p0, p1, p2, p3);
  }

  /// Separations of the points of the first group from those of the second, at both ends.
  WY_HD void Project(const Vector3f& d) {
    const bool face = kind_ == PairKind::kVertexFace;
    const auto project = [&](const Vector3f(&points)[4], float(&apart)[4]) {
      const float s0 = Dot(d, points[0]), s1 = Dot(d, points[1]);
      const float s2 = Dot(d, points[2]), s3 = Dot(d, points[3]);
      apart[0] = s0 - s2;
      apart[1] = s0 - s3;
      apart[2] = face ? s0 - s1 : s1 - s2;
      apart[3] = face ? s0 - s3 : s1 - s3;
    };
    project(start_, from_);
    project(end_, to_);
  }

  WY_HD float LeastAt(float t) const {
    float least = (1.0f - t) * from_[0] + t * to_[0];
    for (int i = 1; i < 4; ++i) least = PairVectors::Min(least, (1.0f - t) * from_[i] + t * to_[i]);
    return least;
  }

  /// The time in (0, 1] at which the first separation falls to `level`, or 1.
  WY_HD float TimeAtLevel(float level) const {
    float first = 1;
    for (int i = 0; i < 4; ++i) {
      if (to_[i] < level) first = PairVectors::Min(first, (from_[i] - level) / (from_[i] - to_[i]));
    }
    return first;
  }

  PairKind kind_;
  float rounding_;  // of this pair; see FloatMargins
  Vector3f start_[4], end_[4];
  float from_[4], to_[4];
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_NARROW_FLOAT_WALK_H_
