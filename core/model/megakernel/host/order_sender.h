// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The host's end of the rings of orders to a resident kernel.
#ifndef WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_ORDER_SENDER_H_
#define WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_ORDER_SENDER_H_

#include <atomic>
#include <cstdint>

#include "core/model/megakernel/mailbox.h"

namespace warpyard::model {

/// @scope one thread at a time
template <class Program>
class OrderSender {
 public:
  using Box = Mailbox<Program>;
  using Order = HostOrder<typename Program::Job>;

  /// Orders that were sent, modulo 2^32.
  std::uint32_t Sent() const {
    std::uint32_t sum = 0;
    for (const std::uint32_t sent : sent_) sum += sent;
    return sum;
  }

  /// Whether the device has read all of them.
  bool AreRead(Box& mailbox) const {
    for (std::uint32_t ring = 0; ring < Box::kRings; ++ring) {
      if (Waiting(mailbox, ring) != 0) return false;
    }
    return true;
  }

  /// Half of a ring stays free: an order to leave must find room at any time.
  bool HasRoom(Box& mailbox, const Order& order) const {
    return Waiting(mailbox, RingOf(order)) < Box::kOrders / 2;
  }

  void Send(Box& mailbox, const Order& order) {
    const std::uint32_t ring = RingOf(order);
    std::uint32_t& sent = sent_[ring];
    mailbox.orders[ring].At(sent).WriteFromHost(order, Box::Orders::TurnOf(sent));
    ++sent;
  }

 private:
  /// Orders for no event go to the first ring, whose taker leads the others.
  static std::uint32_t RingOf(const Order& order) { return Box::RingOf(order.slot); }

  std::uint32_t Waiting(Box& mailbox, std::uint32_t ring) const {
    const std::uint32_t read =
        std::atomic_ref(mailbox.consumed[ring].turn).load(std::memory_order_acquire);
    return sent_[ring] - read;
  }

  std::uint32_t sent_[Box::kRings] = {};
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_ORDER_SENDER_H_
