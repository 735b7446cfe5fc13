// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Makes the frames of blocks: how many symbols there are, and how large.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_BLOCK_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_BLOCK_H_

#include <cmath>
#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/grammar/derive/lane.h"
#include "core/workload/grammar/derive/place.h"
#include "core/workload/grammar/derive/plain.h"
#include "core/workload/grammar/derive/split.h"

namespace warpyard::grammar {

/// How many cells of an extent fill a length: whole ones, at least 1. @shape extent: positive
WY_HD inline std::uint32_t CellsOf(float length, float extent) {
  // Lengths that are a multiple but for rounding count as one.
  const float cells = std::floor(length / extent + 1e-4f);
  if (!(cells >= 1)) return 1;
  return cells < static_cast<float>(kMostCells) ? static_cast<std::uint32_t>(cells) : kMostCells;
}

/// The number as a count: the whole part, at most kMostCells.
template <class ExecScope>
WY_HD std::uint32_t CountOf(Lane<ExecScope>& lane, std::uint32_t rule, float number) {
  if (!(number >= 0)) {
    lane.CountClamped(rule);
    return 0;
  }
  return number < static_cast<float>(kMostCells) ? static_cast<std::uint32_t>(number) : kMostCells;
}

/// A length that is not negative.
template <class ExecScope>
WY_HD float LengthOf(Lane<ExecScope>& lane, std::uint32_t rule, float number) {
  if (number >= 0 && number <= kMostCoordinate) return number;
  lane.CountClamped(rule);
  return 0;
}

/// Makes the symbols of a block: instances at once where the block is plain and small, else a
/// frame.
template <class ExecScope>
WY_HD void MakeSymbols(Lane<ExecScope>& lane, const Symbol& symbol, std::uint32_t at,
                       std::uint32_t count, std::uint32_t given) {
  if (count <= kMostPlain && IsPlain(lane.job.code[at])) {
    return DerivePlain(lane, symbol, {at, count, given}, {0, count});
  }
  lane.MakeFrame(symbol, at, count, given);
}

template <class ExecScope>
WY_HD void MakeRepeat(Lane<ExecScope>& lane, const Symbol& symbol, const Instruction& in,
                      std::uint32_t at) {
  const float extent = lane.Pop();
  const bool positive = extent > 0;
  if (!positive) lane.CountClamped(symbol.rule);
  const float size = At(symbol.scope.size, in.a);
  MakeSymbols(lane, symbol, at, positive ? CellsOf(size, extent) : 1, 0);
}

template <class ExecScope>
WY_HD void MakeSplit(Lane<ExecScope>& lane, const Symbol& symbol, const Instruction& in,
                     std::uint32_t at) {
  const std::uint32_t unit = lane.TakeUnit();
  const std::uint32_t count = PartsOf(in);
  lane.top -= count;
  if (unit == kNone) return;
  SplitPart* const parts = lane.job.units[unit].template As<SplitParts>().parts;
  for (std::uint32_t p = 0; p < count; ++p) {
    parts[p].size = LengthOf(lane, symbol.rule, lane.stack[lane.top + p]);
  }
  const std::uint32_t cells =
      DivideLength(lane.job.code + at + 1, count, At(symbol.scope.size, in.a), parts);
  if (cells > 0) MakeSymbols(lane, symbol, at, cells, unit);
}

template <class ExecScope>
WY_HD void MakeNamed(Lane<ExecScope>& lane, const Symbol& symbol, const Instruction& in,
                     std::uint32_t at) {
  std::uint32_t given = 0;
  if (in.op == Op::kRoof) {
    const float overhang = lane.Pop(), degrees = lane.Pop();
    given = lane.TakeUnit();
    if (given == kNone) return;
    // A roof of 90 degrees has no end.
    const bool usual = degrees >= 0 && degrees <= 85;
    if (!usual) lane.CountClamped(symbol.rule);
    lane.job.units[given].template As<RoofNumbers>() = {usual ? degrees : 0,
                                                        LengthOf(lane, symbol.rule, overhang)};
  } else if (in.op != Op::kComp) {
    given = std::bit_cast<std::uint32_t>(LengthOf(lane, symbol.rule, lane.Pop()));
  }
  std::uint32_t count = 0;
  for (std::uint32_t p = 1; p <= PartsOf(in); ++p) count += SymbolsOf(in, lane.job.code[at + p]);
  if (count > 0) MakeSymbols(lane, symbol, at, count, given);
}

/// Makes the frame of a block. @shape at: position of its instruction
template <class ExecScope>
WY_HD void MakeBlock(Lane<ExecScope>& lane, const Symbol& symbol, const Instruction& in,
                     std::uint32_t at) {
  switch (in.op) {
    case Op::kRepeat:
      return MakeRepeat(lane, symbol, in, at);
    case Op::kCopies:
    case Op::kScatter: {
      const float extent = in.op == Op::kScatter ? LengthOf(lane, symbol.rule, lane.Pop()) : 0;
      const std::uint32_t count = CountOf(lane, symbol.rule, lane.Pop());
      if (count > 0) MakeSymbols(lane, symbol, at, count, std::bit_cast<std::uint32_t>(extent));
      return;
    }
    case Op::kSplit:
      return MakeSplit(lane, symbol, in, at);
    default:
      return MakeNamed(lane, symbol, in, at);
  }
}

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_BLOCK_H_
