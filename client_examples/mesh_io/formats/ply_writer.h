// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Binary PLY.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_IO_FORMATS_PLY_WRITER_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_IO_FORMATS_PLY_WRITER_H_

#include <string>

#include "absl/status/statusor.h"
#include "client_examples/mesh_io/model.h"

namespace warpyard::mesh_io {

/// The bytes of a little-endian PLY file: positions (float or double), normals, the first set of
/// texture coordinates (as s and t), and colours (uchar or float).
/// @errors INVALID_ARGUMENT: the primitive is not as CheckPrimitive wants it
absl::StatusOr<std::string> EncodePly(const Primitive& primitive);

}  // namespace warpyard::mesh_io

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_IO_FORMATS_PLY_WRITER_H_
