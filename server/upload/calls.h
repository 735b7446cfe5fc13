// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The unary calls of UploadService.
#ifndef WARPYARD_SERVER_UPLOAD_CALLS_H_
#define WARPYARD_SERVER_UPLOAD_CALLS_H_

#include "absl/status/status.h"
#include "server/rpc/unary_call.h"
#include "server/upload/upload_context.h"

namespace warpyard::server {

/// UploadService.FindUpload.
class FindUploadCall final : public UnaryCall {
 public:
  FindUploadCall(UploadContext& own, grpc::CallbackServerContext& context,
                 grpc::ByteBuffer* response)
      : UnaryCall(own.service, context, {own.find_upload, nullptr}, response) {}

 private:
  absl::Status Run(grpc::ByteBuffer* request) override;
};

/// UploadService.DropUpload.
class DropUploadCall final : public UnaryCall {
 public:
  DropUploadCall(UploadContext& own, grpc::CallbackServerContext& context,
                 grpc::ByteBuffer* response)
      : UnaryCall(own.service, context, {own.drop_upload, nullptr}, response) {}

 private:
  absl::Status Run(grpc::ByteBuffer* request) override;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_UPLOAD_CALLS_H_
