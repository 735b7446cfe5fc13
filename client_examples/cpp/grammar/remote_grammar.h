// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A grammar on a server, closed at the end of its life.
#ifndef WARPYARD_CLIENT_EXAMPLES_CPP_GRAMMAR_REMOTE_GRAMMAR_H_
#define WARPYARD_CLIENT_EXAMPLES_CPP_GRAMMAR_REMOTE_GRAMMAR_H_

#include <functional>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "grpcpp/grpcpp.h"
#include "warpyard/v1/grammar_service.grpc.pb.h"

namespace warpyard::cli {

class RemoteGrammar {
 public:
  /// Compiles. A grammar with errors has no handle, but diagnostics.
  /// @errors those of CompileGrammar
  static absl::StatusOr<RemoteGrammar> Compile(
      const std::shared_ptr<grpc::ChannelInterface>& channel,
      const v1::CompileGrammarRequest& request);

  RemoteGrammar(RemoteGrammar&& other) noexcept
      : service_(std::move(other.service_)), response_(std::exchange(other.response_, {})) {}
  RemoteGrammar& operator=(RemoteGrammar&&) = delete;
  ~RemoteGrammar();

  const v1::CompileGrammarResponse& response() const { return response_; }

  /// Derives. `take` gets packed instances in their order; an error of it ends the call.
  /// @errors those of DeriveGrammar and of `take`; INTERNAL: parts are missing
  absl::StatusOr<v1::DeriveStatistics> Derive(
      v1::DeriveGrammarRequest request,
      const std::function<absl::Status(absl::string_view instances)>& take) const;

 private:
  explicit RemoteGrammar(std::unique_ptr<v1::GrammarService::StubInterface> service)
      : service_(std::move(service)) {}

  std::unique_ptr<v1::GrammarService::StubInterface> service_;
  v1::CompileGrammarResponse response_;  ///< without a handle once moved from
};

}  // namespace warpyard::cli

#endif  // WARPYARD_CLIENT_EXAMPLES_CPP_GRAMMAR_REMOTE_GRAMMAR_H_
