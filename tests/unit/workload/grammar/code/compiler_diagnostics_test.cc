// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Every error and warning of names, types and stages, with its place and text.

#include <gtest/gtest.h>

#include <string>

#include "tests/support/grammar/derive_driver.h"
#include "tests/support/grammar/told.h"

namespace warpyard {
namespace {

using test_support::CompileText;
using test_support::kNameOfCase;
using test_support::ToldCase;
using test_support::ToldOf;

/// Texts are line 2 of a file that has a start already, and often the rule for it, too.
class CompilerDiagnosticsTest : public testing::TestWithParam<ToldCase> {};

TEST_P(CompilerDiagnosticsTest, HavePlaceAndText) {
  EXPECT_EQ(ToldOf(CompileText("wyg 1; start A;\n" + GetParam().text).diagnostics),
            GetParam().told);
}

/// The rule that line 1 starts.
const std::string kStarted = " rule A = box;";

INSTANTIATE_TEST_SUITE_P(
    Names, CompilerDiagnosticsTest,
    testing::Values(ToldCase{"StageTwice", "stage a, a;" + kStarted,
                             "test.wyg:2:10: E101 stage 'a' is declared twice"},
                    ToldCase{"RuleTwice", "rule A = box; rule A = quad;",
                             "test.wyg:2:20: E101 rule 'A' is declared twice"},
                    ToldCase{"AttributeTwice", "attr a = 1; attr a = 2;" + kStarted,
                             "test.wyg:2:18: E101 attr 'a' is declared twice"},
                    ToldCase{"ConstantTwice", "const a = 1; const a = 2;" + kStarted,
                             "test.wyg:2:20: E101 const 'a' is declared twice"},
                    ToldCase{"FunctionTwice", "fn f() = 1; fn f(x) = 2;" + kStarted,
                             "test.wyg:2:16: E101 fn 'f' is declared twice"},
                    ToldCase{"ParameterTwice", "rule A = box; rule B(x, y, x, x) = box;",
                             "test.wyg:2:20: E101 rule 'B' has two parameters 'x'"},
                    ToldCase{"ParameterOfAFunctionTwice", "fn f(x, x) = x;" + kStarted,
                             "test.wyg:2:4: E101 fn 'f' has two parameters 'x'"},
                    ToldCase{"StyleTwice", "style s {} style s {}" + kStarted,
                             "test.wyg:2:18: E101 style 's' is declared twice"},
                    ToldCase{"MeshTwice", "mesh m(1, 1); mesh m(1, 1);" + kStarted,
                             "test.wyg:2:20: E101 mesh 'm' is declared twice"},
                    ToldCase{"BuiltInMesh", "mesh cyl(1, 1);" + kStarted,
                             "test.wyg:2:6: E101 mesh 'cyl' is declared twice"},
                    ToldCase{"AttributeAndConstant", "attr a = 1; const a = 2;" + kStarted,
                             "test.wyg:2:19: E101 'a' is the name of another value, too"},
                    ToldCase{"VariableAsAttribute", "attr sx = 1;" + kStarted,
                             "test.wyg:2:6: E119 'sx' is a name of the language"},
                    ToldCase{"FaceAsConstant", "const top = 1;" + kStarted,
                             "test.wyg:2:7: E119 'top' is a name of the language"},
                    ToldCase{"FunctionAsConstant", "const floor = 1;" + kStarted,
                             "test.wyg:2:7: E119 'floor' is a name of the language"},
                    ToldCase{"OperatorAsRule", "rule split = box;" + kStarted,
                             "test.wyg:2:6: E119 'split' is an operator"},
                    ToldCase{"FunctionsMayReplaceThoseOfTheLanguage", "fn floor(x) = x;" + kStarted,
                             ""}),
    kNameOfCase);

INSTANTIATE_TEST_SUITE_P(
    Starts, CompilerDiagnosticsTest,
    testing::Values(ToldCase{"NoRules", "stage a;", "test.wyg:1:14: E116 there are no rules"},
                    ToldCase{"Two", "start B; rule B = box;" + kStarted,
                             "test.wyg:2:7: E117 there is more than one start"},
                    ToldCase{"UnknownRule", "rule B = box;",
                             "test.wyg:1:14: E102 unknown operator or rule 'A'"},
                    ToldCase{"Arguments", "rule A(k) = box;",
                             "test.wyg:1:14: E105 'A' takes 1 argument, not 0"}),
    kNameOfCase);

INSTANTIATE_TEST_SUITE_P(
    Stages, CompilerDiagnosticsTest,
    testing::Values(
        ToldCase{"Unknown", "stage mass, build; rule A : biuld = box;",
                 "test.wyg:2:29: E201 unknown stage 'biuld', did you mean 'build'?"},
        ToldCase{"NoneDeclared", "rule A : mass = box;",
                 "test.wyg:2:10: E201 unknown stage 'mass'"},
        ToldCase{"Earlier", "stage a, b; rule A : b = box B; rule B : a = box;",
                 "test.wyg:2:30: E202 rule 'A' of stage 'b' cannot call 'B' of the earlier stage "
                 "'a'"},
        ToldCase{"EarlierWithoutName", "stage a, b; rule B = box; rule A : b = B;",
                 "test.wyg:2:40: E202 rule 'A' of stage 'b' cannot call 'B' of the earlier stage "
                 "'a'"},
        ToldCase{"Later", "stage a, b; rule A : a = B; rule B : b = box;", ""},
        // The first rule of the text has nothing to do with the start.
        ToldCase{"TheStartIsOfAnEarlierStageThanTheFirstRule",
                 "stage a, b; rule B : b = box; rule A : a = B;", ""},
        ToldCase{"TheStartIsOfALaterStage", "stage a, b; rule B : a = box; rule A : b = box;", ""}),
    kNameOfCase);

INSTANTIATE_TEST_SUITE_P(
    Annotations, CompilerDiagnosticsTest,
    testing::Values(
        ToldCase{"Unknown", "@thread(3)" + kStarted,
                 "test.wyg:2:2: E110 unknown annotation '@thread', did you mean 'threads'?"},
        ToldCase{"BuildingWithArgument", "@building(1)" + kStarted,
                 "test.wyg:2:2: E105 '@building' takes 0 arguments, not 1"},
        ToldCase{"LodWithoutArgument", "@lod" + kStarted,
                 "test.wyg:2:2: E105 '@lod' takes 1 to 3 arguments, not 0"},
        ToldCase{"LodWithUnknownForm", "@lod(1, boks)" + kStarted,
                 "test.wyg:2:9: E107 unknown mesh 'boks', did you mean 'box'?"},
        ToldCase{"LodWithoutName", "@lod(1, 2 + 3)" + kStarted,
                 "test.wyg:2:11: E106 the name of a mesh or nil is expected"},
        ToldCase{"LodWithForm", "@lod(1, quad, brick)" + kStarted, ""},
        ToldCase{"LodOfNothing", "@lod(0)" + kStarted,
                 "test.wyg:2:2: E113 @lod takes metres, more than 0"},
        ToldCase{"LodNotConstant", "@lod(sx)" + kStarted,
                 "test.wyg:2:2: E113 @lod takes metres, more than 0\n"
                 "test.wyg:2:6: E112 an annotation must be constant"},
        ToldCase{"TooManyThreads", "@threads(33)" + kStarted,
                 "test.wyg:2:2: E113 @threads takes a number from 1 to 32"},
        ToldCase{"HalfAThread", "@threads(0.5)" + kStarted,
                 "test.wyg:2:2: E113 @threads takes a number from 1 to 32"},
        ToldCase{"Right", "@threads(1) @building @lod(0.5)" + kStarted, ""}),
    kNameOfCase);

INSTANTIATE_TEST_SUITE_P(
    Values, CompilerDiagnosticsTest,
    testing::Values(
        ToldCase{"AttributeNotConstant", "attr a = sx;" + kStarted,
                 "test.wyg:2:10: E112 the value of an attribute must be constant"},
        ToldCase{"AttributeOfAnother", "attr a = 1; attr b = 2 * a;" + kStarted,
                 "test.wyg:2:24: E112 the value of an attribute must be constant"},
        ToldCase{"LimitNotConstant", "attr a = 1 in [0..sx];" + kStarted,
                 "test.wyg:2:10: E113 1 is not in the range of 'a', 0 to 0\n"
                 "test.wyg:2:19: E112 a limit must be constant"},
        ToldCase{"AttributeOutOfRange", "attr a = 5 in [1..2];" + kStarted,
                 "test.wyg:2:10: E113 5 is not in the range of 'a', 1 to 2"},
        ToldCase{"AttributeInNoRange", "attr a = 2 in [3..1];" + kStarted,
                 "test.wyg:2:10: E113 2 is not in the range of 'a', 3 to 1"},
        ToldCase{"AttributeNotFinite", "attr a = 1 / 0 in [1..2];" + kStarted,
                 "test.wyg:2:12: E113 inf is not in the range of 'a', 1 to 2"},
        ToldCase{"StyleOutOfRange", "attr a = 1 in [1..2]; style s { a = 3; }" + kStarted,
                 "test.wyg:2:37: E113 3 is not in the range of 'a', 1 to 2"},
        ToldCase{"StyleNotConstant", "attr a = 1; style s { a = rand(); }" + kStarted,
                 "test.wyg:2:27: E112 the value of a style must be constant"},
        ToldCase{"StyleUnknown", "attr height = 1; style s { heigth = 2; }" + kStarted,
                 "test.wyg:2:28: E111 unknown attribute 'heigth', did you mean 'height'?"}),
    kNameOfCase);

TEST(CompilerDiagnostics, TellThatThereIsNoStart) {
  EXPECT_EQ(ToldOf(CompileText("wyg 1;\nrule A = box;").diagnostics),
            "test.wyg:1:1: E116 there is no start: write 'start Rule;'");
}

TEST(CompilerDiagnostics, ComeAfterThoseOfTheSyntaxAreMended) {
  EXPECT_EQ(ToldOf(CompileText("wyg 1; start B;\nrule A = );").diagnostics),
            "test.wyg:2:10: E010 expected ';' after the steps of a rule, found ')'");
}

INSTANTIATE_TEST_SUITE_P(
    Expressions, CompilerDiagnosticsTest,
    testing::Values(
        ToldCase{"UnknownName", "attr height = 1; rule A = yaw(2 * heigth);",
                 "test.wyg:2:35: E103 unknown name 'heigth', did you mean 'height'?"},
        ToldCase{"UnknownVariable", "rule A(k) = let width = 1 yaw(widht) A(1); rule B = A(1);",
                 "test.wyg:1:14: E105 'A' takes 1 argument, not 0\n"
                 "test.wyg:2:6: W301 rule 'A' calls itself, and no 'when' ends that\n"
                 "test.wyg:2:31: E103 unknown name 'widht', did you mean 'width'?"},
        ToldCase{"VariablesEnd", "rule A = [ let w = 1 yaw(w) ] yaw(w);",
                 "test.wyg:2:35: E103 unknown name 'w'"},
        ToldCase{"FunctionsDoNotSeeTheRule", "fn f() = k; rule A = B(1); rule B(k) = yaw(f());",
                 "test.wyg:2:10: E103 unknown name 'k'"},
        ToldCase{"UnknownFunction", "rule A = yaw(flor(3));",
                 "test.wyg:2:14: E104 unknown function 'flor', did you mean 'floor'?"},
        ToldCase{"DeclaredFunction", "fn wave(x) = x; rule A = yaw(wvae(3));",
                 "test.wyg:2:30: E104 unknown function 'wvae', did you mean 'wave'?"},
        ToldCase{"FunctionAsName", "rule A = yaw(floor);",
                 "test.wyg:2:14: E103 unknown name 'floor'"},
        ToldCase{"NameAsFunction", "rule A = yaw(depth(1));",
                 "test.wyg:2:14: E104 unknown function 'depth'"},
        ToldCase{"TooFewArguments", "rule A = yaw(min(1));",
                 "test.wyg:2:14: E105 'min' takes 2 arguments, not 1"},
        ToldCase{"TooManyArguments", "rule A = yaw(rand(1, 2, 3));",
                 "test.wyg:2:14: E105 'rand' takes 0 to 2 arguments, not 3"},
        ToldCase{"ArgumentsOfDeclared", "fn f(x) = x; rule A = yaw(f());",
                 "test.wyg:2:27: E105 'f' takes 1 argument, not 0"},
        ToldCase{"Text", "rule A = yaw(1 + \"a\");",
                 "test.wyg:2:18: E114 a text stands where a number is expected"},
        ToldCase{"UnknownVolume", "rule A = volume(house) yaw(near(huose));",
                 "test.wyg:2:33: E115 no rule makes a volume 'huose', did you mean 'house'?"},
        ToldCase{"NoVolume", "rule A = yaw(inside(3));",
                 "test.wyg:2:21: E115 the name of a volume is expected"},
        ToldCase{"FunctionCallsItself", "fn f(x) = g(x); fn g(x) = f(x); rule A = yaw(f(1));",
                 "test.wyg:2:27: E122 fn 'f' calls itself"},
        ToldCase{"ConstantNeedsItself", "const a = b + 1; const b = a; rule A = yaw(a);",
                 "test.wyg:2:28: E122 const 'a' needs itself"}),
    kNameOfCase);

INSTANTIATE_TEST_SUITE_P(
    Operators, CompilerDiagnosticsTest,
    testing::Values(
        ToldCase{"Unknown", "rule A = trnslate(1, 2, 3) box;",
                 "test.wyg:2:10: E102 unknown operator or rule 'trnslate', did you mean "
                 "'translate'?"},
        ToldCase{"UnknownRule", "rule A = Wal; rule Wall = box;",
                 "test.wyg:2:10: E102 unknown operator or rule 'Wal', did you mean 'Wall'?"},
        ToldCase{"TooFew", "rule A = size(1, 2);",
                 "test.wyg:2:10: E105 'size' takes 3 arguments, not 2"},
        ToldCase{"TooMany", "rule A = box(a, b);",
                 "test.wyg:2:10: E105 'box' takes 0 to 1 argument, not 2"},
        ToldCase{"OfARule", "rule A = B(1); rule B(k, l) = box;",
                 "test.wyg:2:10: E105 'B' takes 2 arguments, not 1"},
        ToldCase{"NoAxis", "rule A = mirror(w);", "test.wyg:2:17: E106 'w' is no axis: x, y or z"},
        ToldCase{"ANumberIsNoAxis", "rule A = center(x, 3);",
                 "test.wyg:2:20: E106 an axis: x, y or z is expected"},
        ToldCase{"AnEmptyTextIsNoAxis", "rule A = mirror(\"\");",
                 "test.wyg:2:17: E106 an axis: x, y or z is expected"},
        ToldCase{"MeshOfANumber", "rule A = inst(3);",
                 "test.wyg:2:15: E106 the name of a mesh is expected"},
        ToldCase{"MeshWithoutName", "rule A = inst(\"\");",
                 "test.wyg:2:15: E106 the name of a mesh is expected"},
        ToldCase{"UnknownMesh", "mesh door(1, 1); rule A = inst(dor);",
                 "test.wyg:2:32: E107 unknown mesh 'dor', did you mean 'door'?"},
        ToldCase{"MaterialOfANumber", "rule A = box(3);",
                 "test.wyg:2:14: E106 the name of a material is expected"},
        ToldCase{"Pivot", "rule A = pivot(0.5, 0.4, 1);",
                 "test.wyg:2:21: E113 a pivot is 0, 0.5 or 1"},
        ToldCase{"PivotNotConstant", "rule A = pivot(sx, 0, 1);",
                 "test.wyg:2:16: E112 a pivot must be constant"},
        ToldCase{"VolumeOfANumber", "rule A = volume(3);",
                 "test.wyg:2:17: E106 the name of a volume is expected"},
        ToldCase{"KindOfVolume", "rule A = volume(a, solid);",
                 "test.wyg:2:20: E118 'solid' is no kind of volume: opaque, enclosing or hidden"},
        ToldCase{"KindOfVolumeOfANumber", "rule A = volume(a, 1);",
                 "test.wyg:2:20: E106 a kind of volume: opaque, enclosing or hidden is expected"},
        ToldCase{"ReportOfANumber", "rule A = report(1, 2);",
                 "test.wyg:2:17: E106 the name of a report is expected"},
        ToldCase{"NoBlock", "rule A = yaw(3) comp;",
                 "test.wyg:2:17: E120 'comp' needs a block { }"}),
    kNameOfCase);

INSTANTIATE_TEST_SUITE_P(
    Blocks, CompilerDiagnosticsTest,
    testing::Values(
        ToldCase{"TwoParts", "rule A = copies(2) { box | quad };",
                 "test.wyg:2:10: E120 the block of 'copies' has one part"},
        ToldCase{"NoSnap", "rule A = repeat(x, 2, snip) { box };",
                 "test.wyg:2:23: E106 'snap' is expected"},
        ToldCase{"AxisOfASplit", "rule A = split(a) { 1 : box };",
                 "test.wyg:2:16: E106 'a' is no axis: x, y or z"},
        ToldCase{"Roof", "rule A = roof(flat, 3) { plane : box };",
                 "test.wyg:2:15: E118 'flat' is no kind of roof: shed, gable, hip or pyramid"},
        ToldCase{"RoofOfANumber", "rule A = roof(3, 3) { plane : box };",
                 "test.wyg:2:15: E106 a kind of roof: shed, gable, hip or pyramid is expected"},
        ToldCase{"UnknownPart", "rule A = comp { front : box | bakc : box };",
                 "test.wyg:2:31: E108 'comp' has no part 'bakc', did you mean 'back'?"},
        ToldCase{"PartOfAnother", "rule A = border(1) { plane : box };",
                 "test.wyg:2:22: E108 'border' has no part 'plane'"},
        ToldCase{"PartTwice", "rule A = offset(1) { edge : box | edge : nil };",
                 "test.wyg:2:35: E109 'edge' comes too late: another part has it"},
        ToldCase{"PartAfterAll", "rule A = comp { all : box | top : nil };",
                 "test.wyg:2:29: E109 'top' comes too late: another part has it"},
        ToldCase{"AllAfterParts", "rule A = comp { top : box | side : nil | all : quad };", ""}),
    kNameOfCase);

TEST(CompilerDiagnostics, EndWhenTheCompilationIsCancelled) {
  const std::vector<grammar::SourceFile> files = {{"main.wyg", "wyg 1; start A; rule A = spilt;"}};
  procedure::CancelToken token;
  token.Cancel();
  grammar::Diagnostics diagnostics(files);
  EXPECT_TRUE(grammar::CompileFiles(files, diagnostics, token).code.instructions.empty());
  // No rule was looked at.
  EXPECT_EQ(ToldOf(diagnostics.Sorted()), "");
}

/// Whether a parsed tree with a block where none belongs is refused: the parser makes none.
TEST(CompilerDiagnostics, DoNotTrustTheParserWithBlocks) {
  test_support::ParsedFiles parsed = test_support::ParseText("start A; rule A = box B; rule B =;");
  const std::vector<grammar::SourceFile> files = {{"main.wyg", ""}};
  for (grammar::Step& step : parsed.tree.rules[0].body.steps) step.has_block = true;
  grammar::Diagnostics diagnostics(files);
  grammar::CompileTree(parsed.tree, diagnostics, procedure::CancelToken());
  EXPECT_EQ(ToldOf(diagnostics.Sorted()),
            "main.wyg:2:19: E120 'box' takes no block\n"
            "main.wyg:2:23: E120 rule 'B' takes no block");
}

}  // namespace
}  // namespace warpyard
