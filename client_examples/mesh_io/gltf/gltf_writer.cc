// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/gltf/gltf_writer.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "client_examples/mesh_io/gltf/data/container.h"
#include "client_examples/mesh_io/gltf/data/json.h"
#include "client_examples/mesh_io/gltf/document.h"
#include "client_examples/mesh_io/gltf/glb_layout.h"
#include "client_examples/mesh_io/gltf/primitive_encoder.h"
#include "client_examples/mesh_io/gltf/primitive_reader.h"

namespace warpyard::mesh_io {
namespace {

constexpr char kQuantization[] = "KHR_mesh_quantization";

// The document of a model that was not read from glTF: each mesh has a node.
GltfDocument NewDocument(const Model& model) {
  GltfDocument document;
  Json& json = document.json;
  json["asset"] = {{"version", "2.0"}, {"generator", "Warpyard"}};
  json["scene"] = 0;
  Json nodes = Json::array();
  Json meshes = Json::array();
  Json roots = Json::array();
  for (const ModelMesh& mesh : model.meshes) {
    Json node = {{"mesh", meshes.size()}};
    Json json_mesh = Json::object();
    if (!mesh.name.empty()) node["name"] = json_mesh["name"] = mesh.name;
    json_mesh["primitives"] = Json::array();
    for (std::size_t i = 0; i < mesh.primitives.size(); ++i) {
      json_mesh["primitives"].push_back({{"attributes", Json::object()}});
    }
    roots.push_back(nodes.size());
    nodes.push_back(std::move(node));
    meshes.push_back(std::move(json_mesh));
  }
  json["scenes"].push_back({{"nodes", std::move(roots)}});
  json["nodes"] = std::move(nodes);
  json["meshes"] = std::move(meshes);
  for (const std::string& name : model.material_names) {
    json["materials"].push_back(name.empty() ? Json::object() : Json{{"name", name}});
  }
  return document;
}

std::optional<std::size_t> NumberMember(const Json* object, const std::string& name) {
  const Json* const member = object == nullptr ? nullptr : FindMember(*object, name.c_str());
  if (member == nullptr || !member->is_number_unsigned()) return std::nullopt;
  return member->get<std::size_t>();
}

class Writer {
 public:
  Writer(const GltfDocument& document, bool meshopt_compression)
      : json_(document.json),
        layout_(document, meshopt_compression),
        is_quantized_(document.keeps_quantization && UsesQuantization()) {}

  absl::StatusOr<std::string> Write(const Model& model) {
    bool has_triangles = false;
    for (std::size_t i = 0; i < model.meshes.size(); ++i) {
      absl::Status status = WriteMesh(model.meshes[i], model.document != nullptr, i);
      if (!status.ok()) {
        return absl::Status(status.code(), absl::StrCat("meshes[", i, "]: ", status.message()));
      }
      has_triangles |= !emptied_[i];
    }
    if (!has_triangles) return absl::InvalidArgumentError("there are no triangles");
    HideEmptied();
    const std::string binary = layout_.Finish(json_);
    for (const char* const list : {"extensionsUsed", "extensionsRequired"}) {
      RemoveExtension(list, kQuantization, json_);
      if (is_quantized_) json_[list].push_back(kQuantization);
    }
    // Names of other formats may not be UTF-8.
    return JoinGlb(json_.dump(-1, ' ', false, Json::error_handler_t::replace), binary);
  }

 private:
  bool UsesQuantization() const {
    const Json& used = ArrayMember(json_, "extensionsUsed");
    return std::find(used.begin(), used.end(), kQuantization) != used.end();
  }

  absl::Status WriteMesh(const ModelMesh& mesh, bool has_document, std::size_t number) {
    Json& json_mesh = json_["meshes"][number];
    const Json& old_primitives = ArrayMember(json_mesh, "primitives");
    std::vector<const Primitive*> by_place(old_primitives.size(), nullptr);
    for (std::size_t i = 0; i < mesh.primitives.size(); ++i) {
      const std::size_t place = has_document ? mesh.primitives[i].gltf_primitive : i;
      if (place >= by_place.size() || by_place[place] != nullptr) {
        return absl::InvalidArgumentError("its primitives are not those of the glTF file");
      }
      by_place[place] = &mesh.primitives[i];
    }
    Json primitives = Json::array();
    for (std::size_t i = 0; i < by_place.size(); ++i) {
      const bool is_kept = !IsTriangles(old_primitives[i]);
      if (is_kept != (by_place[i] == nullptr)) {
        return absl::InvalidArgumentError("its primitives are not those of the glTF file");
      }
      if (is_kept) {
        primitives.push_back(old_primitives[i]);
      } else if (!by_place[i]->triangles.empty()) {
        absl::StatusOr<Json> primitive = WritePrimitive(*by_place[i], old_primitives[i]);
        if (!primitive.ok()) return primitive.status();
        primitives.push_back(*std::move(primitive));
      }
    }
    emptied_.push_back(primitives.empty());
    if (emptied_.back() &&
        ArrayMember(old_primitives.empty() ? json_mesh : old_primitives[0], "targets").size() > 0) {
      return absl::FailedPreconditionError(
          "no triangle is left, so its morph targets and their animations cannot be kept");
    }
    json_mesh["primitives"] = std::move(primitives);
    return absl::OkStatus();
  }

  absl::StatusOr<Json> WritePrimitive(const Primitive& primitive, const Json& old) {
    absl::StatusOr<EncodedPrimitive> encoded = EncodePrimitive(primitive);
    if (!encoded.ok()) return encoded.status();
    is_quantized_ |= encoded->is_quantized;
    Json json = old;
    json.erase("mode");
    json["attributes"] = AddAll(std::move(encoded->attributes), FindMember(old, "attributes"));
    json["indices"] = layout_.Add(std::move(encoded->indices), NumberMember(&old, "indices"));
    json.erase("material");
    if (primitive.material) json["material"] = *primitive.material;
    json.erase("targets");
    const Json& old_targets = ArrayMember(old, "targets");
    for (std::size_t i = 0; i < encoded->targets.size(); ++i) {
      json["targets"].push_back(AddAll(std::move(encoded->targets[i]),
                                       i < old_targets.size() ? &old_targets[i] : nullptr));
    }
    return json;
  }

  // Adds accessors, and returns the object with their numbers.
  Json AddAll(NamedAccessors accessors, const Json* old) {
    Json json = Json::object();
    for (auto& [name, accessor] : accessors) {
      json[name] = layout_.Add(std::move(accessor), NumberMember(old, name));
    }
    return json;
  }

  // A mesh needs a primitive, and others' numbers must stay. So a mesh without triangles becomes a
  // point that no node shows.
  void HideEmptied() {
    std::optional<std::size_t> point;
    for (std::size_t i = 0; i < emptied_.size(); ++i) {
      if (!emptied_[i]) continue;
      if (!point) {
        point = layout_.AddZeros({{"componentType", 5126},
                                  {"count", 1},
                                  {"type", "VEC3"},
                                  {"min", {0, 0, 0}},
                                  {"max", {0, 0, 0}}});
      }
      Json primitive = {{"mode", 0}};
      primitive["attributes"]["POSITION"] = *point;
      json_["meshes"][i]["primitives"] = Json::array({std::move(primitive)});
    }
    if (!point) return;
    for (Json& node : json_["nodes"]) {
      const std::optional<std::size_t> mesh = NumberMember(&node, "mesh");
      if (!mesh || *mesh >= emptied_.size() || !emptied_[*mesh]) continue;
      for (const char* const name : {"mesh", "skin", "weights"}) node.erase(name);
    }
  }

  Json json_;
  GlbLayout layout_;
  bool is_quantized_;
  // Meshes whose triangles are all gone.
  std::vector<bool> emptied_;
};

}  // namespace

absl::StatusOr<std::string> EncodeGlb(const Model& model, bool meshopt_compression) {
  if (model.document == nullptr) {
    const GltfDocument document = NewDocument(model);
    return Writer(document, meshopt_compression).Write(model);
  }
  if (model.meshes.size() != ArrayMember(model.document->json, "meshes").size()) {
    return absl::InvalidArgumentError("the meshes are not those of the glTF file");
  }
  return Writer(*model.document, meshopt_compression).Write(model);
}

}  // namespace warpyard::mesh_io
