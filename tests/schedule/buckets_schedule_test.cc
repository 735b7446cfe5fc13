// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The buckets in seeded interleavings: every pushed element is found by its hint and drawn once.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <vector>

#include "core/exec/bits.h"
#include "core/procedure/element.h"
#include "core/strategy/buckets.h"
#include "tests/schedule/broken_scheduler.h"
#include "tests/support/run_bodies.h"
#include "tests/support/scheduled_scope.h"
#include "tests/support/seed_count.h"

namespace warpyard::test_support {
namespace {

using procedure::Element;

constexpr std::uint32_t kBuckets = 8;
constexpr std::uint32_t kQueues = 2;
constexpr std::uint32_t kElements = 16;

/// Threads that push, and threads that draw until no more elements will come.
template <class Scope>
class BucketsRun {
 public:
  explicit BucketsRun(std::uint32_t seed) : seed_(seed), buckets_(new (Storage()) Tested{}) {
    buckets_->Reset(0, 1);
  }

  /// Returns what went wrong; empty when nothing did. @shape producers: each of kElements elements
  std::string Run(std::uint32_t producers, std::uint32_t consumers) {
    all_ = producers * kElements;
    times_drawn_.assign(all_, 0);
    Bodies bodies;
    for (std::uint32_t p = 0; p < producers; ++p) bodies.emplace_back([this, p] { Produce(p); });
    for (std::uint32_t c = 0; c < consumers; ++c) bodies.emplace_back([this, c] { Consume(c); });
    const std::string stopped = RunInSchedule(seed_, bodies);
    if (!stopped.empty()) return stopped + ", drawn " + std::to_string(drawn_);
    for (const std::uint32_t times : times_drawn_) {
      if (times != 1) return "an element was drawn " + std::to_string(times) + " times";
    }
    return "";
  }

 private:
  struct Shape {
    using Element = procedure::Element;
    static constexpr std::uint32_t kBuckets = test_support::kBuckets;
    static constexpr std::uint32_t kQueues = test_support::kQueues;
    static constexpr std::uint32_t kQueueElements = 64;
    static constexpr std::uint32_t kPages = 64;
  };
  using Tested = strategy::Buckets<Scope, Shape>;

  /// One memory for all runs, because fresh pages from the system cost more than a run.
  static void* Storage() {
    alignas(Tested) static std::byte storage[sizeof(Tested)];
    return storage;
  }

  void Produce(std::uint32_t producer) {
    Scope scope(nullptr);
    for (std::uint32_t i = 0; i < kElements; ++i) {
      const std::uint32_t id = producer * kElements + i;
      // Places change, so that the hint of a later element does not reveal a lost one.
      const std::uint32_t place = i / 2, bucket = place % kBuckets, queue = place / kBuckets;
      const Element element{procedure::MakeHead(0, queue, bucket), {id, 0}};
      if (buckets_->Push(scope, true, element, queue) != queue::PushResult::kOk) {
        Schedule::Fail("a push found no room");
      }
      if (seed_ % 3 != 0) PauseFor(id);
    }
  }

  void Consume(std::uint32_t consumer) {
    Scope scope(nullptr);
    while (Scope::Word(drawn_).LoadAcquire() < all_) {
      const strategy::BestBucket best = buckets_->Look(scope, 0, 0);
      if (best.rank == strategy::kNoRank) {
        Scope::Pause(0);
        continue;
      }
      Element out[2];
      const std::uint32_t wanted = 1 + (seed_ + consumer) % 2;
      const std::uint32_t count = DrawUpTo(scope, best, wanted, out);
      for (std::uint32_t i = 0; i < count; ++i) ++times_drawn_[out[i].payload[0]];
      Scope::Word(drawn_).FetchAddAcqRel(count);
    }
  }

  std::uint32_t DrawUpTo(Scope& scope, const strategy::BestBucket& best, std::uint32_t wanted,
                         Element* out) {
    return buckets_->Draw(scope, {best.bucket, exec::HighestBit(best.hints)}, {wanted, wanted, 1},
                          out);
  }

  void PauseFor(std::uint32_t id) {
    for (std::uint32_t step = (seed_ ^ 7 * id) % 64; step > 0; --step) Scope::Pause(0);
  }

  const std::uint32_t seed_;
  Tested* const buckets_;
  std::uint32_t all_ = 0;
  std::uint32_t drawn_ = 0;
  std::vector<std::uint32_t> times_drawn_;
};

/// What goes wrong at the first seed that fails.
template <class Scope>
std::string Fault(std::uint32_t seeds, std::uint32_t producers, std::uint32_t consumers) {
  for (std::uint32_t seed = 0; seed < seeds; ++seed) {
    BucketsRun<Scope> run(seed);
    const std::string fault = run.Run(producers, consumers);
    if (!fault.empty()) return fault + ", seed " + std::to_string(seed);
  }
  return "";
}

constexpr std::uint32_t kSeeds = 400;

std::uint32_t Seeds() { return SeedCount("WARPYARD_SCHEDULER_SEEDS", kSeeds); }

TEST(BucketsSchedules, LoseNoElementBetweenTwoThatPushAndTwoThatDraw) {
  EXPECT_EQ(Fault<ScheduledScope>(Seeds(), 2, 2), "");
  EXPECT_EQ(Fault<SchedulerScope>(Seeds(), 2, 2), "");
}

/// Of three threads that draw, one may hide an element from another by credit that it takes but
/// cannot use.
TEST(BucketsSchedules, LoseNoElementBetweenTwoThatPushAndThreeThatDraw) {
  EXPECT_EQ(Fault<ScheduledScope>(Seeds(), 2, 3), "");
  EXPECT_EQ(Fault<SchedulerScope>(Seeds(), 2, 3), "");
}

TEST(BucketsSchedules, CatchAHintThatIsClearedWithoutLookingAgain) {
  EXPECT_EQ(Fault<ForgetfulScope<void>>(kSeeds, 2, 2), "") << "blame the fault, not the frame";
  EXPECT_NE(Fault<ForgetfulScope<std::int32_t>>(kSeeds, 2, 2), "");
  EXPECT_NE(Fault<ForgetfulScope<std::int32_t>>(kSeeds, 2, 3), "");
}

}  // namespace
}  // namespace warpyard::test_support
