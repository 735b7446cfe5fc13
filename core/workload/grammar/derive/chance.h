// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Hashes of paths, and random choices made from them.
//
// A choice depends on the seed, the parcel and the path of rules and cells to it alone, so that
// neither workers nor other rules change it.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_CHANCE_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_CHANCE_H_

#include <cstdint>

#include "core/base/macros.h"

namespace warpyard::grammar {

/// A bijection in which every bit of the result depends on every bit of `x` (the finaliser of
/// SplitMix64).
WY_HD inline std::uint64_t Mix(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

/// The key of a path that goes on from `key`: at a place in the code, to the symbol `number` there.
WY_HD inline std::uint64_t KeyOf(std::uint64_t key, std::uint32_t place, std::uint32_t number) {
  return Mix(key + 0x9e3779b97f4a7c15u + (std::uint64_t{place} << 32 | number));
}

/// A number in [0, 1), evenly distributed.
WY_HD inline float ChanceOf(std::uint64_t key, std::uint32_t place) {
  // Another sequence than that of the keys: choices must not depend on what comes below.
  const std::uint64_t hash = Mix(~key + 0xd1342543de82ef95u * (std::uint64_t{place} + 1));
  return static_cast<float>(hash >> 40) * (1.0f / (1 << 24));
}

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_CHANCE_H_
