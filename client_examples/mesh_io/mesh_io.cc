// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/mesh_io.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "client_examples/mesh_io/files.h"
#include "client_examples/mesh_io/formats/obj_reader.h"
#include "client_examples/mesh_io/formats/ply_reader.h"
#include "client_examples/mesh_io/formats/ply_writer.h"
#include "client_examples/mesh_io/model.h"

namespace warpyard::mesh_io {
namespace {

// The faces of an OBJ file by their positions alone, so that its vertices keep their numbers.
absl::StatusOr<Mesh> ObjMesh(absl::string_view contents) {
  absl::StatusOr<ObjContents> obj = ParseObj(contents);
  if (!obj.ok()) return obj.status();
  Mesh mesh;
  mesh.positions = std::move(obj->positions);
  mesh.positions_are_float = AllAreFloats(mesh.positions);
  mesh.triangles.reserve(obj->corners.size());
  for (const ObjCorner& corner : obj->corners) mesh.triangles.push_back(corner.position);
  return mesh;
}

absl::StatusOr<Mesh> ParseMesh(const std::string& path, absl::string_view contents) {
  if (LooksLikePly(contents)) {
    absl::StatusOr<Primitive> ply = ParsePly(contents);
    if (!ply.ok()) return ply.status();
    return Mesh{std::move(ply->positions), ply->positions_are_float, std::move(ply->triangles)};
  }
  if (absl::EndsWithIgnoreCase(path, ".obj")) return ObjMesh(contents);
  if (absl::EndsWithIgnoreCase(path, ".ply")) {
    return absl::InvalidArgumentError("line 1: a PLY file begins with the line \"ply\"");
  }
  return absl::InvalidArgumentError("neither a PLY file nor named *.obj");
}

}  // namespace

absl::StatusOr<Mesh> ReadMesh(const std::string& path) {
  const absl::StatusOr<std::string> contents = ReadFilledFile(path);
  if (!contents.ok()) return contents.status();
  absl::StatusOr<Mesh> mesh = ParseMesh(path, *contents);
  if (!mesh.ok()) return InFile(path, mesh.status());
  return mesh;
}

absl::Status CheckFrames(const std::vector<std::string>& paths, const Mesh& start,
                         const Mesh& end) {
  if (start.positions.size() != end.positions.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat(paths[1], ": ", end.positions.size() / 3, " vertices, expected ",
                     start.positions.size() / 3, " as in ", paths[0]));
  }
  if (start.triangles != end.triangles) {
    return absl::InvalidArgumentError(
        absl::StrCat(paths[1], ": the triangles differ from those of ", paths[0]));
  }
  return absl::OkStatus();
}

absl::Status WritePly(const std::string& path, const Mesh& mesh) {
  Primitive primitive;
  primitive.positions = mesh.positions;
  primitive.positions_are_float = mesh.positions_are_float;
  primitive.triangles = mesh.triangles;
  const absl::StatusOr<std::string> bytes = EncodePly(primitive);
  if (!bytes.ok()) return InFile(path, bytes.status());
  return WriteFile(path, *bytes);
}

}  // namespace warpyard::mesh_io
