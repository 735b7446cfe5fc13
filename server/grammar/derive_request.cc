// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/grammar/derive_request.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "core/workload/grammar/code/arithmetic.h"
#include "core/workload/grammar/derivation/check_options.h"
#include "core/workload/grammar/language/diagnostics.h"
#include "server/grammar/rectangle.h"

namespace warpyard::server {
namespace {

constexpr int kMostCorners = 4096;

template <class... Texts>
absl::Status Invalid(const Texts&... texts) {
  return absl::InvalidArgumentError(absl::StrCat(texts...));
}

/// The turn about the y axis that makes the x axis point along (x, z). @shape x, z: a unit vector
void SetRotation(double x, double z, float (&rotation)[4]) {
  // The half angle by square roots, which are the same on every machine.
  const double sine = std::sqrt(std::max(0.0, (1 - x) / 2));
  rotation[1] = static_cast<float>(z > 0 ? -sine : sine);
  rotation[3] = static_cast<float>(std::sqrt(std::max(0.0, (1 + x) / 2)));
}

bool IsLength(float x) { return x > 0 && x <= grammar::kMostCoordinate; }

absl::Status ReadBox(const v1::GrammarParcel& message, const std::string& name,
                     grammar::Parcel* parcel) {
  if (message.position_size() != 0 && message.position_size() != 3) {
    return Invalid(name, ".position: ", message.position_size(), " numbers, expected 3");
  }
  std::copy(message.position().begin(), message.position().end(), parcel->position);
  if (message.size_size() != 3) {
    return Invalid(name, ".size: ", message.size_size(), " numbers, expected 3");
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (!IsLength(message.size(axis))) {
      return Invalid(name, ".size: ", message.size(axis), ", expected more than 0, at most ",
                     grammar::kMostCoordinate);
    }
    parcel->size[axis] = message.size(axis);
  }
  if (!std::isfinite(message.yaw())) {
    return Invalid(name, ".yaw: ", message.yaw(), ", expected a finite number");
  }
  // The sine of the language is the same on every machine.
  const grammar::SineCosine half = grammar::SineCosineOf(message.yaw() / 2);
  parcel->rotation[1] = half.sine;
  parcel->rotation[3] = half.cosine;
  return absl::OkStatus();
}

absl::Status ReadPolygon(const v1::GrammarParcel& message, const std::string& name,
                         grammar::Parcel* parcel) {
  if (message.position_size() + message.size_size() != 0 || message.yaw() != 0) {
    return Invalid(name, ".polygon: set beside position, size or yaw, expected one or the other");
  }
  const int numbers = message.polygon_size();
  if (numbers % 2 != 0 || numbers < 6 || numbers > 2 * kMostCorners) {
    return Invalid(name, ".polygon: ", numbers, " numbers, expected two for each of 3 to ",
                   kMostCorners, " corners");
  }
  std::vector<Point2> corners;
  for (int i = 0; i < numbers; i += 2) {
    const float x = message.polygon(i), z = message.polygon(i + 1);
    if (!(std::fabs(x) <= grammar::kMostCoordinate && std::fabs(z) <= grammar::kMostCoordinate)) {
      return Invalid(name, ".polygon: corner ", i / 2, " is not within ", grammar::kMostCoordinate,
                     " of the origin");
    }
    corners.push_back({x, z});
  }
  if (!IsLength(message.height()) || !std::isfinite(message.ground())) {
    return Invalid(name, ".height: ", message.height(), " on .ground: ", message.ground(),
                   ", expected a height of more than 0, at most ", grammar::kMostCoordinate);
  }
  const Rectangle rectangle = LeastRectangle(corners);
  const double sizes[3] = {rectangle.width, message.height(), rectangle.depth};
  if (!IsLength(static_cast<float>(sizes[0])) || !IsLength(static_cast<float>(sizes[2]))) {
    return Invalid(name, ".polygon: its corners are on a line");
  }
  const double corner[3] = {rectangle.corner.x, message.ground(), rectangle.corner.z};
  for (int axis = 0; axis < 3; ++axis) {
    parcel->position[axis] = static_cast<float>(corner[axis]);
    parcel->size[axis] = static_cast<float>(sizes[axis]);
  }
  SetRotation(rectangle.axis.x, rectangle.axis.z, parcel->rotation);
  return absl::OkStatus();
}

absl::Status ReadParcels(const v1::DeriveGrammarRequest& request, grammar::DeriveOptions* options) {
  const auto count = static_cast<std::size_t>(request.parcels_size());
  if (count == 0 || count > grammar::kMostBuildings) {
    return Invalid("parcels: ", count, ", expected 1 to ", grammar::kMostBuildings);
  }
  options->parcels.resize(count);
  for (int i = 0; i < request.parcels_size(); ++i) {
    const v1::GrammarParcel& message = request.parcels(i);
    const std::string name = absl::StrCat("parcels[", i, "]");
    grammar::Parcel& parcel = options->parcels[static_cast<std::size_t>(i)];
    parcel.id = message.has_id() ? message.id() : static_cast<std::uint64_t>(i);
    WY_RETURN_IF_ERROR(message.polygon_size() == 0 ? ReadBox(message, name, &parcel)
                                                   : ReadPolygon(message, name, &parcel));
  }
  return absl::OkStatus();
}

/// The position of a name in a list. @errors INVALID_ARGUMENT, with a suggestion
template <class Named>
absl::StatusOr<std::uint32_t> Find(const std::vector<Named>& list, const std::string& name,
                                   const std::string& field) {
  std::vector<std::string_view> names;
  for (const Named& one : list) names.push_back(one.name);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::uint32_t>(found - names.begin());
  return Invalid(field, ": the grammar has no '", name.substr(0, 80), "'",
                 grammar::Suggestion(name, names));
}

absl::Status ReadValues(const v1::DeriveGrammarRequest& request, const grammar::GrammarInfo& info,
                        grammar::DeriveOptions* options) {
  // Later columns replace earlier ones.
  if (!request.style().empty()) {
    WY_ASSIGN_OR_RETURN(const std::uint32_t style, Find(info.styles, request.style(), "style"));
    for (const auto& [attribute, value] : info.styles[style].values) {
      options->attributes.push_back({attribute, {value}});
    }
  }
  for (int i = 0; i < request.values_size(); ++i) {
    const v1::GrammarValues& values = request.values(i);
    WY_ASSIGN_OR_RETURN(
        const std::uint32_t attribute,
        Find(info.attributes, values.attribute(), absl::StrCat("values[", i, "].attribute")));
    options->attributes.push_back({attribute, {values.values().begin(), values.values().end()}});
  }
  return absl::OkStatus();
}

absl::Status ReadView(const v1::GrammarView& message, grammar::View* view) {
  if (message.position_size() != 3) {
    return Invalid("view.position: ", message.position_size(), " numbers, expected 3");
  }
  std::copy(message.position().begin(), message.position().end(), view->position);
  if (message.planes_size() % 4 != 0) {
    return Invalid("view.planes: ", message.planes_size(), " numbers, expected 4 for each plane");
  }
  for (int i = 0; i < message.planes_size(); i += 4) {
    view->planes.push_back(
        {message.planes(i), message.planes(i + 1), message.planes(i + 2), message.planes(i + 3)});
  }
  view->pixels = message.pixels();
  view->least_pixels = message.least_pixels() == 0 ? 1 : message.least_pixels();
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<grammar::DeriveOptions> ToDeriveOptions(const v1::DeriveGrammarRequest& request,
                                                       const grammar::GrammarInfo& info) {
  grammar::DeriveOptions options;
  options.seed = request.seed();
  WY_RETURN_IF_ERROR(ReadParcels(request, &options));
  WY_RETURN_IF_ERROR(ReadValues(request, info, &options));
  if (request.has_view()) {
    WY_RETURN_IF_ERROR(ReadView(request.view(), &options.view.emplace()));
  }
  if (!v1::OnLimit_IsValid(request.on_limit())) {
    return Invalid("on_limit: ", static_cast<int>(request.on_limit()), " is unknown");
  }
  if (request.on_limit() == v1::ON_LIMIT_COARSE) options.on_limit = grammar::OnLimit::kCoarse;
  if (request.max_depth() != 0) options.max_depth = request.max_depth();
  if (request.max_instances() != 0) options.max_instances = request.max_instances();
  if (request.max_bytes() != 0) options.max_bytes = request.max_bytes();
  WY_RETURN_IF_ERROR(grammar::CheckOptions(info, options));
  return options;
}

}  // namespace warpyard::server
