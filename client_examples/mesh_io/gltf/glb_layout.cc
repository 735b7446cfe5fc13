// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/gltf/glb_layout.h"

#include <utility>

#include "absl/strings/string_view.h"
#include "client_examples/mesh_io/gltf/data/meshopt_codec.h"

namespace warpyard::mesh_io {
namespace {

constexpr int kVertexTarget = 34962;
constexpr int kIndexTarget = 34963;

// Appends data at the next offset that leaves `remainder` when divided by 4.
std::size_t AppendAt(std::size_t remainder, absl::string_view data, std::string& binary) {
  while (binary.size() % 4 != remainder) binary += '\0';
  const std::size_t offset = binary.size();
  binary.append(data.data(), data.size());
  return offset;
}

// Removes free entries at the end of a list.
template <class T>
void DropFreeEnd(std::vector<bool>& is_free, std::vector<T>& list) {
  while (!list.empty() && is_free.back()) {
    list.pop_back();
    is_free.pop_back();
  }
}

void AddExtension(const char* list, const char* name, Json& json) {
  RemoveExtension(list, name, json);
  json[list].push_back(name);
}

}  // namespace

GlbLayout::GlbLayout(const GltfDocument& document, bool meshopt_compression)
    : meshopt_compression_(meshopt_compression), accessor_is_free_(document.free_accessors) {
  const Json& accessors = ArrayMember(document.json, "accessors");
  accessors_.assign(accessors.begin(), accessors.end());
  const Json& views = ArrayMember(document.json, "bufferViews");
  for (std::size_t i = 0; i < document.views.size(); ++i) {
    const std::optional<std::string>& kept = document.views[i];
    views_.push_back({views[i], kept ? &*kept : nullptr, {}});
    view_is_free_.push_back(!kept);
  }
}

std::size_t GlbLayout::AddView(EncodedAccessor accessor) {
  Json json = {{"buffer", 0}};
  if (!accessor.is_indices) json["byteStride"] = accessor.stride;
  json["target"] = accessor.is_indices ? kIndexTarget : kVertexTarget;
  while (first_free_view_ < views_.size() && !view_is_free_[first_free_view_]) ++first_free_view_;
  if (first_free_view_ == views_.size()) {
    views_.emplace_back();
    view_is_free_.push_back(true);
  }
  views_[first_free_view_] = {std::move(json), nullptr, std::move(accessor)};
  view_is_free_[first_free_view_] = false;
  return first_free_view_;
}

std::size_t GlbLayout::Add(EncodedAccessor accessor, std::optional<std::size_t> old) {
  Json json = std::move(accessor.json);
  json["bufferView"] = AddView(std::move(accessor));
  if (!old || *old >= accessors_.size() || !accessor_is_free_[*old]) {
    accessors_.push_back(std::move(json));
    accessor_is_free_.push_back(false);
    return accessors_.size() - 1;
  }
  for (const char* const name : {"name", "extras"}) {
    if (const Json* const member = FindMember(accessors_[*old], name)) json[name] = *member;
  }
  accessors_[*old] = std::move(json);
  accessor_is_free_[*old] = false;
  return *old;
}

std::size_t GlbLayout::AddZeros(Json accessor) {
  accessors_.push_back(std::move(accessor));
  accessor_is_free_.push_back(false);
  return accessors_.size() - 1;
}

void GlbLayout::Compress(View& view, std::string& binary) {
  const EncodedAccessor& data = view.data;
  MeshoptLayout layout{data.count, data.stride, data.is_indices ? "TRIANGLES" : "ATTRIBUTES",
                       "NONE"};
  const std::string compressed = EncodeMeshopt(layout, data.bytes);
  view.json["buffer"] = 1;
  view.json["byteOffset"] = fallback_bytes_;
  fallback_bytes_ += (data.bytes.size() + 3) / 4 * 4;
  view.json["extensions"][kMeshoptExtension] = {{"buffer", 0},
                                                {"byteOffset", AppendAt(0, compressed, binary)},
                                                {"byteLength", compressed.size()},
                                                {"byteStride", layout.stride},
                                                {"mode", layout.mode},
                                                {"count", layout.count}};
}

void GlbLayout::Place(View& view, std::string& binary) {
  if (view.kept != nullptr) {
    // Accessors may be aligned by their offset and that of their buffer view together.
    const std::size_t old_offset = Fields(view.json, "").Unsigned("byteOffset", 0);
    view.json["buffer"] = 0;
    view.json["byteOffset"] = AppendAt(old_offset % 4, *view.kept, binary);
    return;
  }
  view.json["byteLength"] = view.data.bytes.size();
  if (meshopt_compression_) {
    Compress(view, binary);
  } else {
    view.json["byteOffset"] = AppendAt(0, view.data.bytes, binary);
  }
}

std::string GlbLayout::Finish(Json& json) {
  DropFreeEnd(accessor_is_free_, accessors_);
  DropFreeEnd(view_is_free_, views_);
  Json accessors = Json::array();
  for (std::size_t i = 0; i < accessors_.size(); ++i) {
    // Other accessors have numbers after it, so it stays: as one that is valid and takes no space.
    if (accessor_is_free_[i]) {
      accessors_[i] = {{"componentType", 5126}, {"count", 1}, {"type", "SCALAR"}};
    }
    accessors.push_back(std::move(accessors_[i]));
  }
  std::string binary;
  Json views = Json::array();
  for (std::size_t i = 0; i < views_.size(); ++i) {
    if (view_is_free_[i]) {
      views_[i].json = {
          {"buffer", 0}, {"byteOffset", AppendAt(0, {"\0\0\0\0", 4}, binary)}, {"byteLength", 4}};
    } else {
      Place(views_[i], binary);
    }
    views.push_back(std::move(views_[i].json));
  }
  for (auto [name, list] : {std::pair("accessors", &accessors), std::pair("bufferViews", &views)}) {
    json.erase(name);
    if (!list->empty()) json[name] = std::move(*list);
  }
  json.erase("buffers");
  if (!binary.empty()) json["buffers"].push_back({{"byteLength", binary.size()}});
  if (fallback_bytes_ > 0) {
    json["buffers"].push_back({{"byteLength", fallback_bytes_},
                               {"extensions", {{kMeshoptExtension, {{"fallback", true}}}}}});
    AddExtension("extensionsUsed", kMeshoptExtension, json);
    AddExtension("extensionsRequired", kMeshoptExtension, json);
  }
  return binary;
}

}  // namespace warpyard::mesh_io
