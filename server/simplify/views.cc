// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/simplify/views.h"

#include <cstdint>
#include <cstring>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "core/base/status_facts.h"
#include "google/protobuf/repeated_field.h"

namespace warpyard::server {
namespace {

using ViewNumbers = google::protobuf::RepeatedField<double>;

/// Sets a vector of three numbers. @shape is_optional: none leave it as it is
absl::Status SetVector(const char* name, const ViewNumbers& numbers, bool is_optional,
                       geometry::Vector3d& vector) {
  if (numbers.empty() && is_optional) return absl::OkStatus();
  if (numbers.size() != 3) {
    return InvalidField(name, absl::StrCat(numbers.size(), " numbers, expected x y z"));
  }
  vector = {numbers[0], numbers[1], numbers[2]};
  return absl::OkStatus();
}

absl::StatusOr<simplify::View> ToView(const v1::View& from) {
  simplify::View view;
  WY_RETURN_IF_ERROR(SetVector("eye", from.eye(), false, view.eye));
  WY_RETURN_IF_ERROR(SetVector("forward", from.forward(), true, view.forward));
  WY_RETURN_IF_ERROR(SetVector("up", from.up(), true, view.up));
  view.near = from.near();
  view.aspect = from.has_aspect() ? from.aspect() : 16.0 / 9;
  if (from.has_vertical_field_degrees()) view.vertical_field = from.vertical_field_degrees();
  if (from.has_viewport_height()) view.height = from.viewport_height();
  if (from.has_max_pixel_error()) view.max_pixels = from.max_pixel_error();
  if (from.has_outside_weight()) view.outside_weight = from.outside_weight();
  if (from.has_back_facing_weight()) view.back_facing_weight = from.back_facing_weight();
  return view;
}

}  // namespace

absl::StatusOr<simplify::ViewGoal> ToViewGoal(const v1::ViewGoal& goal) {
  simplify::ViewGoal out;
  for (int i = 0; i < goal.views_size(); ++i) {
    const absl::StatusOr<simplify::View> view = ToView(goal.views(i));
    if (!view.ok()) {
      return InField(absl::StrCat("views[", i, "]."), view.status());
    }
    out.views.push_back(*view);
  }
  if (goal.has_hysteresis()) out.hysteresis = goal.hysteresis();
  const std::string& bytes = goal.previous_state();
  if (bytes.size() % sizeof(std::uint32_t) != 0) {
    return InvalidField("previous_state",
                        absl::StrCat(bytes.size(), " bytes, expected a view_state"));
  }
  out.previous.resize(bytes.size() / sizeof(std::uint32_t));
  if (!bytes.empty()) std::memcpy(out.previous.data(), bytes.data(), bytes.size());
  out.returns_state = goal.returns_state();
  out.returns_delta = goal.returns_delta();
  return out;
}

}  // namespace warpyard::server
