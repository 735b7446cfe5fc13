// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Views of a scene as goals for its meshes.
#ifndef WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_MESH_VIEWS_H_
#define WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_MESH_VIEWS_H_

#include <array>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "warpyard/v1/simplify_service.pb.h"

namespace warpyard::cli {

/// 4 columns of 4, as mesh_io::Instance has it.
using Transform = std::array<double, 16>;

/// Reads a ViewGoal as JSON, with the names of the message's fields. The fields for eyes that move
/// are refused: their results are no whole meshes, or go on from results before.
/// @errors NOT_FOUND, PERMISSION_DENIED, INVALID_ARGUMENT, each with the path
absl::StatusOr<v1::ViewGoal> ReadViews(const std::string& path);

/// The views as a mesh sees them: one for each view of the scene and each instance of the mesh.
/// @shape instances: empty: the mesh is where the scene is
/// @errors FAILED_PRECONDITION: an instance is not only moved, turned, mirrored and scaled evenly,
///     so that pixels have no one size; or more views than a request may have
absl::StatusOr<v1::ViewGoal> ViewsOfMesh(const v1::ViewGoal& scene,
                                         const std::vector<Transform>& instances);

}  // namespace warpyard::cli

#endif  // WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_MESH_VIEWS_H_
