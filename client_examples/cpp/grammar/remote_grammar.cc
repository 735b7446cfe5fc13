// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/grammar/remote_grammar.h"

#include <cstdint>
#include <optional>

#include "absl/strings/str_cat.h"
#include "client_examples/city_io/instance.h"
#include "client_examples/cpp/messages.h"

namespace warpyard::cli {

absl::StatusOr<RemoteGrammar> RemoteGrammar::Compile(
    const std::shared_ptr<grpc::ChannelInterface>& channel,
    const v1::CompileGrammarRequest& request) {
  RemoteGrammar grammar(v1::GrammarService::NewStub(channel));
  grpc::ClientContext call;
  const grpc::Status status = grammar.service_->CompileGrammar(&call, request, &grammar.response_);
  if (!status.ok()) return ToStatus(status);
  return grammar;
}

RemoteGrammar::~RemoteGrammar() {
  if (service_ == nullptr || response_.grammar().empty()) return;
  v1::CloseGrammarRequest request;
  request.set_grammar(response_.grammar());
  v1::CloseGrammarResponse response;
  grpc::ClientContext call;
  // If this fails, the server closes the grammar some time.
  service_->CloseGrammar(&call, request, &response);
}

absl::StatusOr<v1::DeriveStatistics> RemoteGrammar::Derive(
    v1::DeriveGrammarRequest request,
    const std::function<absl::Status(absl::string_view instances)>& take) const {
  request.set_grammar(response_.grammar());
  grpc::ClientContext call;
  const auto parts = service_->DeriveGrammar(&call, request);
  std::optional<v1::DeriveStatistics> statistics;
  std::uint64_t taken = 0;
  absl::Status status;
  v1::DeriveGrammarPart part;
  while (status.ok() && parts->Read(&part)) {
    if (part.first_instance() != taken) {
      status = absl::InternalError(
          absl::StrCat("instance ", part.first_instance(), " came after ", taken));
    } else {
      taken += part.instances().size() / sizeof(city_io::Instance);
      status = take(part.instances());
    }
    if (part.has_statistics()) statistics = std::move(*part.mutable_statistics());
  }
  if (!status.ok()) call.TryCancel();
  const grpc::Status finished = parts->Finish();
  if (!status.ok()) return status;
  if (!finished.ok()) return ToStatus(finished);
  if (statistics) return *std::move(statistics);
  return absl::InternalError("the server sent no statistics");
}

}  // namespace warpyard::cli
