// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Constants with random choices.

#include <gtest/gtest.h>

#include "tests/support/grammar/derive_driver.h"

namespace warpyard {
namespace {

using test_support::Derived;
using test_support::DeriveDriver;
using test_support::Lots;

TEST(ExpressionWriter, TakesTheChoiceOfAConstantOnceForARule) {
  DeriveDriver driver;
  ASSERT_TRUE(driver
                  .Open("wyg 1; start Lot; const c = rand(0, 10); fn same(x) = x; "
                        "rule Lot = report(a, c) report(b, same(1) + c) report(d, same(c));")
                  .ok());
  const absl::StatusOr<Derived> derived = driver.Derive(Lots(1, 20, 12, 20));
  ASSERT_TRUE(derived.ok()) << derived.status();
  const std::vector<double>& reports = derived->statistics.reports;
  ASSERT_EQ(reports.size(), 3u);
  EXPECT_NEAR(reports[1], reports[0] + 1, 1e-4);
  EXPECT_NEAR(reports[2], reports[0], 1e-4);
}

}  // namespace
}  // namespace warpyard
