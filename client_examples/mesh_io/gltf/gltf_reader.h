// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// glTF 2.0, as GLB or as JSON with its buffers in data URIs or in files beside it.
//
// The JSON is read by the JSON library alone, not by a glTF library on top of it. TinyGLTF 2.7 does
// not keep what must survive: it drops null and empty extras and members that it does not know,
// cuts integers to 32 bits, and refuses buffers without data, which EXT_meshopt_compression has.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_GLTF_READER_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_GLTF_READER_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "client_examples/mesh_io/gltf/data/container.h"
#include "client_examples/mesh_io/model.h"

namespace warpyard::mesh_io {

/// Parses the contents of a .glb or .gltf file. The model has all primitives of triangles; points
/// and lines stay in its document.
/// @shape `folder`: where files are that it names
/// @errors INVALID_ARGUMENT with the place in the JSON, UNIMPLEMENTED (Draco and other compression
///     that is not supported); for files beside it NOT_FOUND and PERMISSION_DENIED
absl::StatusOr<Model> ParseGltf(absl::string_view contents, const std::string& folder);

}  // namespace warpyard::mesh_io

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_GLTF_READER_H_
