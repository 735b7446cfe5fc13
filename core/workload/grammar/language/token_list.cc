// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/language/token_list.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace warpyard::grammar {
namespace {

bool IsDeclarationWord(const Token& token) {
  return token.kind == Token::Kind::kName &&
         std::find(std::begin(kDeclarations), std::end(kDeclarations), token.text) !=
             std::end(kDeclarations);
}

/// Whether a declaration begins here, as far as that can be told after an error: at the start of a
/// line, so that a rule may be called `mesh`.
bool BeginsDeclaration(const Token& token) {
  if (token.place.column != 1) return false;
  return token.Is("@") || IsDeclarationWord(token);
}

std::string ShownOf(const Token& token) {
  switch (token.kind) {
    case Token::Kind::kEnd:
      return "the end of the file";
    case Token::Kind::kText:
      return absl::StrCat("\"", std::string(token.text.substr(0, 40)), "\"");
    default:
      return absl::StrCat("'", std::string(token.text.substr(0, 40)), "'");
  }
}

}  // namespace

TokenList::TokenList(std::string_view text, std::uint32_t file, Diagnostics& diagnostics)
    : diagnostics_(diagnostics) {
  Lexer lexer(text, file, diagnostics);
  do {
    tokens_.push_back(lexer.Next());
  } while (tokens_.back().kind != Token::Kind::kEnd);
}

const Token& TokenList::Peek(std::size_t ahead) const {
  return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
}

Token TokenList::Take() {
  const Token token = Peek();
  Skip(1);
  return token;
}

void TokenList::Skip(std::size_t tokens) { at_ = std::min(at_ + tokens, tokens_.size() - 1); }

bool TokenList::Accept(std::string_view sign) {
  if (!Peek().Is(sign)) return false;
  Skip(1);
  return true;
}

bool TokenList::AcceptName(std::string_view name) {
  if (!Peek().IsName(name)) return false;
  Skip(1);
  return true;
}

bool TokenList::Expect(std::string_view sign, std::string_view after) {
  if (Accept(sign)) return true;
  TellExpected("E010", absl::StrCat("'", std::string(sign), "' after ", std::string(after)));
  return false;
}

bool TokenList::ExpectName(std::string_view what, Token* name) {
  // Only the language has names of two parts, as "up.i".
  const bool is_name = Peek().kind == Token::Kind::kName;
  if (!is_name || Peek().text.find('.') != std::string_view::npos) {
    TellExpected("E011", what);
    return false;
  }
  *name = Take();
  return true;
}

void TokenList::TellMissing(std::string_view sign) {
  diagnostics_.Add("E010", Peek().place,
                   absl::StrCat("expected '", std::string(sign), "' before ", ShownOf(Peek())));
}

void TokenList::TellExpected(std::string_view code, std::string_view what) {
  diagnostics_.Add(code, Peek().place,
                   absl::StrCat("expected ", std::string(what), ", found ", ShownOf(Peek())));
}

std::size_t TokenList::ToClosing(std::size_t ahead) const {
  std::size_t open = 0;
  for (; Peek(ahead).kind != Token::Kind::kEnd; ++ahead) {
    const Token& token = Peek(ahead);
    if (token.Is("(") || token.Is("[") || token.Is("{")) ++open;
    if ((token.Is(")") || token.Is("]") || token.Is("}")) && --open == 0) break;
  }
  return ahead;
}

bool TokenList::IsDeclarationAhead() const {
  if (!IsDeclarationWord(Peek())) return false;
  if (Peek(1).kind == Token::Kind::kText) return Peek().IsName("import");
  if (Peek(1).kind != Token::Kind::kName || Peek(1).IsName("let")) return false;
  std::size_t ahead = 2;
  if (Peek(ahead).Is("(")) {
    // Parameters; arguments are of other tokens, too.
    do {
      ++ahead;
    } while (Peek(ahead).kind == Token::Kind::kName || Peek(ahead).Is(","));
    if (!Peek(ahead++).Is(")")) return false;
  }
  if (Peek(ahead).Is(":") && Peek(ahead + 1).kind == Token::Kind::kName) ahead += 2;
  return Peek(ahead).Is("=");
}

void TokenList::SkipDeclaration() {
  // One ahead is none that has been read: each takes its first token.
  while (Peek().kind != Token::Kind::kEnd && !BeginsDeclaration(Peek()) && !IsDeclarationAhead()) {
    if (Accept(";")) return;
    Skip(1);
  }
}

}  // namespace warpyard::grammar
