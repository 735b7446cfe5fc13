// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Whether a call that arrives is served.
#ifndef WARPYARD_SERVER_RPC_ADMISSION_H_
#define WARPYARD_SERVER_RPC_ADMISSION_H_

#include <cstddef>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "grpcpp/server_context.h"
#include "server/metrics/method_series.h"
#include "server/rpc/service_context.h"
#include "server/security/caller.h"

namespace warpyard::server {

/// What a call holds until it is over.
struct Admission {
  absl::Time arrived = absl::Now();
  absl::Status status;  ///< why the call is refused, or OK
  Caller caller;
  Caller::Hold slot;            ///< among the tenant's calls, until EndOf
  CallTracker::Admission live;  ///< empty: the call was refused
  bool introduced = false;      ///< see Introduce
};

/// Metadata with the name of a server: answers have it, and calls that need its residents.
inline constexpr char kServerKey[] = "warpyard-server";

/// Counts the start of a call.
/// @errors of the status: NOT_FOUND (the call is for another server), UNAVAILABLE (draining),
/// UNAUTHENTICATED, PERMISSION_DENIED, RESOURCE_EXHAUSTED
Admission AdmitCall(ServiceContext& service, const grpc::CallbackServerContext& context,
                    MethodSeries& method);

/// Counts the end of a call.
inline void CountEnd(const Admission& admission, MethodSeries& method, absl::StatusCode code) {
  method.Completed(code, absl::Now() - admission.arrived);
}

/// Counts bytes of a request, among all requests and among those of the caller.
/// @errors RESOURCE_EXHAUSTED
absl::StatusOr<ByteBudget::Hold> TakeRequest(ServiceContext& service, const Caller& caller,
                                             std::size_t bytes);

/// What conversions must know of a request that arrives now.
CallFacts FactsOf(const grpc::CallbackServerContext& context, const Caller& caller);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_RPC_ADMISSION_H_
