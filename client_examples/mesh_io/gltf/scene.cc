// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/gltf/scene.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace warpyard::mesh_io {
namespace {

// Columns, as in glTF.
using Matrix = std::array<double, 16>;

constexpr Matrix kIdentity = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

Matrix Product(const Matrix& a, const Matrix& b) {
  Matrix out{};
  for (std::size_t column = 0; column < 4; ++column) {
    for (std::size_t row = 0; row < 4; ++row) {
      for (std::size_t i = 0; i < 4; ++i)
        out[4 * column + row] += a[4 * i + row] * b[4 * column + i];
    }
  }
  return out;
}

// The numbers of an array member, or the default.
template <std::size_t kCount>
std::array<double, kCount> Numbers(const Json& node, const char* name,
                                   std::array<double, kCount> numbers, Fields& fields) {
  const Json& array = fields.Array(name);
  if (FindMember(node, name) == nullptr) return numbers;
  const bool fits =
      array.size() == kCount && std::all_of(array.begin(), array.end(),
                                            [](const Json& number) { return number.is_number(); });
  if (!fits) {
    fields.Fail(absl::StrCat(name, " is no array of ", kCount, " numbers"));
    return numbers;
  }
  for (std::size_t i = 0; i < kCount; ++i) numbers[i] = array[i].template get<double>();
  return numbers;
}

Matrix LocalTransform(const Json& node, Fields& fields) {
  if (FindMember(node, "matrix") != nullptr) return Numbers(node, "matrix", kIdentity, fields);
  const auto [tx, ty, tz] = Numbers<3>(node, "translation", {0, 0, 0}, fields);
  const auto [x, y, z, w] = Numbers<4>(node, "rotation", {0, 0, 0, 1}, fields);
  const auto [sx, sy, sz] = Numbers<3>(node, "scale", {1, 1, 1}, fields);
  return {sx * (1 - 2 * (y * y + z * z)),
          sx * 2 * (x * y + z * w),
          sx * 2 * (x * z - y * w),
          0,
          sy * 2 * (x * y - z * w),
          sy * (1 - 2 * (x * x + z * z)),
          sy * 2 * (y * z + x * w),
          0,
          sz * 2 * (x * z + y * w),
          sz * 2 * (y * z - x * w),
          sz * (1 - 2 * (x * x + y * y)),
          0,
          tx,
          ty,
          tz,
          1};
}

// Walks the nodes below the roots of a scene.
class Walk {
 public:
  explicit Walk(const Json& json)
      : nodes_(ArrayMember(json, "nodes")),
        meshes_(ArrayMember(json, "meshes").size()),
        visited_(nodes_.size(), false) {}

  absl::StatusOr<std::vector<Instance>> Run(const Json& roots) {
    if (absl::Status status = Push(roots, "scene", kIdentity); !status.ok()) return status;
    while (!waiting_.empty()) {
      const auto [index, parent] = waiting_.back();
      waiting_.pop_back();
      if (absl::Status status = Visit(index, parent); !status.ok()) return status;
    }
    return std::move(instances_);
  }

 private:
  absl::Status Visit(std::size_t index, const Matrix& parent) {
    const Json& node = nodes_[index];
    Fields fields(node, absl::StrCat("nodes[", index, "]"));
    const Matrix transform = Product(parent, LocalTransform(node, fields));
    const std::optional<std::size_t> mesh = fields.Index("mesh");
    if (mesh && *mesh >= meshes_) fields.Fail(absl::StrCat("mesh ", *mesh, " does not exist"));
    const bool has_skin = fields.Index("skin").has_value();
    const Json& children = fields.Array("children");
    if (!fields.status().ok()) return fields.status();
    if (mesh) instances_.push_back({*mesh, has_skin ? kIdentity : transform});
    return Push(children, fields.place(), transform);
  }

  // Adds nodes in reverse, since the last one is visited first.
  absl::Status Push(const Json& children, const std::string& place, const Matrix& parent) {
    for (std::size_t i = children.size(); i-- > 0;) {
      const Json& child = children[i];
      if (!child.is_number_unsigned() || child.get<std::size_t>() >= nodes_.size()) {
        return absl::InvalidArgumentError(absl::StrCat(place, ": a node does not exist"));
      }
      const auto index = child.get<std::size_t>();
      if (visited_[index]) {
        return absl::InvalidArgumentError(
            absl::StrCat("nodes[", index, "] is below two nodes or below itself"));
      }
      visited_[index] = true;
      waiting_.emplace_back(index, parent);
    }
    return absl::OkStatus();
  }

  const Json& nodes_;
  std::size_t meshes_;
  std::vector<bool> visited_;
  std::vector<std::pair<std::size_t, Matrix>> waiting_;
  std::vector<Instance> instances_;
};

}  // namespace

absl::StatusOr<std::vector<Instance>> SceneInstances(const Json& json) {
  const Json& scenes = ArrayMember(json, "scenes");
  Fields fields(json, "scene");
  const std::uint64_t scene = fields.Unsigned("scene", 0);
  if (scene >= scenes.size() && !(scene == 0 && scenes.empty())) {
    fields.Fail(absl::StrCat("scene ", scene, " does not exist"));
  }
  if (!fields.status().ok()) return fields.status();
  if (scenes.empty()) return std::vector<Instance>();
  return Walk(json).Run(ArrayMember(scenes[scene], "nodes"));
}

}  // namespace warpyard::mesh_io
