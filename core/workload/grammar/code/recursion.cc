// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/code/recursion.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"

namespace warpyard::grammar {
namespace {

/// The rules that a rule calls without asking for anything.
class Calls {
 public:
  explicit Calls(const Tree& tree) {
    for (std::uint32_t r = 0; r < tree.rules.size(); ++r) numbers_.emplace(tree.rules[r].name, r);
    for (const Rule& rule : tree.rules) {
      called_.emplace_back();
      has_when_ = false;
      Add(rule.body);
      if (has_when_) called_.back().clear();
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
      const auto rule = numbers_.find(step.name);
      if (step.kind == Step::Kind::kCall && rule != numbers_.end()) {
        called_.back().push_back(rule->second);
      }
      Add(step.body);
      Add(step.parts);
      for (const Case& one : step.cases) {
        has_when_ = has_when_ || one.kind == Case::Kind::kWhen;
        Add(one.body);
      }
    }
  }

  absl::flat_hash_map<std::string, std::uint32_t> numbers_;
  std::vector<std::vector<std::uint32_t>> called_;
  bool has_when_ = false;
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
