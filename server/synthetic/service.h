// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// LoadService on gRPC's callback API.
#ifndef WARPYARD_SERVER_SYNTHETIC_SERVICE_H_
#define WARPYARD_SERVER_SYNTHETIC_SERVICE_H_

#include "grpcpp/server_context.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/server_callback.h"
#include "server/rpc/service_context.h"
#include "warpyard/v1/load_service.grpc.pb.h"

namespace warpyard::server {

/// The name under which the health service reports.
inline constexpr char kLoadServiceName[] = "warpyard.v1.LoadService";

/// Raw bytes on both sides; see wire.h.
class LoadServiceImpl final
    : public v1::LoadService::WithRawCallbackMethod_RunLoad<v1::LoadService::Service> {
 public:
  explicit LoadServiceImpl(const ServiceContext& context) : context_(context) {}

  grpc::ServerUnaryReactor* RunLoad(grpc::CallbackServerContext* context,
                                    const grpc::ByteBuffer* request,
                                    grpc::ByteBuffer* response) override;

 private:
  ServiceContext context_;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_SYNTHETIC_SERVICE_H_
