// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/group_matrix.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace warpyard::ccd {
namespace {

std::string Fault(GroupRule rule, const std::vector<std::uint32_t>& groups,
                  const std::vector<std::uint64_t>& matrix) {
  const absl::Status status = CheckGroupMatrix(rule, groups, matrix);
  EXPECT_TRUE(status.ok() || absl::IsInvalidArgument(status)) << status;
  return std::string(status.message());
}

TEST(GroupMatrix, IsForItsRuleOnly) {
  EXPECT_EQ(Fault(GroupRule::kAll, {0, 70}, {}), "");
  EXPECT_EQ(Fault(GroupRule::kMatrix, {0, 1}, {0b10, 0b01}), "");
  EXPECT_EQ(Fault(GroupRule::kSame, {0, 1}, {0b10, 0b01}),
            "group_matrix: given, but the group rule is not the matrix");
  EXPECT_EQ(Fault(GroupRule::kMatrix, {}, {1}), "group_matrix: the mesh has no groups");
}

TEST(GroupMatrix, HasARowForEachGroup) {
  EXPECT_EQ(Fault(GroupRule::kMatrix, {0}, {}), "group_matrix: 0 rows, expected 1 to 64");
  EXPECT_EQ(Fault(GroupRule::kMatrix, {63}, std::vector<std::uint64_t>(64, ~0ull)), "");
  EXPECT_EQ(Fault(GroupRule::kMatrix, {0}, std::vector<std::uint64_t>(65, 0)),
            "group_matrix: 65 rows, expected 1 to 64");
  EXPECT_EQ(Fault(GroupRule::kMatrix, {1, 0, 2}, {0, 0}),
            "group_matrix: vertex 2 is in group 2, but there are 2 rows");
}

TEST(GroupMatrix, SaysTheSameOfBothOrders) {
  EXPECT_EQ(Fault(GroupRule::kMatrix, {0, 1}, {0b10, 0}),
            "group_matrix: row 0 has bit 1, but row 1 does not have bit 0");
  EXPECT_EQ(Fault(GroupRule::kMatrix, {0, 1}, {0b100, 0}),
            "group_matrix: row 0 has bit 2, but there are 2 rows");
}

}  // namespace
}  // namespace warpyard::ccd
