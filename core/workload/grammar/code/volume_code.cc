// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/code/volume_code.h"

#include <algorithm>
#include <cstddef>
#include <utility>

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

/// Whether the instruction itself makes a volume or what decides about volumes of later stages.
bool Matters(const Instruction& in) { return in.op == Op::kVolume || in.op == Op::kSnap; }

/// Which regions lead to something that matters.
class Regions {
 public:
  Regions(const std::vector<Region>& regions, const Code& code)
      : regions_(regions), code_(code), matters_(regions.size(), false) {
    // Each round follows one more link of a chain of rules.
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t r = 0; r < regions.size(); ++r) {
        if (matters_[r] || !LeadsToSome(regions[r])) continue;
        matters_[r] = changed = true;
      }
    }
  }

  bool Matter(std::size_t region) const { return matters_[region]; }

 private:
  bool LeadsToSome(const Region& region) const {
    for (std::uint32_t at = region.begin; at < region.end; ++at) {
      const Instruction& in = code_.instructions[at];
      if (Matters(in)) return true;
      if (IsCall(in) && MattersAt(code_.rules[in.a].begin)) return true;
      if (HasBody(in) && MattersAt(in.b)) return true;
    }
    return false;
  }

  bool MattersAt(std::uint32_t begin) const {
    const auto found =
        std::lower_bound(regions_.begin(), regions_.end(), begin,
                         [](const Region& region, std::uint32_t at) { return region.begin < at; });
    return matters_[static_cast<std::size_t>(found - regions_.begin())];
  }

  const std::vector<Region>& regions_;
  const Code& code_;
  std::vector<bool> matters_;
};

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
  const Regions which(regions, code);
  for (std::size_t r = 0; r < regions.size(); ++r) {
    if (!which.Matter(r)) {
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
