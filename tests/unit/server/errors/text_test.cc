// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/errors/text.h"

#include "gtest/gtest.h"

namespace warpyard::server {
namespace {

TEST(CleanText, KeepsUtf8) {
  EXPECT_EQ(CleanText("a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", 100),
            "a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
}

TEST(CleanText, ReplacesBytesThatAreNoUtf8) {
  EXPECT_EQ(CleanText("\xff\xc3z", 100), "??z");
  EXPECT_EQ(CleanText("\xc0\x80", 100), "??") << "too long a form of 0";
  EXPECT_EQ(CleanText("\xed\xa0\x80", 100), "???") << "half of a surrogate pair";
  EXPECT_EQ(CleanText("\xf4\x90\x80\x80", 100), "????") << "beyond the last character";
}

TEST(CleanText, CutsBetweenCharacters) {
  EXPECT_EQ(CleanText("ab\xc3\xa4", 3), "ab");
  EXPECT_EQ(CleanText("ab\xc3\xa4", 4), "ab\xc3\xa4");
  EXPECT_EQ(CleanText("ab", 0), "");
}

}  // namespace
}  // namespace warpyard::server
