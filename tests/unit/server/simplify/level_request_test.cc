// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/simplify/level_request.h"

#include <initializer_list>
#include <limits>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::server {
namespace {

using ::testing::ElementsAre;

v1::SimplifyLevelsRequest Triangles(std::initializer_list<std::uint64_t> goals) {
  v1::SimplifyLevelsRequest request;
  for (const std::uint64_t goal : goals) request.add_triangles(goal);
  return request;
}

v1::SimplifyLevelsRequest Ratios(std::initializer_list<double> goals) {
  v1::SimplifyLevelsRequest request;
  for (const double goal : goals) request.add_ratios(goal);
  return request;
}

std::string LevelErrorOf(const v1::SimplifyLevelsRequest& request) {
  const absl::Status status = ToLevels(request, 1000).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  return std::string(status.message());
}

TEST(ToLevels, TakesTrianglesAndRatios) {
  v1::SimplifyLevelsRequest request = Triangles({5000, 20, 1});
  request.set_finish(v1::FINISH_CUT);
  request.set_best_effort(true);
  const auto levels = ToLevels(request, 1000);
  ASSERT_TRUE(levels.ok()) << levels.status();
  EXPECT_THAT(levels->options.triangles, ElementsAre(5000, 20, 1));
  EXPECT_EQ(levels->options.finish, simplify::Finish::kCut);
  EXPECT_TRUE(levels->best_effort);
  EXPECT_THAT(ToLevels(Ratios({1, 0.5, 1e-9}), 1000)->options.triangles, ElementsAre(1000, 500, 1));
}

TEST(ToLevels, NamesTheGoalThatIsWrong) {
  EXPECT_EQ(LevelErrorOf({}), "triangles: 0 goals, expected 1 to 32");
  v1::SimplifyLevelsRequest many;
  for (int i = 0; i < 33; ++i) many.add_ratios(1.0 / (i + 1));
  EXPECT_EQ(LevelErrorOf(many), "ratios: 33 goals, expected 1 to 32");
  many.add_triangles(1);
  EXPECT_EQ(LevelErrorOf(many), "ratios: set beside triangles, expected one of both");
  EXPECT_EQ(LevelErrorOf(Triangles({10, 10})),
            "triangles: goal 1 is 10, expected less than the one before, 10");
  EXPECT_THAT(LevelErrorOf(Triangles({10, 0})), ::testing::HasSubstr("triangles: 0"));
  EXPECT_EQ(LevelErrorOf(Ratios({0.5, 0.75})),
            "ratios: goal 1 is 0.75, expected less than the one before, 0.5");
  EXPECT_EQ(LevelErrorOf(Ratios({1.5})), "ratios: 1.5, expected more than 0 and at most 1");
  EXPECT_THAT(LevelErrorOf(Ratios({std::numeric_limits<double>::quiet_NaN()})),
              ::testing::HasSubstr("ratios: nan"));
  v1::SimplifyLevelsRequest finish = Triangles({10});
  finish.set_finish(static_cast<v1::Finish>(9));
  EXPECT_EQ(LevelErrorOf(finish), "finish: unknown value 9");
}

}  // namespace
}  // namespace warpyard::server
