// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/result/frustum.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <numbers>

#include "absl/strings/str_cat.h"
#include "core/base/exact_text.h"
#include "core/base/macros.h"
#include "core/base/status_facts.h"

namespace warpyard::simplify {
namespace {

struct Limits {
  const char* name;
  double value, low, high;
};

/// Comparisons with NaN are false, so the check is written to fail then.
absl::Status CheckLimits(const Limits& limits) {
  if (limits.value >= limits.low && limits.value <= limits.high) return absl::OkStatus();
  return InvalidField(limits.name,
                      absl::StrCat(ExactText(limits.value), ", expected ", ExactText(limits.low),
                                   " to ", ExactText(limits.high)));
}

absl::Status CheckVector(const char* name, const Vector3d& v) {
  constexpr double kMost = std::numeric_limits<float>::max();
  for (const double part : {v.x, v.y, v.z}) {
    WY_RETURN_IF_ERROR(CheckLimits({name, part, -kMost, kMost}));
  }
  return absl::OkStatus();
}

Vector3d Unit(const Vector3d& v) {
  // First by the largest part: squares of small numbers could be 0.
  const double largest = std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)});
  if (!(largest > 0)) return {0, 0, 0};
  const Vector3d scaled = (1 / largest) * v;
  return (1 / LengthOf(scaled)) * scaled;
}

absl::Status CheckView(const View& view) {
  constexpr double kMost = std::numeric_limits<float>::max();
  WY_RETURN_IF_ERROR(CheckVector("eye", view.eye));
  WY_RETURN_IF_ERROR(CheckVector("forward", view.forward));
  WY_RETURN_IF_ERROR(CheckVector("up", view.up));
  if (!(LengthOf(Cross(Unit(view.forward), Unit(view.up))) > 1e-6)) {
    return InvalidField("up", "parallel to forward, or one of them is 0");
  }
  constexpr double kLeast = std::numeric_limits<float>::min();
  const Limits all[] = {{"vertical_field_degrees", view.vertical_field, 0.01, 179},
                        {"aspect", view.aspect, 1e-3, 1e3},
                        {"viewport_height", view.height, 1, 1e6},
                        {"near", view.near, kLeast, kMost},
                        {"max_pixel_error", view.max_pixels, 1e-3, 1e6},
                        {"outside_weight", view.outside_weight, 0, 1},
                        {"back_facing_weight", view.back_facing_weight, 0, 1}};
  for (const Limits& limits : all) WY_RETURN_IF_ERROR(CheckLimits(limits));
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckViews(const ViewGoal& goal) {
  if (goal.views.empty() || goal.views.size() > kMostViews) {
    return InvalidField("views",
                        absl::StrCat(goal.views.size(), " of them, expected 1 to ", kMostViews));
  }
  WY_RETURN_IF_ERROR(CheckLimits({"hysteresis", goal.hysteresis, 1, 4}));
  for (std::size_t i = 0; i < goal.views.size(); ++i) {
    const absl::Status status = CheckView(goal.views[i]);
    if (!status.ok()) {
      return InField(absl::StrCat("views[", i, "]."), status);
    }
  }
  return absl::OkStatus();
}

ViewFrustum FrustumOf(const View& view, const ModelArrays& model) {
  const Frame& frame = model.view.frame;
  const double tangent = std::tan(view.vertical_field * std::numbers::pi / 360);
  const Vector3d forward = Unit(view.forward);
  const Vector3d right = Unit(Cross(forward, Unit(view.up))), up = Cross(right, forward);
  ViewFrustum frustum{};
  frustum.eye = (1 / frame.extent) * (view.eye - model.facts.origin - frame.low);
  const double wide = tangent * view.aspect;
  const Vector3d sides[] = {wide * forward + right, wide * forward - right, tangent * forward + up,
                            tangent * forward - up, forward};
  for (std::size_t i = 0; i < std::size(sides); ++i) frustum.sides[i] = Unit(sides[i]);
  frustum.pixels = view.height / (2 * tangent);
  frustum.near = view.near / frame.extent;
  frustum.max_pixels = view.max_pixels;
  frustum.outside_weight = view.outside_weight;
  frustum.back_weight = view.back_facing_weight;
  return frustum;
}

}  // namespace warpyard::simplify
