// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/rpc/admission.h"

#include <memory>
#include <utility>

#include "absl/time/clock.h"
#include "core/base/macros.h"

namespace warpyard::server {
namespace {

absl::StatusOr<Admission> TryAdmit(ServiceContext& service,
                                   const grpc::CallbackServerContext& context,
                                   const MethodSeries& method) {
  Admission admission;
  WY_ASSIGN_OR_RETURN(admission.caller, service.access.Identify(context, method.workload()));
  WY_ASSIGN_OR_RETURN(admission.slot, admission.caller.TakeCall());
  admission.live = service.calls.TryAdmit();
  if (admission.live == nullptr) return ShuttingDown();
  return admission;
}

}  // namespace

Admission AdmitCall(ServiceContext& service, const grpc::CallbackServerContext& context,
                    MethodSeries& method) {
  method.Started();
  absl::StatusOr<Admission> admission = TryAdmit(service, context, method);
  if (admission.ok()) return *std::move(admission);
  Admission refused;
  refused.status = admission.status();
  return refused;
}

absl::StatusOr<ByteBudget::Hold> TakeRequest(ServiceContext& service, const Caller& caller,
                                             std::size_t bytes) {
  WY_ASSIGN_OR_RETURN(Caller::Hold own, caller.TakeRequest(bytes));
  WY_ASSIGN_OR_RETURN(ByteBudget::Hold all, service.requests.Take(bytes));
  if (own == nullptr) return all;
  using Both = std::pair<Caller::Hold, ByteBudget::Hold>;
  return ByteBudget::Hold(std::make_shared<Both>(std::move(own), std::move(all)));
}

CallFacts FactsOf(const grpc::CallbackServerContext& context, const Caller& caller) {
  CallFacts facts;
  facts.caller = caller;
  facts.received = absl::Now();
  if (context.deadline() != std::chrono::system_clock::time_point::max()) {
    facts.deadline = absl::FromChrono(context.deadline());
  }
  return facts;
}

}  // namespace warpyard::server
