// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Wavefront OBJ, written from a model.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_IO_FORMATS_OBJ_WRITER_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_IO_FORMATS_OBJ_WRITER_H_

#include <string>

#include "client_examples/mesh_io/model.h"

namespace warpyard::mesh_io {

/// The text of an OBJ file: an object for each mesh, "usemtl" for each primitive with a material,
/// the first set of texture coordinates, normals, and colours without alpha.
///
/// Vertices of a mesh with equal positions and colours become one, unless the mesh is a single
/// primitive without texture coordinates and normals: only there a vertex stands for itself.
/// Instances are not written: a transformed model is joined first.
std::string EncodeObj(const Model& model);

}  // namespace warpyard::mesh_io

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_IO_FORMATS_OBJ_WRITER_H_
