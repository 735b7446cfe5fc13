// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The host's end of the ring of orders to a resident kernel.
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

  /// Orders that were sent, modulo 2^32.
  std::uint32_t Sent() const { return sent_; }

  /// Whether the device has read all of them.
  bool AreRead(Box& mailbox) const { return Waiting(mailbox) == 0; }

  /// Half of the ring stays free: an order to leave must find room at any time.
  bool HasRoom(Box& mailbox) const { return Waiting(mailbox) < Box::kOrders / 2; }

  void Send(Box& mailbox, const HostOrder<typename Program::Job>& order) {
    mailbox.orders.At(sent_).WriteFromHost(order, Box::Orders::TurnOf(sent_));
    ++sent_;
  }

 private:
  std::uint32_t Waiting(Box& mailbox) const {
    return sent_ - std::atomic_ref(mailbox.consumed.turn).load(std::memory_order_acquire);
  }

  std::uint32_t sent_ = 0;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_ORDER_SENDER_H_
