// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/code/expression_writer.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "core/workload/grammar/code/functions.h"
#include "core/workload/grammar/limits.h"

namespace warpyard::grammar {
namespace {

Op OpOf(Operator op) {
  switch (op) {
    case Operator::kNot:
      return Op::kNot;
    case Operator::kNegate:
      return Op::kNegate;
    case Operator::kMultiply:
      return Op::kMultiply;
    case Operator::kDivide:
      return Op::kDivide;
    case Operator::kAdd:
      return Op::kAdd;
    case Operator::kSubtract:
      return Op::kSubtract;
    case Operator::kLess:
    case Operator::kGreater:
      return Op::kLess;
    case Operator::kAtMost:
    case Operator::kAtLeast:
      return Op::kAtMost;
    case Operator::kEqual:
      return Op::kEqual;
    default:
      return Op::kUnequal;
  }
}

}  // namespace

void TellCount(Diagnostics& diagnostics, Place place, std::string_view name, std::size_t given,
               CountRange range) {
  const std::string counts = range.least == range.most
                                 ? absl::StrCat(range.least)
                                 : absl::StrCat(range.least, " to ", range.most);
  diagnostics.Add("E105", place,
                  absl::StrCat("'", std::string(name), "' takes ", counts,
                               range.most == 1 ? " argument, not " : " arguments, not ", given));
}

void ExpressionWriter::BeginRule() {
  chances_.clear();
  numbers_.clear();
  choices_ = 0;
  calls_ = 0;
  uses_ = 0;
  told_ = false;
}

float ExpressionWriter::ConstantOf(const Expression& expression, const char* what) {
  const std::size_t errors = diagnostics_.Errors();
  const std::uint32_t since = code_.Begin();
  Write(expression);
  if (const std::optional<float> number = code_.TakeConstant(since)) return *number;
  code_.instructions().resize(since);
  code_.SetTop(0);
  if (diagnostics_.Errors() == errors) {
    diagnostics_.Add("E112", expression.place, absl::StrCat(what, " must be constant"));
  }
  return 0;
}

bool ExpressionWriter::IsOpen(const void* declaration, const Call* call) {
  while (call != nullptr && call->declaration != declaration) call = call->outer;
  return call != nullptr;
}

void ExpressionWriter::Write(const Expression& expression, const Call* call) {
  // An error puts a number on the stack, too, so that the rest can be checked.
  switch (expression.kind) {
    case Expression::Kind::kNumber:
      return code_.PushNumber(static_cast<float>(expression.number));
    case Expression::Kind::kText:
      diagnostics_.Add("E114", expression.place, "a text stands where a number is expected");
      return code_.PushNumber(0);
    case Expression::Kind::kName:
      return WriteName(expression, call);
    case Expression::Kind::kCall:
      return WriteCall(expression, call);
    case Expression::Kind::kOperator:
      return WriteOperator(expression, call);
  }
}

void ExpressionWriter::WriteName(const Expression& expression, const Call* call) {
  const std::string& name = expression.text;
  // A function sees its parameters, but not those of the rule that calls it.
  const std::vector<std::string>& slots = call != nullptr ? call->parameters : slots_;
  const auto slot = std::find(slots.rbegin(), slots.rend(), name);
  if (slot != slots.rend()) {
    const auto position = static_cast<std::size_t>(slots.rend() - slot - 1);
    if (call == nullptr) {
      return code_.Push({Op::kSlot, 0, static_cast<std::uint16_t>(position)});
    }
    if (MayExpand(expression)) Write(call->arguments[position], call->outer);
    return;
  }
  if (const int face = FaceOf(name); face >= 0) {
    return code_.PushNumber(static_cast<float>(face));
  }
  if (const int variable = VariableOf(name); variable >= 0) {
    return code_.Push({Op::kVariable, 0, static_cast<std::uint16_t>(variable)});
  }
  if (const auto attribute = names_.attributes.Find(name)) {
    return code_.Push({Op::kAttribute, 0, static_cast<std::uint16_t>(*attribute)});
  }
  if (const auto constant = names_.constants.Find(name)) {
    return WriteConstant(tree_.constants[*constant], expression, call);
  }
  Unknown(expression, call);
}

void ExpressionWriter::WriteConstant(const Constant& constant, const Expression& use,
                                     const Call* call) {
  if (IsOpen(&constant, call)) {
    diagnostics_.Add("E122", use.place, absl::StrCat("const '", constant.name, "' needs itself"));
    return code_.PushNumber(0);
  }
  // Its expression knows no parameters at all.
  const std::vector<std::string> parameters;
  const std::vector<Expression> arguments;
  // Number 0, and not that of the last call: `rand` in it is one choice, wherever a rule uses it.
  const Call inner{&constant, parameters, arguments, call, 0};
  ++open_;
  if (MayExpand(use)) Write(constant.value, &inner);
  --open_;
}

bool ExpressionWriter::MayExpand(const Expression& use) {
  if (calls_ <= kMostFunctionCalls && ++uses_ <= kMostUses && open_ <= kMostOpenCalls &&
      code_.Here() <= kMostInstructions) {
    return true;
  }
  // One error for a rule: where one call is too many, the next one is, too.
  if (!std::exchange(told_, true)) {
    diagnostics_.Add("E316", use.place,
                     absl::StrCat("the expressions of a rule call more than ", kMostFunctionCalls,
                                  " functions, use more than ", kMostUses,
                                  " constants and arguments, or have more than ", kMostOpenCalls,
                                  " functions and constants, one in the other"));
  }
  code_.PushNumber(0);
  return false;
}

void ExpressionWriter::Unknown(const Expression& expression, const Call* call) {
  const bool is_call = expression.kind == Expression::Kind::kCall;
  const auto candidates = [&] {
    std::vector<std::string_view> all = is_call ? BuiltInFunctions() : BuiltInValues();
    const auto add = [&all](const std::vector<std::string>& names) {
      all.insert(all.end(), names.begin(), names.end());
    };
    if (is_call) {
      add(names_.functions.names());
    } else {
      add(call != nullptr ? call->parameters : slots_);
      add(names_.attributes.names());
      add(names_.constants.names());
    }
    return all;
  };
  diagnostics_.AddUnknown(
      is_call ? "E104" : "E103", expression.place,
      absl::StrCat(is_call ? "unknown function '" : "unknown name '", expression.text, "'"),
      expression.text, candidates);
  code_.PushNumber(0);
}

bool ExpressionWriter::CheckCount(const Expression& expression, std::size_t least,
                                  std::size_t most) {
  const std::size_t given = expression.operands.size();
  if (given >= least && given <= most) return true;
  TellCount(diagnostics_, expression.place, expression.text, given, {least, most});
  code_.PushNumber(0);
  return false;
}

void ExpressionWriter::WriteCall(const Expression& expression, const Call* call) {
  if (const auto declared = names_.functions.Find(expression.text)) {
    return WriteDeclared(expression, tree_.functions[*declared], call);
  }
  const FunctionInfo* const info = FindFunction(expression.text);
  if (info == nullptr) return Unknown(expression, call);
  if (!CheckCount(expression, info->least_arguments, info->most_arguments)) return;
  if (info->takes_label) return WriteQuery(expression, info->op);
  if (info->op == Op::kChance) return WriteChance(expression, call);
  for (const Expression& argument : expression.operands) Write(argument, call);
  code_.Operate(info->op);
}

void ExpressionWriter::WriteDeclared(const Expression& expression, const Function& function,
                                     const Call* call) {
  const std::size_t count = function.parameters.size();
  if (!CheckCount(expression, count, count)) return;
  if (IsOpen(&function, call)) {
    diagnostics_.Add("E122", expression.place,
                     absl::StrCat("fn '", function.name, "' calls itself"));
    return code_.PushNumber(0);
  }
  // An argument that is written twice is the same call each time.
  const std::uint32_t around = call != nullptr ? call->number : 0;
  const auto next = static_cast<std::uint32_t>(numbers_.size() + 1);
  const std::uint32_t number =
      numbers_.try_emplace(std::pair{&expression, around}, next).first->second;
  const Call inner{&function, function.parameters, expression.operands, call, number};
  ++calls_;
  ++open_;
  if (MayExpand(expression)) Write(function.value, &inner);
  --open_;
}

void ExpressionWriter::WriteQuery(const Expression& expression, Op op) {
  const Expression& argument = expression.operands[0];
  if (argument.kind != Expression::Kind::kName && argument.kind != Expression::Kind::kText) {
    diagnostics_.Add("E115", argument.place, "the name of a volume is expected");
    return code_.PushNumber(0);
  }
  const auto label = names_.labels.Find(argument.text);
  if (!label) {
    diagnostics_.AddUnknown("E115", argument.place,
                            absl::StrCat("no rule makes a volume '", argument.text, "'"),
                            argument.text, [&] { return names_.labels.Views(); });
    return code_.PushNumber(0);
  }
  code_.Push({op, 0, static_cast<std::uint16_t>(*label)});
}

void ExpressionWriter::WriteChance(const Expression& expression, const Call* call) {
  const std::vector<Expression>& bounds = expression.operands;
  const auto [choice, added] =
      chances_.try_emplace(std::pair{&expression, call != nullptr ? call->number : 0}, choices_);
  if (added) ++choices_;
  const Instruction chance{Op::kChance, 0, 0, choice->second};
  if (bounds.size() == 2) {
    // least * (1 - chance) + most * chance: each bound once, since it may be random, too.
    Write(bounds[0], call);
    code_.PushNumber(1);
    code_.Push(chance);
    code_.Operate(Op::kSubtract);
    code_.Operate(Op::kMultiply);
  }
  code_.Push(chance);
  if (bounds.empty()) return;
  Write(bounds.back(), call);
  code_.Operate(Op::kMultiply);
  if (bounds.size() == 2) code_.Operate(Op::kAdd);
}

void ExpressionWriter::WriteOperator(const Expression& expression, const Call* call) {
  const Operator op = expression.op;
  if (op == Operator::kChoose) return WriteChoose(expression, call);
  if (op == Operator::kAnd || op == Operator::kOr) return WriteLogic(expression, call);
  // a > b is b < a.
  const bool swapped = op == Operator::kGreater || op == Operator::kAtLeast;
  const std::size_t count = expression.operands.size();
  for (std::size_t i = 0; i < count; ++i) {
    Write(expression.operands[swapped ? count - 1 - i : i], call);
  }
  code_.Operate(OpOf(op));
}

void ExpressionWriter::WriteLogic(const Expression& expression, const Call* call) {
  Write(expression.operands[0], call);
  code_.Operate(Op::kTruth);
  const bool is_and = expression.op == Operator::kAnd;
  const std::uint32_t jump = code_.Take({is_and ? Op::kKeepIfFalse : Op::kKeepIfTrue}, 1);
  Write(expression.operands[1], call);
  code_.Operate(Op::kTruth);
  code_.Land(jump);
}

void ExpressionWriter::WriteChoose(const Expression& expression, const Call* call) {
  Write(expression.operands[0], call);
  const std::uint32_t to_else = code_.Take({Op::kJumpIfFalse}, 1);
  const std::uint32_t top = code_.Top();
  Write(expression.operands[1], call);
  const std::uint32_t to_end = code_.Write({Op::kJump});
  code_.SetTop(top);
  code_.Land(to_else);
  Write(expression.operands[2], call);
  code_.Land(to_end);
}

}  // namespace warpyard::grammar
