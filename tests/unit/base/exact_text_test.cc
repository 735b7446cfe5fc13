// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/base/exact_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

namespace warpyard {
namespace {

TEST(ExactText, IsShort) {
  EXPECT_EQ(ExactText(0), "0");
  EXPECT_EQ(ExactText(-0.5), "-0.5");
  EXPECT_EQ(ExactText(1e6), "1e+06");
  EXPECT_EQ(ExactText(0.1), "0.1");
  EXPECT_EQ(ExactText(1.0000001), "1.0000001");
}

TEST(ExactText, ReadsBackAsTheNumber) {
  using Limits = std::numeric_limits<double>;
  for (const double number : {1.0 / 3, std::nextafter(1.0, 2.0), -Limits::min(), Limits::max(),
                              Limits::denorm_min(), Limits::infinity()}) {
    EXPECT_EQ(std::strtod(ExactText(number).c_str(), nullptr), number);
  }
  EXPECT_EQ(ExactText(Limits::quiet_NaN()), "nan");
}

}  // namespace
}  // namespace warpyard
