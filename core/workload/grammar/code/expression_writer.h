// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Writes the code of expressions.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_CODE_EXPRESSION_WRITER_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_CODE_EXPRESSION_WRITER_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/workload/grammar/code/code_writer.h"
#include "core/workload/grammar/code/names.h"
#include "core/workload/grammar/language/diagnostics.h"
#include "core/workload/grammar/language/tree.h"

namespace warpyard::grammar {

class ExpressionWriter {
 public:
  ExpressionWriter(const Tree& tree, const Names& names, CodeWriter& code, Diagnostics& diagnostics)
      : tree_(tree), names_(names), code_(code), diagnostics_(diagnostics) {}

  /// Begins a rule: its random choices are numbered from 0.
  void BeginRule();
  /// The parameters and variables that expressions can name, by slot.
  void SetSlots(std::vector<std::string> slots) { slots_ = std::move(slots); }
  const std::vector<std::string>& slots() const { return slots_; }

  /// Writes code that puts the value on the stack. @errors in the diagnostics
  void Write(const Expression& expression) { Write(expression, nullptr); }

  /// The value of an expression that must be constant; 0 where it is not. @errors E112
  float ConstantOf(const Expression& expression, const char* what);

  /// A number for one more random choice of the rule.
  std::uint32_t NewChoice() { return choices_++; }

 private:
  /// The arguments of a call of a declared function. @shape outer: where they are written
  struct Call {
    const Function& function;
    const std::vector<Expression>& arguments;
    const Call* outer;
    std::uint32_t number;  ///< of this call in the rule
  };

  void Write(const Expression& expression, const Call* call);
  void WriteName(const Expression& expression, const Call* call);
  void WriteConstant(const Constant& constant, const Expression& use, const Call* call);
  void WriteCall(const Expression& expression, const Call* call);
  void WriteDeclared(const Expression& expression, const Function& function, const Call* call);
  void WriteQuery(const Expression& expression, Op op);
  void WriteChance(const Expression& expression, const Call* call);
  void WriteOperator(const Expression& expression, const Call* call);
  void WriteLogic(const Expression& expression, const Call* call);
  void WriteChoose(const Expression& expression, const Call* call);
  /// @errors E105
  bool CheckCount(const Expression& expression, std::size_t least, std::size_t most);
  void Unknown(const Expression& expression, const Call* call);

  const Tree& tree_;
  const Names& names_;
  CodeWriter& code_;
  Diagnostics& diagnostics_;
  std::vector<std::string> slots_;
  std::vector<const void*> open_;  ///< functions and constants that are being written
  /// Random choices by expression and call: an argument that a function uses twice is one choice.
  std::map<std::pair<const Expression*, std::uint32_t>, std::uint32_t> chances_;
  std::uint32_t choices_ = 0;
  std::uint32_t calls_ = 0;
  bool told_ = false;  ///< that there are too many calls
};

/// How many arguments are right.
struct CountRange {
  std::size_t least;
  std::size_t most;
};
/// Tells that a count is wrong: "'split' takes 1 argument, not 3".
void TellCount(Diagnostics& diagnostics, Place place, std::string_view name, std::size_t given,
               CountRange range);

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_CODE_EXPRESSION_WRITER_H_
