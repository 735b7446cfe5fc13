// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Takes memory for frames and instances. Nothing is given back before the event ends: the memory of
// a batch is that of all its symbols.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_MEMORY_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_MEMORY_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/grammar/job/derive_job.h"

namespace warpyard::grammar {

/// Places [first, first + count) of a pool.
struct PlaceRun {
  std::uint32_t first = kNone;
  std::uint32_t count = 0;
};

/// Finds free places in one of the parts, the one at `first` if it has some: `most` of them, or the
/// last of the part. Returns none, and tells the host, where there are none. @shape most: small, as
/// all threads together must not make a counter run over
template <class Scope>
WY_HD PlaceRun TakePlaces(PoolPart* parts, std::uint32_t size, std::uint32_t first,
                          std::uint32_t most, DeriveCounters& counters) {
  WY_ROLLED
  for (std::uint32_t i = 0; i < kPoolParts; ++i) {
    const std::uint32_t part = (first + i) % kPoolParts;
    auto filled = Scope::Word(parts[part].filled);
    // A full part is only read: its counter must not grow with each that asks.
    if ((i != 0 || most > 1) && filled.LoadRelaxed() >= size) continue;
    const std::uint32_t place = filled.FetchAddRelaxed(most);
    if (place < size) return {part * size + place, size - place < most ? size - place : most};
  }
  Scope::Word(counters.is_full).StoreRelaxed(1);
  return {};
}

/// Whether the event is to be run again with more memory, so that going on is in vain.
template <class Scope>
WY_HD bool IsFull(const DeriveJob& job) {
  return Scope::Word(job.counters->is_full).LoadRelaxed() != 0;
}

/// The part of the pools for the symbols of a chunk: others take other ones.
WY_HD inline std::uint32_t PartOf(std::uint32_t frame, std::uint32_t number) {
  return (frame * 0x9e3779b1u + number * 0x85ebca6bu) >> 26;
}
static_assert(kPoolParts == 1 << 6);

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_MEMORY_H_
