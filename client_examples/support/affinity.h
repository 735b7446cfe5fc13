// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Keeps the calls of a channel with one server, where a proxy has several.
#ifndef WARPYARD_CLIENT_EXAMPLES_SUPPORT_AFFINITY_H_
#define WARPYARD_CLIENT_EXAMPLES_SUPPORT_AFFINITY_H_

#include <memory>

#include "grpcpp/support/client_interceptor.h"

namespace warpyard::client_support {

/// Makes interceptors for a channel. The first answer names its server, and all later calls name
/// it, so that a proxy sends them there: what the first calls opened is in no other one. Calls wait
/// for the first answer. For programs that end soon: Resident (session.h) also outlives its server.
/// @scope calls that may wait: those of gRPC's synchronous interface
std::unique_ptr<grpc::experimental::ClientInterceptorFactoryInterface> StayWithOneServer();

}  // namespace warpyard::client_support

#endif  // WARPYARD_CLIENT_EXAMPLES_SUPPORT_AFFINITY_H_
