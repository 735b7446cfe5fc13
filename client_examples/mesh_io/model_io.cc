// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/model_io.h"

#include <filesystem>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "client_examples/mesh_io/files.h"
#include "client_examples/mesh_io/formats/obj_model.h"
#include "client_examples/mesh_io/formats/obj_reader.h"
#include "client_examples/mesh_io/formats/obj_writer.h"
#include "client_examples/mesh_io/formats/ply_reader.h"
#include "client_examples/mesh_io/formats/ply_writer.h"
#include "client_examples/mesh_io/formats/stl_reader.h"
#include "client_examples/mesh_io/formats/stl_writer.h"
#include "client_examples/mesh_io/gltf/gltf_reader.h"
#include "client_examples/mesh_io/gltf/gltf_writer.h"
#include "client_examples/mesh_io/join.h"

namespace warpyard::mesh_io {
namespace {

absl::StatusOr<Model> ParseModel(const std::string& path, absl::string_view contents) {
  const auto is_named = [&](absl::string_view ending) {
    return absl::EndsWithIgnoreCase(path, ending);
  };
  if (LooksLikeGlb(contents) || is_named(".glb") || is_named(".gltf")) {
    return ParseGltf(contents, std::filesystem::path(path).parent_path().string());
  }
  if (LooksLikePly(contents) || is_named(".ply")) {
    absl::StatusOr<Primitive> primitive = ParsePly(contents);
    if (!primitive.ok()) return primitive.status();
    Model model;
    model.meshes.push_back({"", {*std::move(primitive)}});
    return model;
  }
  if (is_named(".obj")) {
    const absl::StatusOr<ObjContents> obj = ParseObj(contents);
    return obj.ok() ? ObjModel(*obj) : obj.status();
  }
  if (is_named(".stl")) return ParseStl(contents);
  return absl::UnimplementedError("neither a PLY nor a GLB file, nor named *.obj, *.stl or *.gltf");
}

/// @shape path: with CheckEnding
absl::StatusOr<std::string> EncodeModel(const std::string& path, const Model& model,
                                        const WriteOptions& options) {
  if (KeepsInstances(path)) {
    return EncodeGlb(model, options.meshopt_compression);
  }
  if (absl::EndsWithIgnoreCase(path, ".obj")) {
    const absl::StatusOr<Model> placed = ApplyInstances(model);
    return placed.ok() ? absl::StatusOr<std::string>(EncodeObj(*placed)) : placed.status();
  }
  const absl::StatusOr<Primitive> joined = JoinPrimitives(model);
  if (!joined.ok()) return joined.status();
  return absl::EndsWithIgnoreCase(path, ".ply") ? EncodePly(*joined) : EncodeStl(*joined);
}

}  // namespace

absl::StatusOr<Model> ReadModel(const std::string& path) {
  const absl::StatusOr<std::string> contents = ReadFilledFile(path);
  if (!contents.ok()) return contents.status();
  absl::StatusOr<Model> model = ParseModel(path, *contents);
  if (!model.ok()) return InFile(path, model.status());
  return model;
}

absl::Status CheckEnding(const std::string& path) {
  for (const absl::string_view ending : {".ply", ".obj", ".stl", ".glb"}) {
    if (absl::EndsWithIgnoreCase(path, ending)) return absl::OkStatus();
  }
  return absl::UnimplementedError(
      absl::StrCat(path, ": the name ends with none of .ply, .obj, .stl and .glb"));
}

bool KeepsInstances(const std::string& path) { return absl::EndsWithIgnoreCase(path, ".glb"); }

absl::Status WriteModel(const std::string& path, const Model& model, const WriteOptions& options) {
  if (absl::Status status = CheckEnding(path); !status.ok()) return status;
  for (const ModelMesh& mesh : model.meshes) {
    for (const Primitive& primitive : mesh.primitives) {
      if (absl::Status status = CheckPrimitive(primitive); !status.ok()) {
        return InFile(path, status);
      }
    }
  }
  const absl::StatusOr<std::string> bytes = EncodeModel(path, model, options);
  if (!bytes.ok()) return InFile(path, bytes.status());
  return WriteFile(path, *bytes);
}

}  // namespace warpyard::mesh_io
