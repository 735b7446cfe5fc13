// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/model/check_input.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/base/exact_text.h"
#include "core/base/status_facts.h"
#include "core/workload/simplify/job/counters.h"
#include "core/workload/simplify/model/host_parts.h"
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
  return ForEachPart(
      attribute.values.size(), attribute.values.size_bytes(), [&](const IndexPart& part) {
        const auto values = attribute.values.subspan(part.begin, part.end - part.begin);
        const auto bad = std::find_if(values.begin(), values.end(), [](float value) {
          return !(std::fabs(value) <= kMostValue);
        });
        if (bad == values.end()) return absl::OkStatus();
        const std::size_t place = part.begin + static_cast<std::size_t>(bad - values.begin());
        return InvalidField(
            "values",
            absl::StrCat(ExactText(*bad), " at vertex ", place / attribute.components,
                         ", expected finite numbers of at most ", kMostValue, " in magnitude"));
      });
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
  absl::Status status = CheckAttributes(input);
  return status.ok() ? status : IndexErrorOr(input, std::move(status));
}

absl::Status IndexErrorOr(const ModelInput& input, absl::Status status) {
  const std::size_t vertices = input.positions.vertices;
  const auto bad = std::find_if(input.triangles.begin(), input.triangles.end(),
                                [&](std::uint32_t index) { return index >= vertices; });
  if (bad == input.triangles.end()) return status;
  return InvalidField(absl::StrCat("triangles[", bad - input.triangles.begin(), "]"),
                      absl::StrCat(*bad, ", expected less than ", vertices));
}

absl::Status CheckLevels(const LevelOptions& levels) {
  const std::vector<std::uint64_t>& triangles = levels.triangles;
  const std::vector<double>& errors = levels.max_errors;
  if (triangles.empty() == errors.empty()) {
    return InvalidField("max_errors",
                        absl::StrCat(triangles.empty() ? "no goals, nor in" : "set beside",
                                     " triangles, expected one of both"));
  }
  for (std::size_t i = 1; i < triangles.size(); ++i) {
    if (triangles[i] <= triangles[i - 1]) continue;
    return InvalidField("triangles",
                        absl::StrCat("goal ", i, " is ", triangles[i],
                                     ", expected at most that before, ", triangles[i - 1]));
  }
  for (std::size_t i = 1; i < errors.size(); ++i) {
    if (errors[i] >= errors[i - 1]) continue;
    return InvalidField(
        "max_errors", absl::StrCat("goal ", i, " is ", ExactText(errors[i]),
                                   ", expected at least that before, ", ExactText(errors[i - 1])));
  }
  return absl::OkStatus();
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
  if (options.views->returns_delta && options.counts_edges) {
    return InvalidField("count_edges", "a delta is no mesh to count edges of");
  }
  if (options.finish != Finish::kCut) {
    return InvalidField("finish", "views have cuts only, expected a cut");
  }
  return CheckViews(*options.views);
}

}  // namespace warpyard::simplify
