// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/simplify/remote/model.h"

#include <iterator>
#include <string>

#include "absl/status/status.h"
#include "client_examples/cpp/messages.h"
#include "client_examples/cpp/simplify/goals.h"
#include "client_examples/cpp/simplify/remote/level_parts.h"

namespace warpyard::cli {
namespace {

absl::Status OpenBy(const RemoteService& service, const v1::OpenModelRequest& request,
                    v1::OpenModelResponse& model) {
  grpc::ClientContext call;
  return ToStatus(service.models->OpenModel(&call, request, &model));
}

absl::Status OpenByUpload(const RemoteService& service, const v1::OpenModelRequest& request,
                          v1::OpenModelResponse& model) {
  std::string content;
  if (!request.SerializeToString(&content)) {
    return absl::InvalidArgumentError("the mesh has more than the 2 GiB of a request");
  }
  v1::OpenModelRequest by_name;
  by_name.set_upload(Sha256Of(content));
  absl::Status status;
  for (int tries = 0; tries < service.upload.tries; ++tries) {
    status = UploadContent(*service.uploads, service.upload, by_name.upload(), content);
    if (!status.ok()) return status;
    status = OpenBy(service, by_name, model);
    // Another run for the same mesh may have dropped the upload meanwhile.
    if (!absl::IsNotFound(status) && !absl::IsFailedPrecondition(status)) break;
  }
  if (!status.ok() || service.keep_uploads) return status;
  grpc::ClientContext call;
  v1::DropUploadRequest drop;
  drop.set_sha256(by_name.upload());
  v1::DropUploadResponse response;
  // An upload that cannot be dropped now expires later.
  service.uploads->DropUpload(&call, drop, &response);
  return status;
}

std::size_t TrianglesOf(const v1::SimplifyResponse& response) {
  return response.mesh().triangles().size() / 12;
}

}  // namespace

absl::StatusOr<RemoteModel> RemoteModel::Open(const RemoteService& service,
                                              const v1::OpenModelRequest& request) {
  v1::OpenModelResponse model;
  const absl::Status status = request.ByteSizeLong() > service.largest_message
                                  ? OpenByUpload(service, request, model)
                                  : OpenBy(service, request, model);
  if (!status.ok()) return status;
  return RemoteModel(service, std::move(model));
}

RemoteModel::~RemoteModel() {
  if (model_.model().empty()) return;
  grpc::ClientContext call;
  v1::CloseModelRequest request;
  request.set_model(model_.model());
  v1::CloseModelResponse response;
  // A model that cannot be closed now expires later.
  service_->models->CloseModel(&call, request, &response);
}

absl::StatusOr<v1::SimplifyResponse> RemoteModel::Simplify(v1::SimplifyRequest request) {
  grpc::ClientContext call;
  request.set_model(model_.model());
  v1::SimplifyResponse response;
  const grpc::Status status = service_->models->Simplify(&call, request, &response);
  if (!status.ok()) return ToStatus(status);
  return response;
}

absl::StatusOr<Levels> RemoteModel::SimplifyLevels(v1::SimplifyLevelsRequest request) {
  grpc::ClientContext call;
  request.set_model(model_.model());
  const auto stream = service_->models->SimplifyLevels(&call, request);
  Levels levels;
  absl::Status added;
  v1::SimplifyLevelPart part;
  while (added.ok() && stream->Read(&part)) added = AddPart(std::move(part), levels);
  if (!added.ok()) call.TryCancel();
  const grpc::Status status = stream->Finish();
  if (!added.ok()) return added;
  if (!status.ok()) return ToStatus(status);
  if (levels.empty()) return absl::InternalError("the server sent no level");
  return levels;
}

absl::StatusOr<Levels> SimplifyLevels(const RemoteService& service,
                                      const v1::OpenModelRequest& open,
                                      const v1::SimplifyRequest& goal, std::size_t levels) {
  absl::StatusOr<RemoteModel> model = RemoteModel::Open(service, open);
  if (!model.ok()) return model.status();
  Levels results;
  v1::SimplifyRequest next = goal;
  if (!IsForChain(goal)) {
    absl::StatusOr<v1::SimplifyResponse> first = model->Simplify(goal);
    if (!first.ok()) return first.status();
    results.push_back(*std::move(first));
    const std::size_t triangles = TrianglesOf(results[0]);
    // Nothing is coarser than nothing.
    if (triangles == 0) results.resize(levels, Levels::value_type(results[0]));
    next = HalfOf(goal, triangles);
  }
  while (results.size() < levels) {
    const v1::SimplifyLevelsRequest chain =
        ChainOf(next, model->triangles(), levels - results.size());
    absl::StatusOr<Levels> more = model->SimplifyLevels(chain);
    if (!more.ok()) return more.status();
    const int goals = chain.triangles_size() + chain.ratios_size() + chain.max_errors_size();
    const bool has_all = more->size() >= static_cast<std::size_t>(goals);
    std::move(more->begin(), more->end(), std::back_inserter(results));
    // The chain ended early: at one triangle, or at the greatest error. Its last level is all
    // others.
    if (has_all) results.resize(levels, Levels::value_type(results.back()));
    next = GoalAfter(goal, results.size(), TrianglesOf(results.back()));
  }
  return results;
}

}  // namespace warpyard::cli
