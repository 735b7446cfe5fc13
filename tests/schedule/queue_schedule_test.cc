// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The queue contract in seeded interleavings, and proof that the interleavings would find a broken
// queue.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "core/queue/distributed_locks_queue.h"
#include "tests/schedule/broken_queues.h"
#include "tests/support/queues/queue_contract.h"
#include "tests/support/queues/queue_runners.h"
#include "tests/support/scheduled_scope.h"
#include "tests/support/seed_count.h"

namespace warpyard::test_support {
namespace {

constexpr std::uint32_t kSeeds = 500;

template <std::uint32_t kCapacity>
using Queue = queue::DistributedLocksQueue<ScheduledScope, ContractItem, kCapacity>;
template <std::uint32_t kCapacity>
using Runner = ScheduledRunner<PlainHolder<Queue<kCapacity>>>;

using Runners = ::testing::Types<Runner<1>, Runner<2>, Runner<4>>;
INSTANTIATE_TYPED_TEST_SUITE_P(DistributedLocksQueueInSchedules, QueueContract, Runners);

template <std::uint32_t kCapacity>
void ExpectNoFault() {
  const ScheduleSearch<PlainHolder<Queue<kCapacity>>> search(SeedCount(kSeeds));
  EXPECT_EQ(search.fault, "") << "seed " << search.seed;
}

TEST(QueueSchedules, FindNoFaultAtCapacityOne) { ExpectNoFault<1>(); }
TEST(QueueSchedules, FindNoFaultAtCapacityTwo) { ExpectNoFault<2>(); }
TEST(QueueSchedules, FindNoFaultAtCapacityFour) { ExpectNoFault<4>(); }

template <QueueFault kFault, std::uint32_t kCapacity>
void ExpectFound() {
  using Broken = BrokenQueue<ScheduledScope, ContractItem, kCapacity, kFault>;
  const ScheduleSearch<PlainHolder<Broken>> search(kSeeds);
  EXPECT_NE(search.fault, "") << "not found in " << kSeeds << " seeds at capacity " << kCapacity;
  EXPECT_LT(search.seed, 100u) << search.fault << ": found, but hardly";
}

TEST(QueueSchedules, BlameTheFaultAndNotTheFrameOfABrokenQueue) {
  using Whole = BrokenQueue<ScheduledScope, ContractItem, 2, QueueFault::kNone>;
  const ScheduleSearch<PlainHolder<Whole>> search(kSeeds / 4);
  EXPECT_EQ(search.fault, "") << "seed " << search.seed;
}

TEST(QueueSchedules, CatchASlotFlagWithoutLapNumber) {
  ExpectFound<QueueFault::kFlagWithoutLap, 1>();
  ExpectFound<QueueFault::kFlagWithoutLap, 2>();
}

TEST(QueueSchedules, CatchAnAdmissionThatIsUndone) {
  // With a larger queue, the fault needs more threads that pop at the same moment than run here.
  ExpectFound<QueueFault::kUndoneAdmission, 1>();
}

TEST(QueueSchedules, CatchAnElementPublishedBeforeItIsWritten) {
  ExpectFound<QueueFault::kPublishedTooEarly, 2>();
}

TEST(QueueSchedules, CatchASlotReleasedBeforeItIsRead) {
  ExpectFound<QueueFault::kReleasedTooEarly, 2>();
}

TEST(QueueSchedules, CatchATurnThatIsLostAtTheWrap) {
  // With one or two slots the turn itself wraps correctly.
  ExpectFound<QueueFault::kTurnLostAtWrap, 4>();
}

TEST(QueueSchedules, CatchTicketsThatAreTakenTwice) {
  ExpectFound<QueueFault::kTicketsNotTakenOnce, 4>();
}

TEST(Schedule, IsTheSameForTheSameSeed) {
  const auto trace = [](std::uint64_t seed) {
    std::string order;
    Schedule schedule(seed);
    for (const char name : {'a', 'b', 'c'}) {
      schedule.Add([&order, name] {
        for (int i = 0; i < 20; ++i) {
          order += name;
          Schedule::Step();
        }
      });
    }
    EXPECT_EQ(schedule.Run(), "");
    return order;
  };
  EXPECT_EQ(trace(1), trace(1));
  EXPECT_NE(trace(1), trace(2));
}

TEST(Schedule, FailsWithTheReasonOfAWaitThatNobodyEnds) {
  std::uint32_t word = 0;
  Schedule schedule(3);
  schedule.Add([&] {
    ScheduledScope::Wait("for a word",
                         [&] { return ScheduledScope::Word(word).LoadAcquire() == 2; });
  });
  schedule.Add([&] { ScheduledScope::Word(word).StoreRelease(1); });
  EXPECT_EQ(schedule.Run(), "waited in vain: for a word");
}

TEST(Schedule, FailsWhenItsThreadsNeverEnd) {
  Schedule schedule(4);
  for (int i = 0; i < 2; ++i) {
    schedule.Add([] {
      while (true) ScheduledScope::Pause(0);
    });
  }
  EXPECT_NE(schedule.Run(), "");
}

}  // namespace
}  // namespace warpyard::test_support
