// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/language/step_parser.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/grammar/told.h"
#include "tests/support/grammar/tree_text.h"

namespace warpyard {
namespace {

using test_support::kNameOfCase;
using test_support::ParsedFiles;
using test_support::ParseText;
using test_support::Repeated;
using test_support::ToldCase;
using test_support::ToldOf;

/// The steps of a rule, and the text of their tree.
struct StepsCase {
  const char* name;
  const char* text;
  const char* tree;
};

void PrintTo(const StepsCase& one, std::ostream* stream) { *stream << one.name; }

class StepTreeTest : public testing::TestWithParam<StepsCase> {};

TEST_P(StepTreeTest, HasTheShapeOfTheText) {
  const ParsedFiles parsed = ParseText(std::string("rule A = ") + GetParam().text + ";");
  ASSERT_EQ(ToldOf(parsed.diagnostics), "");
  EXPECT_EQ(test_support::TextOf(parsed.tree.rules[0].body), GetParam().tree);
}

INSTANTIATE_TEST_SUITE_P(
    Steps, StepTreeTest,
    testing::Values(StepsCase{"None", "", ""},
                    StepsCase{"Calls", "yaw(3) box B(1, a)", "yaw(3) box B(1, a)"},
                    StepsCase{"EmptyArguments", "comp() { all : box }", "comp { all: box }"},
                    StepsCase{"Saved", "[ yaw(3) [ box ] ] []", "[yaw(3) [box]] []"},
                    // The step after a variable begins where the expression ends.
                    StepsCase{"Let", "let a = sx / 2 size(a, 1, 1) box",
                              "let a = (/ sx 2) size(a, 1, 1) box"},
                    StepsCase{"LetBeforeSaved", "let a = 3 [ box ]", "let a = 3 [box]"}),
    kNameOfCase);

INSTANTIATE_TEST_SUITE_P(
    Cases, StepTreeTest,
    testing::Values(
        StepsCase{"When", "{ when sx > 1 : box | when a : quad cyl | else : }",
                  "{when (> sx 1): box | when a: quad cyl | else: }"},
        StepsCase{"Chances", "{ 25% : box | a * 2 % : quad | else : nil }",
                  "{25%: box | (* a 2)%: quad | else: nil}"},
        StepsCase{"Mixed", "{ when a : box | 50% : quad | else : nil }",
                  "{when a: box | 50%: quad | else: nil}"},
        StepsCase{"NoElseIsNeededAfterConditions", "{ when a : box }", "{when a: box}"},
        StepsCase{"AsAStepAmongOthers", "yaw(3) { else : box } quad", "yaw(3) {else: box} quad"},
        StepsCase{"AfterAnOperatorWithoutBlock", "box { when a : quad }", "box {when a: quad}"},
        StepsCase{"AfterARule", "B(1) { 30% : quad | else : nil }", "B(1) {30%: quad | else: nil}"},
        StepsCase{"AfterARuleWithAChanceOfFunctions", "B { max(a, b) * 2 % : quad | else : nil }",
                  "B {(* max(a, b) 2)%: quad | else: nil}"},
        StepsCase{"OneInTheOther", "{ when a : { when b : box } | else : quad }",
                  "{when a: {when b: box} | else: quad}"},
        StepsCase{"WithAChoiceInTheCondition", "{ when a ? b : c : box }",
                  "{when (? a b c): box}"}),
    kNameOfCase);

INSTANTIATE_TEST_SUITE_P(
    Blocks, StepTreeTest,
    testing::Values(
        StepsCase{"Plain", "repeat(x, 2) { yaw(3) box } quad", "repeat(x, 2) { yaw(3) box } quad"},
        StepsCase{"PlainWithCases", "copies(3) { when i == 0 : box | else : quad }",
                  "copies(3) { {when (== i 0): box | else: quad} }"},
        StepsCase{"PlainWithChances", "scatter(3, 1) { a + 5 % : box | else : nil }",
                  "scatter(3, 1) { {(+ a 5)%: box | else: nil} }"},
        StepsCase{"PlainWithCasesOfItsOwn", "copies(3) { { else : box } quad }",
                  "copies(3) { {else: box} quad }"},
        StepsCase{"EmptyPlain", "repeat(x, 2) { }", "repeat(x, 2) {  }"},
        StepsCase{"PartsOfPlainAreForTheCompiler", "copies(2) { box | quad }",
                  "copies(2) { box | quad }"},
        StepsCase{"Named", "comp { front : box quad | side : }",
                  "comp { front: box quad | side:  }"},
        StepsCase{"Roof", "roof(gable, 30, 1) { plane : quad | gable : prism }",
                  "roof(gable, 30, 1) { plane: quad | gable: prism }"},
        StepsCase{"OneInTheOther", "comp { all : split(x) { 1 : repeat(y, 1) { box } } }",
                  "comp { all: split(x) { 1: repeat(y, 1) { box } } }"}),
    kNameOfCase);

INSTANTIATE_TEST_SUITE_P(
    Splits, StepTreeTest,
    testing::Values(
        StepsCase{"Sizes", "split(x) { 2 : box | '0.5 : quad | ~1 : nil }",
                  "split(x) { 2: box | '0.5: quad | ~1: nil }"},
        StepsCase{"SizesOfExpressions", "split(x) { sx / 2 - 1 : box | ~a + 1 : quad }",
                  "split(x) { (- (/ sx 2) 1): box | ~(+ a 1): quad }"},
        StepsCase{"Group", "split(y) { 1 : box | (2 : quad | ~3 : nil | '0.1 : cyl)* | 1 : box }",
                  "split(y) { 1: box | (2: quad | ~3: nil | '0.1: cyl)* | 1: box }"},
        StepsCase{"TwoGroups", "split(y) { (1 : box)* | (2 : quad)* }",
                  "split(y) { (1: box)* | (2: quad)* }"},
        StepsCase{"ParenthesesAreNoGroup", "split(x) { (a + 1) * 2 : box | (a) : quad }",
                  "split(x) { (* (+ a 1) 2): box | a: quad }"},
        StepsCase{"ChoiceAsSize", "split(x) { a ? 1 : 2 : box }", "split(x) { (? a 1 2): box }"},
        StepsCase{"CallsInAGroup", "split(x) { (f(1) : B(2) | 3 : [ box ])* }",
                  "split(x) { (f(1): B(2) | 3: [box])* }"}),
    kNameOfCase);

class StepErrorTest : public testing::TestWithParam<ToldCase> {};

TEST_P(StepErrorTest, IsToldWithItsPlace) {
  EXPECT_EQ(ToldOf(ParseText("rule A = " + GetParam().text + ";").diagnostics), GetParam().told);
}

INSTANTIATE_TEST_SUITE_P(
    Steps, StepErrorTest,
    testing::Values(
        ToldCase{"NoSemicolon", "box )",
                 "main.wyg:2:14: E010 expected ';' after the steps of a rule, found ')'"},
        ToldCase{"NoBracket", "[ box",
                 "main.wyg:2:15: E010 expected ']' after the steps of '[', found ';'"},
        ToldCase{"LetWithoutName", "let 3 = 4",
                 "main.wyg:2:14: E011 expected the name of a variable after 'let', found '3'"},
        ToldCase{"LetWithoutValue", "let a box",
                 "main.wyg:2:16: E010 expected '=' after the name of a variable, found 'box'"},
        ToldCase{"ATextIsNoStep", "\"box\"",
                 "main.wyg:2:10: E010 expected ';' after the steps of a rule, found \"box\""}),
    kNameOfCase);

INSTANTIATE_TEST_SUITE_P(
    Cases, StepErrorTest,
    testing::Values(
        ToldCase{"NoColonAfterElse", "{ else box }",
                 "main.wyg:2:17: E010 expected ':' after 'else', found 'box'"},
        ToldCase{"NoColonAfterWhen", "{ when a box }",
                 "main.wyg:2:19: E010 expected ':' after the head of a case, found 'box'"},
        ToldCase{"NeitherWhenNorChance", "{ a : box }",
                 "main.wyg:2:14: E010 expected '%' after the chance of a case; a condition begins "
                 "with 'when', found ':'"},
        ToldCase{"NothingAtAll", "{ }",
                 "main.wyg:2:12: E012 expected a number, a name or '(', found '}'"},
        ToldCase{"NoEnd", "{ else : box",
                 "main.wyg:2:22: E010 expected '}' after the cases, found ';'"},
        ToldCase{"NoBarBeforeElse", "{ when a : box else : nil }",
                 "main.wyg:2:25: E010 expected '|' before 'else'"},
        ToldCase{"NoBarBeforeWhen", "{ when a : box when max(b, 1) > 2 : nil }",
                 "main.wyg:2:25: E010 expected '|' before 'when'"},
        // Rules may have these names.
        ToldCase{"CallsOfWhenAndElse", "split(x) { 1 : box when when (2) | 2 : else }", ""},
        ToldCase{"ElseBeforeOthers", "{ when a : box | else : nil | when b : quad }",
                 "main.wyg:2:27: E021 'else' must be the last case"},
        ToldCase{"ElseTwice", "{ else : nil | else : box }",
                 "main.wyg:2:12: E021 'else' must be the last case"},
        ToldCase{"ChancesWithoutElse", "yaw(3) { 30% : box | 20% : quad }",
                 "main.wyg:2:17: E022 cases with chances need a final 'else'"},
        ToldCase{"ElseBeforeChances", "{ else : nil | 20% : box }",
                 "main.wyg:2:10: E022 cases with chances need a final 'else'\n"
                 "main.wyg:2:12: E021 'else' must be the last case"},
        ToldCase{"TooManyPercent", "{ 60% : box | 40.5% : quad | else : nil }",
                 "main.wyg:2:10: E023 the chances are 100.5 % together"},
        ToldCase{"AllPercent", "{ 60% : box | 40% : quad | else : nil }", ""},
        ToldCase{"OfABlock", "copies(2) { 120% : box }",
                 "main.wyg:2:20: E022 cases with chances need a final 'else'\n"
                 "main.wyg:2:20: E023 the chances are 120 % together"}),
    kNameOfCase);

INSTANTIATE_TEST_SUITE_P(
    Blocks, StepErrorTest,
    testing::Values(
        ToldCase{"UnknownOperator", "spilt(x) { 1 : box }",
                 "main.wyg:2:10: E020 unknown operator 'spilt', did you mean 'split'?"},
        ToldCase{"UnknownOperatorWithoutMeaning", "walls(x) { 1 : box }",
                 "main.wyg:2:10: E020 unknown operator 'walls'"},
        // Only operators that take a block are meant.
        ToldCase{"UnknownOperatorLikeOneWithoutBlock", "trnslate(1, 2, 3) { box }",
                 "main.wyg:2:10: E020 unknown operator 'trnslate'"},
        ToldCase{"NoBlockAllowed", "translate(1, 2, 3) { box } quad )",
                 "main.wyg:2:29: E020 'translate' takes no block\n"
                 "main.wyg:2:42: E010 expected ';' after the steps of a rule, found ')'"},
        ToldCase{"PartWithoutName", "comp { 1 : box }",
                 "main.wyg:2:17: E011 expected the name of a part, found '1'"},
        ToldCase{"EmptyNamed", "comp { }",
                 "main.wyg:2:17: E011 expected the name of a part, found '}'"},
        ToldCase{"PartWithoutColon", "comp { front box }",
                 "main.wyg:2:23: E010 expected ':' after the name of a part, found 'box'"},
        ToldCase{"NoEnd", "comp { front : box",
                 "main.wyg:2:28: E010 expected '}' after the block of 'comp', found ';'"},
        ToldCase{"EmptySplit", "split(x) { }",
                 "main.wyg:2:21: E012 expected a number, a name or '(', found '}'"},
        ToldCase{"SizeWithoutColon", "split(x) { 1 box }",
                 "main.wyg:2:23: E010 expected ':' after the size of a part, found 'box'"},
        ToldCase{"GroupInAGroup", "split(x) { ((1 : box)* | 2 : quad)* }",
                 "main.wyg:2:25: E010 expected ')' after an expression in parentheses, found ':'"},
        ToldCase{"GroupWithoutEnd", "split(x) { (1 : box | 2 : quad }",
                 "main.wyg:2:24: E010 expected ')' after an expression in parentheses, found ':'"},
        ToldCase{"RelativeAndFloating", "split(x) { ~'1 : box }",
                 "main.wyg:2:22: E012 expected a number, a name or '(', found '''"}),
    kNameOfCase);

TEST(StepParser, BoundsBlocksInBlocks) {
  const auto told = [](int saved) {
    return ToldOf(
        ParseText("rule A = " + Repeated("[", saved) + Repeated("]", saved) + ";").diagnostics);
  };
  // The steps of the rule are a level, too.
  EXPECT_EQ(told(63), "");
  EXPECT_EQ(told(64), "main.wyg:2:74: E015 more than 64 parentheses and blocks, one in the other");
}

TEST(StepParser, CountsOnlyWhatIsOpen) {
  EXPECT_EQ(
      ToldOf(ParseText("rule A = " + Repeated("[ size((1), 1, f(-1)) ]", 200) + ";").diagnostics),
      "");
}

TEST(StepParser, KeepsThePlacesOfStepsCasesAndParts) {
  const ParsedFiles parsed =
      ParseText("rule A = split(x) { ~1 : box | (2 : nil)* }\n  { when a : box | else : nil };");
  ASSERT_EQ(ToldOf(parsed.diagnostics), "");
  const auto& steps = parsed.tree.rules[0].body.steps;
  const auto columns = [](const auto&... nodes) { return std::vector{nodes.place.column...}; };
  const auto& parts = steps[0].parts;
  EXPECT_EQ(columns(steps[0], parts[0], parts[0].size, parts[1], parts[1].parts[0]),
            (std::vector{10u, 21u, 22u, 32u, 33u}));
  EXPECT_EQ(columns(steps[1], steps[1].cases[0], steps[1].cases[1]), (std::vector{3u, 5u, 20u}));
  EXPECT_EQ(steps[1].place.line, 3u);
}

}  // namespace
}  // namespace warpyard
