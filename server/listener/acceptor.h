// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Accepts the connections of the gRPC port: gRPC 1.51 never accepts again once the process had no
// descriptor left.
#ifndef WARPYARD_SERVER_LISTENER_ACCEPTOR_H_
#define WARPYARD_SERVER_LISTENER_ACCEPTOR_H_

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "absl/status/statusor.h"
#include "grpcpp/server_builder.h"
#include "prometheus/counter.h"
#include "prometheus/gauge.h"
#include "prometheus/registry.h"
#include "server/listener/connection_table.h"
#include "server/listener/listening_socket.h"

namespace warpyard::server {

/// How many connections this process can have beside its other files. @shape asked: 0: as many as
/// there can be
/// @errors INVALID_ARGUMENT: more than that were asked for
absl::StatusOr<std::size_t> MostConnections(std::size_t asked);

/// A connection too many is accepted and closed at once, so that the client knows, and so that the
/// queue of the system always drains.
class Acceptor {
 public:
  /// Listens, but accepts nothing before Start.
  /// @errors UNAVAILABLE: the address cannot be listened on
  static absl::StatusOr<std::unique_ptr<Acceptor>> Listen(const std::string& address,
                                                          const ConnectionLimits& limits,
                                                          prometheus::Registry& registry);
  ~Acceptor() { Stop(); }

  /// 0: a Unix socket.
  int port() const { return port_; }

  /// Hands connections to `server` from now on.
  void Start(std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> server);
  /// Closes the listening socket. Connections stay.
  void Stop();

 private:
  struct Series {
    explicit Series(prometheus::Registry& registry);
    prometheus::Gauge& connections;
    prometheus::Gauge& limit;
    prometheus::Counter& accepted;
    prometheus::Counter& refused_by_limit;
    prometheus::Counter& refused_by_address;
    prometheus::Counter& refused_without_descriptor;
  };

  Acceptor(ListeningSocket socket, const ConnectionLimits& limits, prometheus::Registry& registry);

  void Run();
  /// Accepts what waits. Returns false if the system has no resources for a connection now.
  bool AcceptAll();
  void Admit(Descriptor connection, const std::optional<PeerAddress>& peer);
  /// Accepts one connection with the descriptor that is kept for this, and closes it.
  void RefuseOne();

  const int port_;
  Descriptor socket_;
  Descriptor wake_;     // becomes readable when the thread is to end
  Descriptor reserve_;  // closed to accept a connection that is refused
  ConnectionTable connections_;
  Series series_;
  std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> server_;
  std::thread thread_;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_LISTENER_ACCEPTOR_H_
