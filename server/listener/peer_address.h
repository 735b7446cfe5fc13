// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Where a connection comes from, as far as limits care.
#ifndef WARPYARD_SERVER_LISTENER_PEER_ADDRESS_H_
#define WARPYARD_SERVER_LISTENER_PEER_ADDRESS_H_

#include <sys/socket.h>

#include <compare>
#include <cstdint>
#include <optional>

namespace warpyard::server {

/// A machine: an address of IPv4, or the first 64 bits of one of IPv6, since a machine may have all
/// addresses that begin with them.
struct PeerAddress {
  bool is_ipv4 = false;
  std::uint64_t bits = 0;

  friend auto operator<=>(const PeerAddress&, const PeerAddress&) = default;
};

/// Nothing for Unix sockets. IPv4 addresses in those of IPv6 (::ffff:192.0.2.1) are IPv4 addresses.
std::optional<PeerAddress> ToPeerAddress(const sockaddr_storage& address);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_LISTENER_PEER_ADDRESS_H_
