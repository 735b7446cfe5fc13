// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/language/lexer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/support/grammar/told.h"

namespace warpyard {
namespace {

using grammar::SourceFile;
using grammar::Token;
using test_support::kNameOfCase;
using test_support::ToldCase;
using test_support::ToldOf;

/// The tokens of a text, and what is told of it.
struct Lexed {
  std::vector<Token> tokens;  ///< the last one is kEnd
  std::string told;

  /// "1:1 name" for each token.
  std::string Shown() const {
    static constexpr const char* kMarks[] = {"end", "", "#", "\"", "'"};
    std::string shown;
    for (const Token& token : tokens) {
      absl::StrAppend(&shown, shown.empty() ? "" : " ", token.place.line, ":", token.place.column,
                      " ", kMarks[static_cast<int>(token.kind)], std::string(token.text));
    }
    return shown;
  }
};

/// @shape files: outlives the result; texts of tokens lie in it
Lexed LexFile(const std::vector<SourceFile>& files) {
  grammar::Diagnostics diagnostics(files);
  grammar::Lexer lexer(files[0].text, 0, diagnostics);
  Lexed lexed;
  do {
    lexed.tokens.push_back(lexer.Next());
  } while (lexed.tokens.back().kind != Token::Kind::kEnd);
  lexed.told = ToldOf(diagnostics.Sorted());
  return lexed;
}

/// A text and its tokens: names bare, numbers after #, texts after ", signs after '.
struct TokensCase {
  const char* name;
  std::string text;
  const char* tokens;
};

void PrintTo(const TokensCase& one, std::ostream* stream) { *stream << one.name; }

class LexerTokensTest : public testing::TestWithParam<TokensCase> {};

TEST_P(LexerTokensTest, FindsTokensAndTheirPlaces) {
  const std::vector<SourceFile> files = {{"main.wyg", GetParam().text}};
  const Lexed lexed = LexFile(files);
  EXPECT_EQ(lexed.Shown(), GetParam().tokens);
  EXPECT_EQ(lexed.told, "");
}

INSTANTIATE_TEST_SUITE_P(
    Lexer, LexerTokensTest,
    testing::Values(
        TokensCase{"Nothing", "", "1:1 end"}, TokensCase{"Space", " \n\t", "2:2 end"},
        TokensCase{"Names", "a _b2 up.i", "1:1 a 1:3 _b2 1:7 up.i 1:11 end"},
        TokensCase{"TheLongestSign", "<=<||", "1:1 '<= 1:3 '< 1:4 '|| 1:6 end"},
        TokensCase{"IntervalOfWholeNumbers", "[2..5]",
                   "1:1 '[ 1:2 #2 1:3 '.. 1:5 #5 1:6 '] 1:7 end"},
        TokensCase{"IntervalOfFractions", "2.6..4.5", "1:1 #2.6 1:4 '.. 1:6 #4.5 1:9 end"},
        TokensCase{"IntervalOfNames", "a..b", "1:1 a 1:2 '.. 1:4 b 1:5 end"},
        TokensCase{"Numbers", "3 0.5 .5 2e3 1.5E-2 7.",
                   "1:1 #3 1:3 #0.5 1:7 #.5 1:10 #2e3 1:14 #1.5E-2 1:21 #7. 1:23 end"},
        TokensCase{"MinusIsASign", "-3", "1:1 '- 1:2 #3 1:3 end"},
        TokensCase{"Text", "\"a b\"c", "1:1 \"a b 1:6 c 1:7 end"},
        TokensCase{"CommentToTheEndOfTheLine", "a // b\nc", "1:1 a 2:1 c 2:2 end"},
        TokensCase{"CommentAtTheEnd", "a // b", "1:1 a 1:7 end"},
        TokensCase{"CommentOverLines", "a /* b\n*/ c", "1:1 a 2:4 c 2:5 end"},
        TokensCase{"CommentsAreNotNested", "/* /* */ c", "1:10 c 1:11 end"},
        TokensCase{"SlashIsNoEndOfItsOwnComment", "/*/ */ c", "1:8 c 1:9 end"},
        TokensCase{"ATabIsOneColumn", "\ta\tb", "1:2 a 1:4 b 1:5 end"},
        TokensCase{"CarriageReturnsAreSpace", "a\r\nb\r\n", "1:1 a 2:1 b 3:1 end"},
        // Columns count bytes: the place is what tools find in the file.
        TokensCase{"BytesOfUtf8InComments", "/* \xc3\xa4 */ a", "1:10 a 1:11 end"},
        TokensCase{"BytesOfUtf8InTexts", "\"\xc3\xa4\" a", "1:1 \"\xc3\xa4 1:6 a 1:7 end"}),
    kNameOfCase);

class LexerTest : public testing::TestWithParam<ToldCase> {};

TEST_P(LexerTest, TellsWhatIsNoToken) {
  const std::vector<SourceFile> files = {{"main.wyg", GetParam().text}};
  EXPECT_EQ(LexFile(files).told, GetParam().told);
}

INSTANTIATE_TEST_SUITE_P(
    Lexer, LexerTest,
    testing::Values(
        ToldCase{"CommentWithoutEnd", "a\n  /* b\nc", "main.wyg:2:3: E001 the comment has no end"},
        ToldCase{"TextWithoutEnd", "a \"b\n\"c\"",
                 "main.wyg:1:3: E002 the text has no closing quote in its line"},
        ToldCase{"TextWithoutEndAtTheEnd", "a\n\"b",
                 "main.wyg:2:1: E002 the text has no closing quote in its line"},
        ToldCase{"LargeNumber", "1 1e39", "main.wyg:1:3: E003 the number 1e39 is too large"},
        ToldCase{"LargeExponent", "1e999", "main.wyg:1:1: E003 the number 1e999 is too large"},
        ToldCase{"LongNumbersAreCut", std::string(60, '9'),
                 "main.wyg:1:1: E003 the number " + std::string(40, '9') + " is too large"},
        ToldCase{"LettersAfterANumber", "x 3m", "main.wyg:1:3: E003 letters follow a number"},
        ToldCase{"ExponentWithoutDigits", "3e+", "main.wyg:1:1: E003 letters follow a number"},
        ToldCase{"UnknownSign", "a $ b", "main.wyg:1:3: E004 '$' has no meaning here"},
        ToldCase{"HalfAnOperator", "a & b", "main.wyg:1:3: E004 '&' has no meaning here"},
        ToldCase{"ALonePoint", "a . b", "main.wyg:1:3: E004 '.' has no meaning here"},
        ToldCase{"ZeroByte", std::string("a \0b", 4),
                 "main.wyg:1:3: E004 byte 0x0 has no meaning here"},
        // One error for a name in another alphabet, not one for each byte.
        ToldCase{"RunOfUtf8", "\n \xc3\xa4\xc3\xb6 a",
                 "main.wyg:2:2: E004 byte 0xc3 has no meaning here"},
        ToldCase{"ByteOrderMark", "\xef\xbb\xbfwyg 1;",
                 "main.wyg:1:1: E004 byte 0xef has no meaning here"}),
    kNameOfCase);

TEST(Lexer, ReadsTheValuesOfNumbers) {
  const std::vector<SourceFile> files = {{"main.wyg", "3 0.5 .5 2e3 1.5E-2 7. 3.4e38"}};
  const double expected[] = {3, 0.5, 0.5, 2000, 0.015, 7, 3.4e38};
  const Lexed lexed = LexFile(files);
  ASSERT_EQ(lexed.tokens.size(), std::size(expected) + 1);
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    EXPECT_EQ(lexed.tokens[i].number, expected[i]);
  }
}

TEST(Lexer, TakesNumbersThatAreTooSmallAsZero) {
  const std::vector<SourceFile> files = {{"main.wyg", "1e-400"}};
  const Lexed lexed = LexFile(files);
  EXPECT_EQ(lexed.told, "");
  EXPECT_LT(std::fabs(lexed.tokens[0].number), 1e-300);
}

TEST(Lexer, GoesOnAfterAnError) {
  const std::vector<SourceFile> files = {{"main.wyg", "a $ b \"c\nd"}};
  EXPECT_EQ(LexFile(files).Shown(), "1:1 a 1:5 b 1:7 \"c 2:1 d 2:2 end");
}

}  // namespace
}  // namespace warpyard
