// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/collision/pose.h"

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/server/messages.h"

namespace warpyard::server {
namespace {

using test_support::Bytes;
using ::testing::HasSubstr;

/// A quarter turn about z, and a translation.
const std::vector<double> kTurned = {0, -1, 0, 10, 1, 0, 0, 20, 0, 0, 1, 30};

v1::Pose PoseOf(const std::vector<std::vector<double>>& matrices) {
  v1::Pose pose;
  for (const auto& matrix : matrices) pose.mutable_matrices()->append(Bytes(matrix));
  return pose;
}

/// Two bodies; the second one has `entry` at `place` of its matrix.
v1::Pose PoseWith(std::size_t place, double entry) {
  std::vector<double> second = kTurned;
  second[place] = entry;
  return PoseOf({kTurned, second});
}

void ExpectInvalid(const absl::Status& status, const std::string& message) {
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(message));
}

TEST(ToPose, ViewsMatricesInPlace) {
  const v1::Pose pose = PoseOf({kTurned, kTurned});
  const auto view = ToPose(pose, "end_pose", 2);
  ASSERT_TRUE(view.ok()) << view.status();
  EXPECT_EQ(view->matrices, pose.matrices().data());
  EXPECT_EQ(view->bodies, 2u);
}

TEST(ToPose, RefusesScenesWithoutBodies) {
  ExpectInvalid(ToPose(PoseOf({kTurned}), "end_pose", 0).status(),
                "end_pose: the scene has no bodies; its mesh needs vertex_groups");
}

TEST(ToPose, RefusesAnotherNumberOfMatrices) {
  ExpectInvalid(ToPose(PoseOf({kTurned}), "end_pose", 2).status(),
                "end_pose.matrices: 96 bytes, expected 192 (96 for each of 2 bodies)");
  ExpectInvalid(ToPose(PoseOf({}), "start_pose", 2).status(), "start_pose.matrices: 0 bytes");
  v1::Pose pose = PoseOf({kTurned, kTurned});
  pose.mutable_matrices()->push_back('x');
  ExpectInvalid(ToPose(pose, "end_pose", 2).status(), "end_pose.matrices: 193 bytes");
  ExpectInvalid(ToPose(PoseOf({kTurned}), "end_pose", 0xffffffff).status(),
                "expected 412316860320 (96 for each of 4294967295 bodies)");
}

TEST(ToPose, NamesTheBodyWithAnEntryThatIsNoNumber) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    for (std::size_t place = 0; place < 12; ++place) {
      ExpectInvalid(ToPose(PoseWith(place, bad), "end_pose", 2).status(),
                    "end_pose.matrices: the transform of body 1 has an entry that is not finite");
    }
  }
  ExpectInvalid(ToPose(PoseWith(3, -2e38), "end_pose", 2).status(),
                "the transform of body 1 has an entry larger than 1e+38 in magnitude");
}

TEST(ToPose, NamesTheBodyThatIsNotRigid) {
  for (std::size_t place = 0; place < 12; ++place) {
    if (place % 4 == 3) continue;  // any translation will do
    for (const double bad : {0.5, 0.001, 1e38}) {
      ExpectInvalid(
          ToPose(PoseWith(place, kTurned[place] + bad), "end_pose", 2).status(),
          "end_pose.matrices: the transform of body 1 is not rigid: an entry of R^T R is");
    }
    EXPECT_TRUE(ToPose(PoseWith(place, kTurned[place] + 4e-7), "end_pose", 2).ok());
  }
  ExpectInvalid(ToPose(PoseWith(1, -1 - 6e-7), "end_pose", 2).status(), "is not rigid");
  ExpectInvalid(ToPose(PoseOf({std::vector<double>(12, 0.0)}), "end_pose", 1).status(),
                "the transform of body 0 is not rigid: an entry of R^T R is 1 from the identity");
}

TEST(ToPose, RefusesReflections) {
  ExpectInvalid(ToPose(PoseWith(10, -1), "end_pose", 2).status(),
                "end_pose.matrices: the transform of body 1 is a reflection");
}

}  // namespace
}  // namespace warpyard::server
