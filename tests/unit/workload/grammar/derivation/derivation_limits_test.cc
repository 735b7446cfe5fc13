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

/// `text` with as many copies of `part` in the place of "@".
std::string WithCopies(std::string text, const std::string& part, int copies) {
  std::string all;
  for (int i = 0; i < copies; ++i) all += part;
  return text.replace(text.find('@'), 1, all);
}

TEST(DerivationLimits, EndsRulesThatAskTooMuch) {
  const std::string text = WithCopies(
      "wyg 1; stage a, b; start A; rule A : a = copies(200) { copies(1000) { volume(v) } } B; "
      "rule B : b = report(x, 0 @) quad;",
      "+ near(v)", 100);
  DeriveOptions options = Lots(1, 1, 1, 1);
  const auto asked = DeriveText(text, options);
  EXPECT_TRUE(absl::IsResourceExhausted(asked.status())) << asked.status();
  EXPECT_NE(std::string(asked.status().message()).find("rule 'B' takes more than 262144 steps"),
            std::string::npos)
      << asked.status();
  options.on_limit = grammar::OnLimit::kCoarse;
  const auto coarse = DeriveText(text, options);
  ASSERT_TRUE(coarse.ok()) << coarse.status();
  EXPECT_GT(coarse->statistics.coarse, 0u);
}

TEST(DerivationLimits, CountsTerminalsThatAreLeftOut) {
  const std::string text = WithCopies(
      "wyg 1; start A(100); rule A(k) = { when k > 0 : [ scale(0, 0, 0) copies(32) { @ } ] A(k - "
      "1) "
      "| else : };",
      "box ", 1000);
  const auto scanned = DeriveText(text, Lots(1, 1, 1, 1));
  EXPECT_TRUE(absl::IsResourceExhausted(scanned.status())) << scanned.status();
  EXPECT_NE(std::string(scanned.status().message()).find("262144 steps"), std::string::npos)
      << scanned.status();
}

TEST(DerivationLimits, CountsStepsOfOneSymbolAlone) {
  // Each copy takes about a twentieth of what a symbol may take, all of them four times as much.
  const std::string text = WithCopies(
      "wyg 1; stage a, b; start A; rule A : a = copies(100) { volume(v) } B; "
      "rule B : b = copies(100) { report(x, 0 @) };",
      "+ near(v)", 100);
  const auto asked = DeriveText(text, Lots(1, 1, 1, 1));
  EXPECT_TRUE(asked.ok()) << asked.status();
}

TEST(DerivationLimits, AllowsLongRowsOfRules) {
  // 250 rules of 500 instructions, one after another.
  const std::string text = WithCopies(
      "wyg 1; start A(250); rule A(n) = { when n > 0 : report(x, 0 @) A(n - 1) | else : };", "+ n",
      250);
  EXPECT_TRUE(DeriveText(text, Lots(1, 1, 1, 1)).ok());
}

TEST(DerivationLimits, EndsBuildingsOfTooManySnapLines) {
  const auto lines =
      DeriveText("wyg 1; start A; rule A = copies(5000) { snap(x, 1) } box;", Lots(1, 1, 1, 1));
  EXPECT_TRUE(absl::IsResourceExhausted(lines.status())) << lines.status();
  EXPECT_NE(std::string(lines.status().message()).find("more than 4096 snap lines"),
            std::string::npos)
      << lines.status();
  EXPECT_TRUE(
      DeriveText("wyg 1; start A; rule A = copies(4096) { snap(x, 1) } box;", Lots(2, 1, 1, 1))
          .ok());
}

TEST(DerivationLimits, LeavesMemoryToOthersAfterADerivation) {
  DeriveDriver driver;
  ASSERT_TRUE(driver.Open("wyg 1; start A; rule A = copies(60000) { copies(60) { box } };").ok());
  const std::uint64_t before = driver.backend().MemoryUsed();
  const auto derived = driver.Derive(Lots(1, 1, 1, 1));
  ASSERT_TRUE(derived.ok()) << derived.status();
  EXPECT_GT(derived->statistics.memory_bytes, 300u << 20);
  EXPECT_LE(driver.backend().MemoryUsed(), before + (260u << 20));
}

}  // namespace
}  // namespace warpyard
