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

class SceneTableTest : public ::testing::Test {
 protected:
  std::vector<SceneId> closed_;
  absl::Time now_ = absl::FromUnixSeconds(1000);
  SceneTable scenes_{absl::Minutes(10), [this](SceneId scene) { closed_.push_back(scene); },
                     [this] { return now_; }};
};

TEST_F(SceneTableTest, NamesAreLongRandomAndShortEnough) {
  std::set<std::string> names;
  for (int i = 0; i < 1000; ++i) names.insert(RandomSceneName());
  EXPECT_EQ(names.size(), 1000u);
  EXPECT_THAT(*names.begin(), ::testing::MatchesRegex("scene-[0-9a-f]{32}"));
}

TEST_F(SceneTableTest, FindsWhatWasAdded) {
  const std::string name = scenes_.Add({SceneId{7}, 42});
  const auto scene = scenes_.Find(name);
  ASSERT_TRUE(scene.ok());
  EXPECT_EQ((*scene)->id, SceneId{7});
  EXPECT_EQ((*scene)->vertices, 42u);
}

TEST_F(SceneTableTest, DoesNotFindWhatIsNotThere) {
  const absl::Status status = scenes_.Find("scene-1").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), HasSubstr("scene: no scene \"scene-1\""));
  EXPECT_EQ(scenes_.Remove("scene-1").status().code(), absl::StatusCode::kNotFound);
}

TEST_F(SceneTableTest, ShortensAndEscapesForeignNamesInMessages) {
  const absl::Status status = scenes_.Find(std::string("\n\x01") + std::string(9999, 'x')).status();
  EXPECT_THAT(std::string(status.message()), HasSubstr("\"\\n\\x01xx"));
  EXPECT_LT(status.message().size(), 200u);
}

TEST_F(SceneTableTest, RemovedScenesAreTheCallersToClose) {
  const std::string name = scenes_.Add({SceneId{7}, 42});
  EXPECT_EQ(*scenes_.Remove(name), SceneId{7});
  EXPECT_FALSE(scenes_.Find(name).ok());
  EXPECT_THAT(closed_, IsEmpty());
}

TEST_F(SceneTableTest, ClosesScenesThatNobodyUses) {
  scenes_.Add({SceneId{7}, 42});
  now_ += absl::Minutes(10) - absl::Seconds(1);
  EXPECT_EQ(scenes_.RemoveExpired(), 0u);
  now_ += absl::Seconds(1);
  EXPECT_EQ(scenes_.RemoveExpired(), 1u);
  EXPECT_THAT(closed_, ElementsAre(SceneId{7}));
  EXPECT_EQ(scenes_.size(), 0u);
}

TEST_F(SceneTableTest, EachUseRenewsTheTimeToLive) {
  const std::string name = scenes_.Add({SceneId{7}, 42});
  now_ += absl::Minutes(9);
  ASSERT_TRUE(scenes_.Find(name).ok());
  now_ += absl::Minutes(9);
  EXPECT_EQ(scenes_.RemoveExpired(), 0u);
  now_ += absl::Minutes(1);
  EXPECT_EQ(scenes_.RemoveExpired(), 1u);
}

TEST_F(SceneTableTest, ScenesInUseDoNotExpire) {
  const std::string name = scenes_.Add({SceneId{7}, 42});
  auto use = *scenes_.Find(name);
  now_ += absl::Hours(5);
  EXPECT_EQ(scenes_.RemoveExpired(), 0u);
  use.reset();
  now_ += absl::Minutes(9);
  EXPECT_EQ(scenes_.RemoveExpired(), 0u);
  now_ += absl::Minutes(1);
  EXPECT_EQ(scenes_.RemoveExpired(), 1u);
}

TEST_F(SceneTableTest, UsesOutliveRemovalAndTheTable) {
  SceneTable::Use use;
  {
    SceneTable scenes(absl::Minutes(1), [](SceneId) {});
    const std::string name = scenes.Add({SceneId{7}, 42});
    use = *scenes.Find(name);
    EXPECT_TRUE(scenes.Remove(name).ok());
  }
  EXPECT_EQ(use->vertices, 42u);
}

TEST_F(SceneTableTest, ManyThreadsMayUseIt) {
  std::atomic<int> closed = 0;
  SceneTable scenes(absl::ZeroDuration(), [&](SceneId) { ++closed; });
  std::atomic<int> removed = 0;
  std::vector<std::thread> threads;
  for (std::uint64_t id = 1; id <= 4; ++id) {
    threads.emplace_back([&, id] {
      for (int i = 0; i < 200; ++i) {
        const std::string name = scenes.Add({SceneId{id}, 1});
        // Another thread may have closed it already.
        const auto use = scenes.Find(name);
        EXPECT_TRUE(!use.ok() || (*use)->id == SceneId{id});
        if (i % 2 == 0) removed += scenes.Remove(name).ok() ? 1 : 0;
        scenes.RemoveExpired();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  scenes.RemoveExpired();
  EXPECT_EQ(closed + removed, 800);
}

TEST(SceneSweeper, ClosesExpiredScenesAndStopsAtOnce) {
  std::atomic<int> closed = 0;
  SceneTable scenes(absl::ZeroDuration(), [&](SceneId) { ++closed; });
  scenes.Add({SceneId{7}, 42});
  {
    const SceneSweeper sweeper(scenes);
    const absl::Time give_up = absl::Now() + absl::Seconds(20);
    while (closed == 0 && absl::Now() < give_up) absl::SleepFor(absl::Milliseconds(10));
  }
  EXPECT_EQ(closed, 1);
}

}  // namespace
}  // namespace warpyard::server
