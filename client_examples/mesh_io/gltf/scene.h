// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Where the nodes of a glTF scene place its meshes.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_SCENE_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_SCENE_H_

#include <vector>

#include "absl/status/statusor.h"
#include "client_examples/mesh_io/gltf/data/json.h"
#include "client_examples/mesh_io/model.h"

namespace warpyard::mesh_io {

/// The meshes of the default scene, else of the first one; none without a scene. Meshes with a skin
/// are not transformed, since their joints place them. Animations and EXT_mesh_gpu_instancing are
/// not applied.
/// @errors INVALID_ARGUMENT with the node: a mesh or a node does not exist, a node has two parents
///     or is its own ancestor, a transform is malformed
absl::StatusOr<std::vector<Instance>> SceneInstances(const Json& json);

}  // namespace warpyard::mesh_io

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_SCENE_H_
