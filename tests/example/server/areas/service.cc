// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// AreasService on gRPC's callback API.

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "core/base/macros.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/server_callback.h"
#include "server/rpc/unary_call.h"
#include "tests/example/core/api/areas.h"
#include "tests/example/server/areas/convert.h"
#include "tests/example/server/areas/workload.h"
#include "warpyard/example/v1/areas_service.grpc.pb.h"

namespace warpyard::server {
namespace {

namespace v1 = example::v1;

/// The objects that every call uses.
struct AreasContext {
  explicit AreasContext(const ServiceContext& context) : service(context) {}

  ServiceContext service;
  JobSeries& open_jobs = service.metrics.AddJobs("areas_open_mesh", areas::kOpenPhases);
  JobSeries& count_jobs = service.metrics.AddJobs("areas_count", areas::kCountPhases);
  MethodSeries& open_mesh = service.metrics.AddMethod<v1::AreasService>("OpenMesh");
  MethodSeries& count_areas = service.metrics.AddMethod<v1::AreasService>("CountAreas");
  MethodSeries& close_mesh = service.metrics.AddMethod<v1::AreasService>("CloseMesh");
};

/// What calls must know of a mesh: only that it is one.
struct MeshFacts {
  static constexpr const char* kNoun = "mesh";
};

/// AreasService.OpenMesh.
class OpenMeshCall final : public UnaryCall {
 public:
  OpenMeshCall(AreasContext& own, grpc::CallbackServerContext& context, grpc::ByteBuffer* response)
      : UnaryCall(own.service, context, {own.open_mesh, &own.open_jobs}, response) {}

 private:
  absl::Status Run(grpc::ByteBuffer* request) override {
    WY_RETURN_IF_ERROR(Parse(request, &request_));
    WY_ASSIGN_OR_RETURN(const areas::MeshInput mesh, ToMeshInput(request_));
    WY_ASSIGN_OR_RETURN(const JobOptions job, ToJobOptions(request_.job(), facts()));
    service().jobs.Run<areas::MeshInfo>(
        Ticket(job),
        [&mesh](Engine& engine, const JobOptions& options, areas::OpenDone done) {
          return areas::OpenMesh(engine, mesh, options, std::move(done));
        },
        [this, self = shared_from_this()](const absl::StatusOr<areas::MeshInfo>& info) {
          OnOpened(info);
        });
    return absl::OkStatus();
  }

  void OnOpened(const absl::StatusOr<areas::MeshInfo>& info) {
    if (!info.ok()) return End(info.status());
    absl::StatusOr<std::string> name = NameResident<MeshFacts>(info->id);
    if (!name.ok()) return End(name.status());
    v1::OpenMeshResponse response;
    response.set_mesh(*std::move(name));
    response.set_triangles(info->triangles);
    ToProto(info->phases, response.mutable_phases());
    EndWith(response);
  }

  v1::OpenMeshRequest request_;  // the job has views into it
};

/// AreasService.CountAreas.
class CountAreasCall final : public UnaryCall {
 public:
  CountAreasCall(AreasContext& own, grpc::CallbackServerContext& context,
                 grpc::ByteBuffer* response)
      : UnaryCall(own.service, context, {own.count_areas, &own.count_jobs}, response) {}

 private:
  absl::Status Run(grpc::ByteBuffer* request) override {
    v1::CountAreasRequest message;
    WY_RETURN_IF_ERROR(Parse(request, &message));
    WY_ASSIGN_OR_RETURN(mesh_, service().residents.Find<MeshFacts>(message.mesh(), owner()));
    WY_ASSIGN_OR_RETURN(std::vector<double> limits, ToLimits(message));
    WY_ASSIGN_OR_RETURN(const JobOptions job, ToJobOptions(message.job(), facts()));
    service().jobs.Run<areas::AreasResult>(
        Ticket(job),
        [&](Engine& engine, const JobOptions& options, areas::CountDone done) {
          return areas::Count(engine, mesh_->id, std::move(limits), options, std::move(done));
        },
        [this, self = shared_from_this()](const absl::StatusOr<areas::AreasResult>& result) {
          OnCounted(result);
        });
    return absl::OkStatus();
  }

  void OnCounted(const absl::StatusOr<areas::AreasResult>& result) {
    if (!result.ok()) return End(result.status());
    v1::CountAreasResponse response;
    ToProto(*result, &response);
    EndWith(response);
  }

  ResidentTable::Use<MeshFacts> mesh_;  // stays open until the call ends
};

/// AreasService.CloseMesh.
class CloseMeshCall final : public UnaryCall {
 public:
  CloseMeshCall(AreasContext& own, grpc::CallbackServerContext& context, grpc::ByteBuffer* response)
      : UnaryCall(own.service, context, {own.close_mesh, nullptr}, response) {}

 private:
  absl::Status Run(grpc::ByteBuffer* request) override {
    v1::CloseMeshRequest message;
    WY_RETURN_IF_ERROR(Parse(request, &message));
    WY_RETURN_IF_ERROR(service().residents.Remove<MeshFacts>(message.mesh(), owner()));
    EndWith(v1::CloseMeshResponse());
    return absl::OkStatus();
  }
};

/// Raw bytes in and out; see wire.h.
template <class Base>
using RawAreasMethods = v1::AreasService::WithRawCallbackMethod_OpenMesh<
    v1::AreasService::WithRawCallbackMethod_CountAreas<
        v1::AreasService::WithRawCallbackMethod_CloseMesh<Base>>>;

class AreasServiceImpl final : public RawAreasMethods<v1::AreasService::Service> {
 public:
  explicit AreasServiceImpl(const ServiceContext& context) : context_(context) {}

  grpc::ServerUnaryReactor* OpenMesh(grpc::CallbackServerContext* context,
                                     const grpc::ByteBuffer* request,
                                     grpc::ByteBuffer* response) override {
    return UnaryCall::Start<OpenMeshCall>(context_, context, request, response);
  }
  grpc::ServerUnaryReactor* CountAreas(grpc::CallbackServerContext* context,
                                       const grpc::ByteBuffer* request,
                                       grpc::ByteBuffer* response) override {
    return UnaryCall::Start<CountAreasCall>(context_, context, request, response);
  }
  grpc::ServerUnaryReactor* CloseMesh(grpc::CallbackServerContext* context,
                                      const grpc::ByteBuffer* request,
                                      grpc::ByteBuffer* response) override {
    return UnaryCall::Start<CloseMeshCall>(context_, context, request, response);
  }

 private:
  AreasContext context_;
};

class AreasWorkload final : public Workload {
 public:
  explicit AreasWorkload(const ServiceContext& context) : service_(context) {}

  const char* name() const override { return v1::AreasService::service_full_name(); }
  grpc::Service& service() override { return service_; }

 private:
  AreasServiceImpl service_;
};

}  // namespace

std::unique_ptr<Workload> MakeAreasWorkload(const ServiceContext& context) {
  return std::make_unique<AreasWorkload>(context);
}

}  // namespace warpyard::server
