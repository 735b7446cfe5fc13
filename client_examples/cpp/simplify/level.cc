// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/simplify/level.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "client_examples/cpp/simplify/mesh/result.h"

namespace warpyard::cli {
namespace {

using mesh_io::ModelMesh;
using mesh_io::Primitive;

std::uint64_t TrianglesOf(const ModelMesh& mesh) {
  std::uint64_t triangles = 0;
  for (const Primitive& primitive : mesh.primitives) triangles += primitive.triangles.size() / 3;
  return triangles;
}

bool HasMorphTargets(const ModelMesh& mesh) {
  return std::any_of(mesh.primitives.begin(), mesh.primitives.end(),
                     [](const Primitive& primitive) { return !primitive.morph_targets.empty(); });
}

/// Puts one model in the place of its mesh, and says what became of it.
absl::Status Place(const MeshJob& job, const v1::SimplifyResponse& response, FileLevel& level) {
  ModelMesh& mesh = level.model.meshes[job.mesh];
  const ModelMesh before = mesh;
  absl::Status status = ReplaceBy(response, job.parts, mesh);
  if (!status.ok()) {
    return absl::Status(status.code(), absl::StrCat(job.label, ": ", status.message()));
  }
  const bool vanishes = mesh.other_primitives == 0 && TrianglesOf(mesh) == 0;
  if (vanishes && HasMorphTargets(before)) {
    mesh = before;
    level.notes.push_back(absl::StrCat(
        job.label, ": no triangle is left, so it stays as it is for its morph targets"));
  } else if (vanishes) {
    level.notes.push_back(absl::StrCat(job.label, ": no triangle is left, so it is left out"));
  }
  const double error = job.scale * response.statistics().max_error();
  MeshOutcome outcome{job.label, 0, 0, job.copies, error, response.statistics()};
  for (const ModelPart& part : job.parts) {
    const Primitive& primitive = mesh.primitives[part.primitive];
    outcome.triangles += primitive.triangles.size() / 3;
    outcome.vertices += primitive.Vertices();
    if (primitive.triangles.empty() && !vanishes) {
      level.notes.push_back(absl::StrCat(job.label, ": primitive ", part.primitive,
                                         " has no triangle left, so it is left out"));
    }
  }
  level.meshes.push_back(std::move(outcome));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<FileLevel> MakeLevel(const mesh_io::Model& model, const FilePlan& plan,
                                    const std::vector<const v1::SimplifyResponse*>& responses) {
  FileLevel level;
  level.model = model;
  for (std::size_t i = 0; i < plan.jobs.size(); ++i) {
    if (absl::Status status = Place(plan.jobs[i], *responses[i], level); !status.ok()) {
      return status;
    }
  }
  const bool is_empty =
      plan.kept.triangles == 0 &&
      std::all_of(level.meshes.begin(), level.meshes.end(),
                  [](const MeshOutcome& outcome) { return outcome.triangles == 0; });
  if (is_empty) {
    return absl::InvalidArgumentError("no triangle is left, so there is nothing to write");
  }
  return level;
}

std::string LevelPath(const std::string& path, std::size_t level) {
  const std::filesystem::path whole(path);
  std::filesystem::path name = whole.stem();
  name += absl::StrCat("_", level);
  name += whole.extension();
  return (whole.parent_path() / name).string();
}

}  // namespace warpyard::cli
