// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/language/lexer.h"

#include <cmath>

#include "absl/strings/ascii.h"
#include "absl/strings/charconv.h"
#include "absl/strings/str_cat.h"

namespace warpyard::grammar {
namespace {

bool BeginsName(char c) { return absl::ascii_isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool IsDigit(char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); }
bool ContinuesName(char c) { return BeginsName(c) || IsDigit(c); }

/// Those of two characters come first.
constexpr std::string_view kSigns[] = {"..", "||", "&&", "==", "!=", "<=", ">=", "(", ")", "{",
                                       "}",  "[",  "]",  "|",  ":",  ";",  ",",  "=", "<", ">",
                                       "+",  "-",  "*",  "/",  "%",  "!",  "?",  "'", "~", "@"};

}  // namespace

void Lexer::Advance(std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i, ++at_) {
    if (text_[at_] == '\n') {
      ++place_.line;
      place_.column = 1;
    } else {
      ++place_.column;
    }
  }
}

void Lexer::SkipSpace() {
  while (at_ < text_.size()) {
    const std::string_view rest = Rest();
    if (absl::ascii_isspace(static_cast<unsigned char>(rest[0]))) {
      Advance(1);
    } else if (rest.substr(0, 2) == "//") {
      Advance(std::min(rest.find('\n'), rest.size()));
    } else if (rest.substr(0, 2) == "/*") {
      const std::size_t end = rest.find("*/", 2);
      if (end == std::string_view::npos) {
        diagnostics_.Add("E001", place_, "the comment has no end");
        Advance(rest.size());
      } else {
        Advance(end + 2);
      }
    } else {
      return;
    }
  }
}

Token Lexer::Next() {
  while (true) {
    SkipSpace();
    if (at_ == text_.size()) return {Token::Kind::kEnd, place_, {}};
    const std::string_view rest = Rest();
    if (BeginsName(rest[0])) return ReadName();
    if (IsDigit(rest[0]) || (rest[0] == '.' && rest.size() > 1 && IsDigit(rest[1]))) {
      return ReadNumber();
    }
    if (rest[0] == '"') return ReadText();
    for (const std::string_view sign : kSigns) {
      if (rest.substr(0, sign.size()) != sign) continue;
      const Token token{Token::Kind::kSign, place_, rest.substr(0, sign.size())};
      Advance(sign.size());
      return token;
    }
    TellByte();
  }
}

Token Lexer::ReadName() {
  const std::string_view rest = Rest();
  std::size_t end = 1;
  while (end < rest.size() && ContinuesName(rest[end])) ++end;
  // "up.i" is one name; "0..x" are three tokens.
  if (end + 1 < rest.size() && rest[end] == '.' && BeginsName(rest[end + 1])) {
    end += 2;
    while (end < rest.size() && ContinuesName(rest[end])) ++end;
  }
  const Token token{Token::Kind::kName, place_, rest.substr(0, end)};
  Advance(end);
  return token;
}

Token Lexer::ReadNumber() {
  const std::string_view rest = Rest();
  std::size_t end = 0;
  const auto digits = [&] {
    while (end < rest.size() && IsDigit(rest[end])) ++end;
  };
  digits();
  // "2.6..4.5" is an interval.
  if (end < rest.size() && rest[end] == '.' && rest.substr(end, 2) != "..") {
    ++end;
    digits();
  }
  if (end < rest.size() && (rest[end] == 'e' || rest[end] == 'E')) {
    std::size_t exponent = end + 1;
    if (exponent < rest.size() && (rest[exponent] == '+' || rest[exponent] == '-')) ++exponent;
    if (exponent < rest.size() && IsDigit(rest[exponent])) {
      end = exponent;
      digits();
    }
  }
  Token token{Token::Kind::kNumber, place_, rest.substr(0, end)};
  // What is out of the range of doubles comes as the largest or the least one.
  absl::from_chars(rest.data(), rest.data() + end, token.number);
  if (!(std::fabs(token.number) <= 3.4e38)) {
    diagnostics_.Add(
        "E003", place_,
        absl::StrCat("the number ", std::string(token.text.substr(0, 40)), " is too large"));
    token.number = 0;
  }
  Advance(end);
  if (at_ < text_.size() && BeginsName(text_[at_])) {
    diagnostics_.Add("E003", token.place, "letters follow a number");
  }
  return token;
}

Token Lexer::ReadText() {
  const std::string_view rest = Rest();
  std::size_t end = 1;
  while (end < rest.size() && rest[end] != '"' && rest[end] != '\n') ++end;
  const Token token{Token::Kind::kText, place_, rest.substr(1, end - 1)};
  if (end == rest.size() || rest[end] == '\n') {
    diagnostics_.Add("E002", place_, "the text has no closing quote in its line");
    Advance(end);
  } else {
    Advance(end + 1);
  }
  return token;
}

void Lexer::TellByte() {
  const auto byte = static_cast<unsigned char>(text_[at_]);
  const std::string shown = absl::ascii_isprint(byte)
                                ? absl::StrCat("'", std::string(1, text_[at_]), "'")
                                : absl::StrCat("byte 0x", absl::Hex(byte));
  diagnostics_.Add("E004", place_, absl::StrCat(shown, " has no meaning here"));
  // One error for a run of them.
  do {
    Advance(1);
  } while (at_ < text_.size() && static_cast<unsigned char>(text_[at_]) >= 0x80);
}

}  // namespace warpyard::grammar
