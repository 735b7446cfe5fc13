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

/// Symbols of a block. @shape count: 0 for none; given: as in Frame
struct AskedSymbols {
  std::uint32_t count = 0;
  std::uint32_t given = 0;
};

template <class ExecScope>
WY_HD AskedSymbols RepeatedSymbols(Lane<ExecScope>& lane, const Symbol& symbol,
                                   const Instruction& in) {
  const float extent = lane.Pop();
  const bool positive = extent > 0;
  if (!positive) lane.CountClamped(symbol.rule);
  const float size = At(symbol.scope.size, in.a);
  return {positive ? CellsOf(size, extent) : 1, 0};
}

template <class ExecScope>
WY_HD AskedSymbols SplitSymbols(Lane<ExecScope>& lane, const Symbol& symbol, const Instruction& in,
                                std::uint32_t at) {
  const std::uint32_t unit = lane.TakeUnit();
  const std::uint32_t count = PartsOf(in);
  lane.top -= count;
  if (unit == kNone) return {};
  SplitPart* const parts = lane.job.units[unit].template As<SplitParts>().parts;
  WY_ROLLED
  for (std::uint32_t p = 0; p < count; ++p) {
    parts[p].size = LengthOf(lane, symbol.rule, lane.stack[lane.top + p]);
  }
  return {DivideLength(lane.job.code + at + 1, count, At(symbol.scope.size, in.a), parts), unit};
}

template <class ExecScope>
WY_HD AskedSymbols NamedSymbols(Lane<ExecScope>& lane, const Symbol& symbol, const Instruction& in,
                                std::uint32_t at) {
  AskedSymbols asked;
  if (in.op == Op::kRoof) {
    const float overhang = lane.Pop(), degrees = lane.Pop();
    asked.given = lane.TakeUnit();
    if (asked.given == kNone) return {};
    // A roof of 90 degrees has no end.
    const bool usual = degrees >= 0 && degrees <= 85;
    if (!usual) lane.CountClamped(symbol.rule);
    lane.job.units[asked.given].template As<RoofNumbers>() = {
        usual ? degrees : 0, LengthOf(lane, symbol.rule, overhang)};
  } else if (in.op != Op::kComp) {
    asked.given = std::bit_cast<std::uint32_t>(LengthOf(lane, symbol.rule, lane.Pop()));
  }
  WY_ROLLED
  for (std::uint32_t p = 1; p <= PartsOf(in); ++p) {
    asked.count += SymbolsOf(in, lane.job.code[at + p]);
  }
  return asked;
}

/// How many symbols a block has. Takes its numbers from the stack, and memory for what it is given.
template <class ExecScope>
WY_HD AskedSymbols SymbolsOfBlock(Lane<ExecScope>& lane, const Symbol& symbol,
                                  const Instruction& in, std::uint32_t at) {
  switch (in.op) {
    case Op::kRepeat:
      return RepeatedSymbols(lane, symbol, in);
    case Op::kCopies:
    case Op::kScatter: {
      const float extent = in.op == Op::kScatter ? LengthOf(lane, symbol.rule, lane.Pop()) : 0;
      return {CountOf(lane, symbol.rule, lane.Pop()), std::bit_cast<std::uint32_t>(extent)};
    }
    case Op::kSplit:
      return SplitSymbols(lane, symbol, in, at);
    default:
      return NamedSymbols(lane, symbol, in, at);
  }
}

/// Makes the symbols of a block: instances at once where the block is plain and small, else a
/// frame. @shape at: position of its instruction
template <class ExecScope>
WY_HD void MakeBlock(Lane<ExecScope>& lane, const Symbol& symbol, const Instruction& in,
                     std::uint32_t at) {
  const AskedSymbols asked = SymbolsOfBlock(lane, symbol, in, at);
  if (asked.count == 0) return;
  const BlockCells cells{at, asked.count, asked.given};
  if (asked.count <= kMostPlain && IsPlain(in)) {
    DerivePlain(lane, symbol, cells, {0, asked.count});
  } else {
    lane.MakeFrame(symbol, cells);
  }
}

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_BLOCK_H_
