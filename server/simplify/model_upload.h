// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Models that are opened from uploads.
#ifndef WARPYARD_SERVER_SIMPLIFY_MODEL_UPLOAD_H_
#define WARPYARD_SERVER_SIMPLIFY_MODEL_UPLOAD_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/ids.h"
#include "server/rpc/service_context.h"
#include "server/upload/upload.h"
#include "warpyard/v1/simplify_service.pb.h"

namespace warpyard::server {

/// The upload that a request names. @shape request.job: checked
/// @errors INVALID_ARGUMENT: malformed, or a field beside it that it stands for
absl::StatusOr<UploadKey> UploadOf(const v1::OpenModelRequest& request, std::uint32_t tenant);

/// The name of a model's content in the table of residents.
std::string ContentOf(const UploadKey& key);

/// Replaces a request by the one that its upload contains.
/// @errors FAILED_PRECONDITION: not complete; INVALID_ARGUMENT: no such request
absl::Status ReadUpload(const Upload& upload, v1::OpenModelRequest* request);

/// After a job of a model failed: a model that was lost with its device is not opened again.
void ForgetIfLost(ServiceContext& service, const absl::Status& status, ResidentId model);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_SIMPLIFY_MODEL_UPLOAD_H_
