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
  /// A declared function or a constant that is being written. @shape outer: where its arguments are
  /// written
  struct Call {
    const void* declaration;
    const std::vector<std::string>& parameters;
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
  /// Whether the declaration is one of those that a call is in.
  static bool IsOpen(const void* declaration, const Call* call);
  /// Whether one more declaration or argument may be written. @errors E316
  bool MayExpand(const Expression& use);
  /// @errors E105
  bool CheckCount(const Expression& expression, std::size_t least, std::size_t most);
  void Unknown(const Expression& expression, const Call* call);

  const Tree& tree_;
  const Names& names_;
  CodeWriter& code_;
  Diagnostics& diagnostics_;
  std::vector<std::string> slots_;
  /// Random choices by expression and call: an argument that a function uses twice is one choice.
  std::map<std::pair<const Expression*, std::uint32_t>, std::uint32_t> chances_;
  /// Numbers of calls, by their expression and the number of the call around it.
  std::map<std::pair<const Expression*, std::uint32_t>, std::uint32_t> numbers_;
  std::uint32_t choices_ = 0;
  std::uint32_t calls_ = 0;
  std::uint32_t uses_ = 0;  ///< of functions, constants and arguments
  std::uint32_t open_ = 0;  ///< functions and constants, one in the other
  bool told_ = false;       ///< that there are too many
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
