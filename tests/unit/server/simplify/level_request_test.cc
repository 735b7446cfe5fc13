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

v1::SimplifyLevelsRequest Errors(std::initializer_list<double> goals) {
  v1::SimplifyLevelsRequest request;
  for (const double goal : goals) request.add_max_errors(goal);
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
  EXPECT_EQ(
      LevelErrorOf({}),
      "triangles: 0 goals, and none in ratios and max_errors, expected 1 to 32 in one of them");
  v1::SimplifyLevelsRequest many;
  for (int i = 0; i < 33; ++i) many.add_ratios(1.0 / (i + 1));
  EXPECT_EQ(LevelErrorOf(many), "ratios: 33 goals, expected 1 to 32");
  many.add_triangles(1);
  EXPECT_EQ(LevelErrorOf(many),
            "ratios: set beside triangles, expected one of triangles, ratios and max_errors");
  EXPECT_EQ(LevelErrorOf(Triangles({10, 10})),
            "triangles: goal 1 is 10, expected less than the one before, 10");
  EXPECT_EQ(LevelErrorOf(Triangles({10, 0})), "triangles: 0, expected at least 1");
  EXPECT_EQ(LevelErrorOf(Ratios({0.5, 0.75})),
            "ratios: goal 1 is 0.75, expected less than the one before, 0.5");
  EXPECT_EQ(LevelErrorOf(Ratios({1.5})), "ratios: 1.5, expected more than 0 and at most 1");
  EXPECT_THAT(LevelErrorOf(Ratios({std::numeric_limits<double>::quiet_NaN()})),
              ::testing::HasSubstr("ratios: nan"));
  v1::SimplifyLevelsRequest finish = Triangles({10});
  finish.set_finish(static_cast<v1::Finish>(9));
  EXPECT_EQ(LevelErrorOf(finish), "finish: unknown value 9");
}

TEST(ToLevels, TakesErrors) {
  v1::SimplifyLevelsRequest request = Errors({0, 1e-3, 1e300});
  request.set_finish(v1::FINISH_CUT);
  request.set_best_effort(true);
  const auto levels = ToLevels(request, 1000);
  ASSERT_TRUE(levels.ok()) << levels.status();
  EXPECT_THAT(levels->options.max_errors, ElementsAre(0, 1e-3, 1e300));
  EXPECT_THAT(levels->options.triangles, ElementsAre());
  EXPECT_EQ(levels->options.finish, simplify::Finish::kCut);
  EXPECT_TRUE(levels->best_effort);
}

TEST(ToLevels, NamesTheErrorThatIsWrong) {
  EXPECT_EQ(LevelErrorOf(Errors({0.5, 0.5})),
            "max_errors: goal 1 is 0.5, expected greater than the one before, 0.5");
  EXPECT_EQ(LevelErrorOf(Errors({0, 2, 1})),
            "max_errors: goal 2 is 1, expected greater than the one before, 2");
  EXPECT_EQ(LevelErrorOf(Errors({-0.25, 1})),
            "max_errors: goal 0 is -0.25, expected finite and not negative");
  EXPECT_EQ(LevelErrorOf(Errors({1, std::numeric_limits<double>::infinity()})),
            "max_errors: goal 1 is inf, expected finite and not negative");
  EXPECT_THAT(LevelErrorOf(Errors({1, std::numeric_limits<double>::quiet_NaN(), 2})),
              ::testing::HasSubstr("max_errors: goal 1 is nan"));
  v1::SimplifyLevelsRequest many;
  for (int i = 0; i < 33; ++i) many.add_max_errors(i);
  EXPECT_EQ(LevelErrorOf(many), "max_errors: 33 goals, expected 1 to 32");
  v1::SimplifyLevelsRequest both = Errors({1});
  both.add_ratios(0.5);
  EXPECT_EQ(LevelErrorOf(both),
            "max_errors: set beside ratios, expected one of triangles, ratios and max_errors");
}

}  // namespace
}  // namespace warpyard::server
