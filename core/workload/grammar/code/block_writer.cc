// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The operators with blocks.

#include <algorithm>
#include <array>

#include "absl/strings/str_cat.h"
#include "core/workload/grammar/code/rule_writer.h"
#include "core/workload/grammar/limits.h"

namespace warpyard::grammar {
namespace {

std::vector<std::string_view> PartNames(std::string_view block) {
  if (block == "comp") {
    return {"front", "right", "back", "left", "top", "bottom", "side", "all"};
  }
  if (block == "roof") return {"plane", "gable", "hip"};
  return {"edge", "inside"};
}

constexpr std::string_view kRoofKinds[] = {"shed", "gable", "hip", "pyramid"};

}  // namespace

void RuleWriter::AddBody(std::uint32_t instruction, const Sequence& steps) {
  bodies_.push_back({instruction, &steps, expressions_.slots()});
}

void RuleWriter::WriteBlock(const Step& step) {
  if (step.name == "split") return WriteSplit(step);
  if (step.name != "repeat" && step.name != "copies" && step.name != "scatter") {
    return WriteNamedBlock(step);
  }
  if (step.parts.size() != 1) {
    return diagnostics_.Add("E120", step.place,
                            absl::StrCat("the block of '", step.name, "' has one part"));
  }
  Instruction block{step.name == "copies" ? Op::kCopies : Op::kScatter};
  std::uint32_t numbers = static_cast<std::uint32_t>(step.arguments.size());
  if (step.name == "repeat") {
    block = {Op::kRepeat, 0, AxisOf(step.arguments[0])};
    expressions_.Write(step.arguments[1]);
    numbers = 1;
    if (step.arguments.size() > 2) {
      block.flags = kSnaps;
      const Expression& option = step.arguments[2];
      if (option.kind != Expression::Kind::kName || option.text != "snap") {
        diagnostics_.Add("E106", option.place, "'snap' is expected");
      }
    }
  } else {
    WriteAll(step.arguments);
  }
  AddBody(code_.Take(block, numbers), step.parts[0].body);
}

void RuleWriter::WriteSplit(const Step& step) {
  const std::uint16_t axis = AxisOf(step.arguments[0]);
  std::uint32_t count = 0;
  for (const Part& part : step.parts) {
    const std::vector<Part> alone = {};
    const std::vector<Part>& sized = part.kind == Part::Kind::kRepeated ? part.parts : alone;
    for (const Part& one : sized) expressions_.Write(one.size);
    if (part.kind == Part::Kind::kSized) expressions_.Write(part.size);
    count += part.kind == Part::Kind::kRepeated ? static_cast<std::uint32_t>(sized.size()) : 1;
  }
  if (count > kMostParts) {
    diagnostics_.Add("E313", step.place,
                     absl::StrCat("a split has ", kMostParts, " parts at most, not ", count));
  }
  code_.Take({Op::kSplit, static_cast<std::uint8_t>(count), axis}, count);
  for (const Part& part : step.parts) {
    if (part.kind == Part::Kind::kRepeated) {
      WriteSplitParts(part.parts, kRepeats);
    } else {
      WriteSplitParts({part}, 0);
    }
  }
  // Bodies are of the tree: those of copies would not outlive this function.
  std::uint32_t at = code_.Here() - count;
  for (const Part& part : step.parts) {
    if (part.kind != Part::Kind::kRepeated) AddBody(at++, part.body);
    for (const Part& one : part.parts) AddBody(at++, one.body);
  }
}

void RuleWriter::WriteSplitParts(const std::vector<Part>& parts, std::uint8_t flags) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    std::uint8_t own = flags;
    if (flags != 0 && i == 0) own |= kGroupBegin;
    if (parts[i].size_kind == Part::Size::kRelative) own |= kRelative;
    if (parts[i].size_kind == Part::Size::kFloating) own |= kFloating;
    code_.Write({Op::kPart, own});
  }
}

void RuleWriter::WriteNamedBlock(const Step& step) {
  if (step.name == "comp") return WriteNamedParts(step, {Op::kComp}, 0);
  if (step.name == "border") {
    expressions_.Write(step.arguments[0]);
    return WriteNamedParts(step, {Op::kBorder}, 1);
  }
  if (step.name == "offset") {
    expressions_.Write(step.arguments[0]);
    return WriteNamedParts(step, {Op::kOffset}, 1);
  }
  const std::string_view name =
      NameIn(step.arguments[0], "a kind of roof: shed, gable, hip or pyramid");
  const auto* const kind = std::find(std::begin(kRoofKinds), std::end(kRoofKinds), name);
  if (kind == std::end(kRoofKinds)) {
    if (name.empty()) return;
    return diagnostics_.Add(
        "E118", step.arguments[0].place,
        absl::StrCat("'", std::string(name), "' is no kind of roof: shed, gable, hip or pyramid"));
  }
  expressions_.Write(step.arguments[1]);
  if (step.arguments.size() > 2) {
    expressions_.Write(step.arguments[2]);
  } else {
    code_.PushNumber(0);
  }
  WriteNamedParts(step, {Op::kRoof, 0, static_cast<std::uint16_t>(kind - kRoofKinds)}, 2);
}

std::vector<Instruction> RuleWriter::PartsOf(const Step& step, const Part& part) {
  const std::vector<std::string_view> names = PartNames(step.name);
  const auto found = std::find(names.begin(), names.end(), part.name);
  if (found == names.end()) {
    diagnostics_.AddUnknown("E108", part.place,
                            absl::StrCat("'", step.name, "' has no part '", part.name, "'"),
                            part.name, [&] { return names; });
    return {};
  }
  const auto which = static_cast<std::uint16_t>(found - names.begin());
  if (step.name != "comp" || which < kFaces) return {{Op::kPart, 0, which}};
  const std::uint16_t faces = part.name == "side" ? 4 : kFaces;
  std::vector<Instruction> parts;
  for (std::uint16_t face = 0; face < faces; ++face) parts.push_back({Op::kPart, 0, face});
  return parts;
}

void RuleWriter::WriteNamedParts(const Step& step, Instruction block, std::uint32_t numbers) {
  struct Chosen {
    Instruction part;
    const Sequence* body;
  };
  std::vector<Chosen> chosen;
  std::array<bool, 8> taken{};
  for (const Part& part : step.parts) {
    const std::vector<Instruction> parts = PartsOf(step, part);
    for (const Instruction& one : parts) {
      // The first part that names a face has it; `side` and `all` are the faces that are left.
      if (!taken[one.a]) {
        chosen.push_back({one, &part.body});
      } else if (parts.size() == 1) {
        diagnostics_.Add("E109", part.place,
                         absl::StrCat("'", part.name, "' comes too late: another part has it"));
      }
      taken[one.a] = true;
    }
  }
  block.flags = static_cast<std::uint8_t>(chosen.size());
  code_.Take(block, numbers);
  for (const Chosen& one : chosen) {
    const std::uint32_t at = code_.Write(one.part);
    AddBody(at, *one.body);
  }
}

}  // namespace warpyard::grammar
