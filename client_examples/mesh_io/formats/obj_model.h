// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The model of an OBJ file: an object is a mesh, and the faces of one material are a primitive.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_IO_FORMATS_OBJ_MODEL_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_IO_FORMATS_OBJ_MODEL_H_

#include "absl/status/statusor.h"
#include "client_examples/mesh_io/formats/obj_reader.h"
#include "client_examples/mesh_io/model.h"

namespace warpyard::mesh_io {

/// Makes vertices of corners: one for each combination of position, texture coordinate and normal
/// in a primitive. Vertices without faces are left out. A primitive has texture coordinates if one
/// of its corners has them (the others get zeros), and normals if all corners have them.
/// @errors INVALID_ARGUMENT: there are no faces, or an index is out of range (with the line)
absl::StatusOr<Model> ObjModel(const ObjContents& obj);

}  // namespace warpyard::mesh_io

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_IO_FORMATS_OBJ_MODEL_H_
