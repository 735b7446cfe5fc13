// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/language/parser.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/workload/grammar/limits.h"
#include "tests/support/grammar/told.h"
#include "tests/support/grammar/tree_text.h"

namespace warpyard {
namespace {

using grammar::SourceFile;
using grammar::Tree;
using test_support::kNameOfCase;
using test_support::ParsedFiles;
using test_support::ParseFiles;
using test_support::ParseText;
using test_support::ToldCase;
using test_support::ToldOf;

class ParserErrorTest : public testing::TestWithParam<ToldCase> {};

TEST_P(ParserErrorTest, IsToldWithItsPlace) {
  EXPECT_EQ(ToldOf(ParseFiles({{"main.wyg", GetParam().text}}).diagnostics), GetParam().told);
}

INSTANTIATE_TEST_SUITE_P(
    Versions, ParserErrorTest,
    testing::Values(
        ToldCase{"EmptyFile", "",
                 "main.wyg:1:1: E005 expected 'wyg 1;' at the head of the file, found the end of "
                 "the file"},
        ToldCase{"None", "\n  start A;",
                 "main.wyg:2:3: E005 expected 'wyg 1;' at the head of the file, found 'start'"},
        ToldCase{"OtherNumber", "wyg 2;",
                 "main.wyg:1:5: E005 the version of the language is 1, not '2'"},
        ToldCase{"NoNumber", "wyg one;",
                 "main.wyg:1:5: E005 the version of the language is 1, not 'one'"},
        ToldCase{"NoSemicolon", "wyg 1\nstart A;\nrule A = );",
                 "main.wyg:2:1: E010 expected ';' after the version, found 'start'\n"
                 "main.wyg:3:10: E010 expected ';' after the steps of a rule, found ')'"},
        ToldCase{"TheRestIsRead", "start A\nrule B = );",
                 "main.wyg:1:1: E005 expected 'wyg 1;' at the head of the file, found 'start'\n"
                 "main.wyg:2:1: E010 expected ';' after the start, found 'rule'\n"
                 "main.wyg:2:10: E010 expected ';' after the steps of a rule, found ')'"}),
    kNameOfCase);

class DeclarationErrorTest : public testing::TestWithParam<ToldCase> {};

TEST_P(DeclarationErrorTest, IsToldWithItsPlace) {
  EXPECT_EQ(ToldOf(ParseText(GetParam().text).diagnostics), GetParam().told);
}

INSTANTIATE_TEST_SUITE_P(
    Heads, DeclarationErrorTest,
    testing::Values(
        ToldCase{"NoName", "3;", "main.wyg:2:1: E011 expected a declaration, found '3'"},
        ToldCase{"Unknown", "rul A = box;",
                 "main.wyg:2:1: E013 unknown declaration 'rul', did you mean 'rule'?"},
        ToldCase{"UnknownWithoutMeaning", "building A = box;",
                 "main.wyg:2:1: E013 unknown declaration 'building'"},
        ToldCase{"AnnotationOfAnother", "@lod(1) attr a = 1;",
                 "main.wyg:2:9: E013 annotations stand before a rule"},
        ToldCase{"AnnotationWithoutName", "@ 3 rule A = box;",
                 "main.wyg:2:3: E011 expected the name of an annotation after '@', found '3'"},
        ToldCase{"AnnotationWithoutRule", "@building",
                 "main.wyg:2:10: E011 expected a declaration, found the end of the file"},
        ToldCase{"TheSecondVersion", "wyg 1;", "main.wyg:2:1: E013 unknown declaration 'wyg'"}),
    kNameOfCase);

INSTANTIATE_TEST_SUITE_P(
    Names, DeclarationErrorTest,
    testing::Values(
        ToldCase{"Stage", "stage a, ;",
                 "main.wyg:2:10: E011 expected the name of a stage, found ';'"},
        ToldCase{"StageEnd", "stage a b;",
                 "main.wyg:2:9: E010 expected ';' after the stages, found 'b'"},
        ToldCase{"Start", "start 3;", "main.wyg:2:7: E011 expected the name of a rule, found '3'"},
        ToldCase{"Attribute", "attr = 3;",
                 "main.wyg:2:6: E011 expected the name of an attribute, found '='"},
        ToldCase{"AttributeValue", "attr a;",
                 "main.wyg:2:7: E010 expected '=' after the name of an attribute, found ';'"},
        ToldCase{"AttributeRange", "attr a = 3 in 2..5;",
                 "main.wyg:2:15: E010 expected '[' after 'in', found '2'"},
        ToldCase{"AttributeRangeOfOne", "attr a = 3 in [2];",
                 "main.wyg:2:17: E010 expected '..' after the least value, found ']'"},
        ToldCase{"AttributeRangeEnd", "attr a = 3 in [2..5;",
                 "main.wyg:2:20: E010 expected ']' after the most value, found ';'"},
        ToldCase{"AttributeEnd", "attr a = 3 [2..5];",
                 "main.wyg:2:12: E010 expected ';' after the attribute, found '['"},
        ToldCase{"Constant", "const 3 = 3;",
                 "main.wyg:2:7: E011 expected the name of a value, found '3'"},
        ToldCase{"ConstantValue", "const a 3;",
                 "main.wyg:2:9: E010 expected '=' after the name of a value, found '3'"},
        ToldCase{"Function", "fn (x) = x;",
                 "main.wyg:2:4: E011 expected the name of a function, found '('"},
        ToldCase{"FunctionParameter", "fn f(x, 3) = x;",
                 "main.wyg:2:9: E011 expected the name of a parameter, found '3'"},
        ToldCase{"FunctionParameters", "fn f(x = x;",
                 "main.wyg:2:8: E010 expected ')' after the parameters, found '='"},
        ToldCase{"FunctionValue", "fn f(x) { x }",
                 "main.wyg:2:9: E010 expected '=' after the parameters, found '{'"},
        ToldCase{"FunctionEnd", "fn f(x) = x x;",
                 "main.wyg:2:13: E010 expected ';' after the function, found 'x'"}),
    kNameOfCase);

INSTANTIATE_TEST_SUITE_P(
    Bodies, DeclarationErrorTest,
    testing::Values(
        ToldCase{"Style", "style { }",
                 "main.wyg:2:7: E011 expected the name of a style, found '{'"},
        ToldCase{"StyleBody", "style s = 3;",
                 "main.wyg:2:9: E010 expected '{' after the name of a style, found '='"},
        ToldCase{"StyleValue", "style s { a = 3 }",
                 "main.wyg:2:17: E010 expected ';' after the value, found '}'"},
        ToldCase{"StyleEnd", "style s { a = 3;",
                 "main.wyg:2:17: E011 expected the name of a value, found the end of the file"},
        ToldCase{"Mesh", "mesh \"door.obj\";",
                 "main.wyg:2:6: E011 expected the name of a mesh, found \"door.obj\""},
        ToldCase{"MeshBody", "mesh door = 3;",
                 "main.wyg:2:11: E010 expected '(' after the name of a mesh, found '='"},
        ToldCase{"MeshFile", "mesh door(door);",
                 "main.wyg:2:11: E012 expected a file in quotes, or numbers of vertices and "
                 "triangles, found 'door'"},
        ToldCase{"MeshFractions", "mesh door(1.5, 2);",
                 "main.wyg:2:11: E012 expected a file in quotes, or numbers of vertices and "
                 "triangles, found '1.5'"},
        ToldCase{"MeshTooLarge", "mesh door(1, 1e10);",
                 "main.wyg:2:14: E012 expected a file in quotes, or numbers of vertices and "
                 "triangles, found '1e10'"},
        ToldCase{"MeshOneNumber", "mesh door(1);",
                 "main.wyg:2:12: E010 expected ',' after the number of vertices, found ')'"},
        ToldCase{"MeshEnd", "mesh door(1, 2, 3);",
                 "main.wyg:2:15: E010 expected ')' after the mesh, found ','"},
        ToldCase{"Rule", "rule = box;",
                 "main.wyg:2:6: E011 expected the name of a rule, found '='"},
        ToldCase{"RuleOfTwoParts", "rule A.b = box;",
                 "main.wyg:2:6: E011 expected the name of a rule, found 'A.b'"},
        ToldCase{"RuleParameters", "rule A(a b) = box;",
                 "main.wyg:2:10: E010 expected ')' after the parameters, found 'b'"},
        ToldCase{"RuleStage", "rule A : = box;",
                 "main.wyg:2:10: E011 expected the name of a stage after ':', found '='"},
        ToldCase{"RuleEndBeforeARule", "rule A = box\nrule B = box;\nrule C = );",
                 "main.wyg:3:1: E010 expected ';' before 'rule'\n"
                 "main.wyg:4:10: E010 expected ';' after the steps of a rule, found ')'"},
        ToldCase{"RuleEndBeforeARuleOfTheLine", "rule A = box rule B(x, y) : s = );",
                 "main.wyg:2:14: E010 expected ';' before 'rule'\n"
                 "main.wyg:2:33: E010 expected ';' after the steps of a rule, found ')'"},
        ToldCase{"RuleEndBeforeAnImport", "rule A = box\nimport \"main.wyg\";",
                 "main.wyg:3:1: E010 expected ';' before 'import'"},
        ToldCase{"BlockEndBeforeARule", "rule A = copies(2) { box\nrule B = box;",
                 "main.wyg:3:1: E010 expected '}' after the block of 'copies', found 'rule'"},
        ToldCase{"RulesNamedAsDeclarations", "rule A =\nrule fn\nmesh rule(1) fn(x) let rule = 2;",
                 ""},
        ToldCase{"RuleHead", "rule A box;",
                 "main.wyg:2:8: E010 expected '=' after the head of a rule, found 'box'"}),
    kNameOfCase);

INSTANTIATE_TEST_SUITE_P(
    Imports, DeclarationErrorTest,
    testing::Values(
        ToldCase{"NoText", "import walls;",
                 "main.wyg:2:8: E014 expected the name of a file in quotes, found 'walls'"},
        ToldCase{"Unknown", "import \"walls.wyg\";",
                 "main.wyg:2:8: E014 no file 'walls.wyg' is among the files of the grammar"},
        // Not main.wyg itself.
        ToldCase{"LikeItself", "import \"mian.wyg\";",
                 "main.wyg:2:8: E014 no file 'mian.wyg' is among the files of the grammar"},
        ToldCase{"End", "import \"main.wyg\" start A;",
                 "main.wyg:2:19: E010 expected ';' after the import, found 'start'"},
        ToldCase{"ItselfIsRead", "import \"main.wyg\"; start A;", ""}),
    kNameOfCase);

TEST(Parser, ReadsEveryDeclaration) {
  const ParsedFiles parsed = ParseText(
      "stage layout, build; start Lot(4, a);\n"
      "attr a = 3 in [-2..5]; attr b = 2 * 2;\n"
      "style tall { a = 4; b = 1; } style low {};\n"
      "const c = a * 2; fn f(x, y) = x + y; fn g = 1; fn h() = 2;\n"
      "mesh door(\"door.obj\"); mesh lamp(40, 20);\n"
      "@lod(2) @building rule Lot(k, m) : build = box; rule B() = ; rule C = nil;");
  ASSERT_EQ(ToldOf(parsed.diagnostics), "");
  const Tree& tree = parsed.tree;
  const auto names = [](const auto& declarations) {
    std::string all;
    for (const auto& one : declarations) absl::StrAppend(&all, one.name, " ");
    return all;
  };
  EXPECT_EQ(names(tree.stages), "layout build ");
  EXPECT_EQ(tree.starts[0].rule, "Lot");
  EXPECT_EQ(test_support::JoinedText(tree.starts[0].arguments, ", "), "4, a");
  EXPECT_EQ(names(tree.attributes), "a b ");
  EXPECT_EQ(test_support::TextOf(tree.attributes[0].range->least), "(- 2)");
  EXPECT_EQ(test_support::TextOf(tree.attributes[0].range->most), "5");
  EXPECT_FALSE(tree.attributes[1].range);
  EXPECT_EQ(names(tree.styles), "tall low ");
  EXPECT_EQ(names(tree.styles[0].values), "a b ");
  EXPECT_EQ(names(tree.constants), "c ");
  EXPECT_EQ(names(tree.functions), "f g h ");
  EXPECT_EQ(tree.functions[0].parameters, (std::vector<std::string>{"x", "y"}));
  EXPECT_TRUE(tree.functions[1].parameters.empty() && tree.functions[2].parameters.empty());
  EXPECT_EQ(names(tree.meshes), "door lamp ");
  EXPECT_EQ(tree.meshes[0].asset, "door.obj");
  EXPECT_EQ(tree.meshes[1].vertices, 40);
  EXPECT_EQ(tree.meshes[1].triangles, 20);
  EXPECT_EQ(names(tree.rules), "Lot B C ");
  EXPECT_EQ(names(tree.rules[0].annotations), "lod building ");
  EXPECT_EQ(tree.rules[0].parameters, (std::vector<std::string>{"k", "m"}));
  EXPECT_EQ(tree.rules[0].stage, "build");
  EXPECT_EQ(tree.rules[0].stage_place.column, 36u);
  EXPECT_EQ(tree.rules[0].place.column, 24u);
  EXPECT_TRUE(tree.rules[2].stage.empty() && tree.rules[2].annotations.empty());
}

TEST(Parser, ReadsImportsOnceAndWhereTheyStand) {
  // Files that import each other; one of them begins with a version, which imports need not.
  const ParsedFiles parsed = ParseFiles(
      {{"main.wyg", "wyg 1;\nrule A = box; import \"b.wyg\"; import \"c.wyg\"; rule D = box;"},
       {"b.wyg", "wyg 1; import \"c.wyg\"; rule B = box;"},
       {"c.wyg", "import \"main.wyg\"; import \"b.wyg\"; rule C = box;"},
       {"unused.wyg", "this is not read"}});
  EXPECT_EQ(ToldOf(parsed.diagnostics), "");
  std::string order;
  for (const auto& rule : parsed.tree.rules) {
    absl::StrAppend(&order, rule.name, rule.place.file, " ");
  }
  EXPECT_EQ(order, "A0 C2 B1 D0 ");
  EXPECT_EQ(parsed.tree.files,
            (std::vector<std::string>{"main.wyg", "b.wyg", "c.wyg", "unused.wyg"}));
}

TEST(Parser, TellsTheFilesOfErrors) {
  const ParsedFiles parsed = ParseFiles(
      {{"main.wyg", "wyg 1;\nimport \"b.wyg\";\nrule A = );"}, {"b.wyg", "wyg 3;\nrule B = );"}});
  EXPECT_EQ(ToldOf(parsed.diagnostics),
            "main.wyg:3:10: E010 expected ';' after the steps of a rule, found ')'\n"
            "b.wyg:1:5: E005 the version of the language is 1, not '3'\n"
            "b.wyg:2:10: E010 expected ';' after the steps of a rule, found ')'");
}

TEST(Parser, SuggestsOtherFilesForAnImport) {
  const ParsedFiles parsed =
      ParseFiles({{"i1.wyg", "wyg 1;\nimport \"b.wyg\";"}, {"b.wyg", "import \"i2.wyg\";"}});
  EXPECT_EQ(ToldOf(parsed.diagnostics),
            "b.wyg:1:8: E014 no file 'i2.wyg' is among the files of the grammar, did you mean "
            "'i1.wyg'?");
}

TEST(Parser, ReadsFilesWithTabsAndCarriageReturns) {
  const ParsedFiles parsed = ParseFiles(
      {{"main.wyg",
        "wyg 1;\r\n\tstart A; // \xc3\xa4\r\nrule A =\r\n\t\tbox /* \xe2\x82\xac */ );"}});
  EXPECT_EQ(ToldOf(parsed.diagnostics),
            "main.wyg:4:17: E010 expected ';' after the steps of a rule, found ')'");
  EXPECT_EQ(parsed.diagnostics[0].source, "  box /* ??? */ );");
}

TEST(Parser, TellsTwentyErrorsAtMost) {
  const ParsedFiles parsed = ParseText(test_support::Repeated("rule A = );\n", 50));
  ASSERT_EQ(parsed.diagnostics.size(), grammar::kMostErrors);
  EXPECT_EQ(parsed.diagnostics.back().line, 21u);
}

TEST(Parser, BoundsTheNumberOfFiles) {
  EXPECT_EQ(ToldOf(ParseFiles({}).diagnostics), ":1:1: E301 0 files, expected 1 to 33");
  std::vector<SourceFile> files(33, {"other.wyg", ""});
  files[0] = {"main.wyg", "wyg 1;"};
  EXPECT_EQ(ToldOf(ParseFiles(files).diagnostics), "");
  files.push_back({"last.wyg", ""});
  EXPECT_EQ(ToldOf(ParseFiles(files).diagnostics), "main.wyg:1:1: E301 34 files, expected 1 to 33");
}

TEST(Parser, BoundsTheBytesOfAllFiles) {
  std::vector<SourceFile> files = {{"main.wyg", "wyg 1;"}, {"b.wyg", ""}};
  files[1].text.assign(grammar::kMostSourceBytes - files[0].text.size(), ' ');
  EXPECT_EQ(ToldOf(ParseFiles(files).diagnostics), "");
  files[1].text += ' ';
  EXPECT_EQ(ToldOf(ParseFiles(files).diagnostics),
            "main.wyg:1:1: E302 the files have 262145 bytes, expected 262144 at most");
}

}  // namespace
}  // namespace warpyard
