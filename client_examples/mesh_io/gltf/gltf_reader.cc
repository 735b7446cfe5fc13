// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/gltf/gltf_reader.h"

#include <cstddef>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "client_examples/mesh_io/gltf/data/accessors.h"
#include "client_examples/mesh_io/gltf/data/budget.h"
#include "client_examples/mesh_io/gltf/data/buffer_views.h"
#include "client_examples/mesh_io/gltf/data/json.h"
#include "client_examples/mesh_io/gltf/data/resources.h"
#include "client_examples/mesh_io/gltf/document.h"
#include "client_examples/mesh_io/gltf/primitive_reader.h"
#include "client_examples/mesh_io/gltf/scene.h"
#include "client_examples/mesh_io/text.h"

namespace warpyard::mesh_io {
namespace {

absl::Status CheckVersion(const Json& json) {
  const Json* const asset = FindMember(json, "asset");
  if (asset == nullptr) return absl::InvalidArgumentError("there is no \"asset\"");
  Fields fields(*asset, "asset");
  const std::string version = fields.String("version", "");
  const std::string least = fields.String("minVersion", "2.0");
  if (!fields.status().ok()) return fields.status();
  if (absl::StartsWith(version, "2.") && least == "2.0") return absl::OkStatus();
  return absl::UnimplementedError(absl::StrCat("asset: glTF version ", Quoted(version), " (least ",
                                               Quoted(least), "), expected 2.0"));
}

// Refuses compression that would leave the file without geometry.
absl::Status CheckExtensions(const Json& json) {
  for (const Json& name : ArrayMember(json, "extensionsRequired")) {
    for (const char* const refused : {"KHR_draco_mesh_compression", "KHR_meshopt_compression"}) {
      if (name == refused) {
        return absl::UnimplementedError(
            absl::StrCat("the file needs ", refused, ", which is not supported"));
      }
    }
  }
  return absl::OkStatus();
}

absl::Status ReadMeshes(const Json& json, PrimitiveReader& reader, Model& model) {
  for (const Json& json_mesh : ArrayMember(json, "meshes")) {
    const std::string place = absl::StrCat("meshes[", model.meshes.size(), "]");
    ModelMesh& mesh = model.meshes.emplace_back();
    Fields fields(json_mesh, place);
    mesh.name = fields.String("name", "");
    if (!fields.status().ok()) return fields.status();
    const Json& primitives = ArrayMember(json_mesh, "primitives");
    for (std::size_t i = 0; i < primitives.size(); ++i) {
      if (!IsTriangles(primitives[i])) {
        ++mesh.other_primitives;
        continue;
      }
      const std::string primitive_place = absl::StrCat(place, ".primitives[", i, "]");
      absl::StatusOr<Primitive> primitive = reader.Read(primitives[i], primitive_place);
      if (!primitive.ok()) return primitive.status();
      if (primitive->material && *primitive->material >= model.material_names.size()) {
        return absl::InvalidArgumentError(
            absl::StrCat(primitive_place, ": material ", *primitive->material, " does not exist"));
      }
      primitive->gltf_primitive = i;
      mesh.primitives.push_back(*std::move(primitive));
    }
  }
  return absl::OkStatus();
}

absl::Status ReadMaterialNames(const Json& json, Model& model) {
  for (const Json& material : ArrayMember(json, "materials")) {
    Fields fields(material, absl::StrCat("materials[", model.material_names.size(), "]"));
    model.material_names.push_back(fields.String("name", ""));
    if (!fields.status().ok()) return fields.status();
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Model> ParseGltf(absl::string_view contents, const std::string& folder) {
  GlbChunks chunks{contents, std::nullopt};
  if (LooksLikeGlb(contents)) {
    absl::StatusOr<GlbChunks> split = SplitGlb(contents);
    if (!split.ok()) return split.status();
    chunks = *split;
  }
  const absl::StatusOr<Json> json = ParseJson(chunks.json);
  if (!json.ok()) return json.status();
  absl::Status status = CheckVersion(*json);
  status.Update(CheckExtensions(*json));
  status.Update(CheckShape(*json));
  if (!status.ok()) return status;
  Resources resources(folder);
  absl::StatusOr<Buffers> buffers = LoadBuffers(*json, chunks.binary, resources);
  if (!buffers.ok()) return buffers.status();
  Budget budget(contents.size() + resources.file_bytes());
  BufferViews views(*json, *std::move(buffers), budget);
  Accessors accessors(*json, views);
  PrimitiveReader reader(accessors, budget);
  Model model;
  status = ReadMaterialNames(*json, model);
  if (status.ok()) status = ReadMeshes(*json, reader, model);
  if (!status.ok()) return status;
  absl::StatusOr<std::vector<Instance>> instances = SceneInstances(*json);
  if (!instances.ok()) return instances.status();
  model.instances = *std::move(instances);
  absl::StatusOr<GltfDocument> document = MakeDocument(*json, views, resources, budget);
  if (!document.ok()) return document.status();
  model.document = std::make_shared<const GltfDocument>(*std::move(document));
  return model;
}

}  // namespace warpyard::mesh_io
