// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Whether hints survive races is tested under schedules: tests/schedule/buckets_schedule_test.cc.

#include "core/strategy/buckets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "core/procedure/element.h"
#include "tests/support/lane_scopes.h"

namespace warpyard::strategy {
namespace {

using procedure::Element;
using queue::PushResult;
using test_support::RunLanes;
using test_support::ScheduledLaneScope;
using test_support::ScheduledScope;

constexpr std::uint32_t kLanes = 8;
struct Shape {
  using Element = procedure::Element;
  static constexpr std::uint32_t kBuckets = 64;
  static constexpr std::uint32_t kQueues = 3;
  static constexpr std::uint32_t kQueueElements = 300;
  static constexpr std::uint32_t kPages = 96;
};
constexpr std::uint32_t kBuckets = Shape::kBuckets;
constexpr std::uint32_t kPages = Shape::kPages;
constexpr std::uint32_t kQueueElements = Shape::kQueueElements;
using Tested = Buckets<ScheduledScope, Shape>;
constexpr std::uint32_t kPairs = Tested::kPairs;

Element Make(std::uint32_t bucket, std::uint32_t number) {
  return {procedure::MakeHead(0, 0, bucket), {number, 0}};
}

class BucketsTest : public ::testing::Test {
 protected:
  BucketsTest() {
    buckets_->Reset(0, 1);
    for (std::uint32_t pair = 0; pair < kPairs; ++pair) {
      buckets_->SetRanks(pair, pair, pair + kPairs);
    }
  }

  PushResult Push(std::uint32_t bucket, std::uint32_t queue, std::uint32_t number) {
    return buckets_->Push(one_, true, Make(bucket, number), queue);
  }
  std::vector<std::uint32_t> Draw(std::uint32_t bucket, std::uint32_t queue, std::uint32_t wanted) {
    std::vector<Element> out(wanted);
    const std::uint32_t count =
        buckets_->Draw(one_, {bucket, queue}, {wanted, wanted, 1}, out.data());
    return NumbersOf(out, count);
  }
  BestBucket Look(std::uint32_t own = 0, std::uint32_t least = 0) {
    return buckets_->Look(one_, own, least);
  }

  static std::vector<std::uint32_t> NumbersOf(const std::vector<Element>& elements,
                                              std::uint32_t count) {
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t i = 0; i < count; ++i) numbers.push_back(elements[i].payload[0]);
    return numbers;
  }

  /// Draws with a group of kLanes threads; returns the number that all of them returned.
  std::uint32_t DrawEach(const EachOf& each, std::uint32_t wanted, std::vector<Element>& out) {
    std::vector<std::uint32_t> counts(kLanes);
    EXPECT_EQ(RunLanes(kLanes,
                       [&](ScheduledLaneScope& lane) {
                         counts[lane.Rank()] = buckets_->DrawEach(lane, each, wanted, out.data());
                       }),
              "");
    EXPECT_EQ(std::count(counts.begin(), counts.end(), counts[0]), kLanes);
    return counts[0];
  }

  ScheduledScope one_{nullptr};
  std::unique_ptr<Tested> buckets_ = std::make_unique<Tested>();
};

TEST_F(BucketsTest, HaveNothingAtFirst) {
  EXPECT_EQ(Look().rank, kNoRank);
  EXPECT_EQ(Draw(3, 1, 4), std::vector<std::uint32_t>());
  EXPECT_EQ(buckets_->ApproximateSize(0), 0u);
  EXPECT_EQ(buckets_->Arrivals(), 0u);
  EXPECT_TRUE(buckets_->HasRoom());
}

TEST_F(BucketsTest, ShowTheBucketOfTheLeastRankThatHasSomething) {
  Push(5, 0, 1);
  Push(40, 2, 2);
  Push(40, 1, 3);
  EXPECT_EQ(Look().bucket, 5u);
  EXPECT_EQ(Look().hints, 1u << 0);
  buckets_->SetRanks(40 - kPairs, 41, 2);  // of buckets 8 and 40
  const BestBucket best = Look();
  EXPECT_EQ(best.rank, 2u);
  EXPECT_EQ(best.bucket, 40u);
  EXPECT_EQ(best.hints, 1u << 2 | 1u << 1);
}

TEST_F(BucketsTest, LeaveSomeOfAQueueToThoseWhoShareIt) {
  for (std::uint32_t number = 0; number < 12; ++number) Push(5, 0, number);
  std::vector<Element> out(12);
  EXPECT_EQ(buckets_->Draw(one_, {5, 0}, {12, 1, 3}, out.data()), 12 / 3 + 1u);
  EXPECT_EQ(buckets_->Draw(one_, {5, 0}, {12, 4, 100}, out.data()), 4u) << "what fills a block";
  EXPECT_EQ(buckets_->Draw(one_, {5, 0}, {2, 4, 1}, out.data()), 2u) << "no more than it wants";
  EXPECT_EQ(Look().bucket, 5u) << "one is left";
}

TEST_F(BucketsTest, LeaveMoreOfAQueueToThoseWhoHaveNothing) {
  for (std::uint32_t number = 0; number < 32; ++number) Push(5, 0, number);
  std::vector<Element> out(32);
  const auto draw = [&](const Wish& wish) {
    return buckets_->Draw(one_, {5, 0}, wish, out.data());
  };
  EXPECT_EQ(draw({16, 8, 100, 16}), 32 / 16 + 1u) << "less than fills a block";
  EXPECT_EQ(draw({16, 8, 100, 2}), 8u) << "there is enough for two others";
  EXPECT_EQ(draw({16, 8, 3, 100}), 21 / 3 + 1u) << "no less than leaves some to all";
  EXPECT_EQ(draw({16, 4, 100, 0}), 4u) << "nobody is idle";
  EXPECT_EQ(draw({2, 8, 100, 4}), 2u) << "no more than it wants";
  for (std::uint32_t left = 7; left != 0; --left) {
    EXPECT_EQ(draw({16, 8, 1000, 1000}), 1u) << "something in any case";
  }
  EXPECT_EQ(draw({16, 8, 1000, 1000}), 0u);
}

TEST_F(BucketsTest, PassOverRanksBelowTheLeastThatIsAskedFor) {
  Push(5, 0, 1);
  Push(6, 0, 2);
  EXPECT_EQ(Look(0, 5).bucket, 5u);
  EXPECT_EQ(Look(0, 6).bucket, 6u);
  EXPECT_EQ(Look(0, 7).rank, kNoRank);
}

TEST_F(BucketsTest, TellTheOwnRankWhetherThereIsSomethingOrNot) {
  buckets_->SetRanks(16, 900, 7);
  EXPECT_EQ(Look(16).own_rank, 900u);
  EXPECT_EQ(Look(16 + kPairs).own_rank, 7u);
  Push(3, 0, 1);
  EXPECT_EQ(Look(16).own_rank, 900u);
  EXPECT_EQ(Look(16 + kPairs, 5).own_rank, 7u) << "although it passes over bucket 3";
}

TEST_F(BucketsTest, ShowAllThreadsOfAGroupTheSame) {
  Push(33, 1, 1);
  Push(62, 0, 2);
  std::vector<BestBucket> found(kLanes);
  ASSERT_EQ(
      RunLanes(kLanes,
               [&](ScheduledLaneScope& lane) { found[lane.Rank()] = buckets_->Look(lane, 47, 0); }),
      "");
  for (const BestBucket& best : found) {
    EXPECT_EQ(best.bucket, 33u);
    EXPECT_EQ(best.hints, 1u << 1);
    EXPECT_EQ(best.own_rank, 47u);
  }
}

TEST_F(BucketsTest, ShowARangeBesideQueuesUntilItIsTakenBack) {
  buckets_->SetHint(9, Tested::kRangeHint);
  Push(9, 2, 1);
  EXPECT_EQ(Look().hints, Tested::kRangeHint | 1u << 2);
  buckets_->ClearHint(9, Tested::kRangeHint);
  EXPECT_EQ(Look().hints, 1u << 2);
  buckets_->SetHint(8, Tested::kRangeHint);
  buckets_->ClearHint(9, Tested::kRangeHint);
  EXPECT_EQ(Look().bucket, 8u) << "the neighbour keeps its own";
}

TEST_F(BucketsTest, GiveElementsInTheirOrderAndClearTheHintWithTheLast) {
  for (std::uint32_t i = 0; i < 5; ++i) EXPECT_EQ(Push(7, 1, i), PushResult::kOk);
  EXPECT_EQ(buckets_->SizeOf(7, 1), 5u);
  EXPECT_EQ(Draw(7, 1, 2), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(Draw(7, 0, 2), std::vector<std::uint32_t>()) << "of another queue";
  EXPECT_EQ(Look().bucket, 7u);
  EXPECT_EQ(Draw(7, 1, 9), (std::vector<std::uint32_t>{2, 3, 4}));
  EXPECT_EQ(Look().rank, kNoRank);
}

TEST_F(BucketsTest, ClearAHintThatPromisesNothing) {
  buckets_->SetHint(12, 1u << 1);
  EXPECT_EQ(Look().bucket, 12u);
  EXPECT_EQ(Draw(12, 1, 1), std::vector<std::uint32_t>());
  EXPECT_EQ(Look().rank, kNoRank);
}

TEST_F(BucketsTest, SayThatSomethingCame) {
  const std::uint32_t before = buckets_->Arrivals();
  Push(1, 0, 0);
  const std::uint32_t pushed = buckets_->Arrivals();
  EXPECT_NE(pushed, before);
  buckets_->SetHint(1, Tested::kRangeHint);
  EXPECT_NE(buckets_->Arrivals(), pushed);
  const std::uint32_t set = buckets_->Arrivals();
  Draw(1, 0, 1);
  EXPECT_EQ(buckets_->Arrivals(), set) << "what goes is no news";
}

TEST_F(BucketsTest, ServeDifferentQueuesOfAGroupAtOnce) {
  std::vector<PushResult> results(kLanes);
  ASSERT_EQ(RunLanes(kLanes,
                     [&](ScheduledLaneScope& lane) {
                       const std::uint32_t rank = lane.Rank();
                       const Element element = Make(20 + rank % 2, rank);
                       results[rank] = buckets_->Push(lane, rank != 3, element, rank % 4 / 2);
                     }),
            "");
  EXPECT_EQ(std::count(results.begin(), results.end(), PushResult::kOk), kLanes);
  EXPECT_EQ(Draw(20, 0, 9), (std::vector<std::uint32_t>{0, 4}));
  EXPECT_EQ(Draw(21, 0, 9), (std::vector<std::uint32_t>{1, 5}));
  EXPECT_EQ(Draw(20, 1, 9), (std::vector<std::uint32_t>{2, 6}));
  EXPECT_EQ(Draw(21, 1, 9), (std::vector<std::uint32_t>{7})) << "thread 3 offered nothing";
}

TEST_F(BucketsTest, RefuseWhatFindsNoRoomInItsQueueOnly) {
  for (std::uint32_t i = 0; i < kQueueElements; ++i) ASSERT_EQ(Push(2, 0, i), PushResult::kOk);
  EXPECT_EQ(Push(2, 0, 0), PushResult::kFull);
  EXPECT_EQ(Push(2, 1, 0), PushResult::kOk);
  EXPECT_EQ(buckets_->SizeOf(2, 0), kQueueElements);
}

TEST_F(BucketsTest, HaveNoRoomWhenFewPagesAreLeft) {
  std::uint32_t pushed = 0;
  for (std::uint32_t place = 0; place < kPages; ++place) {
    if (Push(place % kBuckets, place / kBuckets, place) == PushResult::kOk) ++pushed;
    if (place == kPages / 2) {
      EXPECT_TRUE(buckets_->HasRoom()) << "each queue has begun a page";
    }
  }
  EXPECT_EQ(pushed, kPages);
  EXPECT_FALSE(buckets_->HasRoom());
  EXPECT_EQ(buckets_->ApproximateSize(0), kBuckets);
  EXPECT_EQ(Tested::Capacity(), kPages * 128);
}

TEST_F(BucketsTest, DrawEachTakesOneElementOfEachOfTheFirstBuckets) {
  for (std::uint32_t bucket = 30; bucket < 50; ++bucket) {
    Push(bucket, 1, bucket);
    Push(bucket, 1, 100 + bucket);
  }
  std::vector<Element> out(kLanes);
  ASSERT_EQ(DrawEach({32, 1, 0}, kLanes, out), kLanes);
  std::vector<std::uint32_t> numbers = NumbersOf(out, kLanes);
  std::sort(numbers.begin(), numbers.end());
  // One of two neighbours gives an element, so it comes from every other bucket.
  EXPECT_EQ(numbers, (std::vector<std::uint32_t>{32, 34, 36, 38, 40, 42, 44, 46}));
  EXPECT_EQ(buckets_->SizeOf(32, 1), 1u);
  EXPECT_EQ(buckets_->SizeOf(30, 1), 2u) << "before those that are shared";
}

TEST_F(BucketsTest, DrawEachLeavesSomeOfTheFirstToOthers) {
  for (std::uint32_t bucket = 32; bucket < 64; bucket += 2) Push(bucket, 0, bucket);
  std::vector<Element> out(kLanes);
  ASSERT_EQ(DrawEach({32, 0, 3}, 4, out), 4u);
  std::vector<std::uint32_t> numbers = NumbersOf(out, 4);
  std::sort(numbers.begin(), numbers.end());
  EXPECT_EQ(numbers, (std::vector<std::uint32_t>{38, 40, 42, 44}));
  EXPECT_EQ(Look().bucket, 32u);
  EXPECT_EQ(Look(0, 38).bucket, 46u) << "what was drawn empty is not shown any more";
}

TEST_F(BucketsTest, DrawEachSaysWhenThereAreTooFewBuckets) {
  Push(40, 0, 1);
  Push(42, 0, 2);
  std::vector<Element> out(kLanes);
  EXPECT_EQ(DrawEach({32, 0, 0}, kLanes, out), Tested::kFew);
  EXPECT_EQ(buckets_->ApproximateSize(0), 2u);
}

TEST_F(BucketsTest, DrawEachIsNotMisledByHintsThatPromiseNothing) {
  for (std::uint32_t bucket = 32; bucket < 64; bucket += 2) {
    buckets_->SetHint(bucket, 1u << 2);
    if (bucket % 4 == 0) Push(bucket, 2, bucket);
  }
  std::vector<Element> out(kLanes);
  ASSERT_EQ(DrawEach({32, 2, 0}, kLanes, out), kLanes / 2);
  EXPECT_EQ(NumbersOf(out, 4), (std::vector<std::uint32_t>{32, 36, 40, 44}));
}

/// As many queues as a hint has bits.
struct WidestShape : Shape {
  static constexpr std::uint32_t kQueues = 31;
  static constexpr std::uint32_t kPages = 256;
};

TEST(BucketsOfManyQueues, ShowEachQueueAndTheRangeByABitOfItsOwn) {
  using Widest = Buckets<ScheduledScope, WidestShape>;
  ScheduledScope one{nullptr};
  const auto buckets = std::make_unique<Widest>();
  buckets->Reset(0, 1);
  for (std::uint32_t queue = 0; queue < WidestShape::kQueues; ++queue) {
    ASSERT_EQ(buckets->Push(one, true, Make(40, queue), queue), PushResult::kOk);
  }
  buckets->SetHint(40, Widest::kRangeHint);
  EXPECT_EQ(buckets->Look(one, 0, 0).hints, ~0u);
  for (std::uint32_t queue = 0; queue < WidestShape::kQueues; ++queue) {
    Element elements[2] = {};
    ASSERT_EQ(buckets->Draw(one, {40, queue}, {2, 2, 1}, elements), 1u) << "the last one";
    EXPECT_EQ(elements[0].payload[0], queue);
  }
  EXPECT_EQ(buckets->WaitingIn(40).hints, Widest::kRangeHint);
}

/// Runs a function once, in the middle of an operation of another thread.
class InterruptedScope : public ScheduledScope {
 public:
  using ScheduledScope::ScheduledScope;
  using Hook = std::function<void()>;
  inline static Hook before_clear, before_take, after_take;

  template <class T>
  class Ref : public test_support::SteppedRef<T> {
   public:
    using Base = test_support::SteppedRef<T>;
    using Base::Base;

    T FetchAndAcqRel(T value) const {
      RunOnce(before_clear);
      return Base::FetchAndAcqRel(value);
    }
    T FetchSubRelaxed(T value) const {
      RunOnce(before_take);
      const T before = Base::FetchSubRelaxed(value);
      RunOnce(after_take);
      return before;
    }
  };
  template <class T>
  static Ref<T> Word(T& word) {
    return Ref<T>(word);
  }

 private:
  static void RunOnce(Hook& hook) {
    const Hook own = std::exchange(hook, nullptr);
    if (own) own();
  }
};

class RacedBucketsTest : public ::testing::Test {
 protected:
  using Raced = Buckets<InterruptedScope, Shape>;

  RacedBucketsTest() { buckets_->Reset(0, 1); }

  void Push() { buckets_->Push(one_, true, Make(4, 0), 1); }
  std::uint32_t Draw(std::uint32_t wanted) {
    Element out[4];
    return buckets_->Draw(one_, {4, 1}, {wanted, wanted, 1}, out);
  }
  bool Shown() { return buckets_->Look(one_, 0, 0).hints == 1u << 1; }

  InterruptedScope one_{nullptr};
  std::unique_ptr<Raced> buckets_ = std::make_unique<Raced>();
};

TEST_F(RacedBucketsTest, SetAHintAgainThatWasClearedAfterAPush) {
  Push();
  InterruptedScope::before_clear = [&] { Push(); };
  EXPECT_EQ(Draw(2), 1u);
  EXPECT_TRUE(Shown());
  EXPECT_EQ(Draw(2), 1u);
  EXPECT_FALSE(Shown());
}

TEST_F(RacedBucketsTest, ShowAnElementThatVainCreditHidFromWhoLookedAgain) {
  Push();
  const auto hidden = [&] {
    Push();
    EXPECT_EQ(Draw(1), 0u) << "the credit of the draw that is under way hides it";
    EXPECT_FALSE(Shown());
  };
  InterruptedScope::before_take = [&, hidden] {
    EXPECT_EQ(Draw(1), 1u);
    InterruptedScope::after_take = hidden;
  };
  EXPECT_EQ(Draw(2), 0u);
  EXPECT_TRUE(Shown());
  EXPECT_EQ(Draw(1), 1u);
}

}  // namespace
}  // namespace warpyard::strategy
