// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/simplify/model_upload.h"

#include <cstddef>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "core/base/status_facts.h"
#include "google/protobuf/descriptor.h"
#include "server/simplify/attributes.h"

namespace warpyard::server {

absl::StatusOr<UploadKey> UploadOf(const v1::OpenModelRequest& request, std::uint32_t tenant) {
  WY_RETURN_IF_ERROR(CheckSha256(request.upload(), "upload"));
  std::vector<const google::protobuf::FieldDescriptor*> fields;
  request.GetReflection()->ListFields(request, &fields);
  for (const google::protobuf::FieldDescriptor* field : fields) {
    if (field->number() == v1::OpenModelRequest::kUploadFieldNumber) continue;
    if (field->number() == v1::OpenModelRequest::kJobFieldNumber) continue;
    return InvalidField(field->name(), "set beside upload, expected only job there");
  }
  return UploadKey{tenant, request.upload()};
}

std::string ContentOf(const UploadKey& key) {
  return absl::StrCat("model ", key.tenant, " ", key.sha256);
}

absl::Status ReadUpload(const Upload& upload, v1::OpenModelRequest* request) {
  request->Clear();
  WY_RETURN_IF_ERROR(upload.Parse(request, kAttributesLimit));
  if (!request->has_job() && request->upload().empty()) return absl::OkStatus();
  return InvalidField("upload",
                      absl::StrCat("its content sets ", request->has_job() ? "job" : "upload",
                                   ", expected a request without job and upload"));
}

void ForgetIfLost(ServiceContext& service, const absl::Status& status, ResidentId model) {
  if (status.code() == absl::StatusCode::kUnavailable) service.residents.ForgetContent(model);
}

}  // namespace warpyard::server
