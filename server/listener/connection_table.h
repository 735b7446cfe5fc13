// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The connections that were handed to gRPC and that it has not closed yet.
#ifndef WARPYARD_SERVER_LISTENER_CONNECTION_TABLE_H_
#define WARPYARD_SERVER_LISTENER_CONNECTION_TABLE_H_

#include <sys/types.h>

#include <cstddef>
#include <unordered_map>

namespace warpyard::server {

/// gRPC does not tell when it closes a descriptor. But a socket has an inode of its own, so a
/// descriptor that is closed, or names another socket now, tells that its connection is gone.
/// @scope one thread
class ConnectionTable {
 public:
  explicit ConnectionTable(std::size_t most) : most_(most) {}

  /// Whether there is room for one more.
  bool HasRoom() const { return inodes_.size() < most_; }
  /// Enters a connection. Its number may be that of one which gRPC closed since the last sweep.
  void Add(int fd);
  /// Removes connections that are closed.
  void Sweep();

  std::size_t size() const { return inodes_.size(); }
  std::size_t most() const { return most_; }

 private:
  const std::size_t most_;
  std::unordered_map<int, ino_t> inodes_;  // by descriptor
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_LISTENER_CONNECTION_TABLE_H_
