// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/simplify/convert.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/api/byte_goal.h"
#include "core/base/exact_text.h"
#include "core/base/macros.h"
#include "core/base/status_facts.h"
#include "core/workload/simplify/model/check_input.h"
#include "server/convert/job.h"
#include "server/convert/mesh.h"
#include "server/simplify/attributes.h"
#include "server/simplify/views.h"

namespace warpyard::server {
namespace {

static_assert(std::endian::native == std::endian::little, "lists are sent as they are");

absl::StatusOr<simplify::Finish> ToFinish(const v1::SimplifyRequest& request) {
  const v1::Finish finish = request.finish();
  switch (finish) {
    case v1::FINISH_UNSPECIFIED:
      return request.has_views() ? simplify::Finish::kCut : simplify::Finish::kCollapse;
    case v1::FINISH_COLLAPSE:
      return simplify::Finish::kCollapse;
    case v1::FINISH_CUT:
      return simplify::Finish::kCut;
    default:
      return InvalidField("finish", absl::StrCat("unknown value ", static_cast<int>(finish)));
  }
}

absl::StatusOr<std::uint64_t> TrianglesOfRatio(double ratio, std::uint32_t model_triangles) {
  // A comparison with NaN is false, so the check is written to fail then.
  if (!(ratio > 0 && ratio <= 1)) {
    return InvalidField("ratio",
                        absl::StrCat(ExactText(ratio), ", expected more than 0 and at most 1"));
  }
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(ratio * model_triangles));
}

/// The goal that is one of the options; none for max_bytes.
absl::Status SetGoal(const v1::SimplifyRequest& request, std::uint32_t model_triangles,
                     simplify::SimplifyOptions& options) {
  switch (request.goal_case()) {
    case v1::SimplifyRequest::kTriangles:
      options.triangles = request.triangles();
      break;
    case v1::SimplifyRequest::kRatio: {
      WY_ASSIGN_OR_RETURN(options.triangles, TrianglesOfRatio(request.ratio(), model_triangles));
      break;
    }
    case v1::SimplifyRequest::kMaxError:
      options.max_error = request.max_error();
      break;
    case v1::SimplifyRequest::kLevel:
      options.level = request.level();
      break;
    case v1::SimplifyRequest::kMaxBytes:
      return absl::OkStatus();
    case v1::SimplifyRequest::kViews: {
      WY_ASSIGN_OR_RETURN(options.views, ToViewGoal(request.views()));
      break;
    }
    case v1::SimplifyRequest::GOAL_NOT_SET:
      return InvalidField(
          "goal",
          "missing, expected one of triangles, ratio, max_error, level, max_bytes and views");
  }
  return simplify::CheckOptions(options);
}

v1::Shortfall ToWireShortfall(simplify::Shortfall shortfall) {
  switch (shortfall) {
    case simplify::Shortfall::kNone:
      return v1::SHORTFALL_NONE;
    case simplify::Shortfall::kTopology:
      return v1::SHORTFALL_TOPOLOGY;
    case simplify::Shortfall::kTime:
      break;
  }
  return v1::SHORTFALL_TIME;
}

void SetDistance(const simplify::SurfaceDistance& distance, v1::SurfaceDistance& to) {
  to.set_samples(distance.samples);
  to.mutable_from_model()->set_rms(distance.from_model.rms);
  to.mutable_from_model()->set_max(distance.from_model.max);
  to.mutable_from_result()->set_rms(distance.from_result.rms);
  to.mutable_from_result()->set_max(distance.from_result.max);
}

/// @shape Numbers: a vector
template <class Numbers>
std::size_t BytesOf(const Numbers& numbers) {
  return numbers.size() * sizeof(typename Numbers::value_type);
}

template <class Numbers>
void SetBytes(const Numbers& numbers, std::string* out) {
  out->assign(reinterpret_cast<const char*>(numbers.data()), BytesOf(numbers));
}

}  // namespace

absl::StatusOr<simplify::ModelDescription> ToModel(const v1::OpenModelRequest& request) {
  WY_ASSIGN_OR_RETURN(const MeshView mesh, ToMesh(request.mesh()));
  simplify::ModelDescription model{mesh.positions, mesh.triangles};
  model.groups = mesh.vertex_groups;
  const std::size_t vertices = mesh.positions.vertices;
  WY_ASSIGN_OR_RETURN(model.attributes, ToAttributes(request, vertices));
  WY_ASSIGN_OR_RETURN(model.locked, ToLocked(request.locked_vertices(), vertices));
  WY_ASSIGN_OR_RETURN(model.borders, ToBorders(request.borders()));
  return model;
}

absl::StatusOr<simplify::ResultDescription> ToResultDescription(const v1::SimplifyRequest& request,
                                                                std::uint32_t model_triangles) {
  simplify::ResultDescription result;
  WY_ASSIGN_OR_RETURN(result.options.finish, ToFinish(request));
  if (request.best_effort() && request.distance_samples() != 0) {
    return InvalidField("distance_samples",
                        "set beside best_effort, but measures take the time that it saves");
  }
  result.options.distance_samples = request.distance_samples();
  if (request.best_effort() && request.count_edges()) {
    return InvalidField("count_edges",
                        "set beside best_effort, but counting takes the time that it saves");
  }
  result.options.counts_edges = request.count_edges();
  WY_RETURN_IF_ERROR(SetGoal(request, model_triangles, result.options));
  if (request.has_max_bytes()) {
    if (request.max_bytes() < simplify::kLeastBytes) {
      return InvalidField("max_bytes", absl::StrCat(request.max_bytes(), ", expected at least ",
                                                    simplify::kLeastBytes));
    }
    result.max_bytes = request.max_bytes();
  }
  result.best_effort = request.best_effort();
  return result;
}

std::size_t ListBytes(const simplify::SimplifiedMesh& mesh) {
  return BytesOf(mesh.positions) + BytesOf(mesh.triangles) + BytesOf(mesh.sources) +
         BytesOf(mesh.attributes) + BytesOf(mesh.groups) + BytesOf(mesh.state) + BytesOf(mesh.ids) +
         (mesh.delta.has_value()
              ? BytesOf(mesh.delta->removed_vertices) + BytesOf(mesh.delta->removed_triangles)
              : 0);
}

void ToProto(const simplify::SimplifiedMesh& mesh, v1::SimplifyResponse* out) {
  v1::Positions& positions = *out->mutable_mesh()->mutable_positions();
  positions.set_scalar_type(v1::SCALAR_TYPE_FLOAT32);
  SetBytes(mesh.positions, positions.mutable_data());
  SetBytes(mesh.triangles, out->mutable_mesh()->mutable_triangles());
  SetBytes(mesh.groups, out->mutable_mesh()->mutable_vertex_groups());
  SetBytes(mesh.sources, out->mutable_source_vertices());
  SetBytes(mesh.state, out->mutable_view_state());
  SetBytes(mesh.ids, out->mutable_vertex_ids());
  if (mesh.delta.has_value()) {
    SetBytes(mesh.delta->removed_vertices, out->mutable_delta()->mutable_removed_vertices());
    SetBytes(mesh.delta->removed_triangles, out->mutable_delta()->mutable_removed_triangles());
  }
  for (const double part : {mesh.origin.x, mesh.origin.y, mesh.origin.z}) out->add_origin(part);
  const simplify::SimplifyStatistics& statistics = mesh.statistics;
  v1::SimplifyStatistics& to = *out->mutable_statistics();
  to.set_input_triangles(statistics.input_triangles);
  to.set_cut_triangles(statistics.cut_triangles);
  to.set_passes(statistics.passes);
  to.set_expanded_nodes(statistics.expanded);
  to.set_shortfall(ToWireShortfall(statistics.shortfall));
  to.set_max_error(statistics.max_error);
  if (statistics.distance.has_value()) SetDistance(*statistics.distance, *to.mutable_distance());
  if (statistics.edges.has_value()) {
    to.mutable_edges()->set_border(statistics.edges->border);
    to.mutable_edges()->set_non_manifold(statistics.edges->non_manifold);
  }
  ToProto(statistics.phases, to.mutable_phases());
}

}  // namespace warpyard::server
