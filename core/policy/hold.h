// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Which events wait while another one presses. Events that run side by side slow each other down,
// also where the one that comes first never waits for a worker: they share caches, above all those
// of instructions. So an event whose deadline comes near has the device without those that have
// time.
//
// A policy by laxity needs to know how long an event will take. Nobody knows that of a new job.
// Hold compares the time that an event has used with its whole time until the deadline instead. See
// docs/adr/0060-others-wait.md.
#ifndef WARPYARD_CORE_POLICY_HOLD_H_
#define WARPYARD_CORE_POLICY_HOLD_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/policy/policy.h"
#include "core/policy/service_default.h"

namespace warpyard::policy {

struct Hold {
  /// Of an event that never waits: nothing runs, or it starves, or it comes first though it is
  /// late.
  static constexpr std::uint32_t kNeverWaits = 0;
  /// Of an event without a deadline ahead; of the event that presses most, where none presses.
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// The time that an event has left until its deadline. @units microseconds
  WY_HD static constexpr std::uint32_t LeftUs(const PolicyOptions& options, const EventView& event,
                                              std::uint64_t now_ns) {
    if (ServiceDefault::HasDeadline(event, now_ns)) return InUs(event.deadline_ns - now_ns);
    const bool is_late = event.deadline_ns != kNoDeadline;
    if (is_late && options.kind == PolicyKind::kEarliestDeadline) return kNeverWaits;
    return ServiceDefault::Starves(options, event, now_ns) ? kNeverWaits : kNone;
  }

  /// The time between the arrival of an event and its deadline. @units microseconds
  WY_HD static constexpr std::uint32_t SpanUs(const EventView& event) {
    return InUs(SpanNs(event));
  }

  /// Whether an event has used so much of its time that others wait. They wait for some
  /// milliseconds at most, since it may take long without using much of the device.
  WY_HD static constexpr bool Presses(const PolicyOptions& options, const EventView& event,
                                      std::uint64_t now_ns) {
    const bool heeds =
        options.kind == PolicyKind::kService || options.kind == PolicyKind::kEarliestDeadline;
    if (!heeds || options.hold_part == 0) return false;
    if (!ServiceDefault::HasDeadline(event, now_ns)) return false;
    const std::uint64_t span_ns = SpanNs(event);
    if (span_ns < kLeastSpanNs) return false;
    const std::uint64_t part_ns = span_ns / options.hold_part;
    const std::uint64_t begin_ns = event.arrival_ns + (part_ns < kLeastNs ? kLeastNs : part_ns);
    return now_ns >= begin_ns && now_ns - begin_ns < kMostNs;
  }

  /// Whether an event waits: it has no deadline, or far more time left than one that presses had.
  /// @shape left_us: its LeftUs; pressing_us: the least SpanUs of those that press, or kNone
  WY_HD static constexpr bool Waits(std::uint32_t left_us, std::uint32_t pressing_us) {
    return left_us / kFarther > pressing_us;
  }

 private:
  static constexpr std::uint64_t kMostNs = 20'000'000;
  /// Before that a hold is no gain: it takes workers so long to end what they have begun.
  static constexpr std::uint64_t kLeastNs = 250'000;
  /// An event with less time than this never presses: the hold itself would make it late.
  static constexpr std::uint64_t kLeastSpanNs = 1'000'000;
  static constexpr std::uint32_t kFarther = 8;
  /// A longer time counts as this one. Events without a deadline wait for it, too.
  static constexpr std::uint32_t kMostUs = kNone / kFarther - 1;

  WY_HD static constexpr std::uint32_t InUs(std::uint64_t ns) {
    return ns / 1000 >= kMostUs ? kMostUs : static_cast<std::uint32_t>(ns / 1000);
  }
  /// @shape event: has a deadline
  WY_HD static constexpr std::uint64_t SpanNs(const EventView& event) {
    return event.deadline_ns > event.arrival_ns ? event.deadline_ns - event.arrival_ns : 0;
  }
};

}  // namespace warpyard::policy

#endif  // WARPYARD_CORE_POLICY_HOLD_H_
