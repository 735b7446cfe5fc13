// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/listener/connection_table.h"

#include <sys/socket.h>
#include <unistd.h>

#include "gtest/gtest.h"
#include "server/listener/listening_socket.h"

namespace warpyard::server {
namespace {

using Room = ConnectionTable::Room;

constexpr PeerAddress kOne = {true, 1}, kOther = {true, 2};

Descriptor OpenSocket() { return Descriptor(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)); }

TEST(ConnectionTable, HasRoomUntilItIsFull) {
  ConnectionTable table({2, 0});
  const Descriptor first = OpenSocket(), second = OpenSocket();
  table.Add(first.get(), kOne);
  EXPECT_EQ(table.RoomFor(kOne), Room::kYes);
  table.Add(second.get(), kOne);
  EXPECT_EQ(table.RoomFor(kOne), Room::kFull);
  EXPECT_EQ(table.RoomFor(std::nullopt), Room::kFull);
}

TEST(ConnectionTable, LimitsEachAddressByItself) {
  ConnectionTable table({10, 1});
  const Descriptor first = OpenSocket(), local = OpenSocket();
  table.Add(first.get(), kOne);
  EXPECT_EQ(table.RoomFor(kOne), Room::kAddressFull);
  EXPECT_EQ(table.RoomFor(kOther), Room::kYes);
  table.Add(local.get(), std::nullopt);
  EXPECT_EQ(table.RoomFor(std::nullopt), Room::kYes) << "Unix sockets have no address";
}

TEST(ConnectionTable, ForgetsWhatIsClosed) {
  ConnectionTable table({10, 1});
  Descriptor first = OpenSocket();
  const Descriptor second = OpenSocket();
  table.Add(first.get(), kOne);
  table.Add(second.get(), kOther);
  first.Close();
  table.Sweep();
  EXPECT_EQ(table.size(), 1u);
  EXPECT_EQ(table.RoomFor(kOne), Room::kYes);
  EXPECT_EQ(table.RoomFor(kOther), Room::kAddressFull);
}

TEST(ConnectionTable, TakesANumberThatWasUsedBefore) {
  ConnectionTable table({10, 1});
  Descriptor first = OpenSocket();
  const int number = first.get();
  table.Add(number, kOne);
  first.Close();
  const Descriptor second = OpenSocket();
  ASSERT_EQ(second.get(), number);
  table.Add(number, kOther);
  EXPECT_EQ(table.size(), 1u);
  EXPECT_EQ(table.RoomFor(kOne), Room::kYes);
  EXPECT_EQ(table.RoomFor(kOther), Room::kAddressFull);
}

}  // namespace
}  // namespace warpyard::server
