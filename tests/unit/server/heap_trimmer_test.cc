// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/heap_trimmer.h"

#include "gtest/gtest.h"

namespace warpyard::server {
namespace {

constexpr std::uint64_t kMuch = HeapTrimmer::kWorthwhileBytes;

class HeapTrimmerTest : public ::testing::Test {
 protected:
  void Look(int looks, std::size_t held, std::uint64_t passed) {
    for (int i = 0; i < looks; ++i) trimmer_.Look(held, passed);
  }

  int trims_ = 0;
  HeapTrimmer trimmer_{[this] { ++trims_; }};
};

TEST_F(HeapTrimmerTest, TrimsOnceAfterAPeak) {
  Look(10, kMuch, kMuch);
  EXPECT_EQ(trims_, 0);
  Look(HeapTrimmer::kQuietLooks, 0, kMuch);
  EXPECT_EQ(trims_, 1);
  Look(100, 0, kMuch);
  EXPECT_EQ(trims_, 1);
  Look(1, 0, 2 * kMuch);
  EXPECT_EQ(trims_, 2);
}

TEST_F(HeapTrimmerTest, WaitsUntilTheServerIsQuiet) {
  for (int i = 0; i < 20; ++i) {
    Look(HeapTrimmer::kQuietLooks - 1, 0, kMuch);
    Look(1, 1, kMuch);
  }
  EXPECT_EQ(trims_, 0);
}

TEST_F(HeapTrimmerTest, LeavesLittleAlone) {
  Look(100, 0, kMuch - 1);
  EXPECT_EQ(trims_, 0);
}

}  // namespace
}  // namespace warpyard::server
