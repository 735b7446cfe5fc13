// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Where the symbols of a block are.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_PLACE_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_PLACE_H_

#include <cmath>
#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/grammar/derive/chance.h"
#include "core/workload/grammar/derive/query.h"
#include "core/workload/grammar/derive/roof.h"
#include "core/workload/grammar/derive/transform.h"
#include "core/workload/grammar/job/derive_job.h"

namespace warpyard::grammar {

/// Reduces the scope to an interval along an axis. @shape begin, end: metres from the least corner
WY_HD inline void Narrow(Symbol& symbol, std::uint32_t axis, float begin, float end) {
  Vector3f v{0, 0, 0};
  At(v, axis) = begin;
  Translate(symbol, v);
  At(symbol.scope.size, axis) = end - begin;
}

/// @shape symbol: that with the block, which becomes one of the block
WY_HD inline void PlaceCell(const DeriveJob& job, const Instruction& block, std::uint32_t count,
                            std::uint32_t number, Symbol& symbol) {
  const std::uint32_t axis = block.a;
  const auto cells = static_cast<float>(count);
  const float size = At(symbol.scope.size, axis);
  const auto border = [&](std::uint32_t i) {
    // Each border is computed for itself: sums of cells would drift.
    const float place = static_cast<float>(i) * size / cells;
    if ((block.flags & kSnaps) == 0 || i == 0 || i == count) return place;
    return Snapped(job, symbol, axis, place, size / cells / 2);
  };
  const float begin = border(number), end = border(number + 1);
  Narrow(symbol, axis, begin, end);
}

/// A cell of a split. Returns the position of its part.
WY_HD inline std::uint32_t PlaceSplit(const DeriveJob& job, const Instruction* parts,
                                      const BlockCells& cells, std::uint32_t number,
                                      Symbol& symbol) {
  const std::uint32_t count = PartsOf(parts[-1]), axis = parts[-1].a;
  const SplitPart* sizes = job.units[cells.given].As<SplitParts>().parts;
  float begin = 0;
  WY_ROLLED
  for (std::uint32_t first = 0; first < count;) {
    std::uint32_t end = first + 1;
    if ((parts[first].flags & kRepeats) != 0) {
      while (end < count && (parts[end].flags & kRepeats) != 0 &&
             (parts[end].flags & kGroupBegin) == 0) {
        ++end;
      }
    }
    float together = 0;
    WY_ROLLED
    for (std::uint32_t p = first; p < end; ++p) together += sizes[p].size;
    const std::uint32_t width = end - first, symbols = width * sizes[first].count;
    if (number < symbols) {
      begin += static_cast<float>(number / width) * together;
      const std::uint32_t part = first + number % width;
      WY_ROLLED
      for (std::uint32_t p = first; p < part; ++p) begin += sizes[p].size;
      Narrow(symbol, axis, begin, begin + sizes[part].size);
      return part;
    }
    begin += static_cast<float>(sizes[first].count) * together;
    number -= symbols;
    first = end;
  }
  return 0;
}

/// Strips along the four sides of a rectangle and the rest, in the plane of x and another axis.
/// @shape strip: 0 to 3, or 4 for the rest
WY_HD inline void PlaceStrip(Symbol& symbol, std::uint32_t other, float width,
                             std::uint32_t strip) {
  const float x = symbol.scope.size.x, y = At(symbol.scope.size, other);
  const float least = x < y ? x : y;
  const float w = width > least / 2 ? least / 2 : width;
  const bool first = strip == 0, second = strip == 1;
  Narrow(symbol, other, first ? 0 : second ? y - w : w, first ? w : second ? y : y - w);
  if (first || second) return;
  const bool third = strip == 2, fourth = strip == 3;
  Narrow(symbol, 0, third ? 0 : fourth ? x - w : w, third ? w : fourth ? x : x - w);
}

/// Chances of places: other ones than those that the body's expressions take, which count from 0.
inline constexpr std::uint32_t kScatterChances = 1u << 31;

/// A square of the ground at a random place.
WY_HD inline void PlaceScattered(Symbol& symbol, float extent) {
  const Vector3f size = symbol.scope.size;
  WY_ROLLED
  for (std::uint32_t axis = 0; axis <= 2; axis += 2) {
    const float whole = At(size, axis), cell = extent < whole ? extent : whole;
    const float begin = ChanceOf(symbol.key, kScatterChances + axis) * (whole - cell);
    Narrow(symbol, axis, begin, begin + cell);
  }
}

/// How many symbols a part of a block has.
WY_HD inline std::uint32_t SymbolsOf(const Instruction& block, const Instruction& part) {
  if (block.op == Op::kBorder || block.op == Op::kOffset) return part.a == kEdgePart ? 4 : 1;
  if (block.op == Op::kRoof) return RoofSymbols(static_cast<RoofKind>(block.a), part.a);
  return 1;
}

/// Places a symbol of a block of named parts. Returns the position of its part.
WY_HD inline std::uint32_t PlaceNamed(const DeriveJob& job, const Instruction* parts,
                                      const BlockCells& cells, std::uint32_t number,
                                      Symbol& symbol) {
  const Instruction& block = parts[-1];
  std::uint32_t part = 0;
  WY_ROLLED
  while (number >= SymbolsOf(block, parts[part])) number -= SymbolsOf(block, parts[part++]);
  const std::uint16_t which = parts[part].a;
  if (block.op == Op::kComp) {
    PlaceFace(symbol, static_cast<Face>(which));
  } else if (block.op == Op::kRoof) {
    PlaceRoof(symbol, static_cast<RoofKind>(block.a), job.units[cells.given].As<RoofNumbers>(),
              which, number);
  } else {
    PlaceStrip(symbol, block.op == Op::kBorder ? 1 : 2, cells.Number(),
               which == kEdgePart ? number : 4);
  }
  return part;
}

/// Makes the symbol with a block its symbol `number`, and returns the position of its body.
WY_DEVICE_CALL WY_HD inline std::uint32_t PlaceInBlock(const DeriveJob& job, const BlockCells cells,
                                                       std::uint32_t number, Symbol& symbol) {
  const Instruction* const block = job.code + cells.block;
  symbol.key = KeyOf(symbol.key, cells.block - job.rules[symbol.rule].begin, number);
  symbol.up = symbol.own;
  symbol.own = {static_cast<std::uint16_t>(number), static_cast<std::uint16_t>(cells.count - 1)};
  std::uint32_t part = 0;
  switch (block->op) {
    case Op::kRepeat:
      PlaceCell(job, *block, cells.count, number, symbol);
      return block->b;
    case Op::kCopies:
      return block->b;
    case Op::kScatter:
      PlaceScattered(symbol, cells.Number());
      return block->b;
    case Op::kSplit:
      part = PlaceSplit(job, block + 1, cells, number, symbol);
      break;
    default:
      part = PlaceNamed(job, block + 1, cells, number, symbol);
  }
  return block[1 + part].b;
}

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_PLACE_H_
