// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/code/names.h"

#include <algorithm>
#include <iterator>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "core/workload/grammar/code/functions.h"
#include "core/workload/grammar/language/operators.h"
#include "core/workload/grammar/limits.h"

namespace warpyard::grammar {
namespace {

constexpr std::string_view kVariables[] = {"sx",    "sy", "sz", "px",   "py",   "pz",     "face",
                                           "depth", "i",  "n",  "up.i", "up.n", "volume", "area"};
constexpr std::string_view kFaceNames[] = {"front", "right", "back", "left", "top", "bottom"};
constexpr std::string_view kBuiltInMeshNames[] = {"box", "quad", "cyl", "prism", "tri"};

template <std::size_t kCount>
int PositionIn(const std::string_view (&names)[kCount], std::string_view name) {
  const auto* const found = std::find(std::begin(names), std::end(names), name);
  return found == std::end(names) ? -1 : static_cast<int>(found - std::begin(names));
}

class Collector {
 public:
  explicit Collector(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  /// Adds the names of a list of declarations.
  template <class Declaration>
  void Add(const std::vector<Declaration>& declarations, const char* what, std::size_t most,
           NameTable& table) {
    for (const Declaration& declaration : declarations) {
      if (table.Find(declaration.name)) {
        diagnostics_.Add("E101", declaration.place,
                         absl::StrCat(what, " '", declaration.name, "' is declared twice"));
      }
      table.Add(declaration.name);
    }
    if (declarations.size() > most) {
      diagnostics_.Add("E310", declarations[most].place,
                       absl::StrCat("more than ", most, " declarations: ", what));
    }
  }

  /// Names of values may not hide each other, or what expressions know.
  template <class Declaration>
  void AddValues(const std::vector<Declaration>& declarations, const char* what, std::size_t most,
                 NameTable& table) {
    Add(declarations, what, most, table);
    for (const Declaration& declaration : declarations) {
      const std::string& name = declaration.name;
      if (VariableOf(name) >= 0 || FaceOf(name) >= 0 || FindFunction(name) != nullptr) {
        diagnostics_.Add("E119", declaration.place,
                         absl::StrCat("'", name, "' is a name of the language"));
      } else if (!values_.insert(name).second && table.size() == declarations.size()) {
        diagnostics_.Add("E101", declaration.place,
                         absl::StrCat("'", name, "' is the name of another value, too"));
      }
    }
  }

  template <class Declaration>
  void CheckParameters(const std::vector<Declaration>& declarations, const char* what) {
    for (const Declaration& declaration : declarations) {
      absl::flat_hash_set<std::string> seen;
      for (const std::string& name : declaration.parameters) {
        if (seen.insert(name).second) continue;
        diagnostics_.Add(
            "E101", declaration.place,
            absl::StrCat(what, " '", declaration.name, "' has two parameters '", name, "'"));
        break;
      }
    }
  }

  void CheckRules(const std::vector<Rule>& rules) {
    for (const Rule& rule : rules) {
      if (FindOperator(rule.name) == nullptr) continue;
      diagnostics_.Add("E119", rule.place, absl::StrCat("'", rule.name, "' is an operator"));
    }
  }

 private:
  Diagnostics& diagnostics_;
  absl::flat_hash_set<std::string> values_;
};

void AddLabels(const Sequence& sequence, Names& names);

void AddLabels(const std::vector<Part>& parts, Names& names) {
  for (const Part& part : parts) {
    AddLabels(part.body, names);
    AddLabels(part.parts, names);
  }
}

/// The parser bounds how deep this goes.
void AddLabels(const Sequence& sequence, Names& names) {
  for (const Step& step : sequence.steps) {
    if (step.name == "volume" && !step.arguments.empty()) names.labels.Add(step.arguments[0].text);
    AddLabels(step.body, names);
    AddLabels(step.parts, names);
    for (const Case& one : step.cases) AddLabels(one.body, names);
  }
}

}  // namespace

std::uint32_t NameTable::Add(std::string_view name) {
  const auto [entry, added] =
      positions_.try_emplace(std::string(name), static_cast<std::uint32_t>(names_.size()));
  if (added) names_.emplace_back(name);
  return entry->second;
}

std::optional<std::uint32_t> NameTable::Find(std::string_view name) const {
  const auto found = positions_.find(std::string(name));
  if (found == positions_.end()) return std::nullopt;
  return found->second;
}

Names NamesOf(const Tree& tree, Diagnostics& diagnostics) {
  Names names;
  Collector collector(diagnostics);
  collector.Add(tree.stages, "stage", kMostStages, names.stages);
  collector.Add(tree.rules, "rule", kMostRules, names.rules);
  collector.CheckRules(tree.rules);
  collector.CheckParameters(tree.rules, "rule");
  collector.AddValues(tree.attributes, "attr", kMostAttributes, names.attributes);
  collector.AddValues(tree.constants, "const", kMostRules, names.constants);
  collector.Add(tree.functions, "fn", kMostRules, names.functions);
  collector.CheckParameters(tree.functions, "fn");
  collector.Add(tree.styles, "style", kMostRules, names.styles);
  for (const std::string_view mesh : kBuiltInMeshNames) names.meshes.Add(mesh);
  collector.Add(tree.meshes, "mesh", kMostMeshes, names.meshes);
  names.materials.Add("");
  for (const Rule& rule : tree.rules) AddLabels(rule.body, names);
  if (names.labels.size() > kMostLabels) {
    diagnostics.Add("E310", {}, absl::StrCat("more than ", kMostLabels, " names of volumes"));
  }
  return names;
}

int VariableOf(std::string_view name) { return PositionIn(kVariables, name); }

int FaceOf(std::string_view name) { return PositionIn(kFaceNames, name); }

std::vector<std::string_view> BuiltInValues() {
  std::vector<std::string_view> names(std::begin(kVariables), std::end(kVariables));
  names.insert(names.end(), std::begin(kFaceNames), std::end(kFaceNames));
  return names;
}

std::vector<std::string_view> BuiltInFunctions() {
  std::vector<std::string_view> names;
  for (const FunctionInfo& function : kFunctions) names.push_back(function.name);
  return names;
}

}  // namespace warpyard::grammar
