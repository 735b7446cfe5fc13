// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// GLB, written from a model: everything that its glTF file had, with the model's triangles.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_GLTF_WRITER_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_GLTF_WRITER_H_

#include <string>

#include "absl/status/statusor.h"
#include "client_examples/mesh_io/model.h"

namespace warpyard::mesh_io {

/// The bytes of a GLB file. Positions are floats, or the integers of the file that they come from
/// where these hold them exactly; other attributes have the type that the file had.
///
/// A primitive without triangles is left out. A mesh without any keeps its number, but no node
/// shows it. A model that was not read from glTF gets a scene with a node for each mesh.
/// @errors INVALID_ARGUMENT: the primitives are not those of the document, there are no triangles,
/// a
///     position is too large for a float, more than 4 GiB; FAILED_PRECONDITION: morph targets of a
///     mesh without triangles cannot be kept
absl::StatusOr<std::string> EncodeGlb(const Model& model, bool meshopt_compression);

}  // namespace warpyard::mesh_io

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_GLTF_WRITER_H_
