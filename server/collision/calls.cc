// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/collision/calls.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "server/collision/result_bytes.h"
#include "server/convert/mesh.h"

namespace warpyard::server {
namespace {

constexpr std::size_t kBytesPerMebibyte = std::size_t{1} << 20;

/// A unary response with a whole result.
/// @errors RESOURCE_EXHAUSTED
template <class Response>
absl::StatusOr<grpc::ByteBuffer> ResponseWith(const ccd::CollisionResult& result,
                                              ccd::Report report, const ServiceContext& service) {
  ResultReader reader(result, report);
  const std::size_t bytes = reader.list_bytes();
  if (bytes > service.max_response_bytes) {
    return absl::ResourceExhaustedError(
        absl::StrCat("the result has ", bytes, " bytes, more than --max-response-mib ",
                     service.max_response_bytes / kBytesPerMebibyte,
                     " allows; StreamSteps sends results of any size"));
  }
  return ResultBytes(Response(), Response::kResultFieldNumber, reader.NextPart(bytes),
                     service.buffers);
}

/// The scene of an OpenSceneRequest or a DetectRequest, in place.
template <class Request>
absl::StatusOr<SceneDescription> SceneOf(const Request& request) {
  const auto& matrix = request.group_matrix();
  return ToScene(request.mesh(), request.group_rule(),
                 {matrix.data(), static_cast<std::size_t>(matrix.size())});
}

}  // namespace

absl::Status OpenSceneCall::Run(grpc::ByteBuffer* request) {
  WY_RETURN_IF_ERROR(Parse(request, &request_));
  WY_ASSIGN_OR_RETURN(const SceneDescription scene, SceneOf(request_));
  WY_ASSIGN_OR_RETURN(const JobOptions job, ToJobOptions(request_.job(), times()));
  vertices_ = scene.positions.vertices;
  service().jobs.OpenScene(
      scene, job, handle(),
      [this, self = shared_from_this()](const absl::StatusOr<SceneInfo>& info) { OnOpened(info); });
  return absl::OkStatus();
}

void OpenSceneCall::OnOpened(const absl::StatusOr<SceneInfo>& info) {
  if (!info.ok()) return End(info.status());
  if (cancelled()) {
    // Nobody will learn the name, so nobody could close it.
    service().jobs.engine().CloseScene(info->id).IgnoreError();
    return End(absl::CancelledError("the client cancelled the call"));
  }
  v1::OpenSceneResponse response;
  response.set_scene(service().scenes.Add({info->id, vertices_, info->bodies}));
  response.set_edges(info->edges);
  ToProto(info->phases, response.mutable_phases());
  EndWith(response);
}

absl::Status StepCall::Run(grpc::ByteBuffer* request) {
  WY_RETURN_IF_ERROR(Parse(request, &request_));
  WY_ASSIGN_OR_RETURN(prepared_, PrepareStep(request_, times(), service().scenes));
  service().jobs.Step(
      prepared_.step, prepared_.job, handle(),
      [this, self = shared_from_this()](const absl::StatusOr<ccd::CollisionResult>& result) {
        OnStepped(result);
      });
  return absl::OkStatus();
}

void StepCall::OnStepped(const absl::StatusOr<ccd::CollisionResult>& result) {
  if (!result.ok()) return End(result.status());
  EndWith(ResponseWith<v1::StepResponse>(*result, prepared_.step.options.report, service()));
}

absl::Status DetectCall::Run(grpc::ByteBuffer* request) {
  WY_RETURN_IF_ERROR(Parse(request, &request_));
  WY_ASSIGN_OR_RETURN(const SceneDescription scene, SceneOf(request_));
  WY_ASSIGN_OR_RETURN(step_.end, ToPositions(request_.end(), "end", scene.positions.vertices));
  WY_ASSIGN_OR_RETURN(step_.options, ToCollisionOptions(request_.collision()));
  WY_ASSIGN_OR_RETURN(job_, ToJobOptions(request_.job(), times()));
  service().jobs.OpenScene(
      scene, job_, handle(),
      [this, self = shared_from_this()](const absl::StatusOr<SceneInfo>& info) { OnOpened(info); });
  return absl::OkStatus();
}

void DetectCall::OnOpened(const absl::StatusOr<SceneInfo>& info) {
  if (!info.ok()) return End(info.status());
  step_.scene = info->id;
  // Under the same handle: a cancellation that came in between ends this job too.
  service().jobs.Step(
      step_, job_, handle(),
      [this, self = shared_from_this()](const absl::StatusOr<ccd::CollisionResult>& result) {
        OnStepped(result);
      });
}

void DetectCall::OnStepped(const absl::StatusOr<ccd::CollisionResult>& result) {
  service().jobs.engine().CloseScene(step_.scene).IgnoreError();
  if (!result.ok()) return End(result.status());
  EndWith(ResponseWith<v1::DetectResponse>(*result, step_.options.report, service()));
}

absl::Status CloseSceneCall::Run(grpc::ByteBuffer* request) {
  v1::CloseSceneRequest message;
  WY_RETURN_IF_ERROR(Parse(request, &message));
  WY_ASSIGN_OR_RETURN(const SceneId scene, service().scenes.Remove(message.scene()));
  WY_RETURN_IF_ERROR(service().jobs.engine().CloseScene(scene));
  EndWith(v1::CloseSceneResponse());
  return absl::OkStatus();
}

}  // namespace warpyard::server
