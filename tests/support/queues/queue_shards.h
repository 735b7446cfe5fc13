// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The roles of the queue contract for a queue with shards: each thread gives its number as the
// hint.
#ifndef WARPYARD_TESTS_SUPPORT_QUEUES_QUEUE_SHARDS_H_
#define WARPYARD_TESTS_SUPPORT_QUEUES_QUEUE_SHARDS_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/queue/sharded_queue.h"
#include "tests/support/queues/queue_contract.h"

namespace warpyard::test_support {

/// A sharded queue with the interface of a queue without shards, for one thread. A claim must be
/// finished before the next one.
template <class Queue>
class ShardUser {
 public:
  WY_HD ShardUser(Queue& queue, std::uint32_t hint) : queue_(queue), hint_(hint), view_{hint, {}} {}

  WY_HD queue::PushResult TryPush(const ContractItem& item) { return queue_.TryPush(item, hint_); }
  WY_HD queue::PopResult TryPop(ContractItem& item) { return queue_.TryPop(item, hint_); }

  WY_HD queue::Claim ReservePush(std::uint32_t wanted, queue::ProducerView&) {
    return claim_ = queue_.ReservePush(wanted, view_);
  }
  WY_HD queue::PushResult Put(std::uint32_t ticket, const ContractItem& item) {
    return queue_.Put(claim_, ticket - claim_.first, item);
  }
  WY_HD queue::Claim ReservePop(std::uint32_t wanted) {
    return claim_ = queue_.ReservePop(wanted, hint_);
  }
  WY_HD queue::PopResult Get(std::uint32_t ticket, ContractItem& item) {
    return queue_.Get(claim_, ticket - claim_.first, item);
  }
  WY_HD void FinishPop(const queue::Claim&) { queue_.FinishPop(claim_); }

 private:
  Queue& queue_;
  std::uint32_t hint_;
  queue::ShardView view_;
  queue::ShardClaim claim_{};
};

/// @shape Roles: of a queue without shards
template <class Roles>
struct InShards {
  template <class Queue>
  WY_HD static RoleEnd Produce(Queue& queue, const Crowd& crowd, std::uint32_t producer) {
    ShardUser<Queue> user(queue, producer);
    return Roles::Produce(user, crowd, producer);
  }
  template <class Queue>
  WY_HD static RoleEnd Consume(Queue& queue, const Crowd& crowd, std::uint32_t consumer,
                               ContractItem* received) {
    ShardUser<Queue> user(queue, consumer);
    return Roles::Consume(user, crowd, consumer, received);
  }
  template <class Queue>
  WY_HD static JuggleLog Juggle(Queue& queue, const Crowd& crowd, std::uint32_t thread,
                                ContractItem* received) {
    ShardUser<Queue> user(queue, thread);
    return Roles::Juggle(user, crowd, thread, received);
  }
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_QUEUES_QUEUE_SHARDS_H_
