// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/gltf/document.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "client_examples/mesh_io/gltf/data/meshopt_codec.h"
#include "client_examples/mesh_io/gltf/primitive_reader.h"

namespace warpyard::mesh_io {
namespace {

// Marks what numbers name; numbers out of range name nothing.
class Marks {
 public:
  explicit Marks(std::size_t count) : marks_(count, false) {}

  void Mark(const Json* index) {
    if (index != nullptr && index->is_number_unsigned() &&
        index->get<std::size_t>() < marks_.size()) {
      marks_[index->get<std::size_t>()] = true;
    }
  }
  void MarkMembers(const Json* object) {
    if (object == nullptr || !object->is_object()) return;
    for (const auto& item : object->items()) Mark(&item.value());
  }
  bool operator[](std::size_t index) const { return marks_[index]; }

 private:
  std::vector<bool> marks_;
};

void MarkPrimitive(const Json& primitive, Marks& marks) {
  marks.Mark(FindMember(primitive, "indices"));
  marks.MarkMembers(FindMember(primitive, "attributes"));
  for (const Json& target : ArrayMember(primitive, "targets")) marks.MarkMembers(&target);
}

// Accessors that something other than triangles uses.
void MarkOtherUsers(const Json& json, Marks& marks) {
  for (const Json& skin : ArrayMember(json, "skins")) {
    marks.Mark(FindMember(skin, "inverseBindMatrices"));
  }
  for (const Json& animation : ArrayMember(json, "animations")) {
    for (const Json& sampler : ArrayMember(animation, "samplers")) {
      marks.Mark(FindMember(sampler, "input"));
      marks.Mark(FindMember(sampler, "output"));
    }
  }
  for (const Json& node : ArrayMember(json, "nodes")) {
    const Json* const extensions = FindMember(node, "extensions");
    if (extensions == nullptr) continue;
    const Json* const instancing = FindMember(*extensions, "EXT_mesh_gpu_instancing");
    if (instancing != nullptr) marks.MarkMembers(FindMember(*instancing, "attributes"));
  }
}

void MarkViews(const Json& accessor, Marks& marks) {
  marks.Mark(FindMember(accessor, "bufferView"));
  const Json* const sparse = FindMember(accessor, "sparse");
  for (const char* const part : {"indices", "values"}) {
    const Json* const member = sparse == nullptr ? nullptr : FindMember(*sparse, part);
    if (member != nullptr) marks.Mark(FindMember(*member, "bufferView"));
  }
}

std::vector<bool> FreeAccessors(const Json& json, bool& has_others) {
  const std::size_t count = ArrayMember(json, "accessors").size();
  Marks triangles(count);
  Marks others(count);
  for (const Json& mesh : ArrayMember(json, "meshes")) {
    for (const Json& primitive : ArrayMember(mesh, "primitives")) {
      const bool is_triangles = IsTriangles(primitive);
      has_others |= !is_triangles;
      MarkPrimitive(primitive, is_triangles ? triangles : others);
    }
  }
  MarkOtherUsers(json, others);
  std::vector<bool> free(count);
  for (std::size_t i = 0; i < count; ++i) free[i] = triangles[i] && !others[i];
  return free;
}

// Copies the bytes of the buffer views that are kept.
absl::Status TakeViews(BufferViews& views, Budget& budget, GltfDocument& document) {
  const Json& accessors = ArrayMember(document.json, "accessors");
  document.views.resize(ArrayMember(document.json, "bufferViews").size());
  Marks of_free(document.views.size());
  Marks of_kept(document.views.size());
  for (std::size_t i = 0; i < accessors.size(); ++i) {
    MarkViews(accessors[i], document.free_accessors[i] ? of_free : of_kept);
  }
  for (const Json& image : ArrayMember(document.json, "images")) {
    of_kept.Mark(FindMember(image, "bufferView"));
  }
  for (std::size_t i = 0; i < document.views.size(); ++i) {
    if (of_free[i] && !of_kept[i]) continue;
    const absl::StatusOr<BufferViews::Bytes> view = views.Open(i);
    if (!view.ok()) return view.status();
    if (absl::Status status = budget.Take(view->bytes.size(), 1); !status.ok()) return status;
    document.views[i] = std::string(view->bytes);
    Json& json = document.json["bufferViews"][i];
    json["byteLength"] = view->bytes.size();
    if (const auto found = json.find("extensions"); found != json.end() && found->is_object()) {
      found->erase(kMeshoptExtension);
      if (found->empty()) json.erase("extensions");
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> MimeType(absl::string_view uri) {
  static const std::map<std::string, std::string>* const kTypes =
      new std::map<std::string, std::string>{{".png", "image/png"},   {".jpg", "image/jpeg"},
                                             {".jpeg", "image/jpeg"}, {".webp", "image/webp"},
                                             {".ktx2", "image/ktx2"}, {".avif", "image/avif"},
                                             {".gif", "image/gif"},   {".dds", "image/vnd-ms.dds"}};
  const std::size_t dot = uri.rfind('.');
  const auto found = kTypes->find(absl::AsciiStrToLower(uri.substr(std::min(dot, uri.size()))));
  if (found == kTypes->end()) {
    return absl::InvalidArgumentError("the image has no mimeType and no known ending");
  }
  return found->second;
}

// Embeds one image: the same file is embedded once.
absl::Status EmbedImage(Resources& resources, std::map<const char*, std::size_t>& embedded,
                        Json& image, GltfDocument& document) {
  const Json* const uri_member = FindMember(image, "uri");
  if (uri_member == nullptr || !uri_member->is_string()) return absl::OkStatus();
  const auto uri = uri_member->get<std::string>();
  if (IsDataUri(uri)) return absl::OkStatus();
  const absl::StatusOr<absl::string_view> bytes = resources.Load(uri);
  if (!bytes.ok()) return bytes.status();
  if (FindMember(image, "mimeType") == nullptr) {
    absl::StatusOr<std::string> type = MimeType(uri);
    if (!type.ok()) return type.status();
    image["mimeType"] = *std::move(type);
  }
  const auto [known, is_new] = embedded.try_emplace(bytes->data(), document.views.size());
  if (is_new) {
    document.json["bufferViews"].push_back({{"buffer", 0}, {"byteLength", bytes->size()}});
    document.views.emplace_back(std::string(*bytes));
  }
  image.erase("uri");
  image["bufferView"] = known->second;
  return absl::OkStatus();
}

absl::Status EmbedImages(Resources& resources, GltfDocument& document) {
  const auto images = document.json.find("images");
  if (images == document.json.end()) return absl::OkStatus();
  std::map<const char*, std::size_t> embedded;
  for (std::size_t i = 0; i < images->size(); ++i) {
    // Adding a buffer view may move the members of the file, so each image is found anew.
    Json image = document.json["images"][i];
    if (absl::Status status = EmbedImage(resources, embedded, image, document); !status.ok()) {
      return absl::Status(status.code(), absl::StrCat("images[", i, "]: ", status.message()));
    }
    document.json["images"][i] = std::move(image);
  }
  return absl::OkStatus();
}

absl::Status CheckObjects(const Json& owner, const char* name, absl::string_view place) {
  const Json* const array = FindMember(owner, name);
  if (array == nullptr) return absl::OkStatus();
  const bool fits =
      array->is_array() &&
      std::all_of(array->begin(), array->end(), [](const Json& item) { return item.is_object(); });
  if (fits) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(place, name, " is no array of objects"));
}

}  // namespace

absl::Status CheckShape(const Json& json) {
  for (const char* const name :
       {"accessors", "animations", "buffers", "bufferViews", "cameras", "images", "materials",
        "meshes", "nodes", "samplers", "scenes", "skins", "textures"}) {
    if (absl::Status status = CheckObjects(json, name, ""); !status.ok()) return status;
  }
  for (const char* const name : {"extensionsRequired", "extensionsUsed"}) {
    if (const Json* const list = FindMember(json, name); list != nullptr && !list->is_array()) {
      return absl::InvalidArgumentError(absl::StrCat(name, " is no array"));
    }
  }
  std::size_t mesh_number = 0;
  for (const Json& mesh : ArrayMember(json, "meshes")) {
    const std::string place = absl::StrCat("meshes[", mesh_number++, "].");
    if (absl::Status status = CheckObjects(mesh, "primitives", place); !status.ok()) return status;
    for (const Json& primitive : ArrayMember(mesh, "primitives")) {
      const Json* const attributes = FindMember(primitive, "attributes");
      if (attributes == nullptr || !attributes->is_object()) {
        return absl::InvalidArgumentError(place + "primitives: one without attributes");
      }
    }
  }
  return absl::OkStatus();
}

void RemoveExtension(const char* list, const std::string& name, Json& json) {
  const auto found = json.find(list);
  if (found == json.end() || !found->is_array()) return;
  for (std::size_t i = found->size(); i-- > 0;) {
    if ((*found)[i] == name) found->erase(i);
  }
  if (found->empty()) json.erase(list);
}

absl::StatusOr<GltfDocument> MakeDocument(const Json& json, BufferViews& views,
                                          Resources& resources, Budget& budget) {
  GltfDocument document;
  document.json = json;
  document.free_accessors = FreeAccessors(document.json, document.keeps_quantization);
  if (absl::Status status = TakeViews(views, budget, document); !status.ok()) return status;
  if (absl::Status status = EmbedImages(resources, document); !status.ok()) return status;
  document.json.erase("buffers");
  for (const char* const list : {"extensionsUsed", "extensionsRequired"}) {
    RemoveExtension(list, kMeshoptExtension, document.json);
  }
  return document;
}

}  // namespace warpyard::mesh_io
