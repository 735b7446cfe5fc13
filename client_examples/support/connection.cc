// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/support/connection.h"

#include <chrono>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "client_examples/support/service_config.h"

namespace warpyard::client_support {
namespace {

constexpr std::chrono::seconds kConnectTimeout{3};
constexpr int kNoLimit = -1;

}  // namespace

absl::StatusOr<std::shared_ptr<grpc::Channel>> Connect(const std::string& server) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(kNoLimit);
  // By default gRPC waits a second before it tries again, too long for a server that is just
  // starting.
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
  arguments.SetServiceConfigJSON(kServiceConfig);
  auto channel = grpc::CreateCustomChannel(server, grpc::InsecureChannelCredentials(), arguments);
  if (!channel->WaitForConnected(std::chrono::system_clock::now() + kConnectTimeout)) {
    return absl::UnavailableError(absl::StrCat(
        "no server answers at ", server, "; start one with: warpyard-server --listen ", server));
  }
  return channel;
}

}  // namespace warpyard::client_support
