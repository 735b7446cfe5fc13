// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A mesh of a file as a model of the service.
//
// All primitives of the mesh that can be simplified are one model, so that they still fit together
// where they meet; each is a group of it.
#ifndef WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_MESH_REQUEST_H_
#define WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_MESH_REQUEST_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client_examples/mesh_io/model.h"
#include "warpyard/v1/simplify_service.pb.h"

namespace warpyard::cli {

/// A primitive of a mesh in its model: a group of it, if there are several.
struct ModelPart {
  std::size_t primitive = 0;       ///< index into ModelMesh::primitives
  std::uint32_t first_vertex = 0;  ///< its vertices follow each other in the model
};

/// What each attribute of vertices is called on the wire.
inline constexpr char kNormals[] = "normals", kColours[] = "colours", kUvs[] = "uvs";

/// The name of a set of texture coordinates: "uvs", "uvs_1", ...
std::string UvsName(std::size_t set);

/// The name of an attribute's weight: the same for all sets of texture coordinates.
std::string WeightName(const std::string& attribute);

/// How much errors of normals, texture coordinates and colours count, by the names above; all sets
/// of texture coordinates have one weight. Empty: as the service has it.
using AttributeWeights = std::map<std::string, float>;

/// The primitives of a mesh that can be simplified. The others have no triangles, or something
/// refers to their vertices (Primitive::pinned_by).
std::vector<ModelPart> PartsOf(const mesh_io::ModelMesh& mesh);

/// Whether the parts have a triangle with three different positions, as the service needs it.
bool HaveSurface(const mesh_io::ModelMesh& mesh, const std::vector<ModelPart>& parts);

/// Positions, triangles, groups and attributes of the parts. Triangles that name a vertex twice
/// have no surface and are left out. Vertices at positions of primitives that are no parts are
/// locked.
///
/// Attributes are left out that do not fit the limits of the service: numbers of more than 1e6, or
/// more than 16 for each vertex; they are taken from source vertices later. A part without an
/// attribute that others have gets a constant, which costs nothing.
/// @shape parts: not empty
/// @errors INVALID_ARGUMENT: more vertices than an index can name
absl::StatusOr<v1::OpenModelRequest> RequestOf(const mesh_io::ModelMesh& mesh,
                                               const std::vector<ModelPart>& parts,
                                               const AttributeWeights& weights);

}  // namespace warpyard::cli

#endif  // WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_MESH_REQUEST_H_
