// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/collision_batch/set_request.h"

#include <cstdint>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "core/base/no_index.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/server/messages.h"

namespace warpyard::server {
namespace {

using test_support::Bytes;
using test_support::Doubles;
using test_support::SquareMesh;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ToSet, TakesAMeshAndANumberOfWorlds) {
  v1::OpenScenesRequest request;
  *request.mutable_mesh() = SquareMesh();
  request.set_worlds(3);
  const auto set = ToSet(request, 3);
  ASSERT_TRUE(set.ok()) << set.status();
  EXPECT_EQ(set->worlds, 3u);
  EXPECT_FALSE(set->starts.has_value());
  EXPECT_EQ(ToSet(request, 2).status().message(), "worlds: 3, expected 1 to 2 (--max-worlds)");
  request.set_group_rule(static_cast<v1::GroupRule>(9));
  EXPECT_EQ(ToSet(request, 3).status().message(), "group_rule: unknown value 9");
}

class ToSetStepTest : public ::testing::Test {
 protected:
  ToSetStepTest() {
    request_.set_set(residents_.Add<SetFacts>(ResidentTable::kNobody, ResidentId{7}, 1u, 3u, 2u));
  }
  absl::StatusOr<SetStepRequest> Check() { return ToSetStep(request_, {}, residents_); }

  ResidentTable residents_{absl::Minutes(1), [](ResidentId) {}};
  v1::SetStep request_;
};

TEST_F(ToSetStepTest, TakesAllWorldsIfItNamesNone) {
  *request_.mutable_end() = Doubles({0, 0, 0, 1, 1, 1, 2, 2, 2});
  const auto step = Check();
  ASSERT_TRUE(step.ok()) << step.status();
  EXPECT_EQ(step->set->id, ResidentId{7});
  EXPECT_THAT(step->rows, ElementsAre(0, 1, 2));
  EXPECT_EQ(step->step.step.rows.data(), step->rows.data());
  EXPECT_FALSE(step->step.step.start.has_value());
}

TEST_F(ToSetStepTest, RefusesRowsOneByOne) {
  for (const std::uint32_t world : {0, 0, 2}) request_.add_worlds(world);
  const double bad = std::numeric_limits<double>::infinity();
  *request_.mutable_end() = Doubles({0, 0, 0, 1, 1, 1, 2, 2, 2});
  *request_.mutable_start() = Doubles({0, bad, 0, 1, bad, 1, 2, 2, 2});
  const auto step = Check();
  ASSERT_TRUE(step.ok()) << step.status();
  EXPECT_THAT(step->rows, ElementsAre(kNoIndex, kNoIndex, 2));
  EXPECT_EQ(step->refused[0].message(), "start.data: vertex 0 has a coordinate that is not finite");
  EXPECT_EQ(step->refused[1].message(), "worlds[1]: 0; worlds ascend, and are less than 3");
  EXPECT_EQ(step->refused[2], absl::OkStatus());
}

TEST_F(ToSetStepTest, RefusesARowOfAWorldThatTheSetLacks) {
  for (const std::uint32_t world : {1, 3}) request_.add_worlds(world);
  *request_.mutable_end() = Doubles({1, 1, 1, 3, 3, 3});
  const auto step = Check();
  ASSERT_TRUE(step.ok()) << step.status();
  EXPECT_THAT(step->rows, ElementsAre(1, kNoIndex));
  EXPECT_EQ(step->refused[1].message(), "worlds[1]: 3; worlds ascend, and are less than 3");
}

TEST_F(ToSetStepTest, RefusesMoreRowsThanTheSetHasWorlds) {
  for (const std::uint32_t world : {0, 1, 2, 2}) request_.add_worlds(world);
  const absl::Status status = Check().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(), "worlds: 4 entries; the set has 3 worlds");
}

TEST_F(ToSetStepTest, ChecksTheSizeOfPositionsBeforeRows) {
  request_.add_worlds(9);
  *request_.mutable_end() = Doubles({0, 0, 0, 1, 1, 1});
  EXPECT_THAT(std::string(Check().status().message()), HasSubstr("end.data: 48 bytes"));
}

TEST_F(ToSetStepTest, TakesPosesOfRows) {
  const std::vector<double> rest = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
  std::vector<double> pose;
  for (int body = 0; body < 4; ++body) pose.insert(pose.end(), rest.begin(), rest.end());
  pose[3 * 12] = 2;  // the second body of the second row
  request_.add_worlds(0);
  request_.add_worlds(2);
  request_.mutable_end_pose()->set_matrices(Bytes(pose));
  const auto step = Check();
  ASSERT_TRUE(step.ok()) << step.status();
  EXPECT_EQ(std::get<ccd::PoseView>(step->step.step.end).bodies, 4u);
  EXPECT_THAT(step->rows, ElementsAre(0, kNoIndex));
  EXPECT_THAT(std::string(step->refused[1].message()),
              HasSubstr("end_pose.matrices: the transform of body 1 is not rigid"));
  request_.add_worlds(3);
  EXPECT_THAT(std::string(Check().status().message()),
              HasSubstr("end_pose.matrices: 384 bytes, expected 576"));
}

TEST_F(ToSetStepTest, RefusesWhatConcernsAllWorlds) {
  EXPECT_EQ(Check().status().message(), "end: missing; a step needs end or end_pose");
  *request_.mutable_end() = Doubles({0, 0, 0});
  EXPECT_EQ(Check().status().message(),
            "end.data: 24 bytes, expected 72 (24 for each of 3 vertices)");
  request_.mutable_end()->set_scalar_type(v1::SCALAR_TYPE_UNSPECIFIED);
  EXPECT_THAT(std::string(Check().status().message()), HasSubstr("end.scalar_type: 0"));
  *request_.mutable_end() = Doubles({0, 0, 0, 1, 1, 1, 2, 2, 2});
  request_.mutable_end()->mutable_box();
  EXPECT_THAT(std::string(Check().status().message()), HasSubstr("end.box: only for"));
  request_.mutable_end()->clear_box();
  request_.mutable_collision()->set_traversal(v1::TRAVERSAL_FRONT);
  EXPECT_THAT(std::string(Check().status().message()), HasSubstr("collision.traversal: "));
}

TEST_F(ToSetStepTest, KnowsOnlyOpenSetsOfItsOwner) {
  request_.set_set("set-1");
  EXPECT_EQ(Check().status().code(), absl::StatusCode::kNotFound);
  request_.set_set(residents_.Add<SetFacts>(ResidentTable::Owner{3}, ResidentId{8}, 1u, 3u, 0u));
  EXPECT_EQ(Check().status().code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace warpyard::server
