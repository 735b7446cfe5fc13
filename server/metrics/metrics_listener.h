// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Serves metrics over HTTP.
#ifndef WARPYARD_SERVER_METRICS_METRICS_LISTENER_H_
#define WARPYARD_SERVER_METRICS_METRICS_LISTENER_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "prometheus/collectable.h"
#include "prometheus/exposer.h"

namespace warpyard::server {

/// Listens until it is destroyed. A connection that stalls for a second is closed; other
/// connections have threads of their own and do not wait for it.
class MetricsListener {
 public:
  /// Whether a token may read the metrics.
  using Allows = std::function<bool(const std::string& token)>;

  /// @shape address: "host:port"; ready: for /ready, which everybody may read, and /metrics;
  /// collectables: for /metrics, held by weak pointers as the other; allows: of the password of
  /// basic authentication, whatever the user; empty: everybody reads
  /// @errors UNAVAILABLE: the address cannot be listened on
  static absl::StatusOr<std::unique_ptr<MetricsListener>> Listen(
      const std::string& address, const std::shared_ptr<prometheus::Collectable>& ready,
      const std::vector<std::shared_ptr<prometheus::Collectable>>& collectables, Allows allows);

  int port() const;

 private:
  explicit MetricsListener(std::unique_ptr<prometheus::Exposer> exposer)
      : exposer_(std::move(exposer)) {}

  const std::unique_ptr<prometheus::Exposer> exposer_;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_METRICS_METRICS_LISTENER_H_
