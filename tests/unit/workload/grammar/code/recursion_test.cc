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
        // A step beside the cases runs in any case.
        ToldCase{"BesideAWhen", "rule A = { when sx > 1000 : box | else : quad } A;", kAWarning},
        ToldCase{"BeforeAWhen", "rule A = A { when sx > 1 : box };", kAWarning},
        ToldCase{"BeforeTheWhenOfItsCases",
                 "rule A = { 10% : A | when sx > 1 : box | else : box };", kAWarning},
        ToldCase{"InABlockBesideAWhen", "rule A = { when sx > 1 : box } repeat(x, 2) { A };",
                 kAWarning},
        ToldCase{"AWhenOfAttributes", "attr a = 1; rule A = { when min(a, 2) > top : A };",
                 "main.wyg:2:18: W301 rule 'A' calls itself, and no 'when' ends that"},
        ToldCase{"AWhenOfNumbers", "rule A = { when !(1 > 2) : A };", kAWarning},
        ToldCase{"AWhenOfAParameterThatStays", "rule A(k) = { when k > 0 : A(k) };", kAWarning},
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
    testing::Values(
        ToldCase{"ATree", "rule A = B C; rule B = C; rule C = box;", ""},
        ToldCase{"ARhombus", "rule A = B C; rule B = D; rule C = D; rule D = box;", ""},
        ToldCase{"AWhen", "rule A(k) = { when k > 0 : A(k - 1) };", ""},
        ToldCase{"AWhenInAnotherRule", "rule A(k) = B(k); rule B(k) = { when k > 0 : A(k - 1) };",
                 ""},
        ToldCase{"AWhenInABlock", "rule A = copies(2) { when sx > 1 : A };", ""},
        ToldCase{"AWhenOfTheSize", "rule A = { when sx > 1 : scale(0.5, 1, 1) A };", ""},
        ToldCase{"ACaseAfterAWhen", "rule A = { when sx < 1 : box | else : A };", ""},
        ToldCase{"AChanceAfterAWhen", "rule A = { when sx < 1 : box | 10% : A | else : box };", ""},
        ToldCase{"AWhenAroundABlock", "rule A = { when sx > 1 : split(x) { 1 : box | ~1 : A } };",
                 ""},
        ToldCase{"OneOfTwoParameters", "rule A(j, k) = { when j > 0 && k > 0 : A(j, k - 1) };", ""},
        ToldCase{"ParametersThatChangePlaces", "rule A(j, k) = { when j > 0 : A(k, j - 1) };", ""},
        ToldCase{"AVariableInsteadOfAParameter", "rule A(k) = let k = sx { when k > 1 : A(k) };",
                 ""},
        ToldCase{"ARandomWhen", "rule A = { when rand() > 0.5 : A };", ""},
        ToldCase{"AWhenOfAQuery", "rule A = { when inside(v) : A };", ""},
        ToldCase{"AWhenOfAConstant", "const c = rand(); rule A = { when c > 0.5 : A };", ""},
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
