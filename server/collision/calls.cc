// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/collision/calls.h"

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "server/collision/result_bytes.h"
#include "server/errors/error_details.h"

namespace warpyard::server {
template <class Response>
void ResultCall::EndWithResult(const absl::StatusOr<ccd::CollisionResult>& result,
                               ccd::Report report) {
  if (!result.ok()) return End(result.status());
  ResultReader reader(*result, report);
  const std::size_t bytes = reader.list_bytes();
  absl::Status status = CheckResponse(bytes, service());
  if (status.ok()) status = HoldResult(bytes);
  if (!status.ok()) {
    constexpr bool kSceneStays = std::is_same_v<Response, v1::StepResponse>;
    return End(kSceneStays ? ResultIsLost(status) : status);
  }
  EndWith(ResultBytes(Response(), Response::kResultFieldNumber, reader.NextPart(bytes),
                      service().buffers));
}

absl::Status OpenSceneCall::Run(grpc::ByteBuffer* request) {
  WY_RETURN_IF_ERROR(Parse(request, &request_));
  WY_ASSIGN_OR_RETURN(const collision::SceneDescription scene, ToScene(request_));
  WY_ASSIGN_OR_RETURN(const JobOptions job, ToJobOptions(request_.job(), facts()));
  vertices_ = MovingVertices(scene);
  service().jobs.Run<collision::SceneInfo>(
      Ticket(job),
      [&scene](Engine& engine, const JobOptions& options, collision::OpenDone done) {
        return collision::OpenScene(engine, scene, options, std::move(done));
      },
      [this, self = shared_from_this()](const absl::StatusOr<collision::SceneInfo>& info) {
        OnOpened(info);
      });
  return absl::OkStatus();
}

void OpenSceneCall::OnOpened(const absl::StatusOr<collision::SceneInfo>& info) {
  if (!info.ok()) return End(info.status());
  absl::StatusOr<std::string> name = NameResident<SceneFacts>(info->id, vertices_, info->bodies);
  if (!name.ok()) return End(name.status());
  v1::OpenSceneResponse response;
  response.set_scene(*std::move(name));
  response.set_edges(info->edges);
  ToProto(info->phases, response.mutable_phases());
  EndWith(response);
}

absl::Status StepCall::Run(grpc::ByteBuffer* request) {
  WY_RETURN_IF_ERROR(Parse(request, &request_));
  WY_ASSIGN_OR_RETURN(step_, ToStep(request_, facts(), service().residents));
  const bool needs_last_end = !step_.step.start.has_value();
  const StepOrder::Caller caller = {service().calls.NewNumber()};
  return step_.scene->facts.order->Submit(caller, needs_last_end, [this](StepOrder::Turn turn) {
    turn_ = std::move(turn);
    service().jobs.Run<ccd::CollisionResult>(
        Ticket(step_.job),
        [this](Engine& engine, const JobOptions& options, collision::StepDone done) {
          return collision::Step(engine, step_.scene->id, step_.step, options, std::move(done));
        },
        [this, self = shared_from_this()](const absl::StatusOr<ccd::CollisionResult>& result) {
          OnStepped(result);
        });
  });
}

void StepCall::OnStepped(const absl::StatusOr<ccd::CollisionResult>& result) {
  turn_.reset();  // before the answer: after it, the client may send its next step
  EndWithResult<v1::StepResponse>(result, step_.step.options.report);
}

absl::Status DetectCall::Run(grpc::ByteBuffer* request) {
  WY_RETURN_IF_ERROR(Parse(request, &request_));
  WY_ASSIGN_OR_RETURN(const collision::SceneDescription scene, ToScene(request_));
  WY_ASSIGN_OR_RETURN(const collision::StepDescription step, ToStep(request_, scene));
  WY_ASSIGN_OR_RETURN(const JobOptions job, ToJobOptions(request_.job(), facts()));
  report_ = step.options.report;
  service().jobs.Run<ccd::CollisionResult>(
      Ticket(job),
      [&scene, &step](Engine& engine, const JobOptions& options, collision::StepDone done) {
        return collision::Detect(engine, scene, step, options, std::move(done));
      },
      [this, self = shared_from_this()](const absl::StatusOr<ccd::CollisionResult>& result) {
        EndWithResult<v1::DetectResponse>(result, report_);
      });
  return absl::OkStatus();
}

absl::Status CloseSceneCall::Run(grpc::ByteBuffer* request) {
  v1::CloseSceneRequest message;
  WY_RETURN_IF_ERROR(Parse(request, &message));
  WY_RETURN_IF_ERROR(service().residents.Remove<SceneFacts>(message.scene(), owner()));
  EndWith(v1::CloseSceneResponse());
  return absl::OkStatus();
}

}  // namespace warpyard::server
