// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The messages between a resident megakernel and the host.
#ifndef WARPYARD_CORE_MODEL_MEGAKERNEL_MAILBOX_H_
#define WARPYARD_CORE_MODEL_MEGAKERNEL_MAILBOX_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/packed_slot.h"
#include "core/message/host_ring.h"
#include "core/model/megakernel/device_shape.h"
#include "core/model/worker/workspace.h"
#include "core/policy/policy.h"
#include "core/procedure/element.h"

namespace warpyard::model {

enum class Order : std::uint32_t {
  kStart,   ///< an event, in a slot that is free
  kCancel,  ///< the event of a slot, if its turn is still the order's
  kTime,    ///< report the time of the device
  kPark,    ///< leave, if this is still the launch; events go on after the next one
};

/// From the host. @shape slot: of the event, or 0; turn: of the event (starts, cancels) or of the
///     launch (parks)
template <class Job>
struct HostOrder {
  Order order = Order::kStart;
  std::uint32_t slot = 0;
  std::uint32_t turn = 0;
  policy::EventView view;
  Job job;
};

/// From the device: an event is done.
template <std::uint32_t kMaxStages>
struct EventReport {
  std::uint32_t cancel;
  std::uint32_t error;
  std::uint64_t begin_ns[kMaxStages + 1];
};

/// From the device: its time. @shape turn: that of the order
struct TimeReport {
  std::uint64_t device_ns;
};

/// From the device: a kernel leaves. @shape turn: number of the launch
struct LeaveReport {
  std::uint32_t consumed;  ///< orders that it has read, of all rings
  std::uint32_t stuck;
};

/// Published by the device while it runs, at least every 10 ms. @shape words of 64 bits, each
/// consistent by itself
template <std::uint32_t kProcedures>
struct PublishedStatistics {
  std::uint64_t now_ns;  ///< device time; moves while the kernel lives
  std::uint64_t spills;
  std::uint64_t back_offs;
  std::uint64_t looks;
  std::uint64_t claims;
  std::uint64_t misses;
  std::uint64_t held_ns;
  std::uint64_t busy_ns;
  std::uint64_t tenant_ns[policy::kMaxTenants];
  ProcedureSums procedures[kProcedures];
  std::uint64_t queue_sizes[kProcedures];
};

/// @shape memory of the host that is mapped for the device, zero-initialised
template <class Program>
struct Mailbox {
  static constexpr std::uint32_t kOrders = 64;
  /// Orders for an event go through the ring of its slot, so that they keep their order.
  static constexpr std::uint32_t kRings = kOrderTakers<Program>;
  using Orders = message::HostRing<HostOrder<typename Program::Job>, kOrders>;
  using Report = EventReport<Program::kMaxStages>;

  WY_HD static std::uint32_t RingOf(std::uint32_t slot) { return slot % kRings; }

  Orders orders[kRings];                                              // host writes
  message::SlottedMessage<Report> reports[procedure::kEventBuckets];  // device writes from here on
  message::SlottedMessage<TimeReport> time;
  message::SlottedMessage<LeaveReport> leave;
  exec::PackedSlot consumed[kRings];  ///< {orders read}
  alignas(128) PublishedStatistics<Program::Procedures::kCount> published;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_MEGAKERNEL_MAILBOX_H_
