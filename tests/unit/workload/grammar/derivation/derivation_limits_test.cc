// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <string>

#include "core/workload/grammar/derivation/derivation.h"
#include "tests/support/grammar/derive_driver.h"

namespace warpyard {
namespace {

using grammar::DeriveOptions;
using test_support::DeriveDriver;
using test_support::DeriveText;
using test_support::Lots;
using test_support::SameBytes;

TEST(DerivationLimits, EndsRulesWithoutEnd) {
  const auto endless = DeriveText("wyg 1; start A; rule A = B; rule B = A;", Lots(2, 1, 1, 1));
  EXPECT_TRUE(absl::IsResourceExhausted(endless.status())) << endless.status();
  EXPECT_NE(std::string(endless.status().message()).find("rule 'A'"), std::string::npos);
  DeriveOptions options = Lots(2, 1, 1, 1);
  options.max_bytes = 16 << 20;
  const auto explosion = DeriveText("wyg 1; start A; rule A = A A A;", options);
  EXPECT_TRUE(absl::IsResourceExhausted(explosion.status())) << explosion.status();
  EXPECT_NE(std::string(explosion.status().message()).find("max_bytes"), std::string::npos);
}

TEST(DerivationLimits, DoesNotDependOnTheMemoryOfEarlierOnes) {
  DeriveDriver driver;
  ASSERT_TRUE(driver
                  .Open("wyg 1; attr levels = 17 in [1..30]; start A(levels); "
                        "rule A(k) = { when k > 0 : copies(2) { A(k - 1) } | else : box };")
                  .ok());
  DeriveOptions options = Lots(1, 1, 1, 1);
  options.max_bytes = 16 << 20;
  options.on_limit = grammar::OnLimit::kCoarse;
  const auto before = driver.Derive(options);
  ASSERT_TRUE(before.ok()) << before.status();
  EXPECT_GT(before->statistics.coarse, 0u);
  DeriveOptions large = options;
  large.max_bytes = 256 << 20;
  const auto fine = driver.Derive(large);
  ASSERT_TRUE(fine.ok()) << fine.status();
  EXPECT_EQ(fine->statistics.coarse, 0u);
  const auto after = driver.Derive(options);
  ASSERT_TRUE(after.ok()) << after.status();
  EXPECT_TRUE(SameBytes(before->instances, after->instances));
}

TEST(DerivationLimits, CoarsensWhatIsTooMuch) {
  DeriveOptions options = Lots(10, 16, 1, 1);
  options.on_limit = grammar::OnLimit::kCoarse;
  options.max_instances = 40;
  const auto coarse = DeriveText(
      "wyg 1; start A(4); rule A(k) = { when k > 0 : copies(2) { A(k - 1) } | else : box };",
      options);
  ASSERT_TRUE(coarse.ok()) << coarse.status();
  // Four for each parcel: of depth 2, or less.
  EXPECT_LE(coarse->instances.size(), 40u);
  EXPECT_GT(coarse->statistics.coarse, 0u);
  options = Lots(2, 16, 1, 1);
  options.on_limit = grammar::OnLimit::kCoarse;
  options.max_instances = 10'000;
  options.max_bytes = 16 << 20;
  const auto explosion = DeriveText("wyg 1; start A; rule A = A A A;", options);
  ASSERT_TRUE(explosion.ok()) << explosion.status();
  EXPECT_EQ(explosion->statistics.coarse, explosion->statistics.terminals);
  EXPECT_LE(explosion->statistics.terminals, 10'000u);
}

}  // namespace
}  // namespace warpyard
