// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What a queue of the scheduler must offer. See README.md beside this file for the family.
#ifndef WARPYARD_CORE_QUEUE_QUEUE_CONCEPT_H_
#define WARPYARD_CORE_QUEUE_QUEUE_CONCEPT_H_

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace warpyard::queue {

/// Outcome of TryPush. kStuck: a bounded wait ran out, since another thread died inside the queue;
/// the queue must not be used again.
enum class PushResult : std::uint32_t { kOk, kFull, kStuck };

/// Outcome of TryPop; kStuck as above.
enum class PopResult : std::uint32_t { kOk, kEmpty, kStuck };

/// A bounded multi-producer multi-consumer queue in zero-initialised memory. [Steinberger §4.2]
///
/// The five requirements: an element is delivered at most once; at least once; only after it was
/// written in full; its slot is written again only after it was read in full; and a push or pop
/// never reports success otherwise. "Full" and "empty" may be reported while another operation is
/// under way.
template <class Q>
concept DeviceQueue = std::is_trivially_destructible_v<Q> &&
    requires(Q& queue, const typename Q::Item& in, typename Q::Item& out) {
  requires std::is_trivially_copyable_v<typename Q::Item>;
  { queue.TryPush(in) } -> std::same_as<PushResult>;
  { queue.TryPop(out) } -> std::same_as<PopResult>;
  { queue.ApproximateSize() } -> std::same_as<std::uint32_t>;
  { Q::Capacity() } -> std::same_as<std::uint32_t>;
};

}  // namespace warpyard::queue

#endif  // WARPYARD_CORE_QUEUE_QUEUE_CONCEPT_H_
