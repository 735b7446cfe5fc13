// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/gltf/data/meshopt_codec.h"

#include <meshoptimizer.h>

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "client_examples/mesh_io/component.h"
#include "client_examples/mesh_io/text.h"

namespace warpyard::mesh_io {
namespace {

constexpr std::size_t kMostBytesPerByte = 64;

const unsigned char* Unsigned(absl::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

// The library checks data, but takes these for granted.
absl::Status CheckLayout(const MeshoptLayout& layout, std::size_t data_bytes) {
  const auto& [count, stride, mode, filter] = layout;
  const bool is_vertices = mode == "ATTRIBUTES";
  const bool is_triangles = mode == "TRIANGLES";
  if (!is_vertices && !is_triangles && mode != "INDICES") {
    return absl::InvalidArgumentError(absl::StrCat("unknown mode ", Quoted(mode)));
  }
  const bool stride_fits =
      is_vertices ? stride > 0 && stride <= 256 && stride % 4 == 0 : stride == 2 || stride == 4;
  const bool filter_fits =
      filter == "NONE" ||
      (is_vertices && ((filter == "OCTAHEDRAL" && (stride == 4 || stride == 8)) ||
                       (filter == "QUATERNION" && stride == 8) || filter == "EXPONENTIAL"));
  if (!stride_fits || !filter_fits) {
    return absl::InvalidArgumentError(absl::StrCat("byteStride ", stride, " does not fit mode ",
                                                   mode, " with filter ", Quoted(filter)));
  }
  if (count == 0 || (is_triangles && count % 3 != 0)) {
    return absl::InvalidArgumentError(absl::StrCat("count ", count, " does not fit ", mode));
  }
  if (count > data_bytes * kMostBytesPerByte / stride) {
    return absl::InvalidArgumentError(
        absl::StrCat("count ", count, " is impossible for ", data_bytes, " bytes"));
  }
  return absl::OkStatus();
}

void ApplyFilter(const MeshoptLayout& layout, std::string& bytes) {
  if (layout.filter == "OCTAHEDRAL") {
    meshopt_decodeFilterOct(bytes.data(), layout.count, layout.stride);
  } else if (layout.filter == "QUATERNION") {
    meshopt_decodeFilterQuat(bytes.data(), layout.count, layout.stride);
  } else if (layout.filter == "EXPONENTIAL") {
    meshopt_decodeFilterExp(bytes.data(), layout.count, layout.stride);
  }
}

}  // namespace

absl::StatusOr<std::string> DecodeMeshopt(const MeshoptLayout& layout, absl::string_view data) {
  if (absl::Status status = CheckLayout(layout, data.size()); !status.ok()) return status;
  const auto& [count, stride, mode, filter] = layout;
  std::string bytes(count * stride, '\0');
  int result = 0;
  if (mode == "ATTRIBUTES") {
    result = meshopt_decodeVertexBuffer(bytes.data(), count, stride, Unsigned(data), data.size());
  } else if (mode == "TRIANGLES") {
    result = meshopt_decodeIndexBuffer(bytes.data(), count, stride, Unsigned(data), data.size());
  } else {
    result = meshopt_decodeIndexSequence(bytes.data(), count, stride, Unsigned(data), data.size());
  }
  if (result != 0) return absl::InvalidArgumentError("the compressed data are malformed");
  ApplyFilter(layout, bytes);
  return bytes;
}

std::string EncodeMeshopt(const MeshoptLayout& layout, absl::string_view bytes) {
  const auto& [count, stride, mode, filter] = layout;
  std::string out;
  if (mode == "ATTRIBUTES") {
    out.resize(meshopt_encodeVertexBufferBound(count, stride));
    out.resize(meshopt_encodeVertexBuffer(reinterpret_cast<unsigned char*>(out.data()), out.size(),
                                          bytes.data(), count, stride));
    return out;
  }
  std::vector<std::uint32_t> indices(count);
  for (std::size_t i = 0; i < count; ++i) {
    const char* const index = bytes.data() + i * stride;
    indices[i] = stride == 2 ? LoadLittleEndian<std::uint16_t>(index)
                             : LoadLittleEndian<std::uint32_t>(index);
  }
  // The extension wants version 1 of the codec, which is not the library's default.
  meshopt_encodeIndexVersion(1);
  // Indices are below the number of vertices; the bound needs no closer one.
  out.resize(meshopt_encodeIndexBufferBound(count, ~std::uint32_t{0} >> 1));
  out.resize(meshopt_encodeIndexBuffer(reinterpret_cast<unsigned char*>(out.data()), out.size(),
                                       indices.data(), count));
  return out;
}

}  // namespace warpyard::mesh_io
