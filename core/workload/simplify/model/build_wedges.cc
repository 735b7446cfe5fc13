// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/model/build_wedges.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <vector>

#include "core/workload/simplify/model/host_parts.h"
#include "core/workload/simplify/model/upload.h"
#include "core/workload/simplify/wedges/field.h"

namespace warpyard::simplify {
namespace {

/// Of the values of a component.
struct ValueRange {
  float low, high;

  void Add(const ValueRange& other) {
    low = std::min(low, other.low);
    high = std::max(high, other.high);
  }
};
using ValueRanges = std::array<ValueRange, 4>;  // of the components of an attribute

ValueRanges RangesOf(const AttributeInput& attribute, std::size_t vertices) {
  ValueRanges ranges;
  for (std::uint32_t k = 0; k < attribute.components; ++k) {
    ranges[k] = {attribute.values[k], attribute.values[k]};
  }
  std::array<ValueRanges, kHostParts> parts;
  parts.fill(ranges);
  ForEachPart(vertices, attribute.values.size_bytes(), [&](const IndexPart& part) {
    for (std::uint32_t k = 0; k < attribute.components; ++k) {
      ValueRange own = ranges[k];
      for (std::size_t v = part.begin; v < part.end; ++v) {
        const float value = attribute.values[v * attribute.components + k];
        own.Add({value, value});
      }
      parts[part.number][k] = own;
    }
    return absl::OkStatus();
  }).IgnoreError();
  for (const ValueRanges& part : parts) {
    for (std::uint32_t k = 0; k < attribute.components; ++k) ranges[k].Add(part[k]);
  }
  return ranges;
}

/// The channels of an attribute, with the range of their values.
void AddRules(const AttributeInput& attribute, std::size_t vertices, std::vector<Channel>& rules) {
  const ValueRanges ranges = RangesOf(attribute, vertices);
  for (std::uint32_t k = 0; k < attribute.components; ++k) {
    const bool begins_normal = attribute.is_normal && k == 0;
    rules.push_back({attribute.weight, ranges[k].low, ranges[k].high, begins_normal ? 1u : 0u});
  }
}

/// The values of all channels of a vertex, one vertex after another.
absl::Status UploadValues(device::Backend& backend, const ModelInput& input, std::size_t channels,
                          float* to) {
  if (input.attributes.size() == 1) {
    const std::span<const float> values = input.attributes[0].values;
    return UploadAll(backend, {{{to, values.data(), values.size_bytes()}}});
  }
  const std::size_t numbers = input.positions.vertices * channels;
  return UploadMade(backend, numbers, to, [&](std::size_t begin, std::size_t end, float* out) {
    // A block may begin and end within a vertex.
    std::size_t first = 0;
    for (const AttributeInput& attribute : input.attributes) {
      for (std::uint32_t k = 0; k < attribute.components; ++k, ++first) {
        const std::size_t vertex = (begin + channels - 1 - first) / channels;
        const float* value = attribute.values.data() + vertex * attribute.components + k;
        for (std::size_t i = vertex * channels + first; i < end; i += channels) {
          out[i - begin] = *value;
          value += attribute.components;
        }
      }
    }
  });
}

}  // namespace

std::uint32_t ChannelsOf(const ModelInput& input) {
  std::uint32_t channels = 0;
  for (const AttributeInput& attribute : input.attributes) channels += attribute.components;
  return channels;
}

absl::Status TakeWeld(device::Backend& backend, std::uint32_t vertices, WeldArrays& arrays,
                      WeldView& view) {
  // Twice as many slots as vertices, so that a search is short.
  const std::size_t slots = std::bit_ceil(2 * std::uint64_t{vertices});
  view.table_mask = static_cast<std::uint32_t>(slots - 1);
  WY_RETURN_IF_ERROR(Take(backend, slots, arrays.table, view.table));
  WY_RETURN_IF_ERROR(Take(backend, vertices, arrays.slots, view.slots));
  return Take(backend, vertices, arrays.leaves, view.leaves);
}

absl::Status TakeComponents(device::Backend& backend, std::size_t leaves, ComponentArrays& arrays,
                            ComponentsView& view) {
  WY_RETURN_IF_ERROR(Take(backend, leaves, arrays.least, view.least));
  WY_RETURN_IF_ERROR(Take(backend, leaves, arrays.roots, view.roots));
  WY_RETURN_IF_ERROR(Take(backend, leaves, arrays.next, view.next));
  WY_RETURN_IF_ERROR(Take(backend, leaves, arrays.node_of, view.node_of));
  return Take(backend, leaves, arrays.made, view.made);
}

absl::Status WedgeBuilder::UploadAttributes(const ModelInput& input) {
  const std::size_t vertices = input.positions.vertices, channels = view().channels;
  std::vector<Channel> rules;
  for (const AttributeInput& attribute : input.attributes) AddRules(attribute, vertices, rules);
  WY_RETURN_IF_ERROR(attributes_.Reserve(backend_, vertices * channels));
  WY_RETURN_IF_ERROR(model_.rules.Reserve(backend_, rules.size()));
  view().rules = model_.rules.data();
  job_.build.input.attributes = attributes_.data();
  WY_RETURN_IF_ERROR(
      backend_.CopyIn(model_.rules.data(), rules.data(), rules.size() * sizeof(Channel)));
  return UploadValues(backend_, input, channels, attributes_.data());
}

absl::Status WedgeBuilder::Upload(const ModelInput& input) {
  const std::uint32_t vertices = job_.build.input.vertices;
  const std::size_t corners = 3 * std::size_t{job_.build.input.triangles};
  view().channels = ChannelsOf(input);
  if (view().channels != 0) WY_RETURN_IF_ERROR(UploadAttributes(input));
  if (!input.groups.empty()) {
    WY_RETURN_IF_ERROR(model_.groups.Reserve(backend_, vertices));
    view().groups = model_.groups.data();
    WY_RETURN_IF_ERROR(UploadAll(
        backend_, {{{model_.groups.data(), input.groups.data(), input.groups.size_bytes()}}}));
  }
  WY_RETURN_IF_ERROR(Take(backend_, corners, indices_, job_.build.input.wedge_indices));
  WY_RETURN_IF_ERROR(TakeWeld(backend_, vertices, weld_, job_.build.input.wedges));
  WY_RETURN_IF_ERROR(Take(backend_, corners, model_.corners, view().corners));
  return Take(backend_, 2 * std::size_t{vertices}, model_.owners, view().owners);
}

absl::Status WedgeBuilder::BeginTree(std::uint32_t leaves) {
  weld_.table = {};
  weld_.leaves = {};
  indices_ = {};
  view().leaves = leaves;
  ComponentsView& components = job_.build.wedges;
  components.corners = view().corners;
  WY_RETURN_IF_ERROR(TakeComponents(backend_, leaves, components_, components));
  WY_RETURN_IF_ERROR(Take(backend_, 2 * std::size_t{leaves}, model_.parents, view().parents));
  components.parents = view().parents;
  components.root_count = components.first_node = leaves;
  return Take(backend_, std::size_t{leaves} * view().channels, model_.values, view().values);
}

absl::Status WedgeBuilder::BeginFields(std::uint32_t nodes) {
  attributes_ = {};
  components_ = {};
  view().nodes = nodes;
  const std::size_t inner = job_.model.nodes - job_.model.leaves;
  ListsView& merged = job_.build.merged;
  WY_RETURN_IF_ERROR(Take(backend_, inner, counts_, merged.counts));
  WY_RETURN_IF_ERROR(Take(backend_, inner + 1, offsets_, merged.offsets));
  WY_RETURN_IF_ERROR(Take(backend_, nodes, items_, merged.items));
  WY_RETURN_IF_ERROR(Take(backend_, nodes, model_.sources, view().sources));
  const std::size_t words = std::size_t{nodes} * FieldWords(view().channels);
  return Take(backend_, words, model_.fields, view().fields);
}

}  // namespace warpyard::simplify
