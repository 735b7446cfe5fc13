// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/jobs/resident_table.h"

#include <atomic>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::server {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr ResidentTable::Owner kNobody = ResidentTable::kNobody;

/// What a workload must know of its residents.
struct Box {
  static constexpr const char* kNoun = "box";
  unsigned sides = 0;
};
struct Bag {
  static constexpr const char* kNoun = "bag";
};

class ResidentTableTest : public ::testing::Test {
 protected:
  std::vector<ResidentId> closed_;
  absl::Time now_ = absl::FromUnixSeconds(1000);
  ResidentTable scenes_{absl::Minutes(10), [this](ResidentId scene) { closed_.push_back(scene); },
                        [this] { return now_; }};
};

TEST_F(ResidentTableTest, NamesAreLongRandomAndShortEnough) {
  std::set<std::string> names;
  for (int i = 0; i < 1000; ++i) names.insert(scenes_.Add<Box>(kNobody, ResidentId{7}));
  EXPECT_EQ(names.size(), 1000u);
  EXPECT_THAT(*names.begin(), ::testing::MatchesRegex("box-[0-9a-f]{32}"));
}

TEST_F(ResidentTableTest, KeepsKindsApart) {
  const std::string box = scenes_.Add<Box>(kNobody, ResidentId{7}),
                    bag = scenes_.Add<Bag>(kNobody, ResidentId{8});
  EXPECT_EQ(scenes_.Find<Bag>(box, kNobody).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(scenes_.Remove<Bag>(box, kNobody).code(), absl::StatusCode::kNotFound);
  EXPECT_TRUE(scenes_.Find<Bag>(bag, kNobody).ok());
  EXPECT_TRUE(scenes_.Find<Box>(box, kNobody).ok());
}

TEST_F(ResidentTableTest, FindsWhatWasAdded) {
  const std::string name = scenes_.Add<Box>(kNobody, ResidentId{7}, 42u);
  const auto scene = scenes_.Find<Box>(name, kNobody);
  ASSERT_TRUE(scene.ok());
  EXPECT_EQ((*scene)->id, ResidentId{7});
  EXPECT_EQ((*scene)->facts.sides, 42u);
}

TEST_F(ResidentTableTest, DoesNotFindWhatIsNotThere) {
  const absl::Status status = scenes_.Find<Box>("scene-1", kNobody).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), HasSubstr("box: no box \"scene-1\""));
  EXPECT_EQ(scenes_.Remove<Box>("scene-1", kNobody).code(), absl::StatusCode::kNotFound);
}

TEST_F(ResidentTableTest, ShortensAndEscapesForeignNamesInMessages) {
  const absl::Status status =
      scenes_.Find<Box>(std::string("\n\x01") + std::string(9999, 'x'), kNobody).status();
  EXPECT_THAT(std::string(status.message()), HasSubstr("\"\\n\\x01xx"));
  EXPECT_LT(status.message().size(), 200u);
}

TEST_F(ResidentTableTest, ClosesARemovedResidentAfterItsUses) {
  const std::string name = scenes_.Add<Box>(kNobody, ResidentId{7}, 42u);
  auto use = *scenes_.Find<Box>(name, kNobody);
  EXPECT_TRUE(scenes_.Remove<Box>(name, kNobody).ok());
  EXPECT_FALSE(scenes_.Find<Box>(name, kNobody).ok());
  EXPECT_THAT(closed_, IsEmpty());
  use.reset();
  EXPECT_THAT(closed_, ElementsAre(ResidentId{7}));
}

TEST_F(ResidentTableTest, ClosesScenesThatNobodyUses) {
  scenes_.Add<Box>(kNobody, ResidentId{7}, 42u);
  now_ += absl::Minutes(10) - absl::Seconds(1);
  EXPECT_EQ(scenes_.RemoveExpired(), 0u);
  now_ += absl::Seconds(1);
  EXPECT_EQ(scenes_.RemoveExpired(), 1u);
  EXPECT_THAT(closed_, ElementsAre(ResidentId{7}));
  EXPECT_EQ(scenes_.size(), 0u);
}

TEST_F(ResidentTableTest, EachUseRenewsTheTimeToLive) {
  const std::string name = scenes_.Add<Box>(kNobody, ResidentId{7}, 42u);
  now_ += absl::Minutes(9);
  ASSERT_TRUE(scenes_.Find<Box>(name, kNobody).ok());
  now_ += absl::Minutes(9);
  EXPECT_EQ(scenes_.RemoveExpired(), 0u);
  now_ += absl::Minutes(1);
  EXPECT_EQ(scenes_.RemoveExpired(), 1u);
}

TEST_F(ResidentTableTest, ScenesInUseDoNotExpire) {
  const std::string name = scenes_.Add<Box>(kNobody, ResidentId{7}, 42u);
  auto use = *scenes_.Find<Box>(name, kNobody);
  now_ += absl::Hours(5);
  EXPECT_EQ(scenes_.RemoveExpired(), 0u);
  use.reset();
  now_ += absl::Minutes(9);
  EXPECT_EQ(scenes_.RemoveExpired(), 0u);
  now_ += absl::Minutes(1);
  EXPECT_EQ(scenes_.RemoveExpired(), 1u);
}

TEST_F(ResidentTableTest, UsesOutliveRemovalAndTheTable) {
  ResidentTable::Use<Box> use;
  {
    ResidentTable scenes(absl::Minutes(1), [](ResidentId) {});
    const std::string name = scenes.Add<Box>(kNobody, ResidentId{7}, 42u);
    use = *scenes.Find<Box>(name, kNobody);
    EXPECT_TRUE(scenes.Remove<Box>(name, kNobody).ok());
  }
  EXPECT_EQ(use->facts.sides, 42u);
}

TEST_F(ResidentTableTest, NamesAContentAgainWhileItIsOpen) {
  const std::string first = scenes_.Add<Box>(kNobody, ResidentId{7}, 42u);
  ASSERT_TRUE(scenes_.SetContent<Box>(first, kNobody, "content").ok());
  EXPECT_EQ(scenes_.NameAgain<Box>(kNobody, "another")->first, "");
  EXPECT_EQ(scenes_.NameAgain<Bag>(kNobody, "content")->first, "") << "of another kind";
  const std::string second = scenes_.NameAgain<Box>(kNobody, "content")->first;
  EXPECT_NE(second, first);
  EXPECT_EQ((*scenes_.Find<Box>(second, kNobody))->facts.sides, 42u);
  EXPECT_TRUE(scenes_.Remove<Box>(first, kNobody).ok());
  EXPECT_FALSE(scenes_.Find<Box>(first, kNobody).ok());
  EXPECT_THAT(closed_, IsEmpty());
  EXPECT_TRUE(scenes_.Remove<Box>(second, kNobody).ok());
  EXPECT_THAT(closed_, ElementsAre(ResidentId{7}));
  EXPECT_EQ(scenes_.NameAgain<Box>(kNobody, "content")->first, "");
}

TEST_F(ResidentTableTest, EachNameExpiresByItself) {
  const std::string first = scenes_.Add<Box>(kNobody, ResidentId{7}, 42u);
  ASSERT_TRUE(scenes_.SetContent<Box>(first, kNobody, "content").ok());
  now_ += absl::Minutes(9);
  const std::string second = scenes_.NameAgain<Box>(kNobody, "content")->first;
  now_ += absl::Minutes(9);
  EXPECT_EQ(scenes_.RemoveExpired(), 1u);
  EXPECT_THAT(closed_, IsEmpty());
  EXPECT_TRUE(scenes_.Find<Box>(second, kNobody).ok());
  now_ += absl::Minutes(10);
  EXPECT_EQ(scenes_.RemoveExpired(), 1u);
  EXPECT_THAT(closed_, ElementsAre(ResidentId{7}));
}

TEST_F(ResidentTableTest, ForgetsTheContentOfALostResident) {
  const std::string name = scenes_.Add<Box>(kNobody, ResidentId{7}, 42u);
  ASSERT_TRUE(scenes_.SetContent<Box>(name, kNobody, "content").ok());
  scenes_.ForgetContent(ResidentId{8});
  EXPECT_NE(scenes_.NameAgain<Box>(kNobody, "content")->first, "");
  scenes_.ForgetContent(ResidentId{7});
  EXPECT_EQ(scenes_.NameAgain<Box>(kNobody, "content")->first, "");
  const std::string other = scenes_.Add<Box>(kNobody, ResidentId{9}, 1u);
  ASSERT_TRUE(scenes_.SetContent<Box>(other, kNobody, "content").ok());
  EXPECT_EQ(scenes_.NameAgain<Box>(kNobody, "content")->second->id, ResidentId{9});
}

TEST_F(ResidentTableTest, KeepsTheFirstOfTwoWithOneContent) {
  const std::string first = scenes_.Add<Box>(kNobody, ResidentId{7}),
                    second = scenes_.Add<Box>(kNobody, ResidentId{8});
  ASSERT_TRUE(scenes_.SetContent<Box>(first, kNobody, "content").ok());
  ASSERT_TRUE(scenes_.SetContent<Box>(second, kNobody, "content").ok());
  EXPECT_EQ(scenes_.NameAgain<Box>(kNobody, "content")->second->id, ResidentId{7});
  EXPECT_EQ(scenes_.SetContent<Box>("box-1", kNobody, "content").code(),
            absl::StatusCode::kNotFound);
}

TEST_F(ResidentTableTest, OnlyTheOwnerFindsAResident) {
  const std::string name = scenes_.Add<Box>(1, ResidentId{7}, 42u);
  ASSERT_TRUE(scenes_.SetContent<Box>(name, 1, "content").ok());
  for (const ResidentTable::Owner other : {ResidentTable::Owner{2}, kNobody}) {
    EXPECT_EQ(scenes_.Find<Box>(name, other).status().code(), absl::StatusCode::kNotFound);
    EXPECT_EQ(scenes_.Remove<Box>(name, other).code(), absl::StatusCode::kNotFound);
    EXPECT_EQ(scenes_.NameAgain<Box>(other, "content")->first, "");
  }
  const std::string again = scenes_.NameAgain<Box>(1, "content")->first;
  EXPECT_TRUE(scenes_.Find<Box>(again, 1).ok());
  EXPECT_EQ(scenes_.CountOf(1), 2u);
  EXPECT_EQ(scenes_.CountOf(2), 0u);
}

TEST_F(ResidentTableTest, GivesALimitedNumberOfNames) {
  ASSERT_TRUE(
      scenes_.SetContent<Box>(scenes_.Add<Box>(kNobody, ResidentId{7}), kNobody, "content").ok());
  while (scenes_.size() < ResidentTable::kMostNames) {
    ASSERT_TRUE(scenes_.NameAgain<Box>(kNobody, "content").ok());
  }
  const absl::Status status = scenes_.NameAgain<Box>(kNobody, "content").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(status.message(), "box: 65536 handles are open; the limit is 65536");
}

TEST_F(ResidentTableTest, ManyThreadsMayUseIt) {
  std::atomic<int> closed = 0;
  ResidentTable scenes(absl::ZeroDuration(), [&](ResidentId) { ++closed; });
  std::vector<std::thread> threads;
  for (std::uint64_t id = 1; id <= 4; ++id) {
    threads.emplace_back([&, id] {
      for (int i = 0; i < 200; ++i) {
        const std::string name = scenes.Add<Box>(kNobody, ResidentId{id}, 1u);
        // Another thread may have closed the resident already.
        const auto use = scenes.Find<Box>(name, kNobody);
        EXPECT_TRUE(!use.ok() || (*use)->id == ResidentId{id});
        if (i % 2 == 0) scenes.Remove<Box>(name, kNobody).IgnoreError();
        scenes.RemoveExpired();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  scenes.RemoveExpired();
  EXPECT_EQ(closed, 800);
}

}  // namespace
}  // namespace warpyard::server
