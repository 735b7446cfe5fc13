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
  while (body[count].op == Op::kTerminal) ++count;
  return count;
}

/// Whether all symbols of a block are solid without doubt: it repeats or copies, and no rounding
/// can make one of its cells thinner or farther than IsSolid allows.
WY_HD inline bool AreSolid(const Symbol& whole, const Instruction& block, std::uint32_t count) {
  if (block.op == Op::kCopies) return IsSolid(whole.scope);
  if (block.op != Op::kRepeat || (block.flags & kSnaps) != 0) return false;
  const Vector3f &p = whole.scope.position, &s = whole.scope.size;
  const float farthest = std::fmax(std::fmax(std::fabs(p.x), std::fabs(p.y)), std::fabs(p.z));
  const float longest = std::fmax(std::fmax(s.x, s.y), s.z);
  return IsSolid(whole.scope) && farthest < kMostCoordinate / 4 && longest < kMostCoordinate / 4 &&
         At(s, block.a) >= 2 * kLeastSize * static_cast<float>(count);
}

/// Makes the instances of some symbols of a plain block. Where it can, it takes the places of all
/// of them together: a request for places takes longer than to compute an instance. @shape whole:
/// the symbol with the block; numbers: of the symbols
template <class ExecScope>
WY_HD WY_DEVICE_CALL void DerivePlain(Lane<ExecScope>& lane, const Symbol& whole,
                                      const BlockCells cells, const procedure::Range numbers) {
  const DeriveJob& job = lane.job;
  const Symbol its_whole = whole;
  const Instruction block = job.code[cells.block];
  const bool are_solid = AreSolid(its_whole, block, cells.count);
  PlaceRun places;
  WY_ROLLED
  for (std::uint32_t n = numbers.begin; n < numbers.end; ++n) {
    const Placed placed = PlaceOf(job, its_whole, cells, n);
    const std::uint32_t terminals = TerminalsOf(job.code + placed.body);
    if (!are_solid && !IsSolid(placed.symbol.scope)) {
      if (terminals != 0) lane.CountDropped(its_whole.rule, terminals);
      continue;
    }
    WY_ROLLED
    for (std::uint32_t t = 0; t < terminals; ++t) {
      if (places.count == 0) {
        const std::uint32_t more = are_solid ? (numbers.end - n) * terminals - t : terminals - t;
        places = lane.TakeInstances(exec::Least(more, kMostPlaces));
        if (places.count == 0) return;
      }
      const std::uint32_t at = placed.body + t;
      WriteInstance(job, places.first, placed.symbol,
                    TerminalOf(job, placed.symbol, job.code[at], at));
      ++places.first, --places.count;
    }
  }
}

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_PLAIN_H_
