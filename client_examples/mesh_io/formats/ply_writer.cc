// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/formats/ply_writer.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace warpyard::mesh_io {
namespace {

// Integers of more than 8 bits become floats, which hold them exactly.
bool ColoursAreBytes(const Primitive& primitive) {
  return primitive.colours.storage.component == ComponentType::kUint8;
}

std::size_t ColourChannels(const Primitive& primitive) {
  return primitive.colours_are_opaque ? 3 : 4;
}

std::string Header(const Primitive& primitive) {
  std::string out = absl::StrCat("ply\nformat binary_little_endian 1.0\nelement vertex ",
                                 primitive.Vertices(), "\n");
  const auto property = [&](absl::string_view type, absl::string_view name) {
    absl::StrAppend(&out, "property ", type, " ", name, "\n");
  };
  for (const char* const name : {"x", "y", "z"}) {
    property(primitive.positions_are_float ? "float" : "double", name);
  }
  if (!primitive.normals.values.empty()) {
    for (const char* const name : {"nx", "ny", "nz"}) property("float", name);
  }
  if (!primitive.uvs.empty()) {
    for (const char* const name : {"s", "t"}) property("float", name);
  }
  if (!primitive.colours.values.empty()) {
    const absl::string_view type = ColoursAreBytes(primitive) ? "uchar" : "float";
    for (const char* const name : {"red", "green", "blue"}) property(type, name);
    if (!primitive.colours_are_opaque) property(type, "alpha");
  }
  absl::StrAppend(&out, "element face ", primitive.triangles.size() / 3,
                  "\nproperty list uchar int vertex_indices\nend_header\n");
  return out;
}

void AppendFloats(const std::vector<float>& values, std::size_t vertex, std::size_t width,
                  std::string& out) {
  if (values.empty()) return;
  for (std::size_t i = 0; i < width; ++i) AppendLittleEndian(values[vertex * width + i], out);
}

void AppendVertex(const Primitive& primitive, std::size_t vertex, std::string& out) {
  for (std::size_t i = 0; i < 3; ++i) {
    const double value = primitive.positions[3 * vertex + i];
    if (primitive.positions_are_float) {
      AppendLittleEndian(static_cast<float>(value), out);
    } else {
      AppendLittleEndian(value, out);
    }
  }
  AppendFloats(primitive.normals.values, vertex, 3, out);
  if (!primitive.uvs.empty()) AppendFloats(primitive.uvs[0].values, vertex, 2, out);
  if (primitive.colours.values.empty()) return;
  for (std::size_t i = 0; i < ColourChannels(primitive); ++i) {
    const float value = primitive.colours.values[4 * vertex + i];
    if (ColoursAreBytes(primitive)) {
      AppendLittleEndian(ToStored<std::uint8_t>(static_cast<double>(value), true), out);
    } else {
      AppendLittleEndian(value, out);
    }
  }
}

}  // namespace

absl::StatusOr<std::string> EncodePly(const Primitive& primitive) {
  if (absl::Status status = CheckPrimitive(primitive); !status.ok()) return status;
  // Indices are written as int32, the type that all readers know.
  if (primitive.Vertices() > std::size_t{1} << 31) {
    return absl::InvalidArgumentError("too many vertices");
  }
  std::string out = Header(primitive);
  for (std::size_t vertex = 0; vertex < primitive.Vertices(); ++vertex) {
    AppendVertex(primitive, vertex, out);
  }
  for (std::size_t i = 0; i < primitive.triangles.size(); ++i) {
    if (i % 3 == 0) AppendLittleEndian(std::uint8_t{3}, out);
    AppendLittleEndian(primitive.triangles[i], out);
  }
  return out;
}

}  // namespace warpyard::mesh_io
