// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The connections that were handed to gRPC and that it has not closed yet.
#ifndef WARPYARD_SERVER_LISTENER_CONNECTION_TABLE_H_
#define WARPYARD_SERVER_LISTENER_CONNECTION_TABLE_H_

#include <sys/types.h>

#include <cstddef>
#include <map>
#include <optional>
#include <unordered_map>

#include "server/listener/peer_address.h"

namespace warpyard::server {

struct ConnectionLimits {
  std::size_t all = 0;
  std::size_t of_address = 0;  ///< 0: no limit of their own
};

/// gRPC does not tell when it closes a descriptor. But a socket has an inode of its own, so a
/// descriptor that is closed, or names another socket now, tells that its connection is gone.
/// @scope one thread
class ConnectionTable {
 public:
  enum class Room { kYes, kFull, kAddressFull };

  explicit ConnectionTable(const ConnectionLimits& limits) : limits_(limits) {}

  /// Whether there is room for one more from there. @shape peer: nothing for Unix sockets
  Room RoomFor(const std::optional<PeerAddress>& peer) const;
  /// Enters a connection. Its number may be that of one which gRPC closed since the last sweep.
  void Add(int fd, const std::optional<PeerAddress>& peer);
  /// Removes connections that are closed.
  void Sweep();

  std::size_t size() const { return connections_.size(); }

 private:
  struct Connection {
    ino_t inode;
    std::optional<PeerAddress> peer;
  };

  void Leave(const Connection& connection);

  const ConnectionLimits limits_;
  std::unordered_map<int, Connection> connections_;  // by descriptor
  std::map<PeerAddress, std::size_t> of_address_;    // none is 0
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_LISTENER_CONNECTION_TABLE_H_
