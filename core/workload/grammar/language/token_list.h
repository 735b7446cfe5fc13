// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The tokens of a file, with a place to read at.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_LANGUAGE_TOKEN_LIST_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_LANGUAGE_TOKEN_LIST_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/workload/grammar/language/diagnostics.h"
#include "core/workload/grammar/language/lexer.h"

namespace warpyard::grammar {

/// The words with which declarations begin; a rule's may follow annotations.
inline constexpr std::string_view kDeclarations[] = {"import", "stage", "start", "attr", "const",
                                                     "fn",     "style", "mesh",  "rule"};

class TokenList {
 public:
  TokenList(std::string_view text, std::uint32_t file, Diagnostics& diagnostics);

  const Token& Peek(std::size_t ahead = 0) const;
  Token Take();
  bool Accept(std::string_view sign);
  bool AcceptName(std::string_view name);

  /// Takes a sign, or tells that it is missing. @errors E010
  bool Expect(std::string_view sign, std::string_view after);
  /// Takes a name. @errors E011
  bool ExpectName(std::string_view what, Token* name);
  /// Tells that a sign is missing before the next token. @errors E010
  void TellMissing(std::string_view sign);
  /// Tells that something else is expected at the next token.
  void TellExpected(std::string_view code, std::string_view what);

  /// The tokens up to the bracket that closes the one ahead, which counts as 0; or to the end.
  std::size_t ToClosing(std::size_t ahead) const;
  /// Whether a declaration begins here that cannot be steps: rules may be called as the words of
  /// declarations are, but no step is followed by `=`.
  bool IsDeclarationAhead() const;
  /// Skips what is left of a declaration: past its semicolon, or to the next declaration.
  void SkipDeclaration();
  void Skip(std::size_t tokens);

  Diagnostics& diagnostics() { return diagnostics_; }

 private:
  std::vector<Token> tokens_;  ///< the last one is kEnd
  std::size_t at_ = 0;
  Diagnostics& diagnostics_;
};

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_LANGUAGE_TOKEN_LIST_H_
