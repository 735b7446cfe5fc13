// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Divides a length among the parts of a split.
//
// Absolute and relative parts take what they say, in their order, until nothing is left. Groups
// that repeat share the rest and are stretched to fill it; floating parts, if there are any, take
// what whole groups leave.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_SPLIT_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_SPLIT_H_

#include <cmath>
#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/grammar/code/code.h"
#include "core/workload/grammar/job/frame.h"
#include "core/workload/grammar/limits.h"

namespace warpyard::grammar {

/// What the parts of a split ask for.
struct SplitDemand {
  float rest = 0;     ///< of the length
  float weights = 0;  ///< of floating parts outside groups
  std::uint32_t groups = 0;
};

WY_HD inline bool InGroup(const Instruction& part) { return (part.flags & kRepeats) != 0; }

/// Makes absolute sizes of all parts but floating ones, and cuts what does not fit.
WY_HD inline SplitDemand DemandOf(const Instruction* code, std::uint32_t count, float length,
                                  SplitPart* parts) {
  SplitDemand demand{length, 0, 0};
  WY_ROLLED
  for (std::uint32_t p = 0; p < count; ++p) {
    parts[p].count = 1;
    if ((code[p].flags & kRelative) != 0) parts[p].size *= length;
    if (InGroup(code[p])) {
      demand.groups += (code[p].flags & kGroupBegin) != 0 ? 1 : 0;
    } else if ((code[p].flags & kFloating) != 0) {
      demand.weights += parts[p].size;
    } else {
      if (parts[p].size > demand.rest) parts[p].size = demand.rest;
      demand.rest -= parts[p].size;
    }
  }
  return demand;
}

/// Fills a share with whole groups. Returns the length that they take. @shape first, end: the group
WY_HD inline float FillGroup(SplitPart* parts, std::uint32_t first, std::uint32_t end, float share,
                             bool stretch) {
  float together = 0;
  WY_ROLLED
  for (std::uint32_t p = first; p < end; ++p) together += parts[p].size;
  float times = together > kLeastSize ? std::floor(share / together + 1e-4f) : 1;
  // One that is too large is cut to the share, as a cell of repeat.
  if (!(times >= 1)) times = stretch && share > kLeastSize ? 1 : 0;
  const auto most = static_cast<float>(kMostCells / kMostParts / (end - first));
  if (times > most) times = most;
  const bool scaled = stretch && times > 0 && together > kLeastSize;
  const float scale = scaled ? share / (times * together) : 1;
  WY_ROLLED
  for (std::uint32_t p = first; p < end; ++p) {
    parts[p].size *= scale;
    parts[p].count = static_cast<std::uint32_t>(times);
  }
  return times * together * scale;
}

/// Computes sizes and counts. Returns the number of cells. @shape code: the parts' instructions;
/// parts: with what their sizes say
WY_HD inline std::uint32_t DivideLength(const Instruction* code, std::uint32_t count, float length,
                                        SplitPart* parts) {
  const SplitDemand demand = DemandOf(code, count, length, parts);
  const bool floats = demand.weights > 0;
  float rest = demand.rest;
  std::uint32_t cells = 0;
  WY_ROLLED
  for (std::uint32_t p = 0; p < count;) {
    std::uint32_t end = p + 1;
    if (InGroup(code[p])) {
      while (end < count && InGroup(code[end]) && (code[end].flags & kGroupBegin) == 0) ++end;
      const float share = demand.rest / static_cast<float>(demand.groups);
      rest -= FillGroup(parts, p, end, share, !floats);
    }
    cells += (end - p) * parts[p].count;
    p = end;
  }
  if (rest < 0) rest = 0;
  WY_ROLLED
  for (std::uint32_t p = 0; p < count; ++p) {
    if (InGroup(code[p]) || (code[p].flags & kFloating) == 0) continue;
    parts[p].size = floats ? rest * (parts[p].size / demand.weights) : 0;
  }
  return cells;
}

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_SPLIT_H_
