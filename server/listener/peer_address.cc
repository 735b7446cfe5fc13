// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/listener/peer_address.h"

#include <netinet/in.h>

#include <cstddef>

namespace warpyard::server {
namespace {

std::uint64_t BitsOf(const unsigned char* bytes, std::size_t count) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < count; ++i) bits = bits << 8 | bytes[i];
  return bits;
}

}  // namespace

std::optional<PeerAddress> ToPeerAddress(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET) {
    const auto& ipv4 = reinterpret_cast<const sockaddr_in&>(address).sin_addr;
    return PeerAddress{true, ntohl(ipv4.s_addr)};
  }
  if (address.ss_family != AF_INET6) return std::nullopt;
  const in6_addr& ipv6 = reinterpret_cast<const sockaddr_in6&>(address).sin6_addr;
  if (IN6_IS_ADDR_V4MAPPED(&ipv6)) return PeerAddress{true, BitsOf(ipv6.s6_addr + 12, 4)};
  return PeerAddress{false, BitsOf(ipv6.s6_addr, 8)};
}

}  // namespace warpyard::server
