// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Binary STL.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_IO_FORMATS_STL_WRITER_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_IO_FORMATS_STL_WRITER_H_

#include <string>

#include "absl/status/statusor.h"
#include "client_examples/mesh_io/model.h"

namespace warpyard::mesh_io {

/// The bytes of a binary STL file: triangles with normals of their planes (zero without an area).
/// @errors INVALID_ARGUMENT: too many triangles, or a coordinate is too large for a float
absl::StatusOr<std::string> EncodeStl(const Primitive& primitive);

}  // namespace warpyard::mesh_io

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_IO_FORMATS_STL_WRITER_H_
