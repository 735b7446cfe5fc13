// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Producers and consumers of the queue contract that claim several elements at a time.
#ifndef WARPYARD_TESTS_SUPPORT_QUEUES_QUEUE_CLAIMS_H_
#define WARPYARD_TESTS_SUPPORT_QUEUES_QUEUE_CLAIMS_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/queue/sequence_ring.h"
#include "tests/support/queues/queue_contract.h"

namespace warpyard::test_support {

/// Sizes from 1 to kMaxClaim, in another order for each thread.
template <std::uint32_t kMaxClaim>
WY_HD std::uint32_t ClaimSize(std::uint32_t thread, std::uint32_t step, std::uint32_t left) {
  const std::uint32_t size = 1 + (step * 7 + thread * 3) % kMaxClaim;
  return size < left ? size : left;
}

/// Roles that claim. @shape kMaxClaim: of both sides
template <class Scope, std::uint32_t kMaxClaim>
struct InClaims : OneByOne<Scope> {
  template <class Queue>
  WY_HD static RoleEnd Produce(Queue& queue, const Crowd& crowd, std::uint32_t producer) {
    queue::ProducerView view;
    std::uint32_t sequence = 0;
    for (std::uint32_t step = 0; sequence < crowd.items_per_producer; ++step) {
      const std::uint32_t left = crowd.items_per_producer - sequence;
      const std::uint32_t wanted = ClaimSize<kMaxClaim>(producer, step, left);
      queue::Claim claim{};
      const auto reserve = [&] { return (claim = queue.ReservePush(wanted, view)).count > 0; };
      if (!OneByOne<Scope>::Retry(reserve)) return RoleEnd::kGaveUp;
      if (claim.count != wanted) return RoleEnd::kStuck;
      for (std::uint32_t i = 0; i < claim.count; ++i) {
        const ContractItem item = MakeItem(producer, sequence++);
        if (queue.Put(claim.first + i, item) != queue::PushResult::kOk) return RoleEnd::kStuck;
      }
    }
    return RoleEnd::kDone;
  }

  template <class Queue>
  WY_HD static RoleEnd Consume(Queue& queue, const Crowd& crowd, std::uint32_t /*consumer*/,
                               ContractItem* received) {
    std::uint32_t got = 0;
    for (std::uint32_t step = 0; got < crowd.Share(); ++step) {
      const std::uint32_t wanted = ClaimSize<kMaxClaim>(step, step / 3, crowd.Share() - got);
      queue::Claim claim{};
      const auto reserve = [&] { return (claim = queue.ReservePop(wanted)).count > 0; };
      if (!OneByOne<Scope>::Retry(reserve)) return RoleEnd::kGaveUp;
      for (std::uint32_t i = 0; i < claim.count; ++i) {
        if (queue.Get(claim.first + i, received[got++]) != queue::PopResult::kOk) {
          return RoleEnd::kStuck;
        }
      }
      queue.FinishPop(claim);
    }
    return RoleEnd::kDone;
  }
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_QUEUES_QUEUE_CLAIMS_H_
