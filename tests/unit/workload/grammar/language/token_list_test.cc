// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/language/token_list.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/grammar/told.h"

namespace warpyard {
namespace {

using grammar::Token;

/// The tokens of a text, with all that they need.
class TokenListTest : public testing::Test {
 protected:
  grammar::TokenList& Read(std::string text) {
    files_ = {{"main.wyg", std::move(text)}};
    diagnostics_.emplace(files_);
    return tokens_.emplace(files_[0].text, 0, *diagnostics_);
  }
  std::string Told() const { return test_support::ToldOf(diagnostics_->Sorted()); }

 private:
  std::vector<grammar::SourceFile> files_;
  std::optional<grammar::Diagnostics> diagnostics_;
  std::optional<grammar::TokenList> tokens_;
};

TEST_F(TokenListTest, StaysAtTheEnd) {
  grammar::TokenList& tokens = Read("a b");
  EXPECT_EQ(tokens.Peek(1).text, "b");
  EXPECT_EQ(tokens.Peek(100).kind, Token::Kind::kEnd);
  EXPECT_EQ(tokens.Take().text, "a");
  EXPECT_EQ(tokens.Take().text, "b");
  EXPECT_EQ(tokens.Take().kind, Token::Kind::kEnd);
  EXPECT_EQ(tokens.Take().kind, Token::Kind::kEnd);
  tokens.Skip(100);
  EXPECT_EQ(tokens.Peek().kind, Token::Kind::kEnd);
}

TEST_F(TokenListTest, TellsNamesFromSignsAndTexts) {
  grammar::TokenList& tokens = Read("rule \"rule\" ; \";\"");
  EXPECT_FALSE(tokens.Accept("rule"));
  EXPECT_TRUE(tokens.AcceptName("rule"));
  EXPECT_FALSE(tokens.AcceptName("rule"));
  tokens.Skip(1);
  EXPECT_TRUE(tokens.Accept(";"));
  EXPECT_FALSE(tokens.Accept(";"));
}

TEST_F(TokenListTest, TellsWhatItExpectsAndFinds) {
  grammar::TokenList& tokens = Read("a \"b\" 12\n");
  Token name;
  EXPECT_TRUE(tokens.ExpectName("a name", &name));
  EXPECT_EQ(name.text, "a");
  EXPECT_FALSE(tokens.ExpectName("a name", &name));
  tokens.Skip(1);
  EXPECT_FALSE(tokens.Expect(";", "the name"));
  tokens.Skip(1);
  tokens.TellExpected("E012", "a number");
  EXPECT_EQ(Told(),
            "main.wyg:1:3: E011 expected a name, found \"b\"\n"
            "main.wyg:1:7: E010 expected ';' after the name, found '12'\n"
            "main.wyg:2:1: E012 expected a number, found the end of the file");
}

TEST_F(TokenListTest, CutsLongTokensInWhatItTells) {
  Read(std::string(100, 'a')).TellExpected("E012", "a number");
  EXPECT_EQ(Told(), "main.wyg:1:1: E012 expected a number, found '" + std::string(40, 'a') + "'");
}

TEST_F(TokenListTest, FindsTheClosingBracketOfAnyKind) {
  grammar::TokenList& tokens = Read("( [ { } ] ) x");
  EXPECT_EQ(tokens.ToClosing(0), 5u);
  EXPECT_EQ(tokens.ToClosing(2), 3u);
  // Nothing closes it: up to the end.
  EXPECT_EQ(Read("( ( )").ToClosing(0), 3u);
}

/// Tokens, how many of them have been read when the error came, and where reading goes on.
struct SkipCase {
  const char* name;
  std::string text;
  std::size_t read;
  const char* next;  ///< empty: the end
};

void PrintTo(const SkipCase& one, std::ostream* stream) { *stream << one.name; }

class TokenListSkipTest : public TokenListTest, public testing::WithParamInterface<SkipCase> {};

TEST_P(TokenListSkipTest, GoesOnWithTheNextDeclaration) {
  grammar::TokenList& tokens = Read(GetParam().text);
  tokens.Skip(GetParam().read);
  tokens.SkipDeclaration();
  EXPECT_EQ(tokens.Peek().text, GetParam().next);
}

INSTANTIATE_TEST_SUITE_P(
    TokenList, TokenListSkipTest,
    testing::Values(SkipCase{"PastTheSemicolon", "rule A = % box; next", 3, "next"},
                    SkipCase{"PastTheSemicolonAhead", "start ; next", 1, "next"},
                    SkipCase{"ToTheStartOfALine", "rule A = %\nattr b = 1;", 3, "attr"},
                    // The semicolon is missing before it.
                    SkipCase{"ToTheDeclarationAhead", "start A\nrule A = box;", 2, "rule"},
                    SkipCase{"ToAnAnnotation", "rule A = %\n@lod(1) rule B = box;", 3, "@"},
                    SkipCase{"NotToANameInALine", "rule A = % mesh box; next", 3, "next"},
                    SkipCase{"NotToOtherNames", "rule A = %\nbox; next", 3, "next"},
                    SkipCase{"ToTheEnd", "rule A = %", 3, ""}),
    test_support::kNameOfCase);

}  // namespace
}  // namespace warpyard
