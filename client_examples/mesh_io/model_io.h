// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Reads and writes models: PLY, OBJ, STL, GLB and (reading only) glTF.
//
// Files are untrusted: reading any file ends with a model or with an error that names the file and
// the place, and takes memory in proportion to the file's size.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_IO_MODEL_IO_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_IO_MODEL_IO_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client_examples/mesh_io/model.h"

namespace warpyard::mesh_io {

struct WriteOptions {
  /// GLB: compress geometry by EXT_meshopt_compression, without loss. Other formats ignore it.
  bool meshopt_compression = false;
};

/// Reads a model. The format follows from the contents (PLY, GLB) and else from the name's ending:
/// .obj, .stl, .gltf. A glTF file may use files in its folder and below.
/// @errors NOT_FOUND, PERMISSION_DENIED, INVALID_ARGUMENT (malformed, with the place),
/// UNIMPLEMENTED
///     (a format or an extension that is not supported), each with the path
absl::StatusOr<Model> ReadModel(const std::string& path);

/// Checks that WriteModel knows the name's ending. @errors UNIMPLEMENTED with the path
absl::Status CheckEnding(const std::string& path);

/// Whether files of the name's ending hold a mesh once, however often the scene shows it: GLB.
bool KeepsInstances(const std::string& path);

/// Writes a model in the format of the name's ending: .ply, .obj, .stl, .glb.
///
/// GLB keeps everything that a glTF file had. PLY and STL hold all meshes as one, in their places
/// in the scene; PLY keeps normals, the first set of texture coordinates and colours, STL none. OBJ
/// keeps names of meshes and materials, too.
/// @errors INVALID_ARGUMENT, FAILED_PRECONDITION (something cannot be kept), UNIMPLEMENTED (the
///     ending), UNAVAILABLE (the file cannot be written), each with the path
absl::Status WriteModel(const std::string& path, const Model& model,
                        const WriteOptions& options = {});

}  // namespace warpyard::mesh_io

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_IO_MODEL_IO_H_
