// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/model/worker/hand_over.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <vector>

#include "core/exec/thread_scope.h"
#include "tests/support/lane_scopes.h"
#include "tests/support/workers/small_space.h"

namespace warpyard::model {
namespace {

using exec::ThreadScope;
using procedure::Element;
using test_support::NumberedElement;
using test_support::RunLanes;
using test_support::ScheduledLaneScope;

class HandOverTest : public ::testing::Test {
 protected:
  using Tested = HandOver<ThreadScope, 4>;
  static constexpr std::uint32_t kNobody = Tested::kNobody;

  HandOverTest() { hand_over_.Reset(); }

  std::uint32_t Choose() { return hand_over_.Choose(one_, 1); }
  void Give(std::uint32_t worker, std::uint32_t first, std::uint32_t count) {
    hand_over_.Give(one_, worker, count,
                    [&](std::uint32_t i) { return NumberedElement(first + i); });
  }
  std::vector<std::uint32_t> Take(std::uint32_t worker) {
    std::vector<std::uint32_t> numbers;
    hand_over_.Take(one_, worker, [&](std::uint32_t count, auto&& at) {
      for (std::uint32_t i = 0; i < count; ++i) {
        const Element element = at(i);
        EXPECT_EQ(element.payload[1], ~element.payload[0]);
        numbers.push_back(element.payload[0]);
      }
    });
    return numbers;
  }

  ThreadScope one_{nullptr};
  Tested hand_over_{};
};

TEST_F(HandOverTest, ChoosesNobodyWhereNobodyWaits) {
  EXPECT_EQ(hand_over_.Waiting(), 0u);
  EXPECT_EQ(Choose(), kNobody);
  EXPECT_EQ(hand_over_.Given(2), 0u);
}

TEST_F(HandOverTest, ChoosesTheWorkerThatWaitsLongest) {
  for (const std::uint32_t worker : {2u, 0u, 3u, 1u}) EXPECT_TRUE(hand_over_.Wait(worker));
  EXPECT_EQ(hand_over_.Waiting(), 4u);
  for (const std::uint32_t worker : {2u, 0u, 3u, 1u}) EXPECT_EQ(Choose(), worker);
  EXPECT_EQ(hand_over_.Waiting(), 0u);
  EXPECT_EQ(Choose(), kNobody);
}

TEST_F(HandOverTest, GoesRoundItsRingManyTimes) {
  for (std::uint32_t turn = 0; turn < 50; ++turn) {
    hand_over_.Wait(turn % 4);
    hand_over_.Wait((turn + 1) % 4);
    EXPECT_EQ(hand_over_.Waiting(), 2u);
    ASSERT_EQ(Choose(), turn % 4) << turn;
    ASSERT_EQ(Choose(), (turn + 1) % 4) << turn;
    ASSERT_EQ(Choose(), kNobody) << "not the number of the turn before";
  }
}

TEST_F(HandOverTest, BringsElementsInTheirOrder) {
  hand_over_.Wait(1);
  ASSERT_EQ(Choose(), 1u);
  Give(1, 70, 3);
  EXPECT_EQ(hand_over_.Given(1), 3u);
  EXPECT_EQ(hand_over_.Given(0), 0u);
  EXPECT_EQ(Take(1), (std::vector<std::uint32_t>{70, 71, 72}));
  EXPECT_EQ(hand_over_.Given(1), 0u);
}

TEST_F(HandOverTest, BringsAsManyAsAnInboxHolds) {
  Give(0, 100, kGivenElements);
  Give(3, 500, kGivenElements);
  EXPECT_EQ(Take(3).back(), 500 + kGivenElements - 1);
  EXPECT_EQ(Take(0).size(), kGivenElements);
}

/// What the lanes of a group get that ask for so many workers.
template <class Tested>
std::vector<std::uint32_t> ChosenBy(Tested& hand_over, std::uint32_t lanes, std::uint32_t wanted) {
  std::vector<std::uint32_t> chosen(lanes);
  EXPECT_EQ(RunLanes(lanes,
                     [&](ScheduledLaneScope& lane) {
                       chosen[lane.Rank()] = hand_over.Choose(lane, wanted);
                     }),
            "");
  return chosen;
}

TEST(HandOverOfLanes, ChoosesAWorkerForEachLaneThatWantsOne) {
  using Tested = HandOver<ScheduledLaneScope, 8>;
  using Workers = std::vector<std::uint32_t>;
  constexpr std::uint32_t kNobody = Tested::kNobody;
  Tested hand_over{};
  hand_over.Reset();
  for (const std::uint32_t worker : {6u, 0u, 3u, 7u, 1u}) EXPECT_TRUE(hand_over.Wait(worker));
  EXPECT_EQ(ChosenBy(hand_over, 4, 3), (Workers{6, 0, 3, kNobody})) << "that wait longest";
  EXPECT_EQ(hand_over.Waiting(), 2u);
  EXPECT_EQ(ChosenBy(hand_over, 4, 4), (Workers{7, 1, kNobody, kNobody})) << "all that wait";
  EXPECT_EQ(ChosenBy(hand_over, 4, 4), Workers(4, kNobody));
}

TEST(HandOverOfLanes, FillsSeveralInboxesBeforeItPublishesThem) {
  HandOver<ScheduledLaneScope, 4> hand_over{};
  hand_over.Reset();
  ASSERT_EQ(RunLanes(4,
                     [&](ScheduledLaneScope& lane) {
                       for (const std::uint32_t worker : {1u, 3u}) {
                         hand_over.Write(lane, worker, 5, [&](std::uint32_t i) {
                           return NumberedElement(10 * worker + i);
                         });
                       }
                       EXPECT_EQ(hand_over.Given(1) + hand_over.Given(3), 0u);
                       lane.Barrier();
                       if (lane.Rank() < 2) hand_over.Publish(1 + 2 * lane.Rank(), 5);
                       lane.Barrier();
                       for (const std::uint32_t worker : {1u, 3u}) {
                         hand_over.Take(lane, worker, [&](std::uint32_t got, auto&& at) {
                           EXPECT_EQ(got, 5u);
                           EXPECT_EQ(at(4).payload[0], 10 * worker + 4);
                         });
                       }
                     }),
            "");
  EXPECT_EQ(hand_over.Given(1) + hand_over.Given(3), 0u);
}

TEST(HandOverOfLanes, BringsElementsFromOneGroupToAnother) {
  for (const std::uint32_t lanes : {4u, 32u}) {
    HandOver<ScheduledLaneScope, 4> hand_over{};
    hand_over.Reset();
    for (const std::uint32_t count : {1u, 31u, 32u}) {
      std::multiset<std::uint32_t> taken;
      ASSERT_EQ(RunLanes(lanes,
                         [&](ScheduledLaneScope& lane) {
                           hand_over.Give(lane, 2, count,
                                          [](std::uint32_t i) { return NumberedElement(40 + i); });
                           EXPECT_EQ(hand_over.Given(2), count);
                           lane.Barrier();
                           hand_over.Take(lane, 2, [&](std::uint32_t got, auto&& at) {
                             EXPECT_EQ(got, count) << "in every lane";
                             for (std::uint32_t i = lane.Rank(); i < got; i += lane.Size()) {
                               taken.insert(at(i).payload[0]);
                             }
                           });
                         }),
                "");
      ASSERT_EQ(taken.size(), count);
      for (std::uint32_t i = 0; i < count; ++i) EXPECT_EQ(taken.count(40 + i), 1u);
      EXPECT_EQ(hand_over.Given(2), 0u);
    }
  }
}

}  // namespace
}  // namespace warpyard::model
