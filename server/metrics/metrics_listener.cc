// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/metrics/metrics_listener.h"

#include <exception>
#include <utility>

#include "absl/strings/str_cat.h"

namespace warpyard::server {
namespace {

/// As many slow clients do not keep a scrape from being answered.
constexpr const char* kThreads = "64";
constexpr const char* kRequestTimeoutMs = "1000";

}  // namespace

absl::StatusOr<std::unique_ptr<MetricsListener>> MetricsListener::Listen(
    const std::string& address, const std::shared_ptr<prometheus::Collectable>& ready,
    const std::vector<std::shared_ptr<prometheus::Collectable>>& collectables, Allows allows) {
  std::unique_ptr<prometheus::Exposer> exposer;
  try {
    exposer = std::make_unique<prometheus::Exposer>(
        std::vector<std::string>{"listening_ports", address, "num_threads", kThreads,
                                 "request_timeout_ms", kRequestTimeoutMs});
  } catch (const std::exception&) {
    return absl::UnavailableError(
        absl::StrCat("--metrics: cannot listen on ", address, "; is the port in use?"));
  }
  exposer->RegisterCollectable(ready, "/ready");
  exposer->RegisterCollectable(ready);
  for (const auto& collectable : collectables) exposer->RegisterCollectable(collectable);
  if (allows) {
    exposer->RegisterAuth(
        [allows = std::move(allows)](const std::string&, const std::string& password) {
          return allows(password);
        },
        "warpyard");
  }
  return std::unique_ptr<MetricsListener>(new MetricsListener(std::move(exposer)));
}

int MetricsListener::port() const {
  const std::vector<int> ports = exposer_->GetListeningPorts();
  return ports.empty() ? 0 : ports.front();
}

}  // namespace warpyard::server
