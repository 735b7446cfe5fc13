// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/base/word_flag.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace warpyard {
namespace {

TEST(WordFlagTest, IsABoolOfAWord) {
  static_assert(sizeof(WordFlag) == sizeof(std::uint32_t));
  WordFlag flag;
  EXPECT_FALSE(flag);
  flag = 4 > 3;
  EXPECT_TRUE(flag);
  const bool copy = flag;
  flag = !flag;
  EXPECT_FALSE(flag);
  EXPECT_TRUE(copy && !flag);
  EXPECT_EQ(WordFlag(true), true);
}

}  // namespace
}  // namespace warpyard
