// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/queue/sequence_ring.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "core/exec/thread_scope.h"
#include "tests/support/queues/queue_claims.h"
#include "tests/support/queues/queue_contract.h"
#include "tests/support/queues/queue_runners.h"

#ifdef __SANITIZE_THREAD__
#define WARPYARD_TEST_HAS_TSAN 1
#endif
#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#define WARPYARD_TEST_HAS_TSAN 1
#endif
#endif

namespace warpyard::test_support {
namespace {

using exec::ThreadScope;
using queue::Claim;
using queue::ProducerView;

constexpr std::uint32_t kThreads = 4;
constexpr std::uint32_t kClaim = 5;

template <std::uint32_t kCapacity>
using Ring = queue::SequenceRing<ThreadScope, ContractItem, kCapacity, kThreads * kClaim>;
template <std::uint32_t kCapacity>
using OneByOneRunner = ThreadRunner<PlainHolder<Ring<kCapacity>>>;
template <std::uint32_t kCapacity>
using ClaimRunner = ThreadRunner<PlainHolder<Ring<kCapacity>>, InClaims<ThreadScope, kClaim>>;

using OneByOneRunners = ::testing::Types<OneByOneRunner<1>, OneByOneRunner<2>, OneByOneRunner<100>>;
INSTANTIATE_TYPED_TEST_SUITE_P(SequenceRingOnThreads, QueueContract, OneByOneRunners);
using ClaimRunners = ::testing::Types<ClaimRunner<1>, ClaimRunner<2>, ClaimRunner<100>>;
INSTANTIATE_TYPED_TEST_SUITE_P(SequenceRingInClaimsOnThreads, QueueContract, ClaimRunners);

/// Moves both ends by `count` tickets, as pushes and pops of other threads would.
template <class Queue>
void MoveOn(Queue& ring, std::uint32_t count) {
  ProducerView view;
  ASSERT_EQ(ring.ReservePush(count, view).count, count);
  ASSERT_EQ(ring.ReservePop(count).count, count);
  ring.FinishPop(count);
}

TEST(SequenceRing, IsEmptyAgainAfterReset) {
  const auto ring = std::make_unique<Ring<4>>();
  for (std::uint32_t i = 0; i < 3; ++i) ring->TryPush(MakeItem(0, i));
  EXPECT_EQ(ring->ApproximateSize(), 3u);
  ring->Reset();
  EXPECT_EQ(CheckAlone(*ring), AloneFault::kNone);
}

TEST(SequenceRing, GivesAClaimWholeOrNotAtAll) {
  const auto ring = std::make_unique<Ring<2>>();
  ring->Reset();
  ProducerView view;
  EXPECT_EQ(ring->ReservePush(kClaim, view).count, kClaim) << "one place is room for a claim";
  EXPECT_EQ(ring->ReservePush(1, view).count, 0u);
  EXPECT_EQ(ring->ReservePop(3).count, 3u);
  EXPECT_EQ(ring->ReservePop(3).count, 2u) << "a pop takes what is there";
  EXPECT_EQ(ring->ReservePop(1).count, 0u);
}

TEST(SequenceRing, HoldsNoMoreThanCapacityAndSlackWhenEveryViewIsStale) {
  const auto ring = std::make_unique<Ring<8>>();
  ring->Reset(0xfffffff0u);
  std::vector<ProducerView> views(kThreads);
  std::uint32_t pushed = 0;
  for (ProducerView& view : views) pushed += ring->ReservePush(1, view).count;
  EXPECT_EQ(pushed, kThreads) << "all have seen room";
  for (std::uint32_t round = 0; round < 20; ++round) {
    for (ProducerView& view : views) pushed += ring->ReservePush(kClaim, view).count;
  }
  EXPECT_GE(pushed, 8u);
  EXPECT_LE(pushed, 8u + kThreads * kClaim);
  for (ProducerView& view : views) EXPECT_EQ(ring->ReservePush(1, view).count, 0u);
}

TEST(SequenceRing, SeesRoomAgainAsSoonAsAPopIsFinished) {
  const auto ring = std::make_unique<Ring<2>>();
  ring->Reset();
  ProducerView view;
  for (int i = 0; i < 2; ++i) ASSERT_EQ(ring->ReservePush(1, view).count, 1u);
  ASSERT_EQ(ring->ReservePush(1, view).count, 0u);
  ASSERT_EQ(ring->ReservePop(1).count, 1u);
  EXPECT_EQ(ring->ReservePush(1, view).count, 0u) << "the element may not be read yet";
  ring->FinishPop(1);
  EXPECT_EQ(ring->ReservePush(1, view).count, 1u);
}

TEST(SequenceRing, FindsOutAViewThatWasKeptForHalfTheTickets) {
  const auto ring = std::make_unique<Ring<16>>();
  ring->Reset();
  ProducerView kept;
  ASSERT_EQ(ring->ReservePush(1, kept).count, 1u);
  ASSERT_EQ(ring->ReservePop(1).count, 1u);
  ring->FinishPop(1);
  for (int i = 0; i < 5; ++i) MoveOn(*ring, 1u << 29);
  std::uint32_t pushed = 0;
  for (int i = 0; i < 100; ++i) pushed += ring->ReservePush(1, kept).count;
  EXPECT_GE(pushed, 16u);
  EXPECT_LE(pushed, 16u + 1) << "one claim by the old view, then the queue is seen as it is";
}

/// The scope of a ring that publishes without a release.
class UnreleasedScope : public ThreadScope {
 public:
  static void StoreSlot(exec::PackedSlot& slot, const exec::PackedSlot& value) {
    for (int k = 0; k < 3; ++k) Word(slot.payload[k]).StoreRelaxed(value.payload[k]);
    Word(slot.turn).StoreRelaxed(value.turn);
  }
};

/// Hands plain memory from one thread to another through a ring; returns the values that arrived.
template <class Scope>
std::uint64_t HandOverMemory() {
  using Queue = queue::SequenceRing<Scope, std::uint32_t, 4, 1>;
  constexpr std::uint32_t kItems = 200;
  const auto ring = std::make_unique<Queue>();
  ring->Reset();
  std::vector<std::uint64_t> memory(kItems);
  std::uint64_t sum = 0;
  std::thread producer([&] {
    for (std::uint32_t i = 0; i < kItems; ++i) {
      memory[i] = i;
      for (std::uint32_t n = 0; ring->TryPush(i) != queue::PushResult::kOk; ++n) Scope::Pause(n);
    }
  });
  std::thread consumer([&] {
    for (std::uint32_t i = 0; i < kItems; ++i) {
      std::uint32_t index = 0;
      for (std::uint32_t n = 0; ring->TryPop(index) != queue::PopResult::kOk; ++n) Scope::Pause(n);
      sum += memory[index];
    }
  });
  producer.join();
  consumer.join();
  return sum;
}

TEST(SequenceRing, OrdersTheMemoryThatAnElementStandsForOnThreads) {
  EXPECT_EQ(HandOverMemory<ThreadScope>(), 199u * 200u / 2);
}

TEST(SequenceRingDeathTest, ThreadSanitizerCatchesAPublicationWithoutRelease) {
#ifdef WARPYARD_TEST_HAS_TSAN
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(HandOverMemory<UnreleasedScope>(), "ThreadSanitizer: data race");
#else
  GTEST_SKIP() << "needs a build with ThreadSanitizer";
#endif
}

}  // namespace
}  // namespace warpyard::test_support
