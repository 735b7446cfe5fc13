// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Writes the code of rules.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_CODE_RULE_WRITER_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_CODE_RULE_WRITER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/workload/grammar/code/code.h"
#include "core/workload/grammar/code/code_writer.h"
#include "core/workload/grammar/code/expression_writer.h"
#include "core/workload/grammar/code/leaves.h"
#include "core/workload/grammar/code/names.h"
#include "core/workload/grammar/language/diagnostics.h"
#include "core/workload/grammar/language/operators.h"
#include "core/workload/grammar/language/tree.h"

namespace warpyard::grammar {

class RuleWriter {
 public:
  /// @shape rules: with the stage of each rule
  RuleWriter(const Tree& tree, Names& names, const std::vector<RuleEntry>& rules, CodeWriter& code,
             Diagnostics& diagnostics)
      : tree_(tree),
        names_(names),
        rules_(rules),
        code_(code),
        diagnostics_(diagnostics),
        expressions_(tree, names, code, diagnostics) {}

  /// Writes the call with which a derivation starts.
  void WriteStart(const Start& start);
  /// Writes a rule. Returns where its code begins.
  std::uint32_t WriteRule(std::uint32_t rule);

  /// What @lod puts in the place of a rule that is small. @shape arguments: after the metres: a
  /// mesh or nil, and a material
  void ReadCoarseForm(const Annotation& lod, RuleEntry& entry);

  ExpressionWriter& expressions() { return expressions_; }
  /// Of all code written, in order.
  const std::vector<Region>& regions() const { return regions_; }

 private:
  /// The body of a block, written after the code that makes the block.
  struct Body {
    std::uint32_t instruction;
    const Sequence* steps;
    std::vector<std::string> slots;
  };

  // rule_writer.cc
  void WriteRegion(const Sequence& sequence);
  /// @shape is_last: nothing of the rule or block follows
  void WriteSequence(const Sequence& sequence, bool is_last);
  void WriteStep(const Step& step, bool is_last);
  void WriteLet(const Step& step);
  void WriteSaved(const Step& step);
  void WriteCases(const std::vector<Case>& cases, bool is_last);
  void WriteCall(const Step& step, bool is_last);
  void WriteRuleCall(std::string_view name, const std::vector<Expression>& arguments, Place place,
                     bool is_last);

  // operator_writer.cc
  void WriteOperator(const Step& step, const OperatorInfo& info);
  void WriteTransform(const Step& step);
  void WriteTerminal(const Step& step);
  void WriteColor(const Step& step);
  void WriteVolume(const Step& step);
  void WriteSnap(const Step& step);
  void WriteReport(const Step& step);
  void WritePivot(const Step& step);
  /// The number of a mesh. @errors E107; at `place`
  std::optional<std::uint16_t> MeshNamed(std::string_view name, Place place);
  /// The material that an argument names, or none where there are fewer arguments.
  /// @errors E310, at `place`
  std::uint16_t MaterialIn(const std::vector<Expression>& arguments, std::size_t argument,
                           Place place);

  // block_writer.cc
  void WriteBlock(const Step& step);
  void WriteSplit(const Step& step);
  void WriteSplitParts(const std::vector<Part>& parts, std::uint8_t flags);
  void WriteNamedBlock(const Step& step);
  void WriteNamedParts(const Step& step, Instruction block, std::uint32_t numbers);
  std::vector<Instruction> PartsOf(const Step& step, const Part& part);
  void AddBody(std::uint32_t instruction, const Sequence& steps);

  /// The axis that an argument names. @errors E106
  std::uint16_t AxisOf(const Expression& argument);
  /// The name in an argument. @errors E106, with what is expected
  std::string_view NameIn(const Expression& argument, std::string_view expected);
  void WriteAll(const std::vector<Expression>& expressions);

  const Tree& tree_;
  Names& names_;
  const std::vector<RuleEntry>& rules_;
  CodeWriter& code_;
  Diagnostics& diagnostics_;
  ExpressionWriter expressions_;
  std::vector<Body> bodies_;
  std::vector<Region> regions_;
  std::uint32_t rule_ = 0;
  std::uint32_t saved_ = 0;  ///< scopes that [ ] saves here
};

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_CODE_RULE_WRITER_H_
