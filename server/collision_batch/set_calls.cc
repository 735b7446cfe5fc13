// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/collision_batch/set_calls.h"

#include <string>
#include <utility>

#include "core/base/macros.h"
#include "server/collision/scene_request.h"
#include "server/rpc/wire.h"

namespace warpyard::server {

absl::Status OpenScenesCall::Run(grpc::ByteBuffer* request) {
  WY_RETURN_IF_ERROR(Parse(request, &request_));
  WY_ASSIGN_OR_RETURN(const collision::SetDescription set,
                      ToSet(request_, service().limits.worlds));
  WY_ASSIGN_OR_RETURN(const JobOptions job, ToJobOptions(request_.job(), facts()));
  vertices_ = MovingVertices(set.mesh);
  worlds_ = set.worlds;
  service().jobs.Run<collision::SetInfo>(
      Ticket(job),
      [&set](Engine& engine, const JobOptions& options, collision::OpenSetDone done) {
        return collision::OpenSet(engine, set, options, std::move(done));
      },
      [this, self = shared_from_this()](const absl::StatusOr<collision::SetInfo>& info) {
        OnOpened(info);
      });
  return absl::OkStatus();
}

void OpenScenesCall::OnOpened(const absl::StatusOr<collision::SetInfo>& info) {
  if (!info.ok()) return End(info.status());
  absl::StatusOr<std::string> name =
      NameResident<SetFacts>(info->id, vertices_, worlds_, info->bodies);
  if (!name.ok()) return End(name.status());
  v1::OpenScenesResponse response;
  response.set_set(*std::move(name));
  response.set_edges(info->edges);
  ToProto(info->phases, response.mutable_phases());
  EndWith(response);
}

absl::Status CloseScenesCall::Run(grpc::ByteBuffer* request) {
  v1::CloseScenesRequest message;
  WY_RETURN_IF_ERROR(Parse(request, &message));
  WY_RETURN_IF_ERROR(service().residents.Remove<SetFacts>(message.set(), owner()));
  EndWith(v1::CloseScenesResponse());
  return absl::OkStatus();
}

}  // namespace warpyard::server
