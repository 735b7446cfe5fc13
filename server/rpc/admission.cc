// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/rpc/admission.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/base/macros.h"

namespace warpyard::server {
namespace {

/// A proxy sends a call to any server once the one that the call names is gone.
absl::Status CheckServer(const grpc::CallbackServerContext& context, const std::string& own) {
  const auto found = context.client_metadata().find(kServerKey);
  if (found == context.client_metadata().end()) return absl::OkStatus();
  const absl::string_view asked = {found->second.data(), found->second.size()};
  if (asked == own) return absl::OkStatus();
  return MakeError(
      ErrorReason::kOtherServer,
      absl::StrCat(kServerKey, ": the call is for ", absl::CHexEscape(asked.substr(0, 64)),
                   ", but this is ", own, "; open again what that server held"));
}

absl::StatusOr<Admission> TryAdmit(ServiceContext& service,
                                   const grpc::CallbackServerContext& context,
                                   const MethodSeries& method) {
  Admission admission;
  WY_ASSIGN_OR_RETURN(admission.caller, service.access.Identify(context, method.workload()));
  WY_ASSIGN_OR_RETURN(admission.slot, admission.caller.TakeCall());
  admission.live = service.calls.TryAdmit();
  if (admission.live == nullptr) return ShuttingDown();
  WY_RETURN_IF_ERROR(CheckServer(context, service.server_name));
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
