// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A level of detail of a whole file, from the coarser models of its meshes.
#ifndef WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_LEVEL_H_
#define WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_LEVEL_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client_examples/cpp/simplify/plan.h"
#include "client_examples/mesh_io/model.h"
#include "warpyard/v1/simplify_service.pb.h"

namespace warpyard::cli {

/// What became of a mesh.
struct MeshOutcome {
  std::string label;
  std::uint64_t triangles = 0, vertices = 0;
  std::uint64_t copies = 1;  ///< in the file that is written
  double error = 0;          ///< the greatest of a vertex, in the scene
  v1::SimplifyStatistics statistics;
};

struct FileLevel {
  mesh_io::Model model;
  std::vector<MeshOutcome> meshes;
  std::vector<std::string> notes;  ///< what is left out, for people
};

/// Puts the coarser models in the place of the meshes. A primitive without a triangle is left out.
/// A mesh without a triangle stays as it is if it has morph targets, since animations may name
/// them.
/// @shape responses: of each job of the plan, the one of this level
/// @errors INVALID_ARGUMENT: a response does not fit its mesh, or nothing is left
absl::StatusOr<FileLevel> MakeLevel(const mesh_io::Model& model, const FilePlan& plan,
                                    const std::vector<const v1::SimplifyResponse*>& responses);

/// The name of a level's file: "OUT_0.glb" for "OUT.glb".
std::string LevelPath(const std::string& path, std::size_t level);

}  // namespace warpyard::cli

#endif  // WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_LEVEL_H_
