// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Reads expressions, and the steps of rules.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_LANGUAGE_STEP_PARSER_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_LANGUAGE_STEP_PARSER_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/workload/grammar/language/operators.h"
#include "core/workload/grammar/language/token_list.h"
#include "core/workload/grammar/language/tree.h"

namespace warpyard::grammar {

/// Every function returns false after an error, which it has told.
class StepParser {
 public:
  explicit StepParser(TokenList& tokens) : tokens_(tokens) {}

  bool ReadExpression(Expression* expression);
  /// Arguments in parentheses, if there are any.
  bool ReadArguments(std::vector<Expression>* arguments);
  /// Steps up to a sign that cannot begin one.
  bool ReadSequence(Sequence* sequence);

 private:
  // expression_parser.cc
  bool ReadBinary(int least, Expression* expression);
  bool ReadUnary(Expression* expression);
  bool ReadPrimary(Expression* expression);

  // step_parser.cc
  bool ReadStep(Step* step);
  bool ReadCall(Step* step);
  bool ReadCases(std::vector<Case>* cases);
  bool ReadCase(Case* one);
  bool CheckCases(const std::vector<Case>& cases, Place place);
  bool AreCasesAhead(std::size_t ahead) const;
  /// Whether a case begins here, so that the bar before it is missing.
  bool IsCaseAhead() const;
  bool ReadBlock(BlockKind kind, Step* step);
  bool ReadPart(BlockKind kind, Part* part);
  bool ReadSizedPart(Part* part);
  bool ReadRepeated(Part* part);
  bool IsRepeatedAhead() const;
  /// Goes one level deeper. @errors E015: too deep
  bool Enter();

  TokenList& tokens_;
  std::uint32_t depth_ = 0;      ///< of everything that is open
  std::uint32_t open_ = 0;       ///< expressions, one in the other
  std::uint32_t operators_ = 0;  ///< of the outermost one
};

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_LANGUAGE_STEP_PARSER_H_
