// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/model/megakernel/host/order_sender.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>

#include "core/workload/synthetic/synthetic_program.h"

namespace warpyard::model {
namespace {

using Program = synthetic::SyntheticProgram;
using Sender = OrderSender<Program>;
using Box = Sender::Box;

Sender::Order For(std::uint32_t slot) {
  Sender::Order order;
  order.slot = slot;
  return order;
}

/// Stands for the device: so many orders of a ring are read.
void Read(Box& mailbox, std::uint32_t ring, std::uint32_t orders) {
  std::atomic_ref(mailbox.consumed[ring].turn).store(orders, std::memory_order_release);
}

/// Whether an order lies at a place of a ring.
bool HasOrder(Box& mailbox, std::uint32_t ring, std::uint32_t number) {
  Sender::Order order;
  return mailbox.orders[ring].At(number).ReadOnHost(order, Box::Orders::TurnOf(number));
}

class OrderSenderTest : public ::testing::Test {
 protected:
  const std::unique_ptr<Box> mailbox_ = std::make_unique<Box>();
  Sender sender_;
};

TEST_F(OrderSenderTest, OrdersOfASlotKeepTheirOrderInOneRing) {
  for (std::uint32_t i = 0; i < 3; ++i) sender_.Send(*mailbox_, For(5));
  const std::uint32_t ring = Box::RingOf(5);
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_TRUE(HasOrder(*mailbox_, ring, i));
  EXPECT_FALSE(HasOrder(*mailbox_, ring, 3));
  EXPECT_FALSE(HasOrder(*mailbox_, Box::RingOf(6), 0));
  EXPECT_EQ(sender_.Sent(), 3u);
}

TEST_F(OrderSenderTest, OrdersForNoEventGoToTheRingOfTheLeader) {
  Sender::Order park;
  park.order = Order::kPark;
  sender_.Send(*mailbox_, park);
  EXPECT_TRUE(HasOrder(*mailbox_, 0, 0));
}

TEST_F(OrderSenderTest, AllAreReadWhenEachRingIs) {
  EXPECT_TRUE(sender_.AreRead(*mailbox_));
  sender_.Send(*mailbox_, For(0));
  sender_.Send(*mailbox_, For(1));
  sender_.Send(*mailbox_, For(1));
  EXPECT_EQ(sender_.Sent(), 3u);
  Read(*mailbox_, Box::RingOf(0), 1);
  Read(*mailbox_, Box::RingOf(1), 1);
  EXPECT_FALSE(sender_.AreRead(*mailbox_));
  Read(*mailbox_, Box::RingOf(1), 2);
  EXPECT_TRUE(sender_.AreRead(*mailbox_));
}

TEST_F(OrderSenderTest, HalfOfARingStaysFree) {
  const std::uint32_t ring = Box::RingOf(2);
  std::uint32_t sent = 0;
  while (sender_.HasRoom(*mailbox_, For(2))) {
    sender_.Send(*mailbox_, For(2));
    ASSERT_LE(++sent, Box::kOrders);
  }
  EXPECT_EQ(sent, Box::kOrders / 2);
  EXPECT_TRUE(sender_.HasRoom(*mailbox_, For(3))) << "another ring";
  Read(*mailbox_, ring, 1);
  EXPECT_TRUE(sender_.HasRoom(*mailbox_, For(2)));
  // Beyond the end of the ring places are used again.
  for (std::uint32_t i = 0; i < 2 * Box::kOrders; ++i) {
    sender_.Send(*mailbox_, For(2));
    Read(*mailbox_, ring, ++sent);
  }
  EXPECT_TRUE(HasOrder(*mailbox_, ring, sent - 1));
  EXPECT_FALSE(HasOrder(*mailbox_, ring, sent - 1 - Box::kOrders));
}

}  // namespace
}  // namespace warpyard::model
