// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Grammars at their limits, and one beyond them.

#include <gtest/gtest.h>

#include <string>

#include "tests/support/grammar/derive_driver.h"
#include "tests/support/grammar/told.h"

namespace warpyard {
namespace {

using test_support::CompileText;
using test_support::Repeated;
using test_support::ToldOf;

/// What is told of a file: `head`, then `line` with its number in place of '#', so many times from
/// line 2 on, then `end`.
std::string ToldOfLines(const std::string& head, const std::string& line, int times,
                        const std::string& end = "") {
  std::string text = "wyg 1; start A; " + head + "\n";
  for (int i = 0; i < times; ++i) {
    for (const char c : line) text += c == '#' ? std::to_string(i) : std::string(1, c);
    text += '\n';
  }
  return ToldOf(CompileText(text + end).diagnostics);
}

/// Declarations of a kind, of which there may be `most`.
struct CountLimit {
  const char* name;
  const char* line;
  int most;
  std::string told;  ///< of one more
};

void PrintTo(const CountLimit& limit, std::ostream* stream) { *stream << limit.name; }

class CompilerLimitsTest : public testing::TestWithParam<CountLimit> {};

TEST_P(CompilerLimitsTest, TellsTheFirstDeclarationThatIsTooMany) {
  const CountLimit& limit = GetParam();
  EXPECT_EQ(ToldOfLines("rule A = box;", limit.line, limit.most), "");
  EXPECT_EQ(ToldOfLines("rule A = box;", limit.line, limit.most + 1), limit.told);
}

INSTANTIATE_TEST_SUITE_P(
    Declarations, CompilerLimitsTest,
    testing::Values(CountLimit{"Stages", "stage s#;", 8,
                               "test.wyg:10:7: E310 more than 8 declarations: stage"},
                    CountLimit{"Attributes", "attr a# = 1;", 64,
                               "test.wyg:66:6: E310 more than 64 declarations: attr"},
                    CountLimit{"Constants", "const c# = 1;", 4096,
                               "test.wyg:4098:7: E310 more than 4096 declarations: const"},
                    CountLimit{"Functions", "fn f#() = 1;", 4096,
                               "test.wyg:4098:4: E310 more than 4096 declarations: fn"},
                    CountLimit{"Styles", "style s# {}", 4096,
                               "test.wyg:4098:7: E310 more than 4096 declarations: style"},
                    CountLimit{"Meshes", "mesh m#(1, 1);", 1024,
                               "test.wyg:1026:6: E310 more than 1024 declarations: mesh"},
                    // The rule A is the first one.
                    CountLimit{"Rules", "rule R# = box;", 4095,
                               "test.wyg:4097:6: E310 more than 4096 declarations: rule"}),
    test_support::kNameOfCase);

/// Steps of one rule that use names, of which there may be `most`.
class CompilerNamesTest : public testing::TestWithParam<CountLimit> {};

TEST_P(CompilerNamesTest, TellsTheFirstNameThatIsTooMuch) {
  const CountLimit& limit = GetParam();
  EXPECT_EQ(ToldOfLines("rule A =", limit.line, limit.most, ";"), "");
  EXPECT_EQ(ToldOfLines("rule A =", limit.line, limit.most + 1, ";"), limit.told);
}

INSTANTIATE_TEST_SUITE_P(
    Names, CompilerNamesTest,
    testing::Values(
        CountLimit{"Reports", " report(r#, 1)", 16, "test.wyg:18:2: E310 more than 16 reports"},
        CountLimit{"Materials", " box(m#)", 4095, "test.wyg:4097:2: E310 more than 4095 materials"},
        // They have no place: rules use them before the one that makes them.
        CountLimit{"Volumes", " volume(v#)", 256,
                   "test.wyg:1:1: E310 more than 256 names of volumes"}),
    test_support::kNameOfCase);

/// What is told of a rule whose steps are line 2.
std::string ToldOfSteps(const std::string& steps) {
  return ToldOf(CompileText("wyg 1; start A;\nrule A = " + steps + ";").diagnostics);
}

TEST(CompilerLimits, BoundParametersAndVariables) {
  EXPECT_EQ(ToldOfLines("rule A = B(1,2,3,4,5,6,7,8);", "rule B(a,b,c,d,e,f,g,h) = box;", 1), "");
  EXPECT_EQ(ToldOfLines("rule A = B(1,2,3,4,5,6,7,8,9);", "rule B(a,b,c,d,e,f,g,h,k) = box;", 1),
            "test.wyg:2:6: E312 rule 'B' has more than 8 parameters");
  EXPECT_EQ(ToldOfSteps(Repeated("let a = 1 ", 8)), "");
  EXPECT_EQ(ToldOfSteps(Repeated("let a = 1 ", 9)),
            "test.wyg:2:90: E312 more than 8 parameters and variables");
  // Variables of [ ] and of cases end with them.
  EXPECT_EQ(ToldOfSteps(Repeated("[ let a = 1 let b = 2 ] { else : let c = 3 }", 9)), "");
}

TEST(CompilerLimits, BoundPartsOfASplit) {
  EXPECT_EQ(ToldOfSteps("split(x) { 1 : box" + Repeated("|1:box", 15) + " }"), "");
  EXPECT_EQ(ToldOfSteps("yaw(1) split(x) { 1 : box" + Repeated("|1:box", 16) + " }"),
            "test.wyg:2:17: E313 a split has 16 parts at most, not 17");
  EXPECT_EQ(ToldOfSteps("split(x) { (1 : box" + Repeated("|1:box", 15) + ")* | 1 : nil }"),
            "test.wyg:2:10: E313 a split has 16 parts at most, not 17");
}

TEST(CompilerLimits, BoundNumbersThatAnExpressionNeedsAtOnce) {
  const auto sum = [](int numbers) {
    return "yaw(" + Repeated("sx+(", numbers - 1) + "sx" + Repeated(")", numbers);
  };
  EXPECT_EQ(ToldOfSteps(sum(24)), "");
  EXPECT_EQ(ToldOfSteps(sum(25)),
            "test.wyg:2:6: E314 an expression of rule 'A' needs more than 24 numbers at once");
  // A sum from the left needs two.
  EXPECT_EQ(ToldOfSteps("yaw(sx" + Repeated("+sx", 200) + ")"), "");
}

TEST(CompilerLimits, BoundSavedScopes) {
  EXPECT_EQ(ToldOfSteps(Repeated("[", 8) + Repeated("]", 8)), "");
  EXPECT_EQ(ToldOfSteps(Repeated("[", 9) + Repeated("]", 9)),
            "test.wyg:2:18: E315 more than 8 [ ], one in the other");
  // Pieces of a block are symbols of their own.
  const std::string saved = Repeated("[", 8) + "copies(2) { " + Repeated("[", 8);
  EXPECT_EQ(ToldOfSteps(saved + Repeated("]", 8) + " }" + Repeated("]", 8)), "");
}

const std::string kTooManyCalls =
    "E316 the expressions of a rule call more than 4096 functions, use more than 16384 constants "
    "and arguments, or have more than 32 functions and constants, one in the other";

TEST(CompilerLimits, BoundCallsOfFunctions) {
  // f0 to f5 each call the one before four times: f6 would be 5,461 calls.
  std::string text = "wyg 1; start A; fn f0(x) = x;";
  for (int i = 1; i <= 6; ++i) {
    const std::string call = "f" + std::to_string(i - 1) + "(x)";
    text += " fn f" + std::to_string(i) + "(x) = " + call + Repeated(" + " + call, 3) + ";";
  }
  EXPECT_EQ(ToldOf(CompileText(text + "\nrule A = yaw(f5(sx)) yaw(f5(sx));").diagnostics), "");
  // Told once for a rule, at the call within the function.
  const auto told_at = CompileText(text + "\nrule A = yaw(f6(sx)) yaw(f6(sx));").diagnostics;
  ASSERT_EQ(told_at.size(), 1u);
  EXPECT_EQ(told_at[0].code + " " + told_at[0].message, kTooManyCalls);
  EXPECT_EQ(told_at[0].line, 1u);
}

TEST(CompilerLimits, BoundFunctionsThatCallEachOther) {
  const auto told = [](int functions) {
    std::string text = "wyg 1; start A; rule A = yaw(f1(1));\nfn f0(x) = x;\n";
    for (int i = 1; i < functions; ++i) {
      text += "fn f" + std::to_string(i) + "(x) = f" + std::to_string(i - 1) + "(x);\n";
    }
    text.replace(text.find("f1(1)"), 2, "f" + std::to_string(functions - 1));
    return ToldOf(CompileText(text).diagnostics);
  };
  EXPECT_EQ(told(32), "");
  EXPECT_EQ(told(33), "test.wyg:3:12: " + kTooManyCalls);
}

TEST(CompilerLimits, BoundInstructions) {
  const auto told = [](int more) {
    // Each report is 200 instructions, each turn two.
    return ToldOf(CompileText("wyg 1; start A; fn f() = sx" + Repeated("+sx", 99) +
                              ";\nrule A = " + Repeated("report(r, f()) ", 327) +
                              Repeated("yaw(1) ", more) + ";\nrule B = yaw(1);")
                      .diagnostics);
  };
  EXPECT_EQ(told(60), "");
  EXPECT_EQ(told(80), "test.wyg:2:6: E317 the code has more than 65536 instructions");
}

TEST(CompilerLimits, TellTwentyErrorsAtMost) {
  const auto compiled = CompileText("wyg 1; start A; rule A =\n" + Repeated("bax\n", 50) + ";");
  ASSERT_EQ(compiled.diagnostics.size(), 20u);
  EXPECT_EQ(compiled.diagnostics[19].line, 21u);
}

}  // namespace
}  // namespace warpyard
