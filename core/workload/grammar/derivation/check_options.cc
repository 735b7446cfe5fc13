// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/derivation/check_options.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "core/base/status_facts.h"
#include "core/workload/grammar/job/derive_job.h"

namespace warpyard::grammar {
namespace {

template <class... Texts>
absl::Status Invalid(absl::string_view path, const Texts&... texts) {
  return InvalidField(path, absl::StrCat(texts...));
}

bool AreWithin(const float* numbers, std::size_t count, float most) {
  return std::all_of(numbers, numbers + count, [&](float x) { return std::fabs(x) <= most; });
}

absl::Status CheckParcel(const Parcel& parcel, std::size_t number) {
  const auto name = [&] { return absl::StrCat("parcels[", number, "]"); };
  if (!AreWithin(parcel.position, 3, kMostCoordinate)) {
    return Invalid(name() + ".position", "expected finite numbers up to ", kMostCoordinate);
  }
  float length = 0;
  for (const float q : parcel.rotation) length += q * q;
  if (!(std::fabs(length - 1) <= 1e-3f)) {
    return Invalid(name() + ".rotation", "expected a unit quaternion");
  }
  for (const float size : parcel.size) {
    if (!(size >= 0 && size <= kMostCoordinate)) {
      return Invalid(name() + ".size", size, ", expected 0 to ", kMostCoordinate);
    }
  }
  return absl::OkStatus();
}

absl::Status CheckColumn(const GrammarInfo& info, const AttributeColumn& column,
                         std::size_t parcels) {
  if (column.attribute >= info.attributes.size()) {
    return Invalid("attributes", column.attribute, " is no attribute, expected less than ",
                   info.attributes.size());
  }
  const AttributeInfo& attribute = info.attributes[column.attribute];
  if (column.values.size() != 1 && column.values.size() != parcels) {
    return Invalid("attributes", "values of '", attribute.name, "': ", column.values.size(),
                   " values, expected 1 or one for each of ", parcels, " parcels");
  }
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    const float value = column.values[i];
    if (std::isfinite(value) && value >= attribute.least && value <= attribute.most) continue;
    return Invalid("attributes", "values[", i, "] of '", attribute.name, "': ", value,
                   ", expected ", attribute.least, " to ", attribute.most);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckView(const View& view) {
  if (!AreWithin(view.position, 3, kMostCoordinate)) {
    return Invalid("view.position", "expected finite numbers up to ", kMostCoordinate);
  }
  if (view.planes.size() > kMostPlanes) {
    return Invalid("view.planes", view.planes.size(), " planes, expected ", kMostPlanes,
                   " at most");
  }
  for (const std::array<float, 4>& plane : view.planes) {
    if (!AreWithin(plane.data(), 4, 1e12f)) {
      return Invalid("view.planes", "expected finite numbers");
    }
  }
  if (!(view.pixels > 0 && view.pixels <= 1e9f) ||
      !(view.least_pixels >= 0 && view.least_pixels <= 1e9f)) {
    return Invalid("view.pixels", view.pixels, " and view.least_pixels: ", view.least_pixels,
                   ", expected positive numbers up to 1e9");
  }
  return absl::OkStatus();
}

absl::Status CheckOptions(const GrammarInfo& info, const DeriveOptions& options) {
  const std::size_t parcels = options.parcels.size();
  if (parcels == 0 || parcels > kMostBuildings) {
    return Invalid("parcels", parcels, ", expected 1 to ", kMostBuildings);
  }
  for (std::size_t i = 0; i < parcels; ++i) {
    WY_RETURN_IF_ERROR(CheckParcel(options.parcels[i], i));
  }
  for (const AttributeColumn& column : options.attributes) {
    WY_RETURN_IF_ERROR(CheckColumn(info, column, parcels));
  }
  if (options.view) WY_RETURN_IF_ERROR(CheckView(*options.view));
  if (options.max_depth == 0 || options.max_depth > kMostDepth) {
    return Invalid("max_depth", options.max_depth, ", expected 1 to ", kMostDepth);
  }
  if (options.max_instances == 0) return Invalid("max_instances", "0, expected at least 1");
  if (options.max_bytes < kLeastBytes) {
    return Invalid("max_bytes", options.max_bytes, ", expected at least ", kLeastBytes);
  }
  return absl::OkStatus();
}

}  // namespace warpyard::grammar
