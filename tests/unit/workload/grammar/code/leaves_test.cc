// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/code/leaves.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/grammar/derive_driver.h"

namespace warpyard {
namespace {

/// Rules, and a mark for each of their blocks in the order of the code: L for a leaf, P for one
/// that is plain, too.
struct LeavesCase {
  const char* name;
  const char* text;
  const char* marks;
};

void PrintTo(const LeavesCase& one, std::ostream* stream) { *stream << one.name; }

class LeavesTest : public testing::TestWithParam<LeavesCase> {};

TEST_P(LeavesTest, MarksBlocksWhosePiecesEndAtOnce) {
  const test_support::CompiledText compiled =
      test_support::CompileText(std::string("wyg 1; stage a, b; start A; ") + GetParam().text);
  ASSERT_FALSE(compiled.has_errors) << compiled.Summary();
  std::string marks;
  for (const grammar::Instruction& in : compiled.code.code.instructions) {
    if (in.op < grammar::Op::kRepeat || in.op == grammar::Op::kPart) continue;
    marks += grammar::IsPlain(in) ? 'P' : grammar::IsLeaf(in) ? 'L' : '-';
  }
  EXPECT_EQ(marks, GetParam().marks);
}

INSTANTIATE_TEST_SUITE_P(
    Leaves, LeavesTest,
    testing::Values(
        LeavesCase{"Terminals", "rule A = copies(2) { box yaw(3) quad };", "L"},
        LeavesCase{"TerminalsAlone", "rule A = copies(2) { box quad };", "P"},
        LeavesCase{"NoPlainPart", "rule A = split(x) { 1 : box | 2 : yaw(3) box };", "L"},
        LeavesCase{"Nothing", "rule A = copies(2) { };", "P"},
        LeavesCase{"BlockInABlock", "rule A = copies(2) { copies(3) { box } };", "-P"},
        LeavesCase{"TheLastCallIsNoFrame", "rule A = copies(2) { box B }; rule B = box;", "L"},
        LeavesCase{"AnEarlierCallIsAFrame", "rule A = copies(2) { B box }; rule B = box;", "-"},
        LeavesCase{"ACallInSavedStepsIsAFrame", "rule A = copies(2) { [ B ] }; rule B = box;", "-"},
        LeavesCase{"ACallOfALaterStageIsAFrame", "rule A = copies(2) { B }; rule B : b = box;",
                   "-"},
        LeavesCase{"ARuleThatCallsOneWithABlock",
                   "rule A = copies(2) { B }; rule B = box C; rule C = copies(2) { box };", "-P"},
        LeavesCase{"RulesThatCallEachOther",
                   "rule A = copies(2) { B }; rule B = { when sx > 1 : C }; rule C = B;", "L"},
        LeavesCase{"AllPartsMustBe", "rule A = comp { top : box | side : B box }; rule B = box;",
                   "-"},
        LeavesCase{"EveryPartIs", "rule A = split(x) { 1 : box | (2 : quad | 3 : nil)* };", "P"},
        LeavesCase{"AQueryTakesLong",
                   "rule A : a = volume(v) B; rule B : b = copies(2) { { when inside(v) : box } } "
                   "copies(2) { C } copies(2) { box }; rule C : b = report(r, near(v));",
                   "--P"},
        LeavesCase{"BordersThatSnapTakeLong",
                   "rule A = copies(2) { B }; rule B : b = repeat(x, 1, snap) { box } "
                   "repeat(x, 1) { box };",
                   "--P"},
        LeavesCase{"EveryCaseCounts",
                   "rule A = copies(2) { when sx > 1 : box | else : B quad }; rule B = box;", "-"}),
    [](const auto& one) { return std::string(one.param.name); });

TEST(Leaves, KeepTheNumberOfParts) {
  const test_support::CompiledText compiled = test_support::CompileText(
      "wyg 1; start A; rule A = comp { all : box } split(x) { 1 : box | 2 : nil };");
  std::string parts;
  for (const grammar::Instruction& in : compiled.code.code.instructions) {
    if (grammar::IsLeaf(in)) parts += std::to_string(PartsOf(in)) + " ";
  }
  EXPECT_EQ(parts, "6 2 ");
}

}  // namespace
}  // namespace warpyard
