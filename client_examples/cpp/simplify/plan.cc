// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/simplify/plan.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client_examples/cpp/simplify/mesh/views.h"
#include "client_examples/mesh_io/join.h"
#include "client_examples/mesh_io/model_io.h"

namespace warpyard::cli {
namespace {

using mesh_io::Model;
using mesh_io::ModelMesh;
using mesh_io::Primitive;

std::string LabelOf(const Model& model, std::size_t mesh) {
  const std::string& name = model.meshes[mesh].name;
  return name.empty() ? absl::StrCat("mesh ", mesh) : absl::StrCat("mesh \"", name, "\"");
}

/// How often the written file has a mesh, and its largest scale in the scene.
MeshSize PlacesOf(const Model& model, std::size_t mesh, bool keeps_instances) {
  MeshSize size;
  std::uint64_t shown = 0;
  double scale = 0;
  for (const mesh_io::Instance& instance : model.instances) {
    if (instance.mesh != mesh) continue;
    ++shown;
    scale = std::max(scale, LargestScale(instance.transform));
  }
  if (scale > 0) size.scale = scale;
  if (!keeps_instances && !model.instances.empty()) size.copies = shown;
  return size;
}

/// As max_bytes counts the whole model.
std::uint64_t BytesOf(const v1::OpenModelRequest& open, std::uint64_t vertices) {
  std::uint64_t numbers = open.mesh().vertex_groups().empty() ? 3 : 4;
  for (const v1::VertexAttribute& attribute : open.attributes()) numbers += attribute.components();
  return 4 * numbers * vertices + open.mesh().triangles().size();
}

class Planner {
 public:
  Planner(const Model& model, const SimplifyArguments& arguments)
      : model_(model),
        arguments_(arguments),
        keeps_instances_(mesh_io::KeepsInstances(arguments.files[1])) {}

  absl::StatusOr<FilePlan> Plan() {
    for (std::size_t mesh = 0; mesh < model_.meshes.size(); ++mesh) {
      if (absl::Status status = AddMesh(mesh); !status.ok()) return status;
    }
    if (plan_.jobs.empty()) {
      return absl::FailedPreconditionError(absl::StrCat("it has no mesh that can be simplified",
                                                        plan_.notes.empty() ? "" : ": ",
                                                        absl::StrJoin(plan_.notes, "; ")));
    }
    const std::vector<v1::SimplifyRequest> goals =
        ShareGoal(arguments_.request, sizes_, plan_.kept);
    for (std::size_t i = 0; i < goals.size(); ++i) plan_.jobs[i].goal = goals[i];
    if (absl::Status status = PlaceViews(); !status.ok()) return status;
    CheckTotal();
    CheckWeights();
    return std::move(plan_);
  }

 private:
  absl::Status AddMesh(std::size_t index) {
    const ModelMesh& mesh = model_.meshes[index];
    MeshSize size = PlacesOf(model_, index, keeps_instances_);
    if (size.copies == 0) return absl::OkStatus();
    const std::string label = LabelOf(model_, index);
    if (mesh.other_primitives > 0) {
      plan_.notes.push_back(absl::StrCat(
          label, ": primitives of points or lines (", mesh.other_primitives, ") ",
          keeps_instances_ ? "stay as they are" : "are left out, as the format has none"));
    }
    std::vector<ModelPart> parts = PartsOf(mesh);
    if (!parts.empty() && !HaveSurface(mesh, parts)) {
      plan_.notes.push_back(absl::StrCat(
          label, " stays as it is: it has no triangle with three different positions"));
      parts.clear();
    }
    Keep(mesh, parts, size.copies);
    if (parts.empty()) return absl::OkStatus();
    absl::StatusOr<v1::OpenModelRequest> open = RequestOf(mesh, parts, arguments_.weights);
    if (!open.ok()) return open.status();
    open->set_borders(arguments_.borders);
    std::uint64_t vertices = 0;
    for (const ModelPart& part : parts) vertices += mesh.primitives[part.primitive].Vertices();
    size.triangles = open->mesh().triangles().size() / 12;
    size.bytes = BytesOf(*open, vertices);
    sizes_.push_back(size);
    plan_.jobs.push_back(
        {index, label, std::move(parts), *std::move(open), {}, size.copies, size.scale});
    return absl::OkStatus();
  }

  /// Counts the primitives that are no parts, and says why they are not.
  void Keep(const ModelMesh& mesh, const std::vector<ModelPart>& parts, std::uint64_t copies) {
    for (std::size_t i = 0; i < mesh.primitives.size(); ++i) {
      const Primitive& primitive = mesh.primitives[i];
      const bool is_part = std::any_of(parts.begin(), parts.end(),
                                       [&](const ModelPart& part) { return part.primitive == i; });
      if (is_part || primitive.triangles.empty()) continue;
      plan_.kept.triangles += copies * (primitive.triangles.size() / 3);
      plan_.kept.vertices += copies * primitive.Vertices();
      if (primitive.pinned_by.empty()) continue;
      plan_.notes.push_back(absl::StrCat(
          primitive.pinned_by,
          " may refer to single vertices, so the primitive stays as it is; --attributes drop joins "
          "all primitives and keeps positions only"));
    }
  }

  /// Views of the scene become views of each mesh.
  absl::Status PlaceViews() {
    if (!arguments_.request.has_views()) return absl::OkStatus();
    for (MeshJob& job : plan_.jobs) {
      std::vector<Transform> transforms;
      for (const mesh_io::Instance& instance : model_.instances) {
        if (instance.mesh == job.mesh) transforms.push_back(instance.transform);
      }
      absl::StatusOr<v1::ViewGoal> views = ViewsOfMesh(arguments_.request.views(), transforms);
      if (!views.ok()) {
        return absl::Status(views.status().code(),
                            absl::StrCat(job.label, ": ", views.status().message()));
      }
      *job.goal.mutable_views() = *std::move(views);
    }
    return absl::OkStatus();
  }

  /// Says if the file will have more triangles than the goal, whatever the service does.
  void CheckTotal() {
    const v1::SimplifyRequest& goal = arguments_.request;
    std::uint64_t total = plan_.kept.triangles;
    for (const MeshJob& job : plan_.jobs) total += job.copies * job.goal.triangles();
    if (!goal.has_triangles() || total <= goal.triangles()) return;
    plan_.notes.push_back(absl::StrCat("--triangles: ", goal.triangles(), ", but ",
                                       plan_.kept.triangles, " stay as they are, and each of ",
                                       plan_.jobs.size(), " meshes has at least one"));
  }

  /// Says which weights have no effect.
  void CheckWeights() {
    for (const auto& [name, weight] : arguments_.weights) {
      const bool is_used =
          std::any_of(plan_.jobs.begin(), plan_.jobs.end(), [&name = name](const MeshJob& job) {
            return std::any_of(
                job.open.attributes().begin(), job.open.attributes().end(),
                [&](const v1::VertexAttribute& each) { return WeightName(each.name()) == name; });
          });
      if (is_used) continue;
      plan_.notes.push_back(absl::StrCat("--weight: no mesh has ", name,
                                         " that are simplified with it, so ", name, "=", weight,
                                         " has no effect"));
    }
  }

  const Model& model_;
  const SimplifyArguments& arguments_;
  const bool keeps_instances_;
  FilePlan plan_;
  std::vector<MeshSize> sizes_;  ///< of each job
};

}  // namespace

absl::StatusOr<Model> DropAttributes(const Model& model) {
  absl::StatusOr<Primitive> joined = mesh_io::JoinPrimitives(model);
  if (!joined.ok()) return joined.status();
  Primitive bare;
  bare.positions = std::move(joined->positions);
  bare.positions_are_float = joined->positions_are_float;
  bare.triangles = std::move(joined->triangles);
  Model out;
  out.meshes.push_back({"", {std::move(bare)}});
  return out;
}

absl::StatusOr<FilePlan> PlanFile(const Model& model, const SimplifyArguments& arguments) {
  return Planner(model, arguments).Plan();
}

}  // namespace warpyard::cli
