// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/self_check.h"

#include <unistd.h>

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "core/engine/engine.h"
#include "server/listener/acceptor.h"
#include "server/listener/listening_socket.h"
#include "server/option_values.h"
#include "server/security/tenant_file.h"

namespace warpyard::server {
namespace {

/// @shape Check: () -> StatusOr<std::string>, what was found
template <class Check>
void Add(const char* flag, Check&& check, std::vector<CheckResult>& results) {
  const absl::StatusOr<std::string> found = check();
  results.push_back(
      {absl::StrCat(flag, ": ", found.ok() ? *found : found.status().message()), found.status()});
}

absl::StatusOr<std::string> CheckTenants(const std::string& path) {
  WY_ASSIGN_OR_RETURN(const Tenants tenants, ReadTenants(path));
  return absl::StrCat(tenants.size(), " tenants");
}

absl::StatusOr<std::string> CheckConnections(std::size_t asked) {
  WY_ASSIGN_OR_RETURN(const std::size_t most, MostConnections(asked));
  return absl::StrCat("room for ", most);
}

/// Takes the address for a moment.
absl::StatusOr<std::string> CheckAddress(const std::string& address) {
  WY_ASSIGN_OR_RETURN(const ListeningSocket socket, ListenOn(address));
  if (IsUnixSocket(address)) unlink(std::string(PathOfUnixSocket(address)).c_str());
  return absl::StrCat(address, " is free");
}

absl::StatusOr<std::string> CheckDevices(const EngineOptions& options) {
  WY_ASSIGN_OR_RETURN(const std::unique_ptr<Engine> engine, Engine::Create(options));
  const std::string note = engine->StartNote();
  return absl::StrCat(engine->BackendDescription(), note.empty() ? "" : "; ", note);
}

}  // namespace

std::vector<CheckResult> SelfCheck(const ServerOptions& options) {
  const SecurityOptions& security = options.security;
  std::vector<CheckResult> results;
  if (security.tls.any())
    Add(
        "TLS", [] { return "the files go together"; }, results);
  if (!security.tokens.empty())
    Add(
        "--tokens", [&] { return CheckTenants(security.tokens); }, results);
  Add(
      "--max-connections", [&] { return CheckConnections(security.max_connections); }, results);
  Add(
      "--listen", [&] { return CheckAddress(options.listen); }, results);
  if (!options.metrics.empty()) {
    Add(
        "--metrics", [&] { return CheckAddress(options.metrics); }, results);
  }
  Add(
      "--backend", [&] { return CheckDevices(options.engine); }, results);
  return results;
}

}  // namespace warpyard::server
