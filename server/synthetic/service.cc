// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// LoadService on gRPC's callback API.

#include "absl/status/statusor.h"
#include "core/api/synthetic.h"
#include "core/base/macros.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/server_callback.h"
#include "server/convert/job.h"
#include "server/rpc/unary_call.h"
#include "server/synthetic/convert.h"
#include "server/synthetic/workload.h"
#include "warpyard/v1/load_service.grpc.pb.h"

namespace warpyard::server {
namespace {

/// The objects that every call uses.
struct SyntheticContext {
  explicit SyntheticContext(const ServiceContext& context) : service(context) {}

  ServiceContext service;
  JobSeries& jobs = service.metrics.AddJobs("load", synthetic::kPhases);
  MethodSeries& run_load = service.metrics.AddMethod<v1::LoadService>("RunLoad");
};

/// LoadService.RunLoad.
class RunLoadCall final : public UnaryCall {
 public:
  RunLoadCall(SyntheticContext& own, grpc::CallbackServerContext& context,
              grpc::ByteBuffer* response)
      : UnaryCall(own.service, context, {own.run_load, &own.jobs}, response) {}

 private:
  absl::Status Run(grpc::ByteBuffer* request) override {
    v1::RunLoadRequest message;
    WY_RETURN_IF_ERROR(Parse(request, &message));
    WY_ASSIGN_OR_RETURN(const synthetic::SyntheticJob load, ToLoad(message));
    WY_ASSIGN_OR_RETURN(const JobOptions job, ToJobOptions(message.job(), facts()));
    service().jobs.Run<synthetic::SyntheticResult>(
        Ticket(job),
        [&load](Engine& engine, const JobOptions& options, synthetic::RunDone done) {
          return synthetic::Run(engine, load, options, std::move(done));
        },
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

/// Raw bytes in and out; see wire.h.
class LoadServiceImpl final
    : public v1::LoadService::WithRawCallbackMethod_RunLoad<v1::LoadService::Service> {
 public:
  explicit LoadServiceImpl(const ServiceContext& context) : context_(context) {}

  grpc::ServerUnaryReactor* RunLoad(grpc::CallbackServerContext* context,
                                    const grpc::ByteBuffer* request,
                                    grpc::ByteBuffer* response) override {
    return UnaryCall::Start<RunLoadCall>(context_, context, request, response);
  }

 private:
  SyntheticContext context_;
};

class SyntheticWorkload final : public Workload {
 public:
  explicit SyntheticWorkload(const ServiceContext& context) : service_(context) {}

  const char* name() const override { return v1::LoadService::service_full_name(); }
  grpc::Service& service() override { return service_; }

 private:
  LoadServiceImpl service_;
};

}  // namespace

std::unique_ptr<Workload> MakeSyntheticWorkload(const ServiceContext& context) {
  return std::make_unique<SyntheticWorkload>(context);
}

}  // namespace warpyard::server
