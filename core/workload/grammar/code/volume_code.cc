// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/code/volume_code.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/workload/grammar/grammar_types.h"

namespace warpyard::grammar {
namespace {

bool IsCall(const Instruction& in) {
  return in.op == Op::kGoTo || in.op == Op::kCall || in.op == Op::kDefer;
}

/// Blocks of several parts name their bodies in the instructions of the parts.
bool HasBody(const Instruction& in) {
  return in.op == Op::kRepeat || in.op == Op::kCopies || in.op == Op::kScatter ||
         in.op == Op::kPart;
}

/// Whether the instruction makes a volume, or snap lines that later stages may place volumes by.
bool Matters(const Instruction& in) { return in.op == Op::kVolume || in.op == Op::kSnap; }

/// Which regions lead to an instruction that matters: in the region itself, in a rule that it
/// calls, or in a block that it makes.
std::vector<bool> RegionsThatMatter(const std::vector<Region>& regions, const Code& code) {
  const auto region_at = [&](std::uint32_t begin) {
    const auto found =
        std::lower_bound(regions.begin(), regions.end(), begin,
                         [](const Region& region, std::uint32_t at) { return region.begin < at; });
    return static_cast<std::size_t>(found - regions.begin());
  };
  std::vector<bool> matter(regions.size());
  std::vector<std::vector<std::size_t>> leads_here(regions.size());
  std::vector<std::size_t> open;
  for (std::size_t r = 0; r < regions.size(); ++r) {
    for (std::uint32_t at = regions[r].begin; at < regions[r].end; ++at) {
      const Instruction& in = code.instructions[at];
      if (IsCall(in)) leads_here[region_at(code.rules[in.a].begin)].push_back(r);
      if (HasBody(in)) leads_here[region_at(in.b)].push_back(r);
      matter[r] = matter[r] || Matters(in);
    }
    if (matter[r]) open.push_back(r);
  }
  while (!open.empty()) {
    const std::size_t region = open.back();
    open.pop_back();
    for (const std::size_t r : leads_here[region]) {
      if (matter[r]) continue;
      matter[r] = true;
      open.push_back(r);
    }
  }
  return matter;
}

bool HasOpaqueVolume(const Code& code) {
  return std::ranges::any_of(code.instructions, [](const Instruction& in) {
    return in.op == Op::kVolume && in.flags == static_cast<std::uint8_t>(VolumeKind::kOpaque);
  });
}

}  // namespace

Code VolumeCodeOf(const std::vector<Region>& regions, const Code& code) {
  if (!HasOpaqueVolume(code)) return {};
  Code volumes = code;
  std::vector<Instruction>& written = volumes.instructions;
  const std::vector<bool> matter = RegionsThatMatter(regions, code);
  for (std::size_t r = 0; r < regions.size(); ++r) {
    if (!matter[r]) {
      written[regions[r].begin] = {Op::kEnd};
      continue;
    }
    for (std::uint32_t at = regions[r].begin; at < regions[r].end; ++at) {
      const Instruction in = written[at];
      if (in.op == Op::kTerminal) written[at] = {Op::kJump, 0, 0, at + 1};
      if (in.op != Op::kVolume) continue;
      const auto kind = static_cast<VolumeKind>(in.flags);
      if (kind == VolumeKind::kHidden) continue;
      // There is no place for one more instruction, so it stands behind all other code.
      const auto end = static_cast<std::uint32_t>(written.size());
      written[at] = {Op::kJump, 0, 0, end};
      written.push_back(in);
      written.push_back(
          {Op::kTerminal, 0, static_cast<std::uint16_t>(BuiltInMesh::kBox), in.flags});
      written.push_back({Op::kJump, 0, 0, at + 1});
    }
  }
  return volumes;
}

}  // namespace warpyard::grammar
