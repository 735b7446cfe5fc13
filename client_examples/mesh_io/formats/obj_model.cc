// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/formats/obj_model.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace warpyard::mesh_io {
namespace {

// Appends entry `index` of a list of `width` numbers an entry, or zeros.
template <class T>
void AppendEntry(const std::vector<T>& list, std::uint32_t index, std::size_t width,
                 std::vector<T>& out) {
  for (std::size_t i = 0; i < width; ++i) {
    out.push_back(index == ObjCorner::kNone ? T{} : list[index * width + i]);
  }
}

// Collects the triangles of one object and material.
class PrimitiveBuilder {
 public:
  void Add(const ObjContents& obj, const ObjCorner& corner) {
    const auto [place, is_new] =
        vertices_.try_emplace(std::tuple(corner.position, corner.uv, corner.normal),
                              static_cast<std::uint32_t>(vertices_.size()));
    primitive_.triangles.push_back(place->second);
    if (!is_new) return;
    AppendEntry(obj.positions, corner.position, 3, primitive_.positions);
    if (!obj.colours.empty()) {
      AppendEntry(obj.colours, corner.position, 4, primitive_.colours.values);
    }
    AppendEntry(obj.uvs, corner.uv, 2, uvs_.values);
    AppendEntry(obj.normals, corner.normal, 3, primitive_.normals.values);
    has_uvs_ |= corner.uv != ObjCorner::kNone;
    all_have_normals_ &= corner.normal != ObjCorner::kNone;
  }

  Primitive Take(std::optional<std::uint32_t> material) {
    primitive_.material = material;
    primitive_.positions_are_float = AllAreFloats(primitive_.positions);
    primitive_.colours_are_opaque = true;
    if (has_uvs_) primitive_.uvs.push_back(std::move(uvs_));
    if (!all_have_normals_) primitive_.normals.values.clear();
    return std::move(primitive_);
  }

 private:
  Primitive primitive_;
  FloatAttribute uvs_;
  bool has_uvs_ = false;
  bool all_have_normals_ = true;
  absl::flat_hash_map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t>
      vertices_;
};

absl::Status CheckHighest(const ObjHighest& highest, std::size_t count, absl::string_view what) {
  if (highest.index < static_cast<std::int64_t>(count)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("line ", highest.line, ": ", what, " ",
                                                 highest.index + 1, " does not exist, there are ",
                                                 count));
}

}  // namespace

absl::StatusOr<Model> ObjModel(const ObjContents& obj) {
  if (obj.corners.empty()) return absl::InvalidArgumentError("no face (\"f\") found");
  absl::Status status = CheckHighest(obj.highest_uv, obj.uvs.size() / 2, "texture coordinate");
  status.Update(CheckHighest(obj.highest_normal, obj.normals.size() / 3, "normal"));
  if (!status.ok()) return status;
  std::map<std::pair<std::size_t, std::optional<std::uint32_t>>, PrimitiveBuilder> builders;
  for (std::size_t run = 0; run < obj.runs.size(); ++run) {
    const std::size_t end =
        run + 1 < obj.runs.size() ? obj.runs[run + 1].first_corner : obj.corners.size();
    const std::size_t begin = obj.runs[run].first_corner;
    if (begin == end) continue;
    PrimitiveBuilder& builder = builders[{obj.runs[run].object, obj.runs[run].material}];
    for (std::size_t i = begin; i < end; ++i) builder.Add(obj, obj.corners[i]);
  }
  Model model;
  model.material_names = obj.materials;
  model.material_libraries = obj.libraries;
  std::optional<std::size_t> object;
  for (auto& [key, builder] : builders) {
    if (object != key.first) {
      object = key.first;
      model.meshes.push_back({obj.objects[key.first], {}});
    }
    model.meshes.back().primitives.push_back(builder.Take(key.second));
  }
  return model;
}

}  // namespace warpyard::mesh_io
