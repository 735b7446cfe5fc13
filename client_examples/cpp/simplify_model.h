// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The mesh of a model for the service, and a coarser mesh back into the model.
#ifndef WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_MODEL_H_
#define WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_MODEL_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client_examples/mesh_io/model.h"
#include "warpyard/v1/simplify_service.pb.h"

namespace warpyard::cli {

/// Joins all primitives of a model to one that has positions only.
/// @errors as mesh_io::JoinPrimitives
absl::StatusOr<mesh_io::Model> DropAttributes(const mesh_io::Model& model);

/// The only primitive of a model, if a coarser mesh can take its attributes from single vertices.
/// @errors FAILED_PRECONDITION: another number of primitives, something that refers to single
///     vertices, or a seam: vertices at one position with unlike attributes. The message says what
///     to do
absl::StatusOr<mesh_io::Primitive*> OnlyPrimitive(mesh_io::Model& model);

/// Sets positions and triangles. Triangles that name a vertex twice have no surface and are left
/// out.
void SetMesh(const mesh_io::Primitive& primitive, v1::TriangleMesh& mesh);

/// Replaces the geometry of a primitive; each vertex gets the attributes of its source vertex.
/// @errors INVALID_ARGUMENT: the response does not fit the primitive, or has no triangles
absl::Status ReplaceBy(const v1::SimplifyResponse& response, mesh_io::Primitive& primitive);

}  // namespace warpyard::cli

#endif  // WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_MODEL_H_
