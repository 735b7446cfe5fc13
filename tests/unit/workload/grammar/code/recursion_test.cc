// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/code/recursion.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/grammar/told.h"

namespace warpyard {
namespace {

using test_support::kNameOfCase;
using test_support::ParsedFiles;
using test_support::ParseText;
using test_support::ToldCase;
using test_support::ToldOf;

/// The warnings for the rules of line 2.
std::string WarningsOf(const std::string& text) {
  const ParsedFiles parsed = ParseText(text);
  EXPECT_EQ(ToldOf(parsed.diagnostics), "");
  const std::vector<grammar::SourceFile> files = {{"main.wyg", ""}};
  grammar::Diagnostics diagnostics(files);
  grammar::WarnOfRecursion(parsed.tree, diagnostics);
  return ToldOf(diagnostics.Sorted());
}

const std::string kAWarning = "main.wyg:2:6: W301 rule 'A' calls itself, and no 'when' ends that";

class RecursionTest : public testing::TestWithParam<ToldCase> {};

TEST_P(RecursionTest, WarnsOfCyclesWithoutWhen) {
  EXPECT_EQ(WarningsOf(GetParam().text), GetParam().told);
}

INSTANTIATE_TEST_SUITE_P(
    Cycles, RecursionTest,
    testing::Values(
        ToldCase{"OfOne", "rule A = box A;", kAWarning},
        ToldCase{"OfTwo", "rule A = B; rule B = A;", kAWarning},
        ToldCase{"OnceForARule", "rule A = A A [ A ];", kAWarning},
        ToldCase{"InSavedSteps", "rule A = [ [ A ] ];", kAWarning},
        ToldCase{"InABlock", "rule A = repeat(x, 2) { A };", kAWarning},
        ToldCase{"InAGroupOfASplit", "rule A = split(x) { 1 : nil | (2 : A)* };", kAWarning},
        ToldCase{"InAPart", "rule A = comp { top : A };", kAWarning},
        // Chances end a recursion only most likely.
        ToldCase{"InAChance", "rule A = { 10% : A | else : box };", kAWarning},
        ToldCase{"BehindOthers", "rule A = B; rule B = C; rule C = B;",
                 "main.wyg:2:18: W301 rule 'B' calls itself, and no 'when' ends that"},
        ToldCase{
            "TwoOfThem", "rule A = A; rule B = B;",
            kAWarning + "\nmain.wyg:2:18: W301 rule 'B' calls itself, and no 'when' ends that"},
        ToldCase{"TwoThroughOneRule", "rule A = B C; rule B = A; rule C = A;", kAWarning},
        ToldCase{"OfARuleThatNobodyCalls", "rule C = box; rule A = A;",
                 "main.wyg:2:20: W301 rule 'A' calls itself, and no 'when' ends that"}),
    kNameOfCase);

INSTANTIATE_TEST_SUITE_P(
    NoCycles, RecursionTest,
    testing::Values(ToldCase{"ATree", "rule A = B C; rule B = C; rule C = box;", ""},
                    ToldCase{"ARhombus", "rule A = B C; rule B = D; rule C = D; rule D = box;", ""},
                    ToldCase{"AWhen", "rule A(k) = { when k > 0 : A(k - 1) };", ""},
                    ToldCase{"AWhenInAnotherRule",
                             "rule A(k) = B(k); rule B(k) = { when k > 0 : A(k - 1) };", ""},
                    ToldCase{"AWhenInABlock", "rule A = copies(2) { when sx > 1 : A };", ""},
                    // Variables may have the names of rules.
                    ToldCase{"AVariable", "rule A = let A = 1 yaw(A);", ""},
                    ToldCase{"UnknownRules", "rule A = B;", ""}),
    kNameOfCase);

TEST(Recursion, FollowsLongCyclesWithoutRecursionOfItsOwn) {
  constexpr int kRules = 4000;
  std::string text;
  for (int i = 0; i < kRules; ++i) {
    text += "rule R" + std::to_string(i) + " = R" + std::to_string((i + 1) % kRules) + ";\n";
  }
  EXPECT_EQ(WarningsOf(text), "main.wyg:2:6: W301 rule 'R0' calls itself, and no 'when' ends that");
}

}  // namespace
}  // namespace warpyard
