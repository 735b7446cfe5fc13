// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/model/check_input.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <span>

#include "absl/strings/str_cat.h"
#include "core/base/exact_text.h"
#include "core/base/macros.h"
#include "core/base/status_facts.h"
#include "core/workload/simplify/result/frustum.h"

namespace warpyard::simplify {
namespace {

absl::Status CheckCount(const char* name, std::uint64_t count, std::uint64_t most) {
  if (count >= 1 && count <= most) return absl::OkStatus();
  return InvalidField(name, absl::StrCat(count, ", expected 1 to ", most));
}

absl::Status CheckAttribute(const AttributeInput& attribute, std::size_t vertices) {
  const bool has_size = attribute.components >= 1 && attribute.components <= 4 &&
                        (!attribute.is_normal || attribute.components == 3);
  if (!has_size) {
    return InvalidField("components", absl::StrCat(attribute.components,
                                                   attribute.is_normal ? ", expected 3 for normals"
                                                                       : ", expected 1 to 4"));
  }
  if (attribute.values.size() != vertices * attribute.components) {
    return InvalidField(
        "values", absl::StrCat(attribute.values.size(), " numbers, expected ", attribute.components,
                               " for each of ", vertices, " vertices"));
  }
  if (!(attribute.weight >= 0 && attribute.weight <= kMostWeight)) {
    return InvalidField("weight",
                        absl::StrCat(ExactText(attribute.weight), ", expected 0 to ", kMostWeight));
  }
  const auto bad = std::find_if(attribute.values.begin(), attribute.values.end(),
                                [](float value) { return !(std::fabs(value) <= kMostValue); });
  if (bad == attribute.values.end()) return absl::OkStatus();
  const auto place = static_cast<std::size_t>(bad - attribute.values.begin());
  return InvalidField(
      "values", absl::StrCat(ExactText(*bad), " at vertex ", place / attribute.components,
                             ", expected finite numbers of at most ", kMostValue, " in magnitude"));
}

absl::Status CheckAttributes(const ModelInput& input) {
  const std::size_t vertices = input.positions.vertices;
  std::size_t channels = 0;
  for (std::size_t i = 0; i < input.attributes.size(); ++i) {
    if (absl::Status status = CheckAttribute(input.attributes[i], vertices); !status.ok()) {
      return InField(absl::StrCat("attributes[", i, "]."), status);
    }
    channels += input.attributes[i].components;
  }
  if (channels > kMostChannels) {
    return InvalidField(
        "attributes",
        absl::StrCat(channels, " components in all, expected at most ", kMostChannels));
  }
  const auto check_size = [&](const char* name, std::size_t size) {
    if (size == 0 || size == vertices) return absl::OkStatus();
    return InvalidField(
        name, absl::StrCat(size, " of them, expected one for each of ", vertices, " vertices"));
  };
  if (absl::Status status = check_size("groups", input.groups.size()); !status.ok()) return status;
  return check_size("locked_vertices", input.locked.size());
}

constexpr double kHuge = std::numeric_limits<double>::infinity();

/// The box of all positions.
struct Bounds {
  Vector3d low{kHuge, kHuge, kHuge}, high{-kHuge, -kHuge, -kHuge};

  void Add(const Vector3d& p) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  double Extent() const { return std::max({high.x - low.x, high.y - low.y, high.z - low.z}); }
};

/// @errors INVALID_ARGUMENT: the first vertex that is not finite
absl::StatusOr<Bounds> FindBounds(const geometry::PositionsView& positions) {
  Bounds bounds;
  for (std::size_t v = 0; v < positions.vertices; ++v) {
    const Vector3d p = geometry::PositionAt(positions, v);
    if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) {
      return InvalidField("positions",
                          absl::StrCat("vertex ", v, " is (", ExactText(p.x), ", ", ExactText(p.y),
                                       ", ", ExactText(p.z), "), expected finite numbers"));
    }
    bounds.Add(p);
  }
  return bounds;
}

/// The same for floats, four vertices at a time, which compilers turn into vector instructions: a
/// large model has millions. Returns whether all are finite. @shape bounds: of no position yet
bool FindFloatBounds(const geometry::PositionsView& positions, Bounds& bounds) {
  constexpr std::size_t kVertices = 4, kNumbers = 3 * kVertices;
  constexpr float kFar = std::numeric_limits<float>::infinity();
  float low[kNumbers], high[kNumbers], zeros[kNumbers] = {};
  std::fill(std::begin(low), std::end(low), kFar);
  std::fill(std::begin(high), std::end(high), -kFar);
  const auto* const data = static_cast<const char*>(positions.data);
  const std::size_t whole = positions.vertices / kVertices * kVertices;
  for (std::size_t v = 0; v < whole; v += kVertices) {
    float numbers[kNumbers];
    std::memcpy(numbers, data + v * 3 * sizeof(float), sizeof numbers);
    for (std::size_t k = 0; k < kNumbers; ++k) {
      low[k] = numbers[k] < low[k] ? numbers[k] : low[k];
      high[k] = numbers[k] > high[k] ? numbers[k] : high[k];
      zeros[k] += numbers[k] * 0.0f;  // NaN if the number is not finite
    }
  }
  bool finite = true;
  for (const float zero : zeros) finite &= zero == 0.0f;
  if (!finite) return false;
  for (std::size_t k = 0; k < kVertices && whole != 0; ++k) {
    bounds.Add({low[3 * k], low[3 * k + 1], low[3 * k + 2]});
    bounds.Add({high[3 * k], high[3 * k + 1], high[3 * k + 2]});
  }
  for (std::size_t v = whole; v < positions.vertices; ++v) {
    const Vector3d p = geometry::PositionAt(positions, v);
    if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) return false;
    bounds.Add(p);
  }
  return true;
}

/// The greatest index; 0 where there is none.
std::uint32_t GreatestIndex(std::span<const std::uint32_t> indices) {
  std::uint32_t greatest = 0;
  for (const std::uint32_t index : indices) greatest = std::max(greatest, index);
  return greatest;
}

}  // namespace

absl::Status CheckInput(const ModelInput& input) {
  if (absl::Status status = CheckCount("vertices", input.positions.vertices, kMostVertices);
      !status.ok()) {
    return status;
  }
  if (input.triangles.size() % 3 != 0) {
    return InvalidField("triangles",
                        absl::StrCat(input.triangles.size(), " indices, no multiple of 3"));
  }
  if (absl::Status status = CheckCount("triangles", input.triangles.size() / 3, kMostTriangles);
      !status.ok()) {
    return status;
  }
  const std::size_t vertices = input.positions.vertices;
  if (GreatestIndex(input.triangles) < vertices) return CheckAttributes(input);
  const auto bad = std::find_if(input.triangles.begin(), input.triangles.end(),
                                [&](std::uint32_t index) { return index >= vertices; });
  return InvalidField(absl::StrCat("triangles[", bad - input.triangles.begin(), "]"),
                      absl::StrCat(*bad, ", expected less than ", vertices));
}

absl::StatusOr<StoredPoints> StorePoints(const geometry::PositionsView& positions) {
  const bool floats = positions.scalar_type == geometry::ScalarType::kFloat32;
  Bounds bounds;
  if (!floats || !FindFloatBounds(positions, bounds)) {
    WY_ASSIGN_OR_RETURN(bounds, FindBounds(positions));
  }
  const double extent = bounds.Extent();
  constexpr double kLeast = std::numeric_limits<float>::min();
  // New vertices may lie outside the box, by less than its diagonal.
  constexpr double kMost = std::numeric_limits<float>::max() / 4;
  if (!(extent >= kLeast && extent <= kMost)) {
    return InvalidField("positions",
                        absl::StrCat("the largest side of their box is ", ExactText(extent),
                                     ", expected ", ExactText(kLeast), " to ", ExactText(kMost)));
  }
  StoredPoints stored{};
  stored.origin = floats ? Vector3d{0, 0, 0} : bounds.low;
  stored.frame = {bounds.low - stored.origin, extent};
  stored.data = positions.data;
  if (floats) return stored;
  stored.converted.resize(positions.vertices);
  for (std::size_t v = 0; v < positions.vertices; ++v) {
    const Vector3d p = geometry::PositionAt(positions, v) - stored.origin;
    stored.converted[v] = {static_cast<float>(p.x), static_cast<float>(p.y),
                           static_cast<float>(p.z)};
  }
  stored.data = stored.converted.data();
  return stored;
}

absl::Status CheckOptions(const SimplifyOptions& options) {
  const int goals = int{options.triangles.has_value()} + int{options.max_error.has_value()} +
                    int{options.level.has_value()} + int{options.views.has_value()};
  if (goals != 1) {
    return InvalidField(
        "goal", absl::StrCat(
                    goals, " of triangles, max_error, level, views are set, expected exactly one"));
  }
  if (options.triangles.has_value() && *options.triangles < 1) {
    return InvalidField("triangles", "0, expected at least 1");
  }
  if (options.max_error.has_value() &&
      !(std::isfinite(*options.max_error) && *options.max_error >= 0)) {
    return InvalidField("max_error", absl::StrCat(ExactText(*options.max_error),
                                                  ", expected finite and not negative"));
  }
  if (options.level.has_value() && *options.level > kDeepest) {
    return InvalidField("level", absl::StrCat(*options.level, ", expected 0 to ", kDeepest));
  }
  if (options.distance_samples > kMostSamples) {
    return InvalidField("distance_samples", absl::StrCat(options.distance_samples,
                                                         ", expected at most ", kMostSamples));
  }
  if (!options.views.has_value()) return absl::OkStatus();
  if (options.views->returns_delta && options.distance_samples != 0) {
    return InvalidField("distance_samples", "a delta is no mesh to measure");
  }
  if (options.finish != Finish::kCut) {
    return InvalidField("finish", "views have cuts only, expected a cut");
  }
  return CheckViews(*options.views);
}

}  // namespace warpyard::simplify
