// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/code/leaves.h"

#include <algorithm>
#include <cstddef>

namespace warpyard::grammar {
namespace {

// The queries, from the first to the last one.
static_assert(static_cast<int>(Op::kNear) - static_cast<int>(Op::kInside) == 3);

/// Regions by the position at which they begin.
class Leaves {
 public:
  Leaves(const std::vector<Region>& regions, const Code& code)
      : regions_(regions), code_(code), is_leaf_(regions.size(), true) {
    // A region is none if it makes frames or takes long, and if one that it goes on with is none:
    // until nothing changes. Each round settles one more link of a chain of rules, and there are
    // few.
    for (std::size_t r = 0; r < regions.size(); ++r)
      is_leaf_[r] = !MakesFramesOrTakesLong(regions[r]);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t r = 0; r < regions.size(); ++r) {
        if (!is_leaf_[r] || GoesOnWithLeaves(regions[r])) continue;
        is_leaf_[r] = false;
        changed = true;
      }
    }
  }

  bool IsLeaf(std::uint32_t begin) const {
    const auto found =
        std::lower_bound(regions_.begin(), regions_.end(), begin,
                         [](const Region& region, std::uint32_t at) { return region.begin < at; });
    return is_leaf_[static_cast<std::size_t>(found - regions_.begin())];
  }

 private:
  bool MakesFramesOrTakesLong(const Region& region) const {
    return std::any_of(At(region.begin), At(region.end), [](const Instruction& in) {
      const bool is_query = in.op >= Op::kInside && in.op <= Op::kNear;
      return in.op == Op::kCall || in.op == Op::kDefer || in.op >= Op::kRepeat || is_query;
    });
  }

  bool GoesOnWithLeaves(const Region& region) const {
    return std::all_of(At(region.begin), At(region.end), [&](const Instruction& in) {
      return in.op != Op::kGoTo || IsLeaf(code_.rules[in.a].begin);
    });
  }

  std::vector<Instruction>::const_iterator At(std::uint32_t position) const {
    return code_.instructions.begin() + position;
  }

  const std::vector<Region>& regions_;
  const Code& code_;
  std::vector<bool> is_leaf_;
};

bool HasTerminalsAlone(const Code& code, std::uint32_t body) {
  while (code.instructions[body].op == Op::kTerminal) ++body;
  return code.instructions[body].op == Op::kEnd;
}

}  // namespace

void MarkLeaves(const std::vector<Region>& regions, Code& code) {
  const Leaves leaves(regions, code);
  for (std::size_t at = 0; at < code.instructions.size(); ++at) {
    Instruction& block = code.instructions[at];
    if (block.op < Op::kRepeat || block.op == Op::kPart) continue;
    const std::uint32_t parts = PartsOf(block);
    bool is_leaf = parts > 0 || leaves.IsLeaf(block.b);
    bool is_plain = parts > 0 || HasTerminalsAlone(code, block.b);
    for (std::size_t p = 1; p <= parts; ++p) {
      const std::uint32_t body = code.instructions[at + p].b;
      is_leaf = is_leaf && leaves.IsLeaf(body);
      is_plain = is_plain && HasTerminalsAlone(code, body);
    }
    // Each border looks at all snap lines.
    if (block.op == Op::kRepeat && (block.flags & kSnaps) != 0) is_leaf = is_plain = false;
    if (is_leaf) block.flags |= kLeaf;
    if (is_plain) block.flags |= kPlain;
  }
}

}  // namespace warpyard::grammar
