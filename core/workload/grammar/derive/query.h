// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What a rule asks about the volumes and snap lines that earlier stages left.
//
// A box that is flat, such as a facade, may lie in the surface of a volume: lengths below kTouch
// are taken as none.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_QUERY_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_QUERY_H_

#include <cmath>
#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/grammar/derive/steps.h"
#include "core/workload/grammar/derive/transform.h"
#include "core/workload/grammar/job/derive_job.h"

namespace warpyard::grammar {

inline constexpr float kTouch = 0.01f;       ///< metres
inline constexpr float kFarAway = 1e7f;      ///< metres: where there is no volume
inline constexpr float kParallel = 0.9999f;  ///< least cosine

/// A box relative to its middle. @shape axes: unit vectors, half: of the sizes
struct CenteredBox {
  Vector3f center;
  Vector3f axes[3];
  Vector3f half;
};

WY_HD inline CenteredBox BoxOf(const Scope& scope, const Vector3f& center) {
  return {center,
          {Rotate(scope.rotation, {1, 0, 0}), Rotate(scope.rotation, {0, 1, 0}),
           Rotate(scope.rotation, {0, 0, 1})},
          0.5f * scope.size};
}

/// Half of the box's length along a direction.
WY_HD inline float ReachOf(const CenteredBox& box, const Vector3f& direction) {
  float reach = 0;
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    reach += At(box.half, axis) * std::fabs(geometry::Dot(box.axes[axis], direction));
  }
  return reach;
}

/// Whether all of `inner` is in `outer`, and not only in its surface: of two boxes with a common
/// side, none may hide the other's.
WY_HD inline bool IsInside(const CenteredBox& inner, const CenteredBox& outer) {
  const Vector3f between = inner.center - outer.center;
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const float away = std::fabs(geometry::Dot(between, outer.axes[axis]));
    const float half = At(outer.half, axis);
    if (away + ReachOf(inner, outer.axes[axis]) > half + kTouch || away > half - kTouch)
      return false;
  }
  return true;
}

/// Whether no plane separates the boxes by more than `gap`, which may be negative. The planes are
/// those of the separating axis test of boxes.
WY_HD inline bool Meet(const CenteredBox& a, const CenteredBox& b, float gap) {
  const Vector3f between = a.center - b.center;
  const auto separates = [&](const Vector3f& direction) {
    const float away = std::fabs(geometry::Dot(between, direction));
    return away > ReachOf(a, direction) + ReachOf(b, direction) + gap;
  };
  for (std::uint32_t i = 0; i < 3; ++i) {
    if (separates(a.axes[i]) || separates(b.axes[i])) return false;
  }
  for (std::uint32_t i = 0; i < 3; ++i) {
    for (std::uint32_t j = 0; j < 3; ++j) {
      const Vector3f cross = geometry::Cross(a.axes[i], b.axes[j]);
      const float length = std::sqrt(geometry::Dot(cross, cross));
      // Parallel axes give no further plane.
      if (length < 1e-3f) continue;
      if (separates((1 / length) * cross)) return false;
    }
  }
  return true;
}

/// The distance of a point from a box.
WY_HD inline float DistanceOf(const Vector3f& point, const CenteredBox& box) {
  float sum = 0;
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const float away = std::fabs(geometry::Dot(point - box.center, box.axes[axis]));
    const float out = away - At(box.half, axis);
    if (out > 0) sum += out * out;
  }
  return std::sqrt(sum);
}

/// Whether the symbol lies in a volume because a rule above it made that volume.
WY_HD inline bool IsOwn(const DeriveJob& job, const Symbol& symbol, std::uint32_t volume,
                        Steps& steps) {
  for (std::uint32_t own = symbol.volume; own != kNone && steps.Take();
       own = job.units[own].As<Volume>().parent) {
    if (own == volume) return true;
  }
  return false;
}

/// Calls `visit(box)` with others' volumes of earlier stages, until it returns true or the steps
/// are too many.
template <class Visit>
WY_HD bool AnyVolume(const DeriveJob& job, const Symbol& symbol, std::uint32_t label, Steps& steps,
                     Visit visit) {
  const std::uint32_t stage = job.rules[symbol.rule].stage;
  const auto& context = job.units[symbol.context].As<BuildingContext>();
  WY_ROLLED
  for (std::uint32_t earlier = 0; earlier < stage; ++earlier) {
    std::uint32_t at = context.volumes[earlier];
    WY_ROLLED
    while (at != kNone && steps.Take()) {
      const Volume& volume = job.units[at].As<Volume>();
      if (volume.label == label && !IsOwn(job, symbol, at, steps) &&
          visit(BoxOf(volume.scope, volume.scope.position +
                                        Rotate(volume.scope.rotation, 0.5f * volume.scope.size)))) {
        return true;
      }
      at = volume.next;
    }
  }
  return false;
}

/// What a test of two boxes for a separating plane takes, beside the look at the volume.
inline constexpr std::uint32_t kMeetSteps = 7;

/// The answer of a query. @shape op: kInside, kTouches, kOverlaps or kNear
WY_DEVICE_CALL WY_HD inline float AnswerOf(const DeriveJob& job, const Symbol& symbol, Op op,
                                           std::uint32_t label, Steps& steps) {
  const CenteredBox box = BoxOf(symbol.scope, CenterOf(symbol));
  float least = kFarAway;
  const bool found = AnyVolume(job, symbol, label, steps, [&](const CenteredBox& other) {
    if (op == Op::kInside) return IsInside(box, other);
    if (op == Op::kTouches || op == Op::kOverlaps) {
      steps.taken += kMeetSteps;
      return Meet(box, other, op == Op::kTouches ? kTouch : -kTouch);
    }
    const float distance = DistanceOf(box.center, other);
    least = distance < least ? distance : least;
    return false;
  });
  return op == Op::kNear ? least : found ? 1.0f : 0.0f;
}

/// Moves a place along an axis of the scope to the nearest snap line, if one is nearer than
/// `reach`.
/// @shape place: metres from the least corner
WY_DEVICE_CALL WY_HD inline float Snapped(const DeriveJob& job, const Symbol& symbol,
                                          std::uint32_t axis, float place, float reach) {
  Vector3f unit{0, 0, 0};
  At(unit, axis) = 1;
  const Vector3f direction = ToParcel(symbol, unit);
  const std::uint32_t stage = job.rules[symbol.rule].stage;
  const auto& context = job.units[symbol.context].As<BuildingContext>();
  float best = reach, moved = place;
  WY_ROLLED
  for (std::uint32_t earlier = 0; earlier < stage; ++earlier) {
    std::uint32_t at = context.snap_lines[earlier];
    WY_ROLLED
    while (at != kNone) {
      const SnapLines& lines = job.units[at].As<SnapLines>();
      at = lines.next;
      const float cosine = geometry::Dot(lines.direction, direction);
      if (std::fabs(cosine) < kParallel) continue;
      const Vector3f point = symbol.scope.position + place * direction;
      const float along = geometry::Dot(point - lines.origin, lines.direction);
      const float away = std::floor(along / lines.step + 0.5f) * lines.step - along;
      const float distance = std::fabs(away);
      const float candidate = place + (cosine < 0 ? -away : away);
      // Lists have no order: of two lines at the same distance the first along the axis counts.
      if (distance >= reach || distance > best) continue;
      if (distance < best || candidate < moved) {
        best = distance;
        moved = candidate;
      }
    }
  }
  return moved;
}

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_QUERY_H_
