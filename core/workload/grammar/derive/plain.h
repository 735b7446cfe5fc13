// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Derives plain blocks, whose bodies are terminals alone: from the scope of the block to instances,
// without frames, and without symbols for the interpreter. Most instances of a city come from such
// blocks.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_PLAIN_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_PLAIN_H_

#include <cmath>
#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/grammar/derive/lane.h"
#include "core/workload/grammar/derive/place.h"
#include "core/workload/grammar/derive/result.h"

namespace warpyard::grammar {

/// The thread that comes to a plain block derives it at once if it has no more symbols.
inline constexpr std::uint32_t kMostPlain = 32;

/// Places that a thread takes together.
inline constexpr std::uint32_t kMostPlaces = 256;

/// How many terminals a plain body has. @shape body: its first instruction
WY_HD inline std::uint32_t TerminalsOf(const Instruction* body) {
  std::uint32_t count = 0;
  WY_ROLLED
  while (body[count].op == Op::kTerminal) ++count;
  return count;
}

/// Whether all symbols of a block are solid without doubt: it repeats or copies, and no rounding
/// can make one of its cells thinner or farther than IsSolid allows.
WY_HD inline bool AreSolid(const Symbol& whole, const Instruction& block, std::uint32_t count) {
  if (block.op == Op::kCopies) return IsSolid(whole.scope);
  if (block.op != Op::kRepeat) return false;
  const Vector3f &p = whole.scope.position, &s = whole.scope.size;
  const float farthest = std::fmax(std::fmax(std::fabs(p.x), std::fabs(p.y)), std::fabs(p.z));
  const float longest = std::fmax(std::fmax(s.x, s.y), s.z);
  return IsSolid(whole.scope) && farthest < kMostCoordinate / 4 && longest < kMostCoordinate / 4 &&
         At(s, block.a) >= 2 * kLeastSize * static_cast<float>(count);
}

/// A plain block whose cells all have the body and the rotation of the block: most of a city. One
/// that snaps is not plain.
WY_HD inline bool IsRow(const Instruction& block) {
  return block.op == Op::kCopies || block.op == Op::kRepeat;
}

/// The scope of cell `number` of a row. The arithmetic is that of PlaceCell, so the bits are the
/// same; but this function copies no symbol. @shape whole: the symbol with the block
WY_HD inline Scope CellOfRow(const Symbol& whole, const Instruction& block, std::uint32_t count,
                             std::uint32_t number) {
  Scope cell = whole.scope;
  if (block.op == Op::kCopies) return cell;
  const auto border = [&](std::uint32_t i) {
    return static_cast<float>(i) * At(whole.scope.size, block.a) / static_cast<float>(count);
  };
  const float begin = border(number), end = border(number + 1);
  Vector3f v{0, 0, 0};
  At(v, block.a) = begin;
  cell.position = cell.position + ToParcel(whole, v);
  At(cell.size, block.a) = end - begin;
  return cell;
}

/// Makes the instances of some symbols of a plain block. Where it can, it takes the places of all
/// of them together: a request for places takes longer than to compute an instance. @shape whole:
/// the symbol with the block; numbers: of the symbols
template <class ExecScope>
WY_HD WY_DEVICE_CALL void DerivePlain(Lane<ExecScope>& lane, const Symbol& whole,
                                      const BlockCells cells, const procedure::Range numbers) {
  const DeriveJob& job = lane.job;
  const Instruction block = job.code[cells.block];
  const std::uint32_t begin = job.rules[whole.rule].begin;
  const Scope parcel = job.parcels[whole.building].scope;
  const Rotation rotation = Product(parcel.rotation, whole.scope.rotation);
  const bool is_row = IsRow(block), are_solid = AreSolid(whole, block, cells.count);
  // All cells of a row have the same body, so its terminals are counted once.
  std::uint32_t terminals = is_row ? TerminalsOf(job.code + block.b) : 0;
  PlaceRun places;
  WY_ROLLED
  for (std::uint32_t n = numbers.begin; n < numbers.end; ++n) {
    Placed placed;
    std::uint32_t body = block.b;
    if (is_row) {
      placed = {CellOfRow(whole, block, cells.count, n), KeyOf(whole.key, cells.block - begin, n),
                whole.mirrored != 0};
    } else {
      Symbol cell = whole;
      body = PlaceInBlock(job, cells, n, cell);
      placed = {cell.scope, cell.key, cell.mirrored != 0};
      terminals = TerminalsOf(job.code + body);
    }
    lane.steps.taken += 1 + terminals;
    if (!are_solid && !IsSolid(placed.scope)) {
      if (terminals != 0) lane.CountDropped(whole.rule, terminals);
      continue;
    }
    placed.scope.position = parcel.position + Rotate(parcel.rotation, placed.scope.position);
    placed.scope.rotation = is_row ? rotation : Product(parcel.rotation, placed.scope.rotation);
    WY_ROLLED
    for (std::uint32_t t = 0; t < terminals; ++t) {
      if (places.count == 0) {
        const std::uint32_t more = are_solid ? (numbers.end - n) * terminals - t : terminals - t;
        places = lane.TakeInstances(exec::Least(more, kMostPlaces));
        if (places.count == 0) return;
      }
      const Instruction in = job.code[body + t];
      WriteInstance(job, places.first, whole, placed,
                    {in.a, static_cast<std::uint16_t>(in.b), 0, body + t - begin});
      ++places.first, --places.count;
    }
  }
}

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_PLAIN_H_
