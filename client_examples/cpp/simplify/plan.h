// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What is done with each mesh of a file: which of them go to the service, with which goal.
#ifndef WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_PLAN_H_
#define WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client_examples/cpp/simplify/flags.h"
#include "client_examples/cpp/simplify/goals.h"
#include "client_examples/cpp/simplify/mesh/request.h"
#include "client_examples/mesh_io/model.h"
#include "warpyard/v1/simplify_service.pb.h"

namespace warpyard::cli {

/// A mesh that goes to the service.
struct MeshJob {
  std::size_t mesh = 0;  ///< index into Model::meshes
  std::string label;     ///< what messages call it
  std::vector<ModelPart> parts;
  v1::OpenModelRequest open;
  v1::SimplifyRequest goal;
  std::uint64_t copies = 1;  ///< in the file that is written
  double scale = 1;          ///< the largest of its instances
};

struct FilePlan {
  std::vector<MeshJob> jobs;
  KeptSize kept;                   ///< what stays as it is
  std::vector<std::string> notes;  ///< what stays as it is, for people
};

/// Joins all primitives of a model to one that has positions only.
/// @errors as mesh_io::JoinPrimitives
absl::StatusOr<mesh_io::Model> DropAttributes(const mesh_io::Model& model);

/// Plans how a file is simplified. Meshes that the written file does not show take no part.
/// @errors FAILED_PRECONDITION: no mesh can be simplified; INVALID_ARGUMENT as RequestOf
absl::StatusOr<FilePlan> PlanFile(const mesh_io::Model& model, const SimplifyArguments& arguments);

}  // namespace warpyard::cli

#endif  // WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_PLAN_H_
