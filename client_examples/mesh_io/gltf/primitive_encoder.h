// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The accessors of a primitive, as a glTF file stores them.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_PRIMITIVE_ENCODER_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_PRIMITIVE_ENCODER_H_

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "client_examples/mesh_io/gltf/data/json.h"
#include "client_examples/mesh_io/model.h"

namespace warpyard::mesh_io {

/// An accessor with the buffer view that it has for itself.
struct EncodedAccessor {
  /// Without "bufferView"
  Json json;
  std::string bytes;
  std::size_t count = 0;
  /// Bytes from one element to the next: for vertices a multiple of 4.
  std::size_t stride = 0;
  bool is_indices = false;
};

using NamedAccessors = std::vector<std::pair<std::string, EncodedAccessor>>;

struct EncodedPrimitive {
  EncodedAccessor indices;
  NamedAccessors attributes;
  std::vector<NamedAccessors> targets;
  /// An attribute has a type that only KHR_mesh_quantization allows.
  bool is_quantized = false;
};

/// Encodes a primitive that CheckPrimitive accepts and that has triangles. Normals get the length
/// 1, and colours are clamped to [0, 1], as glTF wants it.
/// @errors INVALID_ARGUMENT: a position is too large for a float
absl::StatusOr<EncodedPrimitive> EncodePrimitive(const Primitive& primitive);

}  // namespace warpyard::mesh_io

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_PRIMITIVE_ENCODER_H_
