// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/grammar/parcels.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/base/exact_text.h"
#include "core/base/macros.h"
#include "core/base/status_facts.h"
#include "core/workload/grammar/code/arithmetic.h"
#include "server/grammar/rectangle.h"

namespace warpyard::server {
namespace {

using grammar::kMostCoordinate;
using grammar::Parcel;

bool IsCoordinate(double number) { return std::abs(number) <= kMostCoordinate; }

bool IsLength(double number) { return number > 0 && number <= kMostCoordinate; }

// Comparisons with NaN are false, so the checks are written to fail then.

absl::Status CheckCoordinate(const char* field, double number) {
  if (IsCoordinate(number)) return absl::OkStatus();
  return InvalidField(field, absl::StrCat(ExactText(number), ", expected from ", -kMostCoordinate,
                                          " to ", kMostCoordinate));
}

absl::Status CheckLength(const char* field, double number) {
  if (IsLength(number)) return absl::OkStatus();
  return InvalidField(field, absl::StrCat(ExactText(number), ", expected more than 0 and at most ",
                                          kMostCoordinate));
}

absl::Status ExpectNumbers(const char* field, int numbers, const char* expected) {
  return InvalidField(field, absl::StrCat(numbers, " numbers, expected ", expected));
}

/// Rotates about y by half the angle twice. @shape sine, cosine: of half the angle
void SetRotation(double sine, double cosine, Parcel& parcel) {
  parcel.rotation[1] = static_cast<float>(sine);
  parcel.rotation[3] = static_cast<float>(cosine);
}

/// @shape yaw: degrees, finite
void SetYaw(double yaw, Parcel& parcel) {
  const double turn = std::remainder(yaw, 360.0);
  // The sine of the language is the same on every machine.
  const grammar::SineCosine half = grammar::SineCosineOf(static_cast<float>(turn / 2));
  SetRotation(half.sine, half.cosine, parcel);
}

absl::Status SetBox(const v1::GrammarParcel& from, Parcel& parcel) {
  if (from.position_size() != 0 && from.position_size() != 3) {
    return ExpectNumbers("position", from.position_size(), "x y z");
  }
  if (from.size_size() != 3) return ExpectNumbers("size", from.size_size(), "x y z");
  for (int axis = 0; axis < from.position_size(); ++axis) {
    WY_RETURN_IF_ERROR(CheckCoordinate("position", from.position(axis)));
    parcel.position[axis] = from.position(axis);
  }
  for (int axis = 0; axis < 3; ++axis) {
    WY_RETURN_IF_ERROR(CheckLength("size", from.size(axis)));
    parcel.size[axis] = from.size(axis);
  }
  if (!std::isfinite(from.yaw())) {
    return InvalidField(
        "yaw", absl::StrCat(ExactText(from.yaw()), ", expected a finite number of degrees"));
  }
  SetYaw(from.yaw(), parcel);
  for (const auto& [field, number] :
       {std::pair("ground", from.ground()), std::pair("height", from.height())}) {
    if (number == 0) continue;
    return InvalidField(field, absl::StrCat(ExactText(number), " without a polygon"));
  }
  return absl::OkStatus();
}

/// @errors INVALID_ARGUMENT: a corner is not finite, or there are not enough
absl::StatusOr<std::vector<GroundPoint>> ToCorners(const v1::GrammarParcel& from) {
  const int numbers = from.polygon_size();
  if (numbers % 2 != 0 || numbers < 6 || numbers > 2 * static_cast<int>(kMostCorners)) {
    return InvalidField("polygon", absl::StrCat(numbers, " numbers, expected x z of 3 to ",
                                                kMostCorners, " corners"));
  }
  std::vector<GroundPoint> corners;
  for (int i = 0; i < numbers; i += 2) {
    for (const int n : {i, i + 1}) WY_RETURN_IF_ERROR(CheckCoordinate("polygon", from.polygon(n)));
    corners.push_back({from.polygon(i), from.polygon(i + 1)});
  }
  return corners;
}

absl::Status SetPolygon(const v1::GrammarParcel& from, Parcel& parcel) {
  if (from.position_size() != 0 || from.size_size() != 0 || from.yaw() != 0) {
    return InvalidField("polygon", "set beside position, yaw or size, expected one of both forms");
  }
  WY_ASSIGN_OR_RETURN(std::vector<GroundPoint> corners, ToCorners(from));
  WY_RETURN_IF_ERROR(CheckCoordinate("ground", from.ground()));
  WY_RETURN_IF_ERROR(CheckLength("height", from.height()));
  const Rectangle rectangle = LeastRectangle(std::move(corners));
  if (std::min(rectangle.width, rectangle.depth) < grammar::kLeastSize) {
    return InvalidField(
        "polygon",
        absl::StrCat("the rectangle around it is ", ExactText(rectangle.width), " m by ",
                     ExactText(rectangle.depth), " m, expected at least ", grammar::kLeastSize));
  }
  const double position[] = {rectangle.corner.x, from.ground(), rectangle.corner.z};
  const double size[] = {rectangle.width, from.height(), rectangle.depth};
  for (int axis = 0; axis < 3; ++axis) {
    WY_RETURN_IF_ERROR(CheckCoordinate("polygon: a corner of the rectangle", position[axis]));
    WY_RETURN_IF_ERROR(CheckLength("polygon: a side of the rectangle", size[axis]));
    parcel.position[axis] = static_cast<float>(position[axis]);
    parcel.size[axis] = static_cast<float>(size[axis]);
  }
  // The axis is (cos, -sin) of an angle of at most 45 degrees, so the cosine of its half is not
  // small.
  const double cosine = std::sqrt((1 + rectangle.axis.x) / 2);
  SetRotation(-rectangle.axis.z / (2 * cosine), cosine, parcel);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Parcel> ToParcel(const v1::GrammarParcel& from, std::size_t number) {
  Parcel parcel;
  parcel.id = from.has_id() ? from.id() : number;
  const absl::Status status =
      from.polygon().empty() ? SetBox(from, parcel) : SetPolygon(from, parcel);
  if (status.ok()) return parcel;
  return InField(absl::StrCat("parcels[", number, "]."), status);
}

}  // namespace warpyard::server
