// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/api/scene_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "core/base/no_index.h"
#include "core/workload/ccd/scene/scene_memory.h"
#include "tests/unit/api/worlds_of_a_set.h"
#include "tests/unit/engine/position_forms.h"

namespace warpyard::test_support {
namespace {

using ::testing::HasSubstr;

constexpr SoupShape kSoup = {300, 0.25, 0.3};

TEST(SceneSet, GivesEachWorldTheAnswerOfASceneOfItsOwn) {
  EngineDriver engine(2);
  ExpectWorldsAsScenes(engine, WorldsOfSoup(5, kSoup));
  ExpectWorldsAsScenes(engine, WorldsOfSoup(3, {20, 0.6, 0.5}));  // a tree of one level
  ExpectWorldsAsScenes(engine, WorldsOfSoup(9, {1, 1, 1}));
  ExpectWorldsAsScenes(engine, WorldsOfSoup(1, kSoup));
  ExpectWorldsAsScenes(engine, WorldsOfCloth(3, 30, 25));
}

TEST(SceneSet, FindsEarliestTimesOfWorldsThatEndEarlyAndLate) {
  EngineDriver engine(2);
  std::vector<Motion> worlds = WorldsOfManySpeeds();
  ccd::CollisionOptions options;
  options.report = ccd::Report::kEarliest;
  std::vector<std::optional<double>> earliest;
  for (const Motion& world : worlds) {
    earliest.push_back(engine.Detect(world, options)->earliest_time);
  }
  for (std::size_t turn = 0; turn < worlds.size(); ++turn) {
    SetDriver set(engine, worlds);
    const auto step = set.Step(RowsOf(worlds, &Motion::end, AllOf(worlds)), options);
    ASSERT_TRUE(step.ok()) << step.status();
    for (std::size_t w = 0; w < worlds.size(); ++w) {
      EXPECT_EQ(step->worlds[w].earliest_time, earliest[w]) << "world " << w;
    }
    std::rotate(worlds.begin(), worlds.begin() + 1, worlds.end());
    std::rotate(earliest.begin(), earliest.begin() + 1, earliest.end());
  }
}

TEST(SceneSet, KeepsTheGroupRuleWithinEachWorld) {
  EngineDriver engine(2);
  ExpectWorldsAsScenes(engine, WorldsOfSoup(3, {150, 0.4, 0.5}), ccd::GroupRule::kDifferent);
  ExpectWorldsAsScenes(engine, WorldsOfSoup(3, {150, 0.4, 0.5}), ccd::GroupRule::kSame);
}

TEST(SceneSet, TakesWorldsWithTreesOfThreeLevels) {
  EngineDriver engine(2);
  const std::vector<Motion> worlds = WorldsOfSoup(2, {9000, 0.05, 0.05});
  SetDriver set(engine, worlds);
  ASSERT_TRUE(set.info().ok()) << set.info().status();
  const auto step = set.Step(RowsOf(worlds, &Motion::end, AllOf(worlds)), {});
  ASSERT_TRUE(step.ok()) << step.status();
  const std::vector<WorldAnswer> answers = AnswersOf(*step);
  for (std::size_t w = 0; w < worlds.size(); ++w) {
    EXPECT_TRUE(answers[w] == AnswerOf(*engine.Detect(worlds[w], {}))) << "world " << w;
  }
}

TEST(SceneSet, TakesPositionsInFloats) {
  EngineDriver engine(2);
  std::vector<Motion> worlds = WorldsOfSoup(4, kSoup);
  for (Motion& world : worlds) world = RoundedToFloat(world);
  SetDriver set(engine, worlds);
  const std::vector<double> end = RowsOf(worlds, &Motion::end, {1, 2});
  const auto step = set.Step(end, {}, {1, 2}, ccd::ScalarType::kFloat32);
  ASSERT_TRUE(step.ok()) << step.status();
  const std::vector<WorldAnswer> answers = AnswersOf(*step);
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_TRUE(answers[0] == AnswerOf(*engine.Detect(worlds[1], {})));
  EXPECT_TRUE(answers[1] == AnswerOf(*engine.Detect(worlds[2], {})));
}

/// What each world of a set is, for a test that moves some of them at a time.
class WorldsThatMove {
 public:
  WorldsThatMove(EngineDriver& engine, std::uint32_t worlds)
      : engine_(engine), worlds_(WorldsOfSoup(worlds, kSoup)), set_(engine, worlds_) {
    for (const Motion& world : worlds_) at_.push_back(world.start);
  }

  /// Moves some worlds to other places, half of the way to their end or back.
  void Move(const std::vector<std::uint32_t>& rows, ccd::Report report) {
    ccd::CollisionOptions options;
    options.report = report;
    std::vector<double> end;
    for (const std::uint32_t row : rows) {
      const Motion& world = worlds_[row == kNoIndex ? 0 : row];
      const bool back = row != kNoIndex && at_[row] != world.start;
      for (std::size_t i = 0; i < world.start.size(); ++i) {
        end.push_back(back ? world.start[i] : 0.5 * (world.start[i] + world.end[i]));
      }
      // A row that is skipped may have anything.
      if (row == kNoIndex) end.back() = std::numeric_limits<double>::quiet_NaN();
    }
    const auto step = set_.Step(end, options, rows);
    ASSERT_TRUE(step.ok()) << step.status();
    const std::vector<WorldAnswer> answers = AnswersOf(*step);
    ASSERT_EQ(answers.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i] == kNoIndex) {
        EXPECT_TRUE(answers[i] == (WorldAnswer{{0, 0}, std::nullopt}));
        continue;
      }
      Motion alone = worlds_[rows[i]];
      const std::size_t size = alone.start.size();
      alone.start = at_[rows[i]];
      alone.end.assign(end.begin() + std::ptrdiff_t(i * size),
                       end.begin() + std::ptrdiff_t((i + 1) * size));
      EXPECT_TRUE(answers[i] == AnswerOf(*engine_.Detect(alone, options))) << "world " << rows[i];
      at_[rows[i]] = alone.end;
    }
  }

 private:
  EngineDriver& engine_;
  std::vector<Motion> worlds_;
  SetDriver set_;
  std::vector<std::vector<double>> at_;
};

TEST(SceneSet, MovesSomeWorldsAndLeavesTheOthersWhereTheyAre) {
  using ccd::Report;
  EngineDriver engine(2);
  WorldsThatMove worlds(engine, 6);
  worlds.Move({0, 1, 2, 3, 4, 5}, Report::kCollisions);
  worlds.Move({2}, Report::kCollisions);
  worlds.Move({0, 1, 5}, Report::kEarliest);
  worlds.Move({0, 1, 2, 3, 4, 5}, Report::kEarliest);
  worlds.Move({1, 3, 4}, Report::kCandidates);
  worlds.Move({0, 1, 2, 3, 4, 5}, Report::kCollisions);
  worlds.Move({5}, Report::kCandidates);
  worlds.Move({0, 1, 2, 3, 4, 5}, Report::kCollisions);
}

TEST(SceneSet, SkipsRowsThatAreForNoWorld) {
  EngineDriver engine(2);
  WorldsThatMove worlds(engine, 4);
  worlds.Move({0, kNoIndex, 2, 3}, ccd::Report::kCollisions);
  worlds.Move({kNoIndex, 1, kNoIndex}, ccd::Report::kEarliest);
  worlds.Move({kNoIndex}, ccd::Report::kCollisions);
  worlds.Move({0, 1, 2, 3}, ccd::Report::kCollisions);
}

TEST(SceneSet, StartsWhereAStepSays) {
  EngineDriver engine(2);
  const std::vector<Motion> worlds = WorldsOfSoup(4, kSoup);
  SetDriver set(engine, worlds);
  // The other way round, for two worlds; then all from where they are.
  const std::vector<double> from = RowsOf(worlds, &Motion::end, {1, 3});
  const std::vector<double> to = RowsOf(worlds, &Motion::start, {1, 3});
  const Positions start(from, ccd::ScalarType::kFloat64), end(to, ccd::ScalarType::kFloat64);
  const std::vector<std::uint32_t> rows = {1, 3};
  const auto step = set.Run({{end.View(), start.View(), rows}, {}});
  ASSERT_TRUE(step.ok()) << step.status();
  const std::vector<WorldAnswer> answers = AnswersOf(*step);
  for (std::size_t i = 0; i < 2; ++i) {
    Motion back = worlds[rows[i]];
    std::swap(back.start, back.end);
    EXPECT_TRUE(answers[i] == AnswerOf(*engine.Detect(back, {})));
  }
  const auto all = set.Step(RowsOf(worlds, &Motion::end, AllOf(worlds)), {});
  ASSERT_TRUE(all.ok()) << all.status();
  for (std::size_t w = 0; w < worlds.size(); ++w) {
    EXPECT_TRUE(AnswersOf(*all)[w] == AnswerOf(*engine.Detect(worlds[w], {}))) << "world " << w;
  }
}

TEST(SceneSet, IsWhereItsMeshIsUnlessItHasStarts) {
  EngineDriver engine(2);
  const Motion mesh = TriangleSoup(7, kSoup);
  const Positions rest(mesh.start, ccd::ScalarType::kFloat64);
  SetDriver set(engine, {{rest.View(), mesh.triangles, {}}, 3});
  ASSERT_TRUE(set.info().ok()) << set.info().status();
  const auto step = set.Step(RowsOf({mesh}, &Motion::end, {0, 0, 0}), {});
  ASSERT_TRUE(step.ok()) << step.status();
  Motion alone = mesh;
  alone.vertex_groups.clear();
  const WorldAnswer expected = AnswerOf(*engine.Detect(alone, {}));
  for (const WorldAnswer& answer : AnswersOf(*step)) EXPECT_TRUE(answer == expected);
}

/// A set of rigid bodies, beside a scene of its own for each world.
class PosedWorlds {
 public:
  explicit PosedWorlds(EngineDriver& engine)
      : engine_(engine), rest_(mesh_.start, ccd::ScalarType::kFloat64) {
    set_.emplace(engine,
                 collision::SetDescription{{rest_.View(), mesh_.triangles, mesh_.vertex_groups,
                                            ccd::GroupRule::kDifferent},
                                           kWorlds});
    for (std::uint32_t w = 0; w < kWorlds; ++w) {
      scenes_.push_back(
          engine.Open(mesh_, ccd::ScalarType::kFloat64, ccd::GroupRule::kDifferent)->id);
    }
  }

  std::uint32_t Bodies() const { return set_->info()->bodies; }

  /// Steps some worlds to random poses, or to positions.
  void Step(const std::vector<std::uint32_t>& rows, bool poses) {
    std::vector<Matrix> matrices;
    for (std::size_t i = 0; i < rows.size() * Bodies(); ++i) {
      matrices.push_back(RandomTransform(random_, 0.5, 0.3));
    }
    const std::vector<double> end = RowsOf({mesh_}, &Motion::end, {0});
    const Positions all(RowsOf({mesh_}, &Motion::end, std::vector<std::uint32_t>(rows.size(), 0)),
                        ccd::ScalarType::kFloat64);
    const Positions one(end, ccd::ScalarType::kFloat64);
    ccd::SetStep step{all.View(), std::nullopt, rows};
    if (poses) step.end = ccd::PoseView{matrices.data(), matrices.size()};
    const auto there = set_->Run({step, {}});
    ASSERT_TRUE(there.ok()) << there.status();
    const std::vector<WorldAnswer> answers = AnswersOf(*there);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      collision::StepDescription alone{one.View(), std::nullopt, {}};
      if (poses) alone.end = ccd::PoseView{&matrices[i * Bodies()], Bodies()};
      Completion<ccd::CollisionResult> completion;
      collision::Step(engine_.engine(), scenes_[rows[i]], alone, {}, completion.Callback());
      const auto expected = completion.Await();
      ASSERT_TRUE(expected.ok()) << expected.status();
      EXPECT_TRUE(answers[i] == AnswerOf(*expected)) << "world " << rows[i];
      EXPECT_EQ(there->worlds[i].path_deviation, expected->path_deviation) << "world " << rows[i];
    }
  }

  /// One body of the second world goes too far.
  void StepTooFar() {
    std::vector<Matrix> matrices(kWorlds * Bodies(), kIdentity);
    matrices[Bodies() + 2][3] = 2e38;
    const auto there = set_->Run({{ccd::PoseView{matrices.data(), matrices.size()}}, {}});
    ASSERT_TRUE(there.ok()) << there.status();
    for (std::uint32_t w = 0; w < kWorlds; ++w) {
      EXPECT_EQ(there->worlds[w].status.ok(), w != 1) << there->worlds[w].status;
    }
    EXPECT_THAT(std::string(there->worlds[1].status.message()), HasSubstr("body 2"));
  }

 private:
  static constexpr std::uint32_t kWorlds = 4;

  EngineDriver& engine_;
  const Motion mesh_ = Tetrahedra(5, 40);
  Positions rest_;
  Random random_{17};
  std::optional<SetDriver> set_;
  std::vector<ResidentId> scenes_;
};

TEST(SceneSet, MovesBodiesByPoses) {
  EngineDriver engine(2);
  PosedWorlds worlds(engine);
  ASSERT_EQ(worlds.Bodies(), 40u);
  worlds.Step({0, 1, 2, 3}, true);
  worlds.Step({1, 3}, true);
  worlds.Step({0, 2, 3}, false);
  worlds.Step({0, 1, 2, 3}, true);
  worlds.Step({2}, true);
  worlds.StepTooFar();
}

TEST(SceneSet, FailsOnlyTheWorldWhosePairsFindNoRoom) {
  const std::vector<Motion> soups = WorldsOfSoup(5, {400, 0.1, 0.1});
  std::vector<Motion> worlds = soups;
  // Every feature of this world meets all of its others.
  for (double& coordinate : worlds[3].end) coordinate = 0;
  EngineOptions options;
  options.backend = BackendChoice::kCpu;
  options.threads = 2;
  options.memory_limit_bytes = std::size_t{16} << 20;
  EngineDriver engine(options);
  SetDriver set(engine, worlds);
  ASSERT_TRUE(set.info().ok()) << set.info().status();
  const auto step = set.Step(RowsOf(worlds, &Motion::end, AllOf(worlds)), {});
  ASSERT_TRUE(step.ok()) << step.status();
  const std::vector<WorldAnswer> answers = AnswersOf(*step);
  EngineDriver free(2);
  for (std::size_t w = 0; w < worlds.size(); ++w) {
    if (w == 3) {
      EXPECT_EQ(step->worlds[w].status.code(), absl::StatusCode::kResourceExhausted);
      EXPECT_THAT(std::string(step->worlds[w].status.message()), HasSubstr("--memory-limit-mib"));
    } else {
      EXPECT_EQ(step->worlds[w].status, absl::OkStatus());
      EXPECT_TRUE(answers[w] == AnswerOf(*free.Detect(worlds[w], {}))) << "world " << w;
    }
  }
  // The world that failed has stayed at its start; the others are at their ends.
  const auto next = set.Step(RowsOf(soups, &Motion::end, AllOf(soups)), {});
  ASSERT_TRUE(next.ok()) << next.status();
  EXPECT_TRUE(AnswersOf(*next)[3] == AnswerOf(*free.Detect(soups[3], {})));
  Motion still = soups[0];
  still.start = still.end;
  EXPECT_TRUE(AnswersOf(*next)[0] == AnswerOf(*free.Detect(still, {})));
}

TEST(SceneSet, TakesTheBytesThatAreCountedBeforeItIsOpened) {
  EngineDriver engine(1);
  const std::vector<Motion> worlds = WorldsOfSoup(3, {300, 0.05, 0.01});
  SetDriver set(engine, worlds);
  ASSERT_TRUE(set.info().ok()) << set.info().status();
  const std::uint64_t vertices = 3 * 900, edges = 3 * std::uint64_t{set.info()->edges};
  const ccd::SceneBytes bytes = ccd::BytesOf({vertices, edges, 3 * 300, true, true, 3});
  EXPECT_EQ(engine.engine().Statistics().memory_used_bytes, bytes.scene);
  ASSERT_TRUE(set.Step(RowsOf(worlds, &Motion::end, AllOf(worlds)), {}).ok());
  EXPECT_EQ(engine.engine().Statistics().memory_used_bytes, bytes.scene + bytes.lists);
}

TEST(SceneSet, RefusesWhatItCannotStep) {
  EngineDriver engine(1);
  const std::vector<Motion> worlds = WorldsOfSoup(3, {20, 0.3, 0.3});
  SetDriver set(engine, worlds);
  const auto expect_refused = [&](const std::vector<std::uint32_t>& rows, std::size_t positions,
                                  const ccd::CollisionOptions& options, const char* why) {
    const std::vector<double> end(positions * worlds[0].start.size(), 0.0);
    const auto step = set.Step(end, options, rows);
    EXPECT_EQ(step.status().code(), absl::StatusCode::kInvalidArgument) << why;
    EXPECT_THAT(std::string(step.status().message()), HasSubstr(why));
  };
  expect_refused({}, 2, {}, "120 vertices; the scene has 180");
  expect_refused({1}, 2, {}, "120 vertices; the scene has 60");
  expect_refused({1, 0}, 2, {}, "row 1 is for world 0");
  expect_refused({1, 1}, 2, {}, "row 1 is for world 1");
  expect_refused({3}, 1, {}, "row 0 is for world 3");
  ccd::CollisionOptions options;
  options.traversal = ccd::Traversal::kWorkQueue;
  expect_refused({}, 3, options, "traversal");
}

TEST(SceneSet, RefusesTooFewAndTooManyWorlds) {
  EngineDriver engine(1);
  const Motion mesh = TriangleSoup(7, {20, 0.3, 0.3});
  const Positions rest(mesh.start, ccd::ScalarType::kFloat64);
  for (const std::uint32_t worlds : {0u, 0xffffffffu}) {
    SetDriver set(engine, {{rest.View(), mesh.triangles, {}}, worlds});
    EXPECT_EQ(set.info().status().code(), absl::StatusCode::kInvalidArgument);
  }
  SetDriver large(engine, {{rest.View(), mesh.triangles, {}}, 30'000'000});
  EXPECT_EQ(large.info().status().code(), absl::StatusCode::kResourceExhausted);
  SetDriver wrong(engine, {{rest.View(), mesh.triangles, {}}, 2, rest.View()});
  EXPECT_THAT(std::string(wrong.info().status().message()), HasSubstr("starts of 60 vertices"));
}

TEST(SceneSet, ChangesNothingWhenItsStepIsCancelledOrLate) {
  EngineDriver engine(1);
  const std::vector<Motion> worlds = WorldsOfSoup(3, kSoup);
  SetDriver set(engine, worlds);
  const Positions end(RowsOf(worlds, &Motion::end, AllOf(worlds)), ccd::ScalarType::kFloat64);
  JobOptions late;
  late.deadline = absl::Now() - absl::Seconds(1);
  EXPECT_EQ(set.Run({{end.View()}, {}}, late).status().code(), absl::StatusCode::kDeadlineExceeded);
  const auto step = set.Run({{end.View()}, {}});
  ASSERT_TRUE(step.ok()) << step.status();
  for (std::size_t w = 0; w < worlds.size(); ++w) {
    EXPECT_TRUE(AnswersOf(*step)[w] == AnswerOf(*engine.Detect(worlds[w], {})));
  }
}

TEST(SceneSet, IsNoSceneAndNoSceneIsASet) {
  EngineDriver engine(1);
  const std::vector<Motion> worlds = WorldsOfSoup(1, {20, 0.3, 0.3});
  SetDriver set(engine, worlds);
  EXPECT_THAT(std::string(engine.Step(set.info()->id, worlds[0].end).status().message()),
              HasSubstr("the resident is no scene"));
}

}  // namespace
}  // namespace warpyard::test_support
