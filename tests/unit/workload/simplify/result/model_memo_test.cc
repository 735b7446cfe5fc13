// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/result/model_memo.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

namespace warpyard::simplify {
namespace {

TEST(RankMemo, KnowsTheLatestOfSomeNumbers) {
  RankMemo memo;
  EXPECT_FALSE(memo.Find(1).has_value());
  memo.Keep(1, 7);
  memo.Keep(2, 9);
  EXPECT_EQ(memo.Find(1), 7u);
  EXPECT_EQ(memo.Find(2), 9u);
  memo.Keep(257, 300);
  EXPECT_FALSE(memo.Find(1).has_value());
  EXPECT_EQ(memo.Find(257), 300u);
}

TEST(SmallestCut, KeepsSmallMeshesOnly) {
  SmallestCut smallest;
  EXPECT_EQ(smallest.Find(), nullptr);
  auto large = std::make_shared<SimplifiedMesh>();
  large->triangles.assign(3 * 1025, 0);
  smallest.Keep(std::move(large));
  EXPECT_EQ(smallest.Find(), nullptr);
  auto small = std::make_shared<SimplifiedMesh>();
  small->triangles.assign(3 * 1024, 0);
  smallest.Keep(small);
  EXPECT_EQ(smallest.Find(), small);
}

}  // namespace
}  // namespace warpyard::simplify
