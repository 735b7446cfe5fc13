// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/support/connection.h"

#include <chrono>
#include <fstream>
#include <sstream>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "client_examples/support/affinity.h"
#include "client_examples/support/service_config.h"
#include "grpcpp/support/client_interceptor.h"

namespace warpyard::client_support {
namespace {

constexpr std::chrono::seconds kConnectTimeout{3};
constexpr int kNoLimit = -1;

/// Adds a bearer token to each call. gRPC's own credentials of calls work with TLS alone.
class TokenInterceptor final : public grpc::experimental::Interceptor {
 public:
  explicit TokenInterceptor(std::string value) : value_(std::move(value)) {}

  void Intercept(grpc::experimental::InterceptorBatchMethods* batch) override {
    if (batch->QueryInterceptionHookPoint(
            grpc::experimental::InterceptionHookPoints::PRE_SEND_INITIAL_METADATA)) {
      batch->GetSendInitialMetadata()->emplace("authorization", value_);
    }
    batch->Proceed();
  }

 private:
  const std::string value_;
};

class TokenInterceptorFactory final : public grpc::experimental::ClientInterceptorFactoryInterface {
 public:
  explicit TokenInterceptorFactory(const std::string& token)
      : value_(absl::StrCat("Bearer ", token)) {}

  grpc::experimental::Interceptor* CreateClientInterceptor(
      grpc::experimental::ClientRpcInfo*) override {
    return new TokenInterceptor(value_);  // gRPC owns it
  }

 private:
  const std::string value_;
};

absl::StatusOr<std::string> ReadFlagFile(const char* flag, const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file && (text << file.rdbuf())) return text.str();
  return absl::InvalidArgumentError(absl::StrCat(flag, ": ", path, ": cannot be read"));
}

absl::StatusOr<std::shared_ptr<grpc::ChannelCredentials>> CredentialsOf(const Endpoint& server) {
  if (server.tls_ca.empty()) {
    if (server.tls_certificate.empty() && server.tls_key.empty() && server.tls_name.empty()) {
      return grpc::InsecureChannelCredentials();
    }
    return absl::InvalidArgumentError(
        "--tls-ca: missing; --tls-cert, --tls-key and --tls-name need it");
  }
  if (server.tls_certificate.empty() != server.tls_key.empty()) {
    return absl::InvalidArgumentError("--tls-cert and --tls-key: only one of them is given");
  }
  grpc::SslCredentialsOptions options;
  const auto read = [](const char* flag, const std::string& path, std::string& text) {
    if (path.empty()) return absl::OkStatus();
    absl::StatusOr<std::string> content = ReadFlagFile(flag, path);
    if (content.ok()) text = *std::move(content);
    return content.status();
  };
  absl::Status status = read("--tls-ca", server.tls_ca, options.pem_root_certs);
  status.Update(read("--tls-cert", server.tls_certificate, options.pem_cert_chain));
  status.Update(read("--tls-key", server.tls_key, options.pem_private_key));
  if (!status.ok()) return status;
  return grpc::SslCredentials(options);
}

bool IsOnThisMachine(const std::string& address) {
  return absl::StartsWith(address, "127.") || absl::StartsWith(address, "localhost:") ||
         absl::StartsWith(address, "[::1]") || absl::StartsWith(address, "unix:");
}

absl::StatusOr<std::string> ReadToken(const Endpoint& server) {
  if (server.tls_ca.empty() && !IsOnThisMachine(server.address)) {
    return absl::InvalidArgumentError(absl::StrCat("--token-file: a token goes to ", server.address,
                                                   " with --tls-ca only: others could read it"));
  }
  absl::StatusOr<std::string> token = ReadFlagFile("--token-file", server.token_file);
  if (!token.ok()) return token;
  const std::string text(absl::StripAsciiWhitespace(*token));
  for (const char c : text) {
    if (!absl::ascii_isgraph(static_cast<unsigned char>(c))) {
      return absl::InvalidArgumentError(
          absl::StrCat("--token-file: ", server.token_file, ": is not one token"));
    }
  }
  if (!text.empty()) return text;
  return absl::InvalidArgumentError(
      absl::StrCat("--token-file: ", server.token_file, ": has no token"));
}

absl::Status NoAnswer(const Endpoint& server) {
  if (server.tls_ca.empty()) {
    return absl::UnavailableError(absl::StrCat(
        "no server answers at ", server.address, "; start one with: warpyard-server --listen ",
        server.address, ", or pass --tls-ca if it speaks TLS"));
  }
  return absl::UnavailableError(absl::StrCat(
      "no server answers at ", server.address, " with TLS and a certificate of ", server.tls_ca,
      server.tls_certificate.empty() ? "; it may ask for a client's certificate (--tls-cert)"
                                     : ""));
}

}  // namespace

std::vector<Flag> WithEndpointFlags(Endpoint& endpoint, std::vector<Flag> others) {
  std::vector<Flag> flags = {
      ServerFlag(endpoint.address),
      TextFlag("--tls-ca", "FILE", "encrypt; the server's certificate is of this authority (PEM)",
               endpoint.tls_ca),
      TextFlag("--tls-cert", "FILE", "certificate of this client (PEM)", endpoint.tls_certificate),
      TextFlag("--tls-key", "FILE", "its private key (PEM)", endpoint.tls_key),
      TextFlag("--tls-name", "NAME",
               "the name in the server's certificate, if it is not that of the address",
               endpoint.tls_name),
      TextFlag("--token-file", "FILE", "a token that shows who the client is",
               endpoint.token_file)};
  for (Flag& flag : others) flags.push_back(std::move(flag));
  return flags;
}

absl::StatusOr<std::shared_ptr<grpc::Channel>> Connect(const Endpoint& server, Route route) {
  const auto credentials = CredentialsOf(server);
  if (!credentials.ok()) return credentials.status();
  std::vector<std::unique_ptr<grpc::experimental::ClientInterceptorFactoryInterface>> interceptors;
  if (!server.token_file.empty()) {
    const absl::StatusOr<std::string> token = ReadToken(server);
    if (!token.ok()) return token.status();
    interceptors.push_back(std::make_unique<TokenInterceptorFactory>(*token));
  }
  if (route == Route::kOneServer) interceptors.push_back(StayWithOneServer());
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(kNoLimit);
  // By default gRPC waits a second before it tries again, too long for a server that is just
  // starting.
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
  arguments.SetServiceConfigJSON(kServiceConfig);
  if (!server.tls_name.empty()) arguments.SetSslTargetNameOverride(server.tls_name);
  auto channel = grpc::experimental::CreateCustomChannelWithInterceptors(
      server.address, *credentials, arguments, std::move(interceptors));
  if (!channel->WaitForConnected(std::chrono::system_clock::now() + kConnectTimeout)) {
    return NoAnswer(server);
  }
  return channel;
}

}  // namespace warpyard::client_support
