// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/listener/peer_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include "gtest/gtest.h"

namespace warpyard::server {
namespace {

std::optional<PeerAddress> Of(const char* text) {
  sockaddr_storage address = {};
  auto& ipv4 = reinterpret_cast<sockaddr_in&>(address);
  auto& ipv6 = reinterpret_cast<sockaddr_in6&>(address);
  if (inet_pton(AF_INET, text, &ipv4.sin_addr) == 1) {
    address.ss_family = AF_INET;
  } else {
    EXPECT_EQ(inet_pton(AF_INET6, text, &ipv6.sin6_addr), 1) << text;
    address.ss_family = AF_INET6;
  }
  return ToPeerAddress(address);
}

TEST(PeerAddress, IsTheWholeAddressOfIpv4) {
  EXPECT_EQ(Of("192.0.2.1"), Of("192.0.2.1"));
  EXPECT_NE(Of("192.0.2.1"), Of("192.0.2.2"));
  EXPECT_EQ(Of("::ffff:192.0.2.1"), Of("192.0.2.1"));
}

TEST(PeerAddress, IsTheFirstHalfOfIpv6) {
  EXPECT_EQ(Of("2001:db8:1:2::1"), Of("2001:db8:1:2:ffff::9"));
  EXPECT_NE(Of("2001:db8:1:2::1"), Of("2001:db8:1:3::1"));
  // The first half of ::1 is 0, as the address 0.0.0.0.
  EXPECT_NE(Of("::1"), Of("0.0.0.0"));
}

TEST(PeerAddress, IsNothingForUnixSockets) {
  sockaddr_storage address = {};
  address.ss_family = AF_UNIX;
  EXPECT_EQ(ToPeerAddress(address), std::nullopt);
}

}  // namespace
}  // namespace warpyard::server
