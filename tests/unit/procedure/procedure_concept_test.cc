// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/procedure/procedure_concept.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/exec/thread_scope.h"

namespace warpyard::procedure {
namespace {

using exec::ThreadScope;

struct WithDefaults {
  using Item = Range;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "WithDefaults";
};
struct WithAll : WithDefaults {
  static constexpr std::uint32_t kThreads = 8;
  static constexpr std::uint32_t kMaxSpawns = 2;
  static constexpr bool kSpawned = true;
};
struct TooLarge : WithDefaults {
  struct Item {
    std::uint32_t words[3];
  };
};
struct NotTrivial : WithDefaults {
  using Item = std::vector<int>;
};

static_assert(Procedure<WithDefaults> && Procedure<WithAll>);
static_assert(!Procedure<TooLarge> && !Procedure<NotTrivial> && !Procedure<int>);
static_assert(ThreadsOf<WithDefaults>() == kWholeBlock && ThreadsOf<WithAll>() == 8);
static_assert(MaxSpawnsOf<WithDefaults>() == 0 && MaxSpawnsOf<WithAll>() == 2);
static_assert(!IsSpawned<WithDefaults>() && IsSpawned<WithAll>());

/// A context of an element of event 5, procedure 21 of the program, bucket 9.
struct Running {
  int job = 0;
  Element elements[4]{};
  SpawnBuffer spawns{0, elements};
  std::uint32_t cancel = 0;
  std::uint32_t error = 0;
  alignas(16) std::byte shared[16]{};
  ThreadScope scope{shared};
  Context<ThreadScope, int> context{scope, job, &cancel, &spawns, MakeHead(5, 21, 9), 20, &error};
};

TEST(Element, HeadHasAByteForEachPart) {
  for (const std::uint32_t value : {0u, 1u, 128u, 255u}) {
    const Element element{MakeHead(value, 255 - value, value ^ 15), {0, 0}};
    EXPECT_EQ(element.Event(), value);
    EXPECT_EQ(element.Procedure(), 255 - value);
    EXPECT_EQ(element.Bucket(), value ^ 15);
  }
  EXPECT_EQ(kBuckets, 256u) << "a bucket is one byte";
}

TEST(Context, SpawnsIntoTheBucketOfTheRunningElement) {
  Running running;
  running.context.Spawn(ProcedureId(3), Range{10, 20});
  ASSERT_EQ(running.spawns.count, 1u);
  const Element& element = running.elements[0];
  EXPECT_EQ(element.Event(), 5u);
  EXPECT_EQ(element.Procedure(), 23u) << "the workload counts from its own first procedure";
  EXPECT_EQ(element.Bucket(), 9u);
  EXPECT_EQ(element.payload[0], 10u);
  EXPECT_EQ(element.payload[1], 20u);
}

TEST(Context, SpawnsIntoTheBucketOfALevel) {
  Running running;
  running.context.SpawnAt(Level(0), ProcedureId(0), Range{1, 2});
  running.context.SpawnAt(Level(kLevels - 1), ProcedureId(1), Range{3, 4});
  ASSERT_EQ(running.spawns.count, 2u);
  EXPECT_EQ(running.elements[0].Bucket(), kEventBuckets);
  EXPECT_EQ(running.elements[0].Event(), 5u);
  EXPECT_EQ(running.elements[1].Bucket(), kBuckets - 1);
  EXPECT_EQ(running.elements[1].Procedure(), 21u);
}

TEST(Context, SpawnsItemsOfAnySizeUpToEightBytes) {
  Running running;
  running.context.Spawn(ProcedureId(0), std::uint8_t{7});
  running.context.Spawn(ProcedureId(0), std::uint64_t{0x123456789abcdef0});
  EXPECT_EQ(running.elements[0].payload[0] & 0xffu, 7u);
  EXPECT_EQ(running.elements[0].payload[1], 0u);
  std::uint64_t item = 0;
  std::memcpy(&item, running.elements[1].payload, sizeof item);
  EXPECT_EQ(item, 0x123456789abcdef0u);
}

TEST(Context, AppendsToWhatOtherElementsSpawned) {
  Running running;
  running.spawns.count = 2;
  running.context.Spawn(ProcedureId(1), Range{1, 2});
  EXPECT_EQ(running.spawns.count, 3u);
  EXPECT_EQ(running.elements[2].payload[1], 2u);
  EXPECT_EQ(running.elements[0].head, 0u);
}

TEST(Context, FailSetsTheErrorOfTheEvent) {
  Running running;
  running.context.Fail();
  EXPECT_EQ(running.error, static_cast<std::uint32_t>(EventError::kProcedure));
}

TEST(Context, FailNeedsNoPlaceForTheError) {
  int job = 0;
  ThreadScope scope(nullptr);
  Context<ThreadScope, int> context{scope, job};
  context.Fail();
  EXPECT_FALSE(context.Cancelled());
}

TEST(Context, TellsThatTheEventIsCancelled) {
  Running running;
  EXPECT_FALSE(running.context.Cancelled());
  running.cancel = 1;
  EXPECT_TRUE(running.context.Cancelled());
}

TEST(Context, GivesTheSharedMemoryOfTheGroup) {
  Running running;
  running.context.Shared<std::uint32_t>() = 17;
  EXPECT_EQ(std::to_integer<int>(running.shared[0]), 17);
}

}  // namespace
}  // namespace warpyard::procedure
