// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/model/build_wedges.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "core/workload/simplify/wedges/field.h"

namespace warpyard::simplify {
namespace {

/// The channels of an attribute, with the range of their values.
void AddRules(const AttributeInput& attribute, std::vector<Channel>& rules) {
  const std::size_t first = rules.size();
  for (std::uint32_t k = 0; k < attribute.components; ++k) {
    const float value = attribute.values[k];
    const bool begins_normal = attribute.is_normal && k == 0;
    rules.push_back({attribute.weight, value, value, begins_normal ? 1u : 0u});
  }
  for (std::size_t i = 0; i < attribute.values.size(); ++i) {
    Channel& rule = rules[first + i % attribute.components];
    rule.low = std::min(rule.low, attribute.values[i]);
    rule.high = std::max(rule.high, attribute.values[i]);
  }
}

/// Writes the values of an attribute among those of all channels.
void Interleave(const AttributeInput& attribute, std::size_t channels, float* out) {
  for (std::size_t i = 0; i < attribute.values.size(); i += attribute.components) {
    std::copy_n(&attribute.values[i], attribute.components, out);
    out += channels;
  }
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
  std::vector<float> values(vertices * channels);
  for (const AttributeInput& attribute : input.attributes) {
    Interleave(attribute, channels, values.data() + rules.size());
    AddRules(attribute, rules);
  }
  WY_RETURN_IF_ERROR(attributes_.Reserve(backend_, values.size()));
  WY_RETURN_IF_ERROR(model_.rules.Reserve(backend_, rules.size()));
  view().rules = model_.rules.data();
  job_.build.input.attributes = attributes_.data();
  WY_RETURN_IF_ERROR(
      backend_.CopyIn(model_.rules.data(), rules.data(), rules.size() * sizeof(Channel)));
  return backend_.CopyIn(attributes_.data(), values.data(), values.size() * sizeof(float));
}

absl::Status WedgeBuilder::Upload(const ModelInput& input) {
  const std::uint32_t vertices = job_.build.input.vertices;
  const std::size_t corners = 3 * std::size_t{job_.build.input.triangles};
  view().channels = ChannelsOf(input);
  if (view().channels != 0) WY_RETURN_IF_ERROR(UploadAttributes(input));
  if (!input.groups.empty()) {
    WY_RETURN_IF_ERROR(model_.groups.Reserve(backend_, vertices));
    view().groups = model_.groups.data();
    WY_RETURN_IF_ERROR(
        backend_.CopyIn(model_.groups.data(), input.groups.data(), input.groups.size_bytes()));
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
