// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Functions and constants that use each other.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/grammar/derive_driver.h"
#include "tests/support/grammar/told.h"

namespace warpyard {
namespace {

using test_support::CompileText;
using test_support::Derived;
using test_support::DeriveDriver;
using test_support::ToldOf;

/// The reports of a rule's steps, after some declarations.
std::vector<double> ReportsOf(const std::string& declarations, const std::string& steps) {
  DeriveDriver driver;
  const absl::Status opened =
      driver.Open("wyg 1; start A; " + declarations + " rule A = " + steps + ";");
  EXPECT_TRUE(opened.ok()) << opened;
  if (!opened.ok()) return {};
  const absl::StatusOr<Derived> derived = driver.Derive(test_support::Lots(1, 2, 3, 4));
  EXPECT_TRUE(derived.ok()) << derived.status();
  return derived.ok() ? derived->statistics.reports : std::vector<double>();
}

TEST(ExpressionWriter, CallsAFunctionInItsOwnArguments) {
  EXPECT_EQ(ReportsOf("fn half(x) = x / 2; fn twice(x) = half(x) * 4; fn sum(x, y) = x + y;",
                      "report(a, half(half(sx))) report(b, half(twice(half(8))))"
                      "report(c, sum(sum(sx, sy), sum(sz, 1)))"),
            (std::vector<double>{0.5, 4, 10}));
}

TEST(ExpressionWriter, TakesAConstantInAnArgumentOfAFunctionThatTakesItToo) {
  EXPECT_EQ(ReportsOf("const c = sx + 1; fn f(x) = x * c; const d = f(c);", "report(a, d)"),
            std::vector<double>{9});
}

TEST(ExpressionWriter, FindsFunctionsThatCallThemselvesThroughOthers) {
  EXPECT_EQ(ToldOf(CompileText("wyg 1; start A; rule A = yaw(f(f(1)));\n"
                               "fn f(x) = g(x);\nconst c = f(1);\nfn g(x) = x + c;")
                       .diagnostics),
            // Once through the outer call, and once through the argument.
            "test.wyg:3:11: E122 fn 'f' calls itself\n"
            "test.wyg:3:11: E122 fn 'f' calls itself");
}

TEST(ExpressionWriter, TakesAnArgumentWithAChoiceOnce) {
  const std::vector<double> sums =
      ReportsOf("fn pick() = rand(0, 10); fn twice(x) = x + x; fn zero(x) = x - x;",
                "report(a, zero(pick())) report(b, zero(twice(pick())))"
                "report(c, pick() - pick())");
  ASSERT_EQ(sums.size(), 3u);
  EXPECT_EQ(sums[0], 0);
  EXPECT_EQ(sums[1], 0);
  // Two calls are two choices.
  EXPECT_NE(sums[2], 0);
}

TEST(ExpressionWriter, TakesAConstantWithAFunctionWithAChoiceOnce) {
  const std::vector<double> sums = ReportsOf("fn pick() = rand(0, 10); const c = pick() + pick();",
                                             "report(a, c - c) report(b, c) report(d, c)");
  ASSERT_EQ(sums.size(), 3u);
  EXPECT_EQ(sums[0], 0);
  EXPECT_EQ(sums[1], sums[2]);
}

/// The codes that are told of 40 declarations after the first one, each of which uses the one
/// before it twice. Written out, the last one would have 2^40 terms.
std::string CodesOfDoubled(const std::string& first, const std::string& head,
                           const std::string& use, const std::string& last) {
  std::string text = "wyg 1; start A; rule A = yaw(" + last + ");\n" + first + ";\n";
  for (int i = 1; i <= 40; ++i) {
    for (const char c : head + " = " + use + ";\n") {
      text += c == '#' ? std::to_string(i) : c == '$' ? std::to_string(i - 1) : std::string(1, c);
    }
  }
  std::string codes;
  for (const grammar::Diagnostic& d : CompileText(text).diagnostics) codes += d.code + " ";
  return codes;
}

TEST(ExpressionWriter, BoundsDeclarationsThatUseEachOther) {
  EXPECT_EQ(CodesOfDoubled("const c0 = 1", "const c#", "c$ + c$", "c20"), "E316 ");
  EXPECT_EQ(CodesOfDoubled("fn f0(x) = x", "fn f#(x)", "f$(x) + f$(x)", "f20(1)"), "E316 ");
  EXPECT_EQ(CodesOfDoubled("fn f0(x) = x", "fn f#(x)", "f$(x + x)", "f30(1)"), "E316 ");
  // As deep as allowed, and not too many.
  EXPECT_EQ(CodesOfDoubled("const c0 = 1", "const c#", "c$ + 1", "c31"), "");
  EXPECT_EQ(CodesOfDoubled("const c0 = 1", "const c#", "c$ + 1", "c32"), "E316 ");
}

}  // namespace
}  // namespace warpyard
