// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What a workload gives the server: a gRPC service and its name.
#ifndef WARPYARD_SERVER_WORKLOAD_H_
#define WARPYARD_SERVER_WORKLOAD_H_

#include <memory>

#include "grpcpp/impl/service_type.h"
#include "server/options.h"
#include "server/rpc/service_context.h"

namespace warpyard::server {

/// Outlives every call, and the engine: completions of jobs may run when their calls are over.
class Workload {
 public:
  virtual ~Workload() = default;

  /// The full name of the gRPC service, under which health and reflection report it.
  virtual const char* name() const = 0;
  virtual grpc::Service& service() = 0;
};

/// An entry of the server's list of workloads (workloads.cc).
struct WorkloadEntry {
  std::unique_ptr<Workload> (*make)(const ServiceContext& context);
  /// The flag that turns the workload on; null: it is always on.
  bool ServerOptions::*enabled = nullptr;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_WORKLOAD_H_
