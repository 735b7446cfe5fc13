// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/simplify/calls.h"

#include <cstddef>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "server/errors/error_details.h"
#include "server/simplify/convert.h"
#include "server/simplify/model_upload.h"
#include "server/simplify/views.h"

namespace warpyard::server {
namespace {

/// @errors RESOURCE_EXHAUSTED: a unary response cannot be so large
absl::Status CheckMeshBytes(std::size_t bytes, const ServiceContext& service) {
  if (bytes <= service.max_response_bytes) return absl::OkStatus();
  return MakeError(
      ErrorReason::kResultTooLarge,
      absl::StrCat("the coarser mesh has ", bytes, " bytes, more than --max-response-mib ",
                   service.max_response_bytes >> 20,
                   " allows; ask for fewer triangles, or for max_bytes"));
}

v1::OpenModelResponse ResponseOf(const simplify::ModelInfo& info) {
  v1::OpenModelResponse response;
  response.set_vertices(info.vertices);
  response.set_triangles(info.triangles);
  response.set_nodes(info.nodes);
  response.set_device_bytes(info.bytes);
  response.set_build_bytes(info.build_bytes);
  ToProto(info.phases, response.mutable_phases());
  return response;
}

}  // namespace

absl::Status OpenModelCall::Run(grpc::ByteBuffer* request) {
  WY_RETURN_IF_ERROR(CheckLimit(*request, kAttributesLimit));
  WY_RETURN_IF_ERROR(Parse(request, &request_));
  WY_ASSIGN_OR_RETURN(const JobOptions job, ToJobOptions(request_.job(), facts()));
  if (request_.upload().empty()) return Open(job);
  WY_ASSIGN_OR_RETURN(const UploadKey key, UploadOf(request_, job.tenant));
  content_ = ContentOf(key);
  WY_ASSIGN_OR_RETURN(const bool reused, Reuse());
  if (reused) return absl::OkStatus();
  WY_ASSIGN_OR_RETURN(const auto upload, service().uploads.Find(key));
  WY_RETURN_IF_ERROR(HoldMore(upload->size()));
  WY_RETURN_IF_ERROR(ReadUpload(*upload, &request_));
  return Open(job);
}

absl::StatusOr<bool> OpenModelCall::Reuse() {
  const auto again = service().residents.NameAgain<ModelFacts>(owner(), content_);
  // Another model may still be built where this one can have no further name.
  if (absl::IsResourceExhausted(again.status())) return false;
  WY_RETURN_IF_ERROR(again.status());
  const auto& [name, model] = *again;
  if (name.empty()) return false;
  v1::OpenModelResponse response = ResponseOf(model->facts.info);
  response.set_model(name);
  response.clear_phases();
  response.set_reused(true);
  EndWith(response);
  return true;
}

absl::Status OpenModelCall::Open(const JobOptions& job) {
  WY_ASSIGN_OR_RETURN(const simplify::ModelDescription model, ToModel(request_));
  service().jobs.Run<simplify::ModelInfo>(
      Ticket(job),
      [&model](Engine& engine, const JobOptions& options, simplify::OpenDone done) {
        return simplify::OpenModel(engine, model, options, std::move(done));
      },
      [this, self = shared_from_this()](const absl::StatusOr<simplify::ModelInfo>& info) {
        OnOpened(info);
      });
  return absl::OkStatus();
}

void OpenModelCall::OnOpened(const absl::StatusOr<simplify::ModelInfo>& info) {
  if (!info.ok()) return End(info.status());
  absl::StatusOr<std::string> name =
      NameResident<ModelFacts>(info->id, info->triangles, *info, LayoutsOf(request_));
  if (!name.ok()) return End(name.status());
  if (!content_.empty()) {
    // The name is new, so it is there.
    service().residents.SetContent<ModelFacts>(*name, owner(), content_).IgnoreError();
  }
  v1::OpenModelResponse response = ResponseOf(*info);
  response.set_model(*std::move(name));
  EndWith(response);
}

absl::Status SimplifyCall::Run(grpc::ByteBuffer* request) {
  v1::SimplifyRequest message;
  WY_RETURN_IF_ERROR(CheckLimit(*request, kViewsLimit));
  WY_RETURN_IF_ERROR(Parse(request, &message));
  WY_ASSIGN_OR_RETURN(model_, service().residents.Find<ModelFacts>(message.model(), owner()));
  WY_ASSIGN_OR_RETURN(const simplify::ResultDescription result,
                      ToResultDescription(message, model_->facts.triangles));
  WY_ASSIGN_OR_RETURN(const JobOptions job, ToJobOptions(message.job(), facts()));
  service().jobs.Run<simplify::SimplifiedMesh>(
      Ticket(job),
      [&](Engine& engine, const JobOptions& options, simplify::SimplifyDone done) {
        return simplify::Simplify(engine, model_->id, result, options, std::move(done));
      },
      [this, self = shared_from_this()](const absl::StatusOr<simplify::SimplifiedMesh>& mesh) {
        OnSimplified(mesh);
      });
  return absl::OkStatus();
}

void SimplifyCall::OnSimplified(const absl::StatusOr<simplify::SimplifiedMesh>& mesh) {
  if (!mesh.ok()) {
    ForgetIfLost(service(), mesh.status(), model_->id);
    return End(mesh.status());
  }
  const std::size_t bytes = ListBytes(*mesh);
  absl::Status status = CheckMeshBytes(bytes, service());
  if (status.ok()) status = HoldResult(bytes);
  if (!status.ok()) return End(status);
  v1::SimplifyResponse response;
  ToProto(*mesh, &response);
  AddAttributes(*mesh, model_->facts.attributes, response);
  EndWith(response);
}

absl::Status CloseModelCall::Run(grpc::ByteBuffer* request) {
  v1::CloseModelRequest message;
  WY_RETURN_IF_ERROR(Parse(request, &message));
  WY_RETURN_IF_ERROR(service().residents.Remove<ModelFacts>(message.model(), owner()));
  EndWith(v1::CloseModelResponse());
  return absl::OkStatus();
}

}  // namespace warpyard::server
