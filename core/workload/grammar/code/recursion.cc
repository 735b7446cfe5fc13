// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/code/recursion.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "core/workload/grammar/code/functions.h"
#include "core/workload/grammar/code/names.h"

namespace warpyard::grammar {
namespace {

/// The rules that a rule calls in any case.
class Calls {
 public:
  explicit Calls(const Tree& tree) {
    for (std::uint32_t r = 0; r < tree.rules.size(); ++r) numbers_.emplace(tree.rules[r].name, r);
    for (const Attribute& attribute : tree.attributes) attributes_.insert(attribute.name);
    for (const Rule& rule : tree.rules) {
      called_.emplace_back();
      rule_ = &rule;
      variables_.clear();
      always_.clear();
      Add(rule.body);
    }
  }

  const std::vector<std::uint32_t>& Of(std::uint32_t rule) const { return called_[rule]; }

 private:
  void Add(const std::vector<Part>& parts) {
    for (const Part& part : parts) {
      Add(part.body);
      Add(part.parts);
    }
  }

  /// The parser bounds how deep this goes.
  void Add(const Sequence& sequence) {
    for (const Step& step : sequence.steps) {
      if (step.kind == Step::Kind::kLet) variables_.insert(step.name);
      if (step.kind == Step::Kind::kCall) AddCall(step);
      Add(step.body);
      Add(step.parts);
      const std::size_t outer = conditions_.size();
      for (const Case& one : step.cases) {
        // The cases after this one run only if its condition does not hold, so it guards them, too.
        if (one.kind == Case::Kind::kWhen) conditions_.push_back(&one.value);
        Add(one.body);
      }
      conditions_.resize(outer);
    }
  }

  void AddCall(const Step& step) {
    const auto rule = numbers_.find(step.name);
    // Once is enough, and keeps the time of a rule with very many cases and calls in bounds.
    if (rule == numbers_.end() || always_.contains(rule->second)) return;
    const bool is_guarded =
        std::any_of(conditions_.begin(), conditions_.end(),
                    [&](const Expression* condition) { return MayChange(*condition, step); });
    if (is_guarded) return;
    always_.insert(rule->second);
    called_.back().push_back(rule->second);
  }

  /// Whether an expression of the rule can have another value in the rule that is called.
  bool MayChange(const Expression& expression, const Step& call) const {
    switch (expression.kind) {
      case Expression::Kind::kNumber:
      case Expression::Kind::kText:
        return false;
      case Expression::Kind::kName:
        return MayNameChange(expression.text, call);
      case Expression::Kind::kCall: {
        const FunctionInfo* const info = FindFunction(expression.text);
        // The value of others depends on more than their arguments.
        if (info == nullptr || info->op == Op::kChance || info->takes_label) return true;
        break;
      }
      case Expression::Kind::kOperator:
        break;
    }
    return std::any_of(expression.operands.begin(), expression.operands.end(),
                       [&](const Expression& operand) { return MayChange(operand, call); });
  }

  bool MayNameChange(const std::string& name, const Step& call) const {
    if (variables_.contains(name)) return true;
    const std::vector<std::string>& parameters = rule_->parameters;
    const auto parameter = std::find(parameters.begin(), parameters.end(), name);
    if (parameter == parameters.end()) return FaceOf(name) < 0 && !attributes_.contains(name);
    const auto position = static_cast<std::size_t>(parameter - parameters.begin());
    if (call.name != rule_->name || position >= call.arguments.size()) return true;
    const Expression& argument = call.arguments[position];
    return argument.kind != Expression::Kind::kName || argument.text != name;
  }

  absl::flat_hash_map<std::string, std::uint32_t> numbers_;
  absl::flat_hash_set<std::string> attributes_;
  std::vector<std::vector<std::uint32_t>> called_;
  // Of the rule that is looked at.
  const Rule* rule_ = nullptr;
  absl::flat_hash_set<std::string> variables_;
  absl::flat_hash_set<std::uint32_t> always_;  ///< those called so far
  std::vector<const Expression*> conditions_;  ///< of the cases around, and of those before them
};

}  // namespace

void WarnOfRecursion(const Tree& tree, Diagnostics& diagnostics) {
  const Calls calls(tree);
  enum class Mark : std::uint8_t { kNew, kOpen, kDone };
  std::vector<Mark> marks(tree.rules.size(), Mark::kNew);
  std::vector<bool> warned(tree.rules.size(), false);
  // A search in depth with a stack of its own: cycles may be as long as there are rules.
  for (std::uint32_t root = 0; root < tree.rules.size(); ++root) {
    if (marks[root] != Mark::kNew) continue;
    std::vector<std::pair<std::uint32_t, std::size_t>> open = {{root, 0}};
    marks[root] = Mark::kOpen;
    while (!open.empty()) {
      const std::uint32_t rule = open.back().first;
      if (open.back().second == calls.Of(rule).size()) {
        marks[rule] = Mark::kDone;
        open.pop_back();
        continue;
      }
      const std::uint32_t called = calls.Of(rule)[open.back().second++];
      if (marks[called] == Mark::kOpen) {
        // One warning for a rule, however often it calls itself.
        if (warned[called]) continue;
        warned[called] = true;
        diagnostics.Add("W301", tree.rules[called].place,
                        absl::StrCat("rule '", tree.rules[called].name,
                                     "' calls itself, and no 'when' ends that"));
      } else if (marks[called] == Mark::kNew) {
        marks[called] = Mark::kOpen;
        open.emplace_back(called, 0);
      }
    }
  }
}

}  // namespace warpyard::grammar
