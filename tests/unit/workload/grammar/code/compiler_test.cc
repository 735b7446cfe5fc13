// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/code/compiler.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/grammar/derive_driver.h"
#include "tests/support/grammar/showcase.h"

namespace warpyard {
namespace {

using test_support::CompiledText;
using test_support::CompileText;

/// A text, and the diagnostics that the compiler gives for it. Line 1 is the version; the text is
/// line 2.
struct Case {
  const char* name;
  const char* text;
  const char* summary;  ///< "line:column code" of each diagnostic
};

void PrintTo(const Case& one, std::ostream* stream) { *stream << one.name; }

class CompilerTest : public testing::TestWithParam<Case> {};

TEST_P(CompilerTest, TellsWhatIsWrongAndWhere) {
  const CompiledText compiled = CompileText(std::string("wyg 1;\n") + GetParam().text);
  EXPECT_EQ(compiled.Summary(), GetParam().summary);
  EXPECT_EQ(compiled.has_errors, GetParam().summary[4] == 'E' || GetParam().summary[5] == 'E');
}

INSTANTIATE_TEST_SUITE_P(
    Names, CompilerTest,
    testing::Values(
        Case{"Twice", "start A; rule A = box; rule A = box;", "2:29 E101"},
        Case{"TwoValues", "attr a = 1; const a = 2; start A; rule A = box;", "2:19 E101"},
        Case{"UnknownRule", "start A; rule A = Bx;", "2:19 E102"},
        Case{"UnknownName", "start A; rule A = size(q, 1, 1) box;", "2:24 E103"},
        Case{"UnknownFunction", "start A; rule A = size(sinn(3), 1, 1) box;", "2:24 E104"},
        Case{"TooManyArguments", "start A; rule A = box(a, b);", "2:19 E105"},
        Case{"TooFewArguments", "start A; rule A = B; rule B(k) = box;", "2:19 E105"},
        Case{"NoAxis", "start A; rule A = repeat(w, 2) { box };", "2:26 E106"},
        Case{"UnknownMesh", "start A; rule A = inst(door);", "2:24 E107"},
        Case{"UnknownPart", "start A; rule A = comp { frnt : box };", "2:26 E108"},
        Case{"PartTwice", "start A; rule A = comp { front : box | front : nil };", "2:40 E109"},
        Case{"UnknownAnnotation", "start A; @lood(2) rule A = box;", "2:11 E110"},
        Case{"UnknownAttribute", "style s { b = 1; } start A; rule A = box;", "2:11 E111"},
        Case{"NotConstant", "attr a = sx; start A; rule A = box;", "2:10 E112"},
        Case{"OutOfRange", "attr a = 5 in [1..2]; start A; rule A = box;", "2:10 E113"},
        Case{"Text", "start A; rule A = size(\"a\", 1, 1) box;", "2:24 E114"},
        Case{"NoVolume", "start A; rule A = { when inside(b) : box | else : nil };", "2:33 E115"},
        Case{"NoStart", "rule A = box;", "1:1 E116"},
        Case{"TwoStarts", "start A; start A; rule A = box;", "2:16 E117"},
        Case{"UnknownRoof", "start A; rule A = roof(flat, 3) { plane : box };", "2:24 E118"},
        Case{"UnknownKind", "start A; rule A = volume(a, solid);", "2:29 E118"},
        Case{"Reserved", "attr sx = 1; start A; rule A = box;", "2:6 E119"},
        Case{"OperatorAsRule", "start A; rule A = box; rule split = box;", "2:29 E119"},
        Case{"NoBlock", "start A; rule A = comp;", "2:19 E120"},
        Case{"OwnFunction", "fn f(x) = f(x); start A; rule A = size(f(1), 1, 1) box;",
             "2:11 E122"}),
    [](const auto& one) { return one.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Stages, CompilerTest,
    testing::Values(Case{"Unknown", "stage a, b; start A; rule A : c = box;", "2:31 E201"},
                    Case{"Earlier", "stage a, b; start A; rule A : b = B; rule B : a = box;",
                         "2:35 E202"}),
    [](const auto& one) { return one.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Limits, CompilerTest,
    testing::Values(
        Case{"Stages", "stage a, b, c, d, e, f, g, h, i; start A; rule A : a = box;", "2:31 E310"},
        Case{"Slots", "start A; rule A = B(1,2,3,4,5,6,7,8,9); rule B(a,b,c,d,e,f,g,h,i) = box;",
             "2:46 E312"},
        Case{"Parts",
             "start A; rule A = split(x) { 1: nil|1: nil|1: nil|1: nil|1: nil|1: nil|1: nil|1: nil"
             "|1: nil|1: nil|1: nil|1: nil|1: nil|1: nil|1: nil|1: nil|1: nil };",
             "2:19 E313"},
        Case{"Saved", "start A; rule A = [[[[[[[[[box]]]]]]]]];", "2:27 E315"},
        Case{"Recursion", "start A; rule A = box A;", "2:15 W301"}),
    [](const auto& one) { return one.param.name; });

TEST(Compiler, TellsTheStackThatAnExpressionNeeds) {
  std::string nested = "1";
  for (int i = 0; i < 30; ++i) nested = "sx + (" + nested + ")";
  EXPECT_EQ(CompileText("wyg 1;\nstart A; rule A = size(" + nested + ", 1, 1);").Summary(),
            "2:15 E314");
}

TEST(Compiler, BoundsFunctionsThatCallEachOther) {
  std::string text = "wyg 1;\nfn f0(x) = x + x;\n";
  for (int i = 1; i < 30; ++i) {
    const std::string before = "f" + std::to_string(i - 1);
    text += "fn f" + std::to_string(i) + "(x) = " + before + "(x) + " + before + "(x);\n";
  }
  EXPECT_NE(CompileText(text + "start A; rule A = size(f29(sx), 1, 1);").Summary().find("E316"),
            std::string::npos);
}

TEST(Compiler, FoldsConstantsAsWorkersWouldComputeThem) {
  const CompiledText compiled = CompileText(
      "wyg 1; start A; rule A = size(pow(2, 3) + sin(30) * 4, min(1, 2) - 3, 1 / 3) box;");
  ASSERT_FALSE(compiled.has_errors) << compiled.Summary();
  const auto& code = compiled.code.code.instructions;
  const std::uint32_t begin = compiled.code.code.rules[0].begin;
  EXPECT_EQ(code[begin].Number(), 10);
  EXPECT_EQ(code[begin + 1].Number(), -2);
  EXPECT_EQ(code[begin + 2].Number(), 1.0f / 3);
  EXPECT_EQ(code[begin + 3].op, grammar::Op::kSize);
}

TEST(Compiler, MarksBlocksThatMakeNoFrames) {
  const CompiledText compiled = CompileText(
      "wyg 1; start A; rule A = repeat(x, 1) { B } repeat(x, 1) { C }; rule B = box quad; "
      "rule C = copies(2) { box };");
  ASSERT_FALSE(compiled.has_errors);
  const auto& code = compiled.code.code.instructions;
  const std::uint32_t begin = compiled.code.code.rules[0].begin;
  EXPECT_TRUE(grammar::IsLeaf(code[begin + 1]));
  EXPECT_FALSE(grammar::IsLeaf(code[begin + 3]));
}

TEST(Compiler, TellsAtMostTwentyErrors) {
  std::string text = "wyg 1; start A;\n";
  for (int i = 0; i < 50; ++i) text += "rule R" + std::to_string(i) + " = bax;\n";
  EXPECT_EQ(CompileText(text).diagnostics.size(), 20u);
}

TEST(Compiler, TellsWhatTheGrammarHas) {
  const CompiledText compiled = CompileText(test_support::kShowcase);
  ASSERT_FALSE(compiled.has_errors) << compiled.Summary();
  const grammar::GrammarInfo& info = compiled.code.info;
  EXPECT_EQ(info.stages.size(), 3u);
  EXPECT_EQ(info.reports, (std::vector<std::string>{"area", "glass"}));
  EXPECT_EQ(info.meshes.size(), grammar::kBuiltInMeshes + 1u);
  ASSERT_EQ(info.attributes.size(), 2u);
  EXPECT_EQ(info.attributes[0].least, 2);
  EXPECT_EQ(info.attributes[0].most, 5);
  ASSERT_EQ(info.styles.size(), 1u);
  EXPECT_EQ(info.styles[0].values[0].second, 4);
}

}  // namespace
}  // namespace warpyard
