// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/simplify/mesh/views.h"

#include <string>
#include <vector>

#include "client_examples/mesh_io/files.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::cli {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string FileOf(const std::string& text) {
  const std::string path = ::testing::TempDir() + "views_test.json";
  EXPECT_TRUE(mesh_io::WriteFile(path, text).ok());
  return path;
}

v1::ViewGoal GoalFrom(double x, double y, double z) {
  v1::ViewGoal goal;
  v1::View& view = *goal.add_views();
  for (const double part : {x, y, z}) view.add_eye(part);
  view.set_near(0.5);
  return goal;
}

/// Twice as large, a quarter turn around z, and moved by (10, 20, 30).
constexpr Transform kPlaced = {0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 10, 20, 30, 1};
constexpr Transform kUneven = {1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

TEST(ReadViews, TakesTheMessageInJson) {
  const auto goal = ReadViews(FileOf(
      R"({"views": [{"eye": [1, 2, 3], "near": 0.25, "max_pixel_error": 2}], "hysteresis": 1.5})"));
  ASSERT_TRUE(goal.ok()) << goal.status();
  ASSERT_EQ(goal->views_size(), 1);
  EXPECT_THAT(goal->views(0).eye(), ElementsAre(1, 2, 3));
  EXPECT_EQ(goal->views(0).max_pixel_error(), 2);
  EXPECT_EQ(goal->hysteresis(), 1.5);
}

TEST(ReadViews, NamesTheFileThatIsWrong) {
  EXPECT_EQ(ReadViews("/nowhere/views.json").status().code(), absl::StatusCode::kNotFound);
  const auto unknown = ReadViews(FileOf(R"({"views": [{"nose": 1}]})"));
  EXPECT_EQ(unknown.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(unknown.status().message()), HasSubstr("views_test.json: "));
  EXPECT_THAT(std::string(unknown.status().message()), HasSubstr("nose"));
}

TEST(ReadViews, RefusesWhatIsForEyesThatMove) {
  const auto problem = [](const std::string& field) {
    const auto goal =
        ReadViews(FileOf(R"({"views": [{"eye": [1, 2, 3], "near": 1}], )" + field + "}"));
    EXPECT_EQ(goal.status().code(), absl::StatusCode::kInvalidArgument) << field;
    return std::string(goal.status().message());
  };
  const std::string reason = " is for eyes that move, and a file is a whole mesh of one moment";
  EXPECT_THAT(problem(R"("returnsDelta": true)"),
              HasSubstr("views_test.json: returns_delta" + reason));
  EXPECT_THAT(problem(R"("returns_state": true)"), HasSubstr(": returns_state" + reason));
  EXPECT_THAT(problem(R"("previousState": "AAAA")"), HasSubstr(": previous_state" + reason));
  EXPECT_TRUE(ReadViews(FileOf(R"({"returnsDelta": false, "hysteresis": 2})")).ok());
}

TEST(ViewsOfMesh, PlacesTheEyeInTheMesh) {
  const auto goal = ViewsOfMesh(GoalFrom(10, 22, 34), {kPlaced});
  ASSERT_TRUE(goal.ok()) << goal.status();
  const v1::View& view = goal->views(0);
  EXPECT_THAT(view.eye(),
              ElementsAre(DoubleNear(1, 1e-12), DoubleNear(0, 1e-12), DoubleNear(2, 1e-12)));
  // The scene's y is the mesh's x.
  EXPECT_THAT(view.up(),
              ElementsAre(DoubleNear(0.5, 1e-12), DoubleNear(0, 1e-12), DoubleNear(0, 1e-12)));
  EXPECT_THAT(view.forward(),
              ElementsAre(DoubleNear(0, 1e-12), DoubleNear(0, 1e-12), DoubleNear(-0.5, 1e-12)));
  EXPECT_EQ(view.near(), 0.25);
}

TEST(ViewsOfMesh, HasAViewForEachInstance) {
  EXPECT_EQ(ViewsOfMesh(GoalFrom(0, 0, 1), {})->views_size(), 1);
  EXPECT_EQ(ViewsOfMesh(GoalFrom(0, 0, 1), {kPlaced, kPlaced, kPlaced})->views_size(), 3);
  const auto many = ViewsOfMesh(GoalFrom(0, 0, 1), std::vector<Transform>(17, kPlaced));
  EXPECT_EQ(many.status().message(),
            "1 views of 17 instances are 17, and the service takes at most 16");
}

TEST(ViewsOfMesh, RefusesUnevenScales) {
  const auto goal = ViewsOfMesh(GoalFrom(0, 0, 1), {kUneven});
  EXPECT_EQ(goal.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(goal.status().message()), HasSubstr("scaled unevenly"));
}

}  // namespace
}  // namespace warpyard::cli
