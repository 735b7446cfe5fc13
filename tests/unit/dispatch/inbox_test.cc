// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/dispatch/inbox.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace warpyard::dispatch {
namespace {

TEST(Inbox, GivesItemsInTheirOrderOnce) {
  Inbox<int> inbox(10);
  for (int i = 0; i < 3; ++i) static_cast<void>(inbox.Put(i));
  EXPECT_EQ(inbox.Size(), 3u);
  EXPECT_EQ(inbox.TakeAll(), (std::vector<int>{0, 1, 2}));
  EXPECT_TRUE(inbox.TakeAll().empty());
}

TEST(Inbox, TheFirstThreadTakesForThoseThatFollow) {
  Inbox<int> inbox(10);
  EXPECT_TRUE(inbox.Put(1));
  EXPECT_FALSE(inbox.Put(2));
  EXPECT_EQ(inbox.TakeAll().size(), 2u);
  EXPECT_TRUE(inbox.Put(3));
}

TEST(Inbox, NobodyReliesOnAThreadThatTakesLater) {
  Inbox<int> inbox(10);
  inbox.PutUnattended(1);
  EXPECT_TRUE(inbox.Put(2));
  inbox.PutUnattended(3);
  EXPECT_FALSE(inbox.Put(4));
}

TEST(Inbox, AFullOneIsTakenByAll) {
  Inbox<int> inbox(2);
  EXPECT_TRUE(inbox.Put(1));
  EXPECT_FALSE(inbox.Put(2));
  EXPECT_TRUE(inbox.Put(3));
  EXPECT_TRUE(inbox.Put(4));
}

TEST(Inbox, AThreadThatKeepsItTakesForAllOthers) {
  Inbox<int> inbox(3);
  EXPECT_FALSE(inbox.HasItems());
  inbox.Keep();
  EXPECT_FALSE(inbox.Put(1));
  EXPECT_FALSE(inbox.PutUnattended(2));
  EXPECT_TRUE(inbox.HasItems());
  EXPECT_FALSE(inbox.Leave(false)) << "there are items";
  EXPECT_EQ(inbox.TakeAll().size(), 2u);
  EXPECT_FALSE(inbox.HasItems());
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(inbox.Put(i)) << "others still rely on it";
  EXPECT_TRUE(inbox.Put(3)) << "too many";
  EXPECT_TRUE(inbox.PutUnattended(4));
  EXPECT_EQ(inbox.TakeAll().size(), 5u);
  EXPECT_TRUE(inbox.Leave(false));
  EXPECT_TRUE(inbox.Put(5));
}

TEST(Inbox, MayBeLeftWithItems) {
  Inbox<int> inbox(10);
  inbox.Keep();
  EXPECT_FALSE(inbox.Put(1));
  EXPECT_TRUE(inbox.Leave(true));
  EXPECT_TRUE(inbox.Put(2)) << "nobody takes for it";
  EXPECT_EQ(inbox.TakeAll().size(), 2u);
}

TEST(Inbox, TellsAThreadThatAnotherOneHasTakenItsItem) {
  Inbox<int> inbox(10);
  const auto number = inbox.Put(1);
  ASSERT_TRUE(number);
  EXPECT_FALSE(inbox.IsTaken(*number));
  inbox.PutUnattended(2);
  EXPECT_FALSE(inbox.IsTaken(*number));
  EXPECT_EQ(inbox.TakeAll().size(), 2u);
  EXPECT_TRUE(inbox.IsTaken(*number));
  const std::uint64_t next = inbox.PutAll({3, 4});
  EXPECT_FALSE(inbox.IsTaken(next));
  EXPECT_EQ(inbox.TakeAll(), (std::vector<int>{3, 4}));
  EXPECT_TRUE(inbox.IsTaken(next));
}

TEST(Inbox, LosesNothingAmongManyThreads) {
  constexpr int kThreads = 4, kItems = 2000;
  Inbox<int> inbox(100);
  std::atomic<std::size_t> taken = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kItems; ++i) {
        if (t == 0) {
          inbox.PutUnattended(i);
          taken += inbox.TakeAll().size();
        } else if (inbox.Put(i)) {
          taken += inbox.TakeAll().size();
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(taken, std::size_t{kThreads} * kItems) << "who was not first relies on the first one";
}

}  // namespace
}  // namespace warpyard::dispatch
