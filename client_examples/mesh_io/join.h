// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// One primitive of a whole model, for formats that know neither scenes nor materials.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_IO_JOIN_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_IO_JOIN_H_

#include "absl/status/statusor.h"
#include "client_examples/mesh_io/model.h"

namespace warpyard::mesh_io {

/// All primitives one after the other, in the places where the instances have them. Normals,
/// texture coordinates (the first set) and colours are kept where all primitives have them.
/// @errors INVALID_ARGUMENT: there are no vertices, there are more than an index can name or than
///     1,000 times as many as the meshes have, or a transformed number is not finite
absl::StatusOr<Primitive> JoinPrimitives(const Model& model);

/// The model with its instances' transforms applied, each instance a mesh of its own.
/// @errors as JoinPrimitives
absl::StatusOr<Model> ApplyInstances(const Model& model);

}  // namespace warpyard::mesh_io

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_IO_JOIN_H_
