// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/simplify/attributes.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/base/exact_text.h"
#include "core/base/macros.h"
#include "core/base/status_facts.h"
#include "core/workload/simplify/limits.h"

namespace warpyard::server {
namespace {

constexpr std::size_t kMostNameBytes = 64;
constexpr float kNormalWeight = 0.05f, kOtherWeight = 0.25f;

bool IsNormal(const v1::VertexAttribute& attribute) {
  return attribute.kind() == v1::ATTRIBUTE_KIND_NORMAL;
}

absl::Status CheckForm(const v1::VertexAttribute& attribute, std::size_t vertices) {
  if (attribute.name().size() > kMostNameBytes) {
    return InvalidField(
        "name", absl::StrCat(attribute.name().size(), " bytes, expected at most ", kMostNameBytes));
  }
  if (!v1::AttributeKind_IsValid(attribute.kind())) {
    return InvalidField("kind", absl::StrCat("unknown value ", static_cast<int>(attribute.kind())));
  }
  const std::uint32_t components = attribute.components();
  if (IsNormal(attribute) ? components != 3 : components < 1 || components > 4) {
    return InvalidField(
        "components",
        absl::StrCat(components, ", expected ", IsNormal(attribute) ? "3 for normals" : "1 to 4"));
  }
  const std::size_t expected = vertices * components * sizeof(float);
  if (attribute.values().size() == expected) return absl::OkStatus();
  return InvalidField("values",
                      absl::StrCat(attribute.values().size(), " bytes, expected ", expected, " (",
                                   components, " float32 for each of ", vertices, " vertices)"));
}

std::span<const float> ValuesOf(const v1::VertexAttribute& attribute) {
  // A protobuf string is at least 8-byte aligned.
  return {reinterpret_cast<const float*>(attribute.values().data()),
          attribute.values().size() / sizeof(float)};
}

absl::Status CheckNumbers(const v1::VertexAttribute& attribute) {
  const std::span<const float> values = ValuesOf(attribute);
  // A comparison with NaN is false.
  const auto bad = std::find_if(values.begin(), values.end(), [](float value) {
    return !(std::fabs(value) <= simplify::kMostValue);
  });
  if (bad != values.end()) {
    const auto place = static_cast<std::size_t>(bad - values.begin());
    return InvalidField(
        "values", absl::StrCat("vertex ", place / attribute.components(), " has ", ExactText(*bad),
                               ", expected finite numbers of at most ", simplify::kMostValue,
                               " in magnitude"));
  }
  if (!attribute.has_weight()) return absl::OkStatus();
  if (attribute.weight() >= 0 && attribute.weight() <= simplify::kMostWeight) {
    return absl::OkStatus();
  }
  return InvalidField("weight", absl::StrCat(ExactText(attribute.weight()), ", expected 0 to ",
                                             simplify::kMostWeight));
}

absl::StatusOr<simplify::AttributeInput> ToAttribute(const v1::VertexAttribute& attribute,
                                                     std::size_t vertices) {
  WY_RETURN_IF_ERROR(CheckForm(attribute, vertices));
  WY_RETURN_IF_ERROR(CheckNumbers(attribute));
  const float usual = IsNormal(attribute) ? kNormalWeight : kOtherWeight;
  return simplify::AttributeInput{ValuesOf(attribute), attribute.components(),
                                  attribute.has_weight() ? attribute.weight() : usual,
                                  IsNormal(attribute)};
}

}  // namespace

AttributeLayouts LayoutsOf(const v1::OpenModelRequest& request) {
  AttributeLayouts layouts;
  for (const v1::VertexAttribute& attribute : request.attributes()) {
    layouts.push_back({attribute.name(),
                       IsNormal(attribute) ? v1::ATTRIBUTE_KIND_NORMAL : v1::ATTRIBUTE_KIND_LINEAR,
                       attribute.components()});
  }
  return layouts;
}

absl::StatusOr<std::vector<simplify::AttributeInput>> ToAttributes(
    const v1::OpenModelRequest& request, std::size_t vertices) {
  std::vector<simplify::AttributeInput> attributes;
  absl::flat_hash_set<absl::string_view> names;
  std::uint32_t components = 0;
  for (int i = 0; i < request.attributes_size(); ++i) {
    const v1::VertexAttribute& attribute = request.attributes(i);
    absl::StatusOr<simplify::AttributeInput> input = ToAttribute(attribute, vertices);
    if (!input.ok()) {
      return InField(absl::StrCat("attributes[", i, "]."), input.status());
    }
    if (!names.insert(attribute.name()).second) {
      return InvalidField(
          absl::StrCat("attributes[", i, "].name"),
          absl::StrCat("\"", attribute.name(), "\" is the name of another one, too"));
    }
    components += attribute.components();
    if (components > simplify::kMostChannels) {
      return InvalidField(
          "attributes", absl::StrCat("more than ", simplify::kMostChannels, " components in all"));
    }
    attributes.push_back(*input);
  }
  return attributes;
}

absl::StatusOr<std::span<const std::uint8_t>> ToLocked(const std::string& bytes,
                                                       std::size_t vertices) {
  if (!bytes.empty() && bytes.size() != vertices) {
    return InvalidField("locked_vertices", absl::StrCat(bytes.size(), " bytes, expected ", vertices,
                                                        " (one for each vertex) or none"));
  }
  const std::span<const std::uint8_t> locked(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                             bytes.size());
  const auto bad =
      std::find_if(locked.begin(), locked.end(), [](std::uint8_t lock) { return lock > 1; });
  if (bad == locked.end()) return locked;
  return InvalidField("locked_vertices", absl::StrCat("vertex ", bad - locked.begin(), " has ",
                                                      static_cast<int>(*bad), ", expected 0 or 1"));
}

absl::StatusOr<simplify::Borders> ToBorders(v1::Borders borders) {
  switch (borders) {
    case v1::BORDERS_UNSPECIFIED:
    case v1::BORDERS_WEIGHTED:
      return simplify::Borders::kWeighted;
    case v1::BORDERS_LOCKED:
      return simplify::Borders::kLocked;
    case v1::BORDERS_FREE:
      return simplify::Borders::kFree;
    default:
      return InvalidField("borders", absl::StrCat("unknown value ", static_cast<int>(borders)));
  }
}

void AddAttributes(const simplify::SimplifiedMesh& mesh, const AttributeLayouts& layouts,
                   v1::SimplifyResponse& response) {
  const std::size_t vertices = mesh.sources.size();
  std::size_t channels = 0, first = 0;
  for (const AttributeLayout& layout : layouts) channels += layout.components;
  for (const AttributeLayout& layout : layouts) {
    v1::VertexAttribute& attribute = *response.add_attributes();
    attribute.set_name(layout.name);
    attribute.set_kind(layout.kind);
    attribute.set_components(layout.components);
    const std::size_t bytes = layout.components * sizeof(float);
    std::string& values = *attribute.mutable_values();
    values.resize(vertices * bytes);
    for (std::size_t v = 0; v < vertices; ++v) {
      std::memcpy(&values[v * bytes], &mesh.attributes[v * channels + first], bytes);
    }
    first += layout.components;
  }
}

}  // namespace warpyard::server
