// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/synthetic/service.h"

#include "absl/status/statusor.h"
#include "core/base/macros.h"
#include "server/convert/job.h"
#include "server/rpc/unary_call.h"
#include "server/synthetic/convert.h"

namespace warpyard::server {
namespace {

/// LoadService.RunLoad.
class RunLoadCall final : public UnaryCall {
 public:
  RunLoadCall(ServiceContext& service, const grpc::CallbackServerContext& context,
              grpc::ByteBuffer* response)
      : UnaryCall(service, context, {RpcMethod::kRunLoad, JobKind::kLoad}, response) {}

 private:
  absl::Status Run(grpc::ByteBuffer* request) override {
    v1::RunLoadRequest message;
    WY_RETURN_IF_ERROR(Parse(request, &message));
    WY_ASSIGN_OR_RETURN(const synthetic::SyntheticJob load, ToLoad(message));
    WY_ASSIGN_OR_RETURN(const JobOptions job, ToJobOptions(message.job(), times()));
    service().jobs.RunLoad(
        load, job, handle(),
        [this, self = shared_from_this()](
            const absl::StatusOr<synthetic::SyntheticResult>& result) { OnRun(result); });
    return absl::OkStatus();
  }

  void OnRun(const absl::StatusOr<synthetic::SyntheticResult>& result) {
    if (!result.ok()) return End(result.status());
    v1::RunLoadResponse response;
    ToProto(*result, &response);
    EndWith(response);
  }
};

}  // namespace

grpc::ServerUnaryReactor* LoadServiceImpl::RunLoad(grpc::CallbackServerContext* context,
                                                   const grpc::ByteBuffer* request,
                                                   grpc::ByteBuffer* response) {
  return UnaryCall::Start<RunLoadCall>(context_, context, request, response);
}

}  // namespace warpyard::server
