// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/code/rule_writer.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "core/workload/grammar/limits.h"

namespace warpyard::grammar {

void RuleWriter::WriteAll(const std::vector<Expression>& expressions) {
  for (const Expression& expression : expressions) expressions_.Write(expression);
}

void RuleWriter::WriteStart(const Start& start) {
  expressions_.BeginRule();
  expressions_.SetSlots({});
  code_.Begin();
  const auto rule = names_.rules.Find(start.rule);
  // All of the start's stage: nothing came before it.
  if (rule) rule_ = *rule;
  WriteRuleCall(start.rule, start.arguments, start.place, true);
  code_.Write({Op::kEnd});
  code_.TakeMost();
}

std::uint32_t RuleWriter::WriteRule(std::uint32_t rule) {
  rule_ = rule;
  const Rule& written = tree_.rules[rule];
  expressions_.BeginRule();
  if (written.parameters.size() > kSlots) {
    diagnostics_.Add(
        "E312", written.place,
        absl::StrCat("rule '", written.name, "' has more than ", kSlots, " parameters"));
  }
  expressions_.SetSlots(written.parameters);
  const std::uint32_t begin = code_.Begin();
  WriteRegion(written.body);
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const Body body = bodies_[b];
    code_.Land(body.instruction);
    expressions_.SetSlots(body.slots);
    WriteRegion(*body.steps);
  }
  bodies_.clear();
  if (code_.TakeMost() > kStack) {
    diagnostics_.Add("E314", written.place,
                     absl::StrCat("an expression of rule '", written.name, "' needs more than ",
                                  kStack, " numbers at once"));
  }
  return begin;
}

void RuleWriter::WriteRegion(const Sequence& sequence) {
  const std::uint32_t begin = code_.Here();
  WriteSequence(sequence, true);
  code_.Write({Op::kEnd});
  regions_.push_back({begin, code_.Here()});
}

void RuleWriter::WriteSequence(const Sequence& sequence, bool is_last) {
  std::vector<std::string> slots = expressions_.slots();
  for (std::size_t i = 0; i < sequence.steps.size(); ++i) {
    WriteStep(sequence.steps[i], is_last && i + 1 == sequence.steps.size());
  }
  // Variables end with the steps in which they were made.
  expressions_.SetSlots(std::move(slots));
}

void RuleWriter::WriteStep(const Step& step, bool is_last) {
  switch (step.kind) {
    case Step::Kind::kLet:
      return WriteLet(step);
    case Step::Kind::kSaved:
      return WriteSaved(step);
    case Step::Kind::kCases:
      return WriteCases(step.cases, is_last);
    case Step::Kind::kCall:
      return WriteCall(step, is_last);
  }
}

void RuleWriter::WriteLet(const Step& step) {
  for (const Expression& value : step.arguments) expressions_.Write(value);
  std::vector<std::string> slots = expressions_.slots();
  if (slots.size() >= kSlots) {
    diagnostics_.Add("E312", step.place,
                     absl::StrCat("more than ", kSlots, " parameters and variables"));
  }
  code_.Take({Op::kStore, 0, static_cast<std::uint16_t>(slots.size())}, 1);
  slots.push_back(step.name);
  expressions_.SetSlots(std::move(slots));
}

void RuleWriter::WriteSaved(const Step& step) {
  if (++saved_ > kMostSaved) {
    diagnostics_.Add("E315", step.place,
                     absl::StrCat("more than ", kMostSaved, " [ ], one in the other"));
  }
  code_.Write({Op::kSave});
  WriteSequence(step.body, false);
  code_.Write({Op::kRestore});
  --saved_;
}

void RuleWriter::WriteCases(const std::vector<Case>& cases, bool is_last) {
  std::vector<std::uint32_t> to_end;
  std::vector<const Expression*> chances;
  const std::uint32_t choice = expressions_.NewChoice();
  for (const Case& one : cases) {
    std::uint32_t to_next = 0;
    if (one.kind == Case::Kind::kWhen) {
      expressions_.Write(one.value);
      to_next = code_.Take({Op::kJumpIfFalse}, 1);
    } else if (one.kind == Case::Kind::kPercent) {
      // One random number for all cases: below the sum of the chances up to this one.
      chances.push_back(&one.value);
      code_.Push({Op::kChance, 0, 0, choice});
      code_.PushNumber(100);
      code_.Operate(Op::kMultiply);
      for (std::size_t i = 0; i < chances.size(); ++i) {
        expressions_.Write(*chances[i]);
        if (i > 0) code_.Operate(Op::kAdd);
      }
      code_.Operate(Op::kLess);
      to_next = code_.Take({Op::kJumpIfFalse}, 1);
    }
    WriteSequence(one.body, is_last);
    if (is_last) {
      code_.Write({Op::kEnd});
    } else {
      to_end.push_back(code_.Write({Op::kJump}));
    }
    if (one.kind != Case::Kind::kElse) code_.Land(to_next);
  }
  for (const std::uint32_t jump : to_end) code_.Land(jump);
}

void RuleWriter::WriteCall(const Step& step, bool is_last) {
  if (const OperatorInfo* const info = FindOperator(step.name)) return WriteOperator(step, *info);
  if (step.has_block) {
    diagnostics_.Add("E120", step.place, absl::StrCat("rule '", step.name, "' takes no block"));
  }
  WriteRuleCall(step.name, step.arguments, step.place, is_last);
}

void RuleWriter::WriteRuleCall(std::string_view name, const std::vector<Expression>& arguments,
                               Place place, bool is_last) {
  const auto rule = names_.rules.Find(name);
  if (!rule) {
    diagnostics_.AddUnknown("E102", place,
                            absl::StrCat("unknown operator or rule '", std::string(name), "'"),
                            name, [&] {
                              std::vector<std::string_view> candidates = names_.rules.Views();
                              for (const OperatorInfo& info : kOperators) {
                                candidates.push_back(info.name);
                              }
                              return candidates;
                            });
    return;
  }
  const Rule& called = tree_.rules[*rule];
  if (arguments.size() != called.parameters.size()) {
    TellCount(diagnostics_, place, name, arguments.size(),
              {called.parameters.size(), called.parameters.size()});
    return;
  }
  const std::uint8_t stage = rules_[rule_].stage, next = rules_[*rule].stage;
  if (next < stage) {
    diagnostics_.Add("E202", place,
                     absl::StrCat("rule '", tree_.rules[rule_].name, "' of stage '",
                                  names_.stages.names()[stage], "' cannot call '", called.name,
                                  "' of the earlier stage '", names_.stages.names()[next], "'"));
    return;
  }
  WriteAll(arguments);
  const Op op = next > stage ? Op::kDefer : is_last ? Op::kGoTo : Op::kCall;
  const auto count = static_cast<std::uint32_t>(arguments.size());
  code_.Take({op, static_cast<std::uint8_t>(count), static_cast<std::uint16_t>(*rule)}, count);
}

}  // namespace warpyard::grammar
