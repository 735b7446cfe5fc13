// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Divides the text of a grammar into tokens.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_LANGUAGE_LEXER_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_LANGUAGE_LEXER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/workload/grammar/language/diagnostics.h"
#include "core/workload/grammar/language/tree.h"

namespace warpyard::grammar {

struct Token {
  enum class Kind : std::uint8_t { kEnd, kName, kNumber, kText, kSign };
  Kind kind = Kind::kEnd;
  Place place;
  std::string_view text;  ///< in the file; of kText without quotes
  double number = 0;

  bool Is(std::string_view sign) const { return kind == Kind::kSign && text == sign; }
  bool IsName(std::string_view name) const { return kind == Kind::kName && text == name; }
};

class Lexer {
 public:
  /// @shape text: outlives the tokens; file: its position in the list of files
  Lexer(std::string_view text, std::uint32_t file, Diagnostics& diagnostics)
      : text_(text), diagnostics_(diagnostics) {
    place_.file = file;
  }

  /// The next token; kEnd at the end of the text. What is no token is told and left out.
  /// @errors E001 to E004
  Token Next();

 private:
  void SkipSpace();
  Token ReadName();
  Token ReadNumber();
  Token ReadText();
  void TellByte();
  void Advance(std::size_t bytes);
  std::string_view Rest() const { return text_.substr(at_); }

  const std::string_view text_;
  Diagnostics& diagnostics_;
  std::size_t at_ = 0;
  Place place_;
};

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_LANGUAGE_LEXER_H_
