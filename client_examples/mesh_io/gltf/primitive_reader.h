// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Reads the primitives of a glTF mesh that consist of triangles.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_PRIMITIVE_READER_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_PRIMITIVE_READER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client_examples/mesh_io/gltf/data/accessors.h"
#include "client_examples/mesh_io/gltf/data/budget.h"
#include "client_examples/mesh_io/gltf/data/json.h"
#include "client_examples/mesh_io/model.h"

namespace warpyard::mesh_io {

/// Whether a primitive consists of triangles. The others are points and lines.
bool IsTriangles(const Json& primitive);

class PrimitiveReader {
 public:
  PrimitiveReader(Accessors& accessors, Budget& budget) : accessors_(accessors), budget_(budget) {}

  /// Reads a primitive of triangles. Vertices that no triangle uses are left out, because
  /// primitives may share vertices. Primitive::material is only that of the file, and may be out of
  /// range.
  /// @shape `place`: for messages, "meshes[0].primitives[1]"
  /// @errors INVALID_ARGUMENT with the place, UNIMPLEMENTED (Draco)
  absl::StatusOr<Primitive> Read(const Json& json, const std::string& place);

 private:
  absl::Status ReadTriangles(const Json& json, std::size_t vertices, Primitive& primitive);
  absl::Status ReadAttributes(const Json& attributes, Primitive& primitive);
  absl::Status ReadMorphTargets(const Json& json, Primitive& primitive);
  absl::StatusOr<AccessorView> OpenAttribute(const std::string& name, const Json& accessor);
  template <class T>
  absl::StatusOr<std::vector<T>> Gather(const AccessorView& view, std::size_t width);
  absl::StatusOr<RawAttribute> GatherRaw(const std::string& name, const AccessorView& view);

  Accessors& accessors_;
  Budget& budget_;
  // Of the primitive that is being read: the number of vertices in the file, and those in use.
  std::size_t vertices_ = 0;
  std::vector<std::uint32_t> used_;
};

}  // namespace warpyard::mesh_io

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_PRIMITIVE_READER_H_
