// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The sequence ring in seeded interleavings, and rings with one fault each that the interleavings
// find.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/queue/sequence_ring.h"
#include "tests/support/block_scopes.h"
#include "tests/support/queues/queue_claims.h"
#include "tests/support/queues/queue_contract.h"
#include "tests/support/queues/queue_runners.h"
#include "tests/support/scheduled_scope.h"
#include "tests/support/seed_count.h"

namespace warpyard::test_support {
namespace {

const std::uint32_t kSeeds = SeedCount(400);
constexpr std::uint32_t kClaim = 3;

template <std::uint32_t kCapacity, class Scope = ScheduledScope>
using Ring = queue::SequenceRing<Scope, ContractItem, kCapacity, 4 * kClaim>;
template <std::uint32_t kCapacity>
using OneByOneRunner = ScheduledRunner<PlainHolder<Ring<kCapacity>>>;
template <std::uint32_t kCapacity>
using ClaimRunner = ScheduledRunner<PlainHolder<Ring<kCapacity>>, InClaims<ScheduledScope, kClaim>>;

using Runners = ::testing::Types<OneByOneRunner<1>, OneByOneRunner<2>, OneByOneRunner<5>,
                                 ClaimRunner<1>, ClaimRunner<2>, ClaimRunner<5>>;
INSTANTIATE_TYPED_TEST_SUITE_P(SequenceRingInSchedules, QueueContract, Runners);

template <class Queue>
std::string FaultOneByOne(std::uint32_t seeds) {
  const ScheduleSearch<PlainHolder<Queue>> search(seeds);
  return search.fault.empty() ? "" : search.fault + ", seed " + std::to_string(search.seed);
}

template <class Queue>
std::string FaultInClaims(std::uint32_t seeds) {
  const ScheduleSearch<PlainHolder<Queue>, InClaims<ScheduledScope, kClaim>> search(seeds);
  return search.fault.empty() ? "" : search.fault + ", seed " + std::to_string(search.seed);
}

TEST(SequenceRingSchedules, FindNoFaultOneByOne) {
  EXPECT_EQ(FaultOneByOne<Ring<1>>(kSeeds), "");
  EXPECT_EQ(FaultOneByOne<Ring<2>>(kSeeds), "");
}

TEST(SequenceRingSchedules, FindNoFaultInClaims) {
  EXPECT_EQ(FaultInClaims<Ring<1>>(kSeeds), "");
  EXPECT_EQ(FaultInClaims<Ring<4>>(kSeeds), "");
}

/// Producers with views of their own, and consumers. Returns the largest number of elements ever in
/// the ring.
std::uint32_t MostElements(std::uint64_t seed, std::uint32_t producers) {
  constexpr std::uint32_t kCapacity = 4;
  const auto ring = std::make_unique<Ring<kCapacity>>();
  ring->Reset(0xfffffff8u);
  std::uint32_t most = 0;
  Bodies bodies;
  for (std::uint32_t p = 0; p < producers; ++p) {
    bodies.emplace_back([&, p] {
      queue::ProducerView view;
      for (std::uint32_t step = 0; step < 8; ++step) {
        const queue::Claim claim = ring->ReservePush(ClaimSize<kClaim>(p, step, kClaim), view);
        for (std::uint32_t i = 0; i < claim.count; ++i) {
          ring->Put(claim.first + i, MakeItem(p, step));
        }
        const std::uint32_t now = ring->ApproximateSize();
        most = now > most ? now : most;
      }
    });
  }
  bodies.emplace_back([&] {
    for (std::uint32_t step = 0; step < 20; ++step) {
      const queue::Claim claim = ring->ReservePop(2);
      ContractItem item{};
      for (std::uint32_t i = 0; i < claim.count; ++i) ring->Get(claim.first + i, item);
      ring->FinishPop(claim);
    }
  });
  EXPECT_EQ(RunInSchedule(seed, bodies), "") << "seed " << seed;
  // No operation is under way now, so a fresh view sees whether the ring is full.
  queue::ProducerView fresh;
  const std::uint32_t expected = ring->ApproximateSize() < kCapacity ? 1 : 0;
  EXPECT_EQ(ring->ReservePush(1, fresh).count, expected) << "seed " << seed;
  return most;
}

TEST(SequenceRingSchedules, HoldNoMoreThanCapacityAndWhatStaleViewsAdmit) {
  std::uint32_t most = 0;
  for (std::uint64_t seed = 0; seed < 2 * kSeeds; ++seed) {
    const std::uint32_t now = MostElements(seed, 3);
    ASSERT_LE(now, 4u + 3 * kClaim) << "seed " << seed;
    most = now > most ? now : most;
  }
  EXPECT_GT(most, 4u) << "no schedule had a stale view";
}

/// Announces an element before it writes the element.
class TurnFirstScope : public ScheduledScope {
 public:
  static void StoreSlot(exec::PackedSlot& slot, const exec::PackedSlot& value) {
    StoreSlotTurn(slot, value.turn);
    for (int k = 0; k < 3; ++k) Word(slot.payload[k]).StoreRelaxed(value.payload[k]);
  }
};

/// Reads an element before it checks that the element is there.
class PayloadFirstScope : public ScheduledScope {
 public:
  static exec::PackedSlot LoadSlot(exec::PackedSlot& slot) {
    exec::PackedSlot found{};
    for (int k = 0; k < 3; ++k) found.payload[k] = Word(slot.payload[k]).LoadRelaxed();
    found.turn = LoadSlotTurn(slot);
    return found;
  }
};

TEST(SequenceRingSchedules, CatchAnElementPublishedBeforeItIsWritten) {
  EXPECT_NE((FaultOneByOne<Ring<2, TurnFirstScope>>(100)), "");
  EXPECT_NE((FaultInClaims<Ring<2, TurnFirstScope>>(100)), "");
}

TEST(SequenceRingSchedules, CatchAnElementReadBeforeItIsPublished) {
  EXPECT_NE((FaultOneByOne<Ring<2, PayloadFirstScope>>(100)), "");
}

/// Threads that push what they can and pop only afterwards: no thread may wait for room before
/// that.
template <class Queue>
std::string FaultOfLatePops(std::uint32_t seeds) {
  for (std::uint32_t seed = 0; seed < seeds; ++seed) {
    const auto ring = std::make_unique<Queue>();
    ring->Reset();
    Bodies bodies;
    for (std::uint32_t thread = 0; thread < 3; ++thread) {
      bodies.emplace_back([&, thread] {
        queue::ProducerView view;
        for (std::uint32_t step = 0; step < 4; ++step) {
          const queue::Claim claim = ring->ReservePush(1 + step % kClaim, view);
          for (std::uint32_t i = 0; i < claim.count; ++i) {
            ring->Put(claim.first + i, MakeItem(thread, step));
          }
        }
        ContractItem item{};
        while (ring->TryPop(item) == queue::PopResult::kOk) continue;
      });
    }
    const std::string fault = RunInSchedule(seed, bodies);
    if (!fault.empty()) return fault;
  }
  return "";
}

TEST(SequenceRingSchedules, CatchARingWithoutSlack) {
  using WithoutSlack = queue::SequenceRing<ScheduledScope, ContractItem, 2, 0>;
  EXPECT_EQ(FaultOfLatePops<Ring<2>>(100), "");
  EXPECT_EQ(FaultOfLatePops<WithoutSlack>(100),
            "waited in vain: push: the slot's last element is not read yet");
}

/// Whether a block claims its pops only when all its threads have pushed.
enum class Claims { kAfterPushes, kBeforePushes };

/// Blocks of two threads: each thread pushes for itself, and the first thread pops for both.
/// However full the ring is, one block has room for both of its elements.
template <Claims kClaims>
std::string FaultOfBlocks(std::uint32_t seeds) {
  constexpr std::uint32_t kBlocks = 3, kRounds = 24;
  using Queue = queue::SequenceRing<ScheduledScope, ContractItem, kBlocks + 1, 2 * kBlocks>;
  for (std::uint32_t seed = 0; seed < seeds; ++seed) {
    const auto ring = std::make_unique<Queue>();
    ring->Reset();
    std::vector<std::unique_ptr<ScheduledBlock>> blocks;
    std::vector<queue::Claim> claims(kBlocks);
    Bodies bodies;
    for (std::uint32_t b = 0; b < kBlocks; ++b)
      blocks.push_back(std::make_unique<ScheduledBlock>(2));
    for (std::uint32_t thread = 0; thread < 2 * kBlocks; ++thread) {
      bodies.emplace_back([&, thread] {
        ScheduledBlockScope scope(*blocks[thread / 2], thread % 2);
        queue::Claim& shared = claims[thread / 2];
        for (std::uint32_t round = 0; round < kRounds; ++round) {
          while (ring->TryPush(MakeItem(thread, round)) != queue::PushResult::kOk) Schedule::Step();
          if (kClaims == Claims::kAfterPushes) scope.Barrier();
          for (std::uint32_t have = 0; have < 2;) {
            if (scope.Rank() == 0) {
              while ((shared = ring->ReservePop(2 - have)).count == 0) Schedule::Step();
            }
            scope.Barrier();
            const queue::Claim claim = shared;
            ContractItem item{};
            const std::uint32_t index = scope.Rank() - have;
            if (index < claim.count) ring->Get(claim.first + index, item);
            scope.Barrier();
            if (scope.Rank() == 0) ring->FinishPop(claim);
            have += claim.count;
          }
        }
      });
    }
    const std::string fault = RunInSchedule(seed, bodies);
    if (!fault.empty()) return fault;
  }
  return "";
}

TEST(SequenceRingSchedules, CatchAClaimThatIsOpenWhileItsBlockHasAPushToDo) {
  EXPECT_EQ(FaultOfBlocks<Claims::kAfterPushes>(kSeeds), "");
  EXPECT_NE(FaultOfBlocks<Claims::kBeforePushes>(400), "");
}

}  // namespace
}  // namespace warpyard::test_support
