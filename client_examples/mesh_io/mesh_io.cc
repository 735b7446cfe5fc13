// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/mesh_io.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "client_examples/mesh_io/obj_reader.h"
#include "client_examples/mesh_io/ply_reader.h"

namespace warpyard::mesh_io {
namespace {

// Larger than any mesh that the service takes. The limit keeps a wrong path from filling the
// memory.
constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t{8} << 30;

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) {
    return absl::NotFoundError(absl::StrCat(path, ": no such file"));
  }
  if (status.type() != std::filesystem::file_type::regular) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": not a regular file"));
  }
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error || size > kMaxFileBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": ", error ? error.message() : "larger than 8 GiB"));
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    return absl::PermissionDeniedError(absl::StrCat(path, ": ", std::strerror(errno)));
  }
  std::string contents(static_cast<std::size_t>(size), '\0');
  stream.read(contents.data(), static_cast<std::streamsize>(contents.size()));
  contents.resize(static_cast<std::size_t>(stream.gcount()));
  return contents;
}

absl::StatusOr<Mesh> ParseMesh(const std::string& path, absl::string_view contents) {
  if (LooksLikePly(contents)) return ParsePly(contents);
  if (absl::EndsWithIgnoreCase(path, ".obj")) return ParseObj(contents);
  if (absl::EndsWithIgnoreCase(path, ".ply")) {
    return absl::InvalidArgumentError("line 1: a PLY file begins with the line \"ply\"");
  }
  return absl::InvalidArgumentError("neither a PLY file nor named *.obj");
}

// Appends a number in little-endian byte order.
template <class T>
void Append(T value, std::string& out) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  if constexpr (std::endian::native == std::endian::big) std::reverse(bytes, bytes + sizeof(T));
  out.append(bytes, sizeof(T));
}

absl::Status CheckMesh(const Mesh& mesh) {
  if (mesh.positions.size() % 3 != 0 || mesh.triangles.size() % 3 != 0) {
    return absl::InvalidArgumentError("positions and triangles must come in threes");
  }
  const std::size_t vertices = mesh.positions.size() / 3;
  // Indices are written as int32, the type that all readers know.
  if (vertices > std::size_t{1} << 31) return absl::InvalidArgumentError("too many vertices");
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    if (mesh.triangles[i] >= vertices) {
      return absl::InvalidArgumentError(absl::StrCat("triangle ", i / 3, ": vertex ",
                                                     mesh.triangles[i],
                                                     " does not exist, there are ", vertices));
    }
  }
  return absl::OkStatus();
}

std::string EncodePly(const Mesh& mesh) {
  const absl::string_view scalar = mesh.positions_are_float ? "float" : "double";
  std::string out = absl::StrCat(
      "ply\nformat binary_little_endian 1.0\nelement vertex ", mesh.positions.size() / 3,
      "\nproperty ", scalar, " x\nproperty ", scalar, " y\nproperty ", scalar, " z\nelement face ",
      mesh.triangles.size() / 3, "\nproperty list uchar int vertex_indices\nend_header\n");
  for (const double value : mesh.positions) {
    if (mesh.positions_are_float) {
      Append(static_cast<float>(value), out);
    } else {
      Append(value, out);
    }
  }
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    if (i % 3 == 0) Append(std::uint8_t{3}, out);
    Append(mesh.triangles[i], out);
  }
  return out;
}

}  // namespace

absl::StatusOr<Mesh> ReadMesh(const std::string& path) {
  const absl::StatusOr<std::string> contents = ReadFile(path);
  if (!contents.ok()) return contents.status();
  absl::StatusOr<Mesh> mesh = ParseMesh(path, *contents);
  if (!mesh.ok()) {
    return absl::Status(mesh.status().code(), absl::StrCat(path, ": ", mesh.status().message()));
  }
  mesh->positions_are_float = std::all_of(
      mesh->positions.begin(), mesh->positions.end(),
      [](double value) { return static_cast<double>(static_cast<float>(value)) == value; });
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
  if (absl::Status status = CheckMesh(mesh); !status.ok()) {
    return absl::Status(status.code(), absl::StrCat(path, ": ", status.message()));
  }
  const std::string bytes = EncodePly(mesh);
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  stream.close();
  if (!stream) {
    return absl::UnavailableError(absl::StrCat(path, ": cannot write: ", std::strerror(errno)));
  }
  return absl::OkStatus();
}

}  // namespace warpyard::mesh_io
