// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The objects that every call of UploadService uses.
#ifndef WARPYARD_SERVER_UPLOAD_UPLOAD_CONTEXT_H_
#define WARPYARD_SERVER_UPLOAD_UPLOAD_CONTEXT_H_

#include "absl/strings/str_cat.h"
#include "server/rpc/service_context.h"
#include "warpyard/v1/upload_service.grpc.pb.h"

namespace warpyard::server {

/// Outlives every call.
struct UploadContext {
  explicit UploadContext(const ServiceContext& context) : service(context) {}

  ServiceContext service;
  MethodSeries& upload = AddMethod("Upload");
  MethodSeries& find_upload = AddMethod("FindUpload");
  MethodSeries& drop_upload = AddMethod("DropUpload");

 private:
  MethodSeries& AddMethod(const char* method) {
    return service.metrics.AddMethod(
        absl::StrCat(v1::UploadService::service_full_name(), "/", method));
  }
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_UPLOAD_UPLOAD_CONTEXT_H_
