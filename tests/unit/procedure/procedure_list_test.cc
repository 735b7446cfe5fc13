// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/procedure/procedure_list.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "core/exec/thread_scope.h"

namespace warpyard::procedure {
namespace {

using Log = std::vector<std::string>;

/// Records that it was executed, and its arguments.
template <char kLetter, std::size_t kShared>
struct Recorder {
  using Item = Range;
  static constexpr std::size_t kSharedBytes = kShared;
  static constexpr char kName[] = {kLetter, '\0'};

  template <class Scope>
  static void Execute(Context<Scope, Log>& context, const Range& range) {
    context.job.push_back(kLetter + std::to_string(range.begin) + "-" + std::to_string(range.end));
  }
};

/// A Recorder with an element of one word.
struct Small : Recorder<'s', 0> {
  using Item = std::uint32_t;
  static constexpr std::uint32_t kThreads = 1;
  static constexpr std::uint32_t kMaxSpawns = 3;
  static constexpr bool kSpawned = true;

  template <class Scope>
  static void Execute(Context<Scope, Log>& context, std::uint32_t item) {
    context.job.push_back('s' + std::to_string(item));
  }
};

template <std::uint32_t kGroup>
struct Sized : Recorder<'g', kGroup == 1 ? 0 : 100> {
  static constexpr std::uint32_t kThreads = kGroup;
};

struct Spawned : Recorder<'p', 0> {
  static constexpr std::uint32_t kMaxSpawns = 2;
  static constexpr bool kSpawned = true;
};

struct Seed : Recorder<'S', 0> {
  static constexpr std::uint32_t kMaxSpawns = 32;  // but nobody spawns it
};
struct Leaf : Recorder<'l', 0> {
  static constexpr bool kSpawned = true;
};

using A = Recorder<'a', 0>;
using B = Recorder<'b', 300>;
using List = ProcedureList<A, Small, B, Spawned>;

TEST(ProcedureList, NumbersProceduresInOrder) {
  EXPECT_EQ(List::kCount, 4u);
  EXPECT_EQ(List::IndexOf<A>(), 0u);
  EXPECT_EQ(List::IndexOf<Small>(), 1u);
  EXPECT_EQ(List::IndexOf<Spawned>(), 3u);
  EXPECT_STREQ(List::kNames[0], "a");
  EXPECT_STREQ(List::kNames[3], "p");
}

TEST(ProcedureList, NeedsTheSharedMemoryOfAllGroupsThatRunTogether) {
  EXPECT_EQ(List::SharedBytes(64), 304u) << "a block of 300, in multiples of 16 bytes";
  using Sets = ProcedureList<A, Sized<8>>;
  EXPECT_EQ(Sets::SharedBytes(1), 112u);
  EXPECT_EQ(Sets::SharedBytes(32), 4 * 112u);
  EXPECT_EQ(Sets::SharedBytes(64), 8 * 112u);
  EXPECT_EQ((ProcedureList<A>::SharedBytes(1024)), 0u);
}

TEST(ProcedureList, DividesTheSharedMemoryOfATeamAmongItsWorkers) {
  // Warps of 32 lanes, 4 a block.
  EXPECT_EQ((ProcedureList<B>::SharedBytes(32, 4)), 80u) << "304 bytes by 4 warps, rounded up";
  EXPECT_EQ((ProcedureList<Sized<64>>::SharedBytes(32, 4)), 64u) << "112 bytes by 2 warps";
  EXPECT_EQ((ProcedureList<B, Sized<8>>::SharedBytes(32, 4)), 4 * 112u) << "four sets in a warp";
  EXPECT_EQ((ProcedureList<B>::SharedBytes(32, 1)), 304u) << "a block of one warp";
}

TEST(ProcedureList, GroupsHaveTheThreadsThatTheyWantOrAllThatThereAre) {
  using Groups = ProcedureList<A, Sized<1>, Sized<8>, Sized<32>, Sized<64>, Sized<1024>>;
  const std::uint32_t expected[] = {256, 1, 8, 32, 64, 256};
  for (std::uint32_t id = 0; id < Groups::kCount; ++id) {
    EXPECT_EQ(Groups::Threads(id, 256), expected[id]) << id;
    EXPECT_EQ(Groups::Threads(id, 1), 1u) << "on a CPU every group is one thread";
  }
}

TEST(ProcedureList, KnowsWhatElementsMaySpawn) {
  EXPECT_EQ(List::kMaxSpawns, 3u);
  const std::uint32_t expected[] = {0, 3, 0, 2};
  for (std::uint32_t id = 0; id < List::kCount; ++id) {
    EXPECT_EQ(List::MaxSpawns(id), expected[id]) << id;
  }
}

TEST(ProcedureList, KnowsWhatSpawnedElementsMaySpawn) {
  EXPECT_EQ((ProcedureList<Seed, Spawned>::kMaxSpawns), 32u);
  EXPECT_EQ((ProcedureList<Seed, Spawned>::kMaxSpawnsOfItems), 0u) << "packages";
  EXPECT_EQ((ProcedureList<Seed, Spawned, Small>::kMaxSpawnsOfItems), 3u);
  EXPECT_EQ((ProcedureList<Seed, Leaf>::kMaxSpawnsOfItems), 0u);
  EXPECT_EQ((ProcedureList<Seed>::kMaxSpawnsOfItems), 0u);
}

TEST(ProcedureList, TellsItemsFromLargerGroups) {
  using Groups = ProcedureList<A, Sized<1>, Sized<2>, Small, Sized<64>>;
  const bool expected[] = {false, true, false, true, false};
  for (std::uint32_t id = 0; id < Groups::kCount; ++id) {
    EXPECT_EQ(Groups::IsItem(id), expected[id]) << id;
  }
  EXPECT_FALSE(Groups::IsItem(99));
}

TEST(ProcedureList, TellsWhatMayBeSpawned) {
  const bool expected[] = {false, true, false, true};
  for (std::uint32_t id = 0; id < List::kCount; ++id) {
    EXPECT_EQ(List::IsSpawnedId(id), expected[id]) << id;
  }
  EXPECT_FALSE(List::IsSpawnedId(99));
}

struct Uneven : Recorder<'u', 0> {
  static constexpr bool kUneven = true;
};

TEST(ProcedureList, TellsWhatTakesRangesOfAnyLength) {
  using Groups = ProcedureList<A, Uneven, Spawned>;
  EXPECT_FALSE(Groups::IsUnevenId(0));
  EXPECT_TRUE(Groups::IsUnevenId(1));
  EXPECT_FALSE(Groups::IsUnevenId(2));
}

struct NameVisitor {
  std::string names;
  template <class P>
  void Visit() {
    names += P::kName;
  }
};

TEST(ProcedureList, VisitsTheProcedureWithTheId) {
  NameVisitor visitor;
  for (const std::uint32_t id : {3u, 0u, 2u, 99u}) List::Visit(id, visitor);
  EXPECT_EQ(visitor.names, "pab");
}

TEST(ProcedureList, ExecutesTheProcedureWithTheId) {
  Log log;
  exec::ThreadScope scope(nullptr);
  Context<exec::ThreadScope, Log> context{scope, log};
  for (const std::uint32_t id : {2u, 0u, 1u}) {
    const std::uint32_t payload[2] = {id, id + 5};
    List::Execute(id, context, payload);
  }
  EXPECT_EQ(log, (Log{"b2-7", "a0-5", "s1"}));
}

TEST(ProcedureList, ExecutesAsItemsOnlyWhatIsOne) {
  Log log;
  exec::ThreadScope scope(nullptr);
  Context<exec::ThreadScope, Log> context{scope, log};
  using Items = ProcedureList<A, Small, Sized<8>, Sized<1>, Spawned>;
  for (std::uint32_t id = 0; id <= Items::kCount; ++id) {
    const std::uint32_t payload[2] = {id, id + 5};
    Items::ExecuteItem(id, context, payload);
  }
  EXPECT_EQ(log, (Log{"s1", "g3-8"}));
}

TEST(JoinedLists, HaveEachProcedureOnceInTheOrderOfTheFirst) {
  using A = Recorder<'a', 0>;
  using B = Recorder<'b', 0>;
  using List =
      JoinedLists<ProcedureList<A, Small>, ProcedureList<Small, B>, ProcedureList<A, Seed>>;
  static_assert(std::is_same_v<List, ProcedureList<A, Small, B, Seed>>);
  static_assert(std::is_same_v<JoinedLists<ProcedureList<A>>, ProcedureList<A>>);
  EXPECT_EQ(List::kCount, 4u);
}

}  // namespace
}  // namespace warpyard::procedure
