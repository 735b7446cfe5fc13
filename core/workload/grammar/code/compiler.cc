// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/code/compiler.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "absl/strings/str_cat.h"
#include "core/workload/grammar/code/names.h"
#include "core/workload/grammar/code/recursion.h"
#include "core/workload/grammar/code/rule_writer.h"
#include "core/workload/grammar/code/volume_code.h"
#include "core/workload/grammar/language/parser.h"
#include "core/workload/grammar/limits.h"

namespace warpyard::grammar {
namespace {

/// FNV-1a.
std::uint32_t HashOf(std::string_view name) {
  std::uint32_t hash = 2166136261u;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return hash;
}

class Compiler {
 public:
  Compiler(const Tree& tree, Diagnostics& diagnostics, const procedure::CancelToken& token)
      : tree_(tree), diagnostics_(diagnostics), token_(token), names_(NamesOf(tree, diagnostics)) {}

  CompiledCode Run() {
    if (names_.stages.size() == 0) names_.stages.Add("all");
    for (const Rule& rule : tree_.rules) rules_.push_back(EntryOf(rule));
    RuleWriter writer(tree_, names_, rules_, code_, diagnostics_);
    // Without rules there is nothing that a start could name.
    if (CheckStart()) WriteRules(writer);
    if (token_.Cancelled()) return {};
    WarnOfRecursion(tree_, diagnostics_);
    FillInfo();
    CompiledCode compiled{std::move(info_), {std::move(code_.instructions()), rules_}, {}};
    if (!diagnostics_.HasErrors()) {
      compiled.volumes = VolumeCodeOf(writer.regions(), compiled.code);
      if (!compiled.volumes.instructions.empty()) MarkLeaves(writer.regions(), compiled.volumes);
      MarkLeaves(writer.regions(), compiled.code);
    }
    compiled.info.instructions = static_cast<std::uint32_t>(compiled.code.instructions.size());
    return compiled;
  }

 private:
  bool CheckStart() {
    if (tree_.starts.size() == 1 && !tree_.rules.empty()) return true;
    if (tree_.starts.empty()) {
      diagnostics_.Add("E116", {}, "there is no start: write 'start Rule;'");
    } else if (tree_.rules.empty()) {
      diagnostics_.Add("E116", tree_.starts[0].place, "there are no rules");
    } else {
      diagnostics_.Add("E117", tree_.starts[1].place, "there is more than one start");
    }
    return false;
  }

  RuleEntry EntryOf(const Rule& rule) {
    RuleEntry entry;
    entry.name = HashOf(rule.name);
    entry.arguments = static_cast<std::uint8_t>(rule.parameters.size());
    if (!rule.stage.empty()) {
      if (const auto stage = names_.stages.Find(rule.stage)) {
        entry.stage = static_cast<std::uint8_t>(*stage);
      } else {
        diagnostics_.AddUnknown("E201", rule.stage_place,
                                absl::StrCat("unknown stage '", rule.stage, "'"), rule.stage,
                                [&] { return names_.stages.Views(); });
      }
    }
    return entry;
  }

  void Annotate(const Rule& rule, RuleEntry& entry, RuleWriter& writer) {
    for (const Annotation& annotation : rule.annotations) {
      const std::string& name = annotation.name;
      const std::size_t count = annotation.arguments.size();
      if (name == "building") {
        entry.building = 1;
        if (count != 0) TellCount(diagnostics_, annotation.place, "@building", count, {0, 0});
        continue;
      }
      if (name != "lod" && name != "threads") {
        diagnostics_.AddUnknown(
            "E110", annotation.place, absl::StrCat("unknown annotation '@", name, "'"), name, [] {
              return std::vector<std::string_view>{"lod", "threads", "building"};
            });
        continue;
      }
      const bool is_lod = name == "lod";
      const CountRange range = {1, is_lod ? std::uint32_t{3} : 1};
      if (count < range.least || count > range.most) {
        TellCount(diagnostics_, annotation.place, absl::StrCat("@", name), count, range);
        continue;
      }
      const float number =
          writer.expressions().ConstantOf(annotation.arguments[0], "an annotation");
      const bool is_right =
          is_lod ? number > 0 && number <= kMostCoordinate : number >= 1 && number <= 32;
      if (!is_right) {
        diagnostics_.Add(
            "E113", annotation.place,
            is_lod ? "@lod takes metres, more than 0" : "@threads takes a number from 1 to 32");
      } else if (is_lod) {
        entry.detail = number;
        writer.ReadCoarseForm(annotation, entry);
      } else {
        entry.lanes = static_cast<std::uint8_t>(number);
      }
    }
  }

  void WriteRules(RuleWriter& writer) {
    AddAttributes(writer.expressions());
    for (std::size_t r = 0; r < rules_.size(); ++r) {
      Annotate(tree_.rules[r], rules_[r], writer);
    }
    writer.WriteStart(tree_.starts[0]);
    // The rules of a text of the most bytes can expand to minutes of work.
    for (std::uint32_t r = 0; r < rules_.size() && !token_.Cancelled(); ++r) {
      rules_[r].begin = writer.WriteRule(r);
      if (code_.Here() <= kMostInstructions) continue;
      diagnostics_.Add("E317", tree_.rules[r].place,
                       absl::StrCat("the code has more than ", kMostInstructions, " instructions"));
      return;
    }
  }

  void AddAttributes(ExpressionWriter& expressions) {
    constexpr float kMost = std::numeric_limits<float>::max();
    for (const Attribute& attribute : tree_.attributes) {
      AttributeInfo info{attribute.name, 0, -kMost, kMost};
      if (attribute.range) {
        info.least = expressions.ConstantOf(attribute.range->least, "a limit");
        info.most = expressions.ConstantOf(attribute.range->most, "a limit");
      }
      info.value = expressions.ConstantOf(attribute.value, "the value of an attribute");
      CheckValue(info, info.value, attribute.value.place);
      info_.attributes.push_back(std::move(info));
    }
    for (const Style& style : tree_.styles) {
      StyleInfo info{style.name, {}};
      for (const Constant& value : style.values) {
        const auto attribute = names_.attributes.Find(value.name);
        if (!attribute) {
          diagnostics_.AddUnknown("E111", value.place,
                                  absl::StrCat("unknown attribute '", value.name, "'"), value.name,
                                  [&] { return names_.attributes.Views(); });
          continue;
        }
        const float number = expressions.ConstantOf(value.value, "the value of a style");
        CheckValue(info_.attributes[*attribute], number, value.value.place);
        info.values.emplace_back(*attribute, number);
      }
      info_.styles.push_back(std::move(info));
    }
  }

  void CheckValue(const AttributeInfo& info, float value, Place place) {
    if (std::isfinite(value) && value >= info.least && value <= info.most) return;
    diagnostics_.Add("E113", place,
                     absl::StrCat(value, " is not in the range of '", info.name, "', ", info.least,
                                  " to ", info.most));
  }

  void FillInfo() {
    info_.stages = names_.stages.names();
    info_.rules = names_.rules.names();
    info_.materials = names_.materials.names();
    info_.reports = names_.reports.names();
    constexpr std::uint32_t kCounts[kBuiltInMeshes][2] = {
        {24, 12}, {4, 2}, {64, 60}, {18, 8}, {3, 1}};
    for (std::size_t m = 0; m < kBuiltInMeshes; ++m) {
      info_.meshes.push_back({names_.meshes.names()[m], "", kCounts[m][0], kCounts[m][1]});
    }
    for (const MeshName& mesh : tree_.meshes) {
      info_.meshes.push_back({mesh.name, mesh.asset, static_cast<std::uint32_t>(mesh.vertices),
                              static_cast<std::uint32_t>(mesh.triangles)});
    }
  }

  const Tree& tree_;
  Diagnostics& diagnostics_;
  const procedure::CancelToken& token_;
  Names names_;
  std::vector<RuleEntry> rules_;
  CodeWriter code_;
  GrammarInfo info_;
};

}  // namespace

CompiledCode CompileTree(const Tree& tree, Diagnostics& diagnostics,
                         const procedure::CancelToken& token) {
  return Compiler(tree, diagnostics, token).Run();
}

CompiledCode CompileFiles(absl::Span<const SourceFile> files, Diagnostics& diagnostics,
                          const procedure::CancelToken& token) {
  const Tree tree = Parse(files, diagnostics);
  // Names of a tree with holes would only lead to errors that follow from the first ones.
  if (diagnostics.HasErrors()) return {};
  return CompileTree(tree, diagnostics, token);
}

}  // namespace warpyard::grammar
