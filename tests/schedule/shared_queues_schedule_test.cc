// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The queues of the levels in seeded interleavings: whatever is pushed is found by the bits of its
// level and drawn once.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <vector>

#include "core/model/worker/board/board.h"
#include "core/model/worker/shared_queues.h"
#include "core/procedure/element.h"
#include "tests/schedule/broken_worker.h"
#include "tests/support/run_bodies.h"
#include "tests/support/scheduled_scope.h"
#include "tests/support/seed_count.h"

namespace warpyard::test_support {
namespace {

using procedure::Element;

constexpr std::uint32_t kElements = 16;

/// Threads that push, and threads that draw until nothing is left to come.
template <class Scope>
class LevelsRun {
 public:
  explicit LevelsRun(std::uint32_t seed) : seed_(seed), levels_(new (Storage()) Tested{}) {
    levels_->Reset(0, 1);
  }

  /// What went wrong; empty when nothing did. @shape producers: each of kElements elements
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
    return FindLeftOver();
  }

 private:
  using Tested = model::SharedQueues<Scope, 16>;

  /// One for all runs: fresh pages of the system cost more than a run.
  static void* Storage() {
    alignas(Tested) static std::byte storage[sizeof(Tested)];
    return storage;
  }

  /// What the board shows though all was drawn: a worker that looks in vain may take it off.
  std::string FindLeftOver() {
    Scope scope(nullptr);
    model::LevelWindow window{0, seed_};
    Element out[1];
    for (int look = 0; look < 8 && board_.Read().Levels() != 0; ++look) {
      if (levels_->Draw(scope, board_, 1, window, out).count != 0) return "more than was pushed";
    }
    return board_.Read().Levels() == 0 ? "" : "the board shows levels where nothing waits";
  }

  void Produce(std::uint32_t producer) {
    Scope scope(nullptr);
    for (std::uint32_t i = 0; i < kElements; ++i) {
      const std::uint32_t id = producer * kElements + i;
      // Levels change, so that what is lost in one is not found with what comes later; half of them
      // share a word of bits.
      const std::uint32_t place = i / 2;
      const Level level(place % 2 == 0 ? place : 24 * place);
      const Element element{procedure::MakeHead(0, 1, procedure::BucketOfLevel(level)), {id, 0}};
      const model::QueueResult refused = levels_->Push(scope, board_, true, element);
      if (refused.count != 0) Schedule::Fail("a push found no room");
      if (refused.stuck) Schedule::Fail("a push is stuck");
      if (seed_ % 3 != 0) PauseFor(id);
    }
  }

  void Consume(std::uint32_t consumer) {
    Scope scope(nullptr);
    model::LevelWindow window{0, seed_ + consumer};
    while (Scope::Word(drawn_).LoadAcquire() < all_) {
      if (board_.Read().Levels() == 0) {
        Scope::Pause(0);
        continue;
      }
      Element out[2];
      const std::uint32_t wanted = 1 + (seed_ + consumer) % 2;
      const model::QueueResult drawn = levels_->Draw(scope, board_, wanted, window, out);
      if (drawn.stuck) Schedule::Fail("a draw is stuck");
      for (std::uint32_t i = 0; i < drawn.count; ++i) ++times_drawn_[out[i].payload[0]];
      Scope::Word(drawn_).FetchAddAcqRel(drawn.count);
    }
  }

  void PauseFor(std::uint32_t id) {
    for (std::uint32_t step = (seed_ ^ 7 * id) % 64; step > 0; --step) Scope::Pause(0);
  }

  const std::uint32_t seed_;
  model::Board<Scope> board_;
  Tested* const levels_;
  std::uint32_t all_ = 0;
  std::uint32_t drawn_ = 0;
  std::vector<std::uint32_t> times_drawn_;
};

/// What goes wrong at the first seed at which anything does.
template <class Scope>
std::string Fault(std::uint32_t seeds, std::uint32_t producers, std::uint32_t consumers) {
  for (std::uint32_t seed = 0; seed < seeds; ++seed) {
    LevelsRun<Scope> run(seed);
    const std::string fault = run.Run(producers, consumers);
    if (!fault.empty()) return fault + ", seed " + std::to_string(seed);
  }
  return "";
}

constexpr std::uint32_t kSeeds = 400;

std::uint32_t Seeds() { return SeedCount("WARPYARD_SCHEDULER_SEEDS", kSeeds); }

TEST(SharedQueuesSchedules, LoseNoElementBetweenTwoThatPushAndTwoThatDraw) {
  EXPECT_EQ(Fault<ScheduledScope>(Seeds(), 2, 2), "");
  EXPECT_EQ(Fault<SchedulerScope>(Seeds(), 2, 2), "");
}

/// Of three that draw, one may hide an element from another by credit that it takes in vain.
TEST(SharedQueuesSchedules, LoseNoElementBetweenTwoThatPushAndThreeThatDraw) {
  EXPECT_EQ(Fault<ScheduledScope>(Seeds(), 2, 3), "");
  EXPECT_EQ(Fault<SchedulerScope>(Seeds(), 2, 3), "");
}

TEST(SharedQueuesSchedules, CatchABitThatIsClearedWithoutLookingAgain) {
  EXPECT_EQ(Fault<ForgetfulScope<void>>(kSeeds, 2, 2), "") << "blame the fault, not the frame";
  EXPECT_NE(Fault<ForgetfulScope<std::int32_t>>(kSeeds, 2, 2), "");
  EXPECT_NE(Fault<ForgetfulScope<std::int32_t>>(kSeeds, 2, 3), "");
}

}  // namespace
}  // namespace warpyard::test_support
