// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A socket that listens on a TCP address or a Unix socket.
#ifndef WARPYARD_SERVER_LISTENER_LISTENING_SOCKET_H_
#define WARPYARD_SERVER_LISTENER_LISTENING_SOCKET_H_

#include <string>

#include "absl/status/statusor.h"

namespace warpyard::server {

/// Owns a file descriptor. Moves, but does not copy.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.Release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor() { Close(); }

  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }
  /// Gives the descriptor away.
  int Release();
  void Close();

 private:
  int fd_ = -1;
};

struct ListeningSocket {
  Descriptor socket;  ///< does not block
  int port = 0;       ///< 0: a Unix socket
};

/// @shape address: HOST:PORT with port 0 for any free one, or unix:PATH, whose file is replaced if
/// no server listens there any more
/// @errors UNAVAILABLE: the address is in use, or not one of this machine
absl::StatusOr<ListeningSocket> ListenOn(const std::string& address);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_LISTENER_LISTENING_SOCKET_H_
