// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The objects that every call of UploadService uses.
#ifndef WARPYARD_SERVER_UPLOAD_UPLOAD_CONTEXT_H_
#define WARPYARD_SERVER_UPLOAD_UPLOAD_CONTEXT_H_

#include "server/rpc/service_context.h"
#include "warpyard/v1/upload_service.grpc.pb.h"

namespace warpyard::server {

/// Outlives every call.
struct UploadContext {
  explicit UploadContext(const ServiceContext& context) : service(context) {}

  ServiceContext service;
  MethodSeries& upload = service.metrics.AddMethod<v1::UploadService>("Upload");
  MethodSeries& find_upload = service.metrics.AddMethod<v1::UploadService>("FindUpload");
  MethodSeries& drop_upload = service.metrics.AddMethod<v1::UploadService>("DropUpload");
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_UPLOAD_UPLOAD_CONTEXT_H_
