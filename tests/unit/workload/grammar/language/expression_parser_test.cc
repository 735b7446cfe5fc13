// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/grammar/told.h"
#include "tests/support/grammar/tree_text.h"

namespace warpyard {
namespace {

using grammar::Expression;
using test_support::kNameOfCase;
using test_support::ParsedFiles;
using test_support::ParseText;
using test_support::Repeated;
using test_support::ToldCase;
using test_support::ToldOf;

/// The text of an expression and of its tree.
struct ExpressionCase {
  const char* name;
  const char* text;
  const char* tree;
};

void PrintTo(const ExpressionCase& one, std::ostream* stream) { *stream << one.name; }

class ExpressionTreeTest : public testing::TestWithParam<ExpressionCase> {};

TEST_P(ExpressionTreeTest, HasTheShapeOfTheText) {
  const ParsedFiles parsed = ParseText(std::string("const c = ") + GetParam().text + ";");
  ASSERT_EQ(ToldOf(parsed.diagnostics), "");
  EXPECT_EQ(test_support::TextOf(parsed.tree.constants[0].value), GetParam().tree);
}

INSTANTIATE_TEST_SUITE_P(
    Precedence, ExpressionTreeTest,
    testing::Values(
        ExpressionCase{"ProductsBeforeSums", "1 + 2 * 3 - 4 / 5", "(- (+ 1 (* 2 3)) (/ 4 5))"},
        ExpressionCase{"SumsBeforeComparisons", "a + 1 < b - 2", "(< (+ a 1) (- b 2))"},
        ExpressionCase{"ComparisonsBeforeEquality", "a < b == c >= d", "(== (< a b) (>= c d))"},
        ExpressionCase{"EqualityBeforeAnd", "a == b && c != d", "(&& (== a b) (!= c d))"},
        ExpressionCase{"AndBeforeOr", "a || b && c || d", "(|| (|| a (&& b c)) d)"},
        ExpressionCase{"OrBeforeChoice", "a || b ? c : d", "(? (|| a b) c d)"},
        ExpressionCase{"SignsBeforeProducts", "-a * !b", "(* (- a) (! b))"},
        ExpressionCase{"AllFromTheLoosestOn", "a ? b || c && d == e < f + g * -h : i",
                       "(? a (|| b (&& c (== d (< e (+ f (* g (- h))))))) i)"},
        ExpressionCase{"AllFromTheTightestOn", "-a * b + c < d == e && f || g ? h : i",
                       "(? (|| (&& (== (< (+ (* (- a) b) c) d) e) f) g) h i)"},
        ExpressionCase{"AtMostAndAtLeast", "a <= b > c", "(> (<= a b) c)"},
        ExpressionCase{"Parentheses", "(1 + 2) * (3)", "(* (+ 1 2) 3)"}),
    kNameOfCase);

INSTANTIATE_TEST_SUITE_P(
    Associativity, ExpressionTreeTest,
    testing::Values(ExpressionCase{"DifferencesFromTheLeft", "1 - 2 - 3", "(- (- 1 2) 3)"},
                    ExpressionCase{"QuotientsFromTheLeft", "8 / 4 / 2 * 3", "(* (/ (/ 8 4) 2) 3)"},
                    ExpressionCase{"ComparisonsFromTheLeft", "a < b < c", "(< (< a b) c)"},
                    ExpressionCase{"ChoicesFromTheRight", "a ? b : c ? d : e", "(? a b (? c d e))"},
                    ExpressionCase{"ChoiceInAChoice", "a ? b ? c : d : e", "(? a (? b c d) e)"},
                    ExpressionCase{"SignsFromTheRight", "- - !a", "(- (- (! a)))"}),
    kNameOfCase);

INSTANTIATE_TEST_SUITE_P(
    Primaries, ExpressionTreeTest,
    testing::Values(ExpressionCase{"Call", "f(a, g(1), -b)", "f(a, g(1), (- b))"},
                    ExpressionCase{"CallWithoutArguments", "rand()", "rand()"},
                    ExpressionCase{"NameOfTwoParts", "up.i / up.n", "(/ up.i up.n)"},
                    ExpressionCase{"Text", "near(\"a b\")", "near(\"a b\")"},
                    ExpressionCase{"Numbers", ".5 + 2e3", "(+ 0.5 2000)"}),
    kNameOfCase);

class ExpressionErrorTest : public testing::TestWithParam<ToldCase> {};

TEST_P(ExpressionErrorTest, IsToldWithItsPlace) {
  EXPECT_EQ(ToldOf(ParseText("const c = " + GetParam().text).diagnostics), GetParam().told);
}

INSTANTIATE_TEST_SUITE_P(
    Errors, ExpressionErrorTest,
    testing::Values(
        ToldCase{"Nothing", ";", "main.wyg:2:11: E012 expected a number, a name or '(', found ';'"},
        ToldCase{"NothingAfterASign", "1 + ;",
                 "main.wyg:2:15: E012 expected a number, a name or '(', found ';'"},
        ToldCase{"NothingAtTheEnd", "1 +\n",
                 "main.wyg:3:1: E012 expected a number, a name or '(', found the end of the file"},
        ToldCase{"ModuloIsNoSign", "7 % 2;",
                 "main.wyg:2:13: E010 expected ';' after the value, found '%'"},
        ToldCase{"TwoExpressions", "a b;",
                 "main.wyg:2:13: E010 expected ';' after the value, found 'b'"},
        ToldCase{"ParenthesisWithoutEnd", "(1 + 2;",
                 "main.wyg:2:17: E010 expected ')' after an expression in parentheses, found ';'"},
        ToldCase{"ArgumentsWithoutEnd", "f(1, 2;",
                 "main.wyg:2:17: E010 expected ')' after the arguments, found ';'"},
        ToldCase{"CommaWithoutArgument", "f(1, );",
                 "main.wyg:2:16: E012 expected a number, a name or '(', found ')'"},
        ToldCase{"HalfAChoice", "a ? 1;",
                 "main.wyg:2:16: E010 expected ':' after the first choice of '?', found ';'"}),
    kNameOfCase);

TEST(ExpressionParser, KeepsThePlacesOfSignsAndNames) {
  const ParsedFiles parsed = ParseText("const c = a ? -b :\n  f(1) * 2;");
  ASSERT_EQ(ToldOf(parsed.diagnostics), "");
  const Expression& choose = parsed.tree.constants[0].value;
  const auto place = [](const Expression& one) {
    return std::pair(one.place.line, one.place.column);
  };
  EXPECT_EQ(place(choose), std::pair(2u, 13u));
  EXPECT_EQ(place(choose.operands[0]), std::pair(2u, 11u));
  EXPECT_EQ(place(choose.operands[1]), std::pair(2u, 15u));
  EXPECT_EQ(place(choose.operands[2]), std::pair(3u, 8u));
  EXPECT_EQ(place(choose.operands[2].operands[0]), std::pair(3u, 3u));
  EXPECT_EQ(place(choose.operands[2].operands[0].operands[0]), std::pair(3u, 5u));
}

/// The diagnostics of a constant.
std::string ToldOfConstant(const std::string& expression) {
  return ToldOf(ParseText("const c = " + expression + ";").diagnostics);
}

TEST(ExpressionParser, BoundsParentheses) {
  // The expression around all parentheses is a level, too.
  EXPECT_EQ(ToldOfConstant(Repeated("(", 63) + "1" + Repeated(")", 63)), "");
  EXPECT_EQ(ToldOfConstant(Repeated("(", 64) + "1" + Repeated(")", 64)),
            "main.wyg:2:75: E015 more than 64 parentheses and blocks, one in the other");
}

TEST(ExpressionParser, BoundsSignsArgumentsAndChoices) {
  EXPECT_EQ(ToldOfConstant(Repeated("-", 63) + "1"), "");
  EXPECT_EQ(ToldOfConstant(Repeated("-", 64) + "1"),
            "main.wyg:2:75: E015 more than 64 parentheses and blocks, one in the other");
  EXPECT_EQ(ToldOfConstant(Repeated("f(", 63) + "1" + Repeated(")", 63)), "");
  EXPECT_EQ(ToldOfConstant(Repeated("f(", 64) + "1" + Repeated(")", 64)),
            "main.wyg:2:139: E015 more than 64 parentheses and blocks, one in the other");
  EXPECT_EQ(ToldOfConstant(Repeated("a?b:", 63) + "1"), "");
  EXPECT_EQ(ToldOfConstant(Repeated("a?b:", 64) + "1"),
            "main.wyg:2:265: E015 more than 64 parentheses and blocks, one in the other");
}

TEST(ExpressionParser, BoundsOperatorsOfAnExpression) {
  EXPECT_EQ(ToldOfConstant("1" + Repeated("+1", 256)), "");
  EXPECT_EQ(ToldOfConstant("1" + Repeated("+1", 257)),
            "main.wyg:2:524: E015 more than 256 operators in an expression");
  // Those of arguments belong to the whole expression.
  EXPECT_EQ(ToldOfConstant("f(1" + Repeated("+1", 200) + ", 1" + Repeated("+1", 57) + ")"),
            "main.wyg:2:529: E015 more than 256 operators in an expression");
}

TEST(ExpressionParser, CountsOperatorsOfEachExpressionForItself) {
  const std::string sum = "1" + Repeated("+1", 256);
  EXPECT_EQ(
      ToldOf(ParseText("rule A = size(" + sum + ", " + sum + ", " + sum + ") box;").diagnostics),
      "");
}

}  // namespace
}  // namespace warpyard
