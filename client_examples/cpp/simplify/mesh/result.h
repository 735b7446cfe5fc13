// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A coarser model of the service as the mesh of a file.
#ifndef WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_MESH_RESULT_H_
#define WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_MESH_RESULT_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client_examples/cpp/simplify/mesh/request.h"
#include "client_examples/mesh_io/model.h"
#include "warpyard/v1/simplify_service.pb.h"

namespace warpyard::cli {

/// The geometry of each part. Attributes that the response does not have are those of the source
/// vertices. Texture coordinates and colours stay in the range that they have in the part.
/// @errors INVALID_ARGUMENT: the response does not fit the parts
absl::StatusOr<std::vector<mesh_io::NewGeometry>> SplitResponse(
    const v1::SimplifyResponse& response, const mesh_io::ModelMesh& mesh,
    const std::vector<ModelPart>& parts);

/// Replaces the geometry of the parts. A part of which no triangle is left has no vertices then;
/// writers leave it out.
/// @errors INVALID_ARGUMENT: the response does not fit the parts
absl::Status ReplaceBy(const v1::SimplifyResponse& response, const std::vector<ModelPart>& parts,
                       mesh_io::ModelMesh& mesh);

}  // namespace warpyard::cli

#endif  // WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_MESH_RESULT_H_
