// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The operators without blocks.

#include <algorithm>
#include <cmath>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "core/workload/grammar/code/rule_writer.h"
#include "core/workload/grammar/limits.h"

namespace warpyard::grammar {
namespace {

struct NamedOp {
  std::string_view name;
  Op op;
};

/// Transforms whose arguments are numbers alone.
constexpr NamedOp kTransforms[] = {
    {"translate", Op::kTranslate}, {"yaw", Op::kYaw},       {"pitch", Op::kPitch},
    {"roll", Op::kRoll},           {"rotate", Op::kRotate}, {"scale", Op::kScale},
    {"size", Op::kSize},           {"align", Op::kAlign},   {"extrude", Op::kExtrude},
};

}  // namespace

std::string_view RuleWriter::NameIn(const Expression& argument, std::string_view expected) {
  const bool is_name =
      argument.kind == Expression::Kind::kName || argument.kind == Expression::Kind::kText;
  if (is_name && !argument.text.empty()) return argument.text;
  diagnostics_.Add("E106", argument.place, absl::StrCat(std::string(expected), " is expected"));
  return {};
}

std::uint16_t RuleWriter::AxisOf(const Expression& argument) {
  const std::string_view name = NameIn(argument, "an axis: x, y or z");
  if (name == "x" || name == "y" || name == "z") return static_cast<std::uint16_t>(name[0] - 'x');
  if (!name.empty()) {
    diagnostics_.Add("E106", argument.place,
                     absl::StrCat("'", std::string(name), "' is no axis: x, y or z"));
  }
  return 0;
}

void RuleWriter::WriteOperator(const Step& step, const OperatorInfo& info) {
  const std::size_t given = step.arguments.size();
  if (given < info.least_arguments || given > info.most_arguments) {
    return TellCount(diagnostics_, step.place, step.name, given,
                     {info.least_arguments, info.most_arguments});
  }
  const bool takes_block = info.block != BlockKind::kNone;
  if (step.has_block != takes_block) {
    return diagnostics_.Add(
        "E120", step.place,
        absl::StrCat("'", step.name, "' ", takes_block ? "needs a block { }" : "takes no block"));
  }
  if (takes_block) return WriteBlock(step);
  if (step.name == "nil") return;
  if (step.name == "color") return WriteColor(step);
  if (step.name == "volume") return WriteVolume(step);
  if (step.name == "snap") return WriteSnap(step);
  if (step.name == "report") return WriteReport(step);
  const auto* const transform =
      std::find_if(std::begin(kTransforms), std::end(kTransforms),
                   [&](const NamedOp& named) { return named.name == step.name; });
  if (transform != std::end(kTransforms)) {
    WriteAll(step.arguments);
    code_.Take({transform->op}, static_cast<std::uint32_t>(given));
    return;
  }
  if (step.name == "mirror" || step.name == "center" || step.name == "pivot") {
    return WriteTransform(step);
  }
  WriteTerminal(step);
}

void RuleWriter::WriteTransform(const Step& step) {
  if (step.name == "pivot") return WritePivot(step);
  if (step.name == "mirror") {
    code_.Write({Op::kMirror, 0, AxisOf(step.arguments[0])});
    return;
  }
  std::uint32_t axes = step.arguments.empty() ? 7 : 0;
  for (const Expression& argument : step.arguments) axes |= 1u << AxisOf(argument);
  code_.Write({Op::kCenter, 0, static_cast<std::uint16_t>(axes)});
}

void RuleWriter::WritePivot(const Step& step) {
  std::uint32_t halves = 0;
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const float twice = 2 * expressions_.ConstantOf(step.arguments[axis], "a pivot");
    if (twice != 0 && twice != 1 && twice != 2) {
      diagnostics_.Add("E113", step.arguments[axis].place, "a pivot is 0, 0.5 or 1");
      continue;
    }
    halves |= static_cast<std::uint32_t>(twice) << (2 * axis);
  }
  code_.Write({Op::kPivot, 0, static_cast<std::uint16_t>(halves)});
}

std::uint16_t RuleWriter::MaterialIn(const std::vector<Expression>& arguments, std::size_t argument,
                                     Place place) {
  if (arguments.size() <= argument) return 0;
  const std::string_view name = NameIn(arguments[argument], "the name of a material");
  const std::uint32_t material = names_.materials.Add(name);
  if (material == kMostMaterials) {
    diagnostics_.Add("E310", place, absl::StrCat("more than ", kMostMaterials - 1, " materials"));
  }
  return static_cast<std::uint16_t>(material);
}

std::optional<std::uint16_t> RuleWriter::MeshNamed(std::string_view name, Place place) {
  const auto mesh = names_.meshes.Find(name);
  if (mesh) return static_cast<std::uint16_t>(*mesh);
  if (!name.empty()) {
    diagnostics_.AddUnknown("E107", place, absl::StrCat("unknown mesh '", std::string(name), "'"),
                            name, [&] { return names_.meshes.Views(); });
  }
  return std::nullopt;
}

void RuleWriter::WriteTerminal(const Step& step) {
  const bool is_inst = step.name == "inst";
  const std::string_view name =
      is_inst ? NameIn(step.arguments[0], "the name of a mesh") : std::string_view(step.name);
  const auto mesh = MeshNamed(name, is_inst ? step.arguments[0].place : step.place);
  if (!mesh) return;
  code_.Write({Op::kTerminal, 0, *mesh, MaterialIn(step.arguments, is_inst ? 1 : 0, step.place)});
}

void RuleWriter::ReadCoarseForm(const Annotation& lod, RuleEntry& entry) {
  if (lod.arguments.size() < 2) return;
  const std::string_view name = NameIn(lod.arguments[1], "the name of a mesh or nil");
  if (name == "nil") {
    entry.coarse_mesh = kNoMesh;
  } else if (const auto mesh = MeshNamed(name, lod.arguments[1].place)) {
    entry.coarse_mesh = *mesh;
  }
  entry.coarse_material = MaterialIn(lod.arguments, 2, lod.place);
}

void RuleWriter::WriteColor(const Step& step) {
  WriteAll(step.arguments);
  const auto count = static_cast<std::uint32_t>(step.arguments.size());
  code_.Take({Op::kColor, static_cast<std::uint8_t>(count)}, count);
}

void RuleWriter::WriteVolume(const Step& step) {
  const std::string_view label = NameIn(step.arguments[0], "the name of a volume");
  auto kind = VolumeKind::kOpaque;
  if (step.arguments.size() > 1) {
    const std::string_view name =
        NameIn(step.arguments[1], "a kind of volume: opaque, enclosing or hidden");
    if (name == "enclosing") {
      kind = VolumeKind::kEnclosing;
    } else if (name == "hidden") {
      kind = VolumeKind::kHidden;
    } else if (name != "opaque" && !name.empty()) {
      diagnostics_.Add("E118", step.arguments[1].place,
                       absl::StrCat("'", std::string(name),
                                    "' is no kind of volume: opaque, enclosing or hidden"));
    }
  }
  const std::uint32_t number = names_.labels.Find(label).value_or(0);
  code_.Write({Op::kVolume, static_cast<std::uint8_t>(kind), static_cast<std::uint16_t>(number)});
}

void RuleWriter::WriteSnap(const Step& step) {
  const std::uint16_t axis = AxisOf(step.arguments[0]);
  const auto numbers = static_cast<std::uint32_t>(step.arguments.size() - 1);
  for (std::uint32_t i = 1; i <= numbers; ++i) expressions_.Write(step.arguments[i]);
  code_.Take({Op::kSnap, static_cast<std::uint8_t>(numbers), axis}, numbers);
}

void RuleWriter::WriteReport(const Step& step) {
  const std::string_view name = NameIn(step.arguments[0], "the name of a report");
  const std::uint32_t report = names_.reports.Add(name);
  if (report == kMostReports) {
    diagnostics_.Add("E310", step.place, absl::StrCat("more than ", kMostReports, " reports"));
  }
  expressions_.Write(step.arguments[1]);
  code_.Take({Op::kReport, 0, static_cast<std::uint16_t>(report)}, 1);
}

}  // namespace warpyard::grammar
