// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Bits of a word, on host and device. std::countr_zero does not work here: nvcc 13.0 compiles the
// one of libstdc++ 12 for the device to the constant 32.
#ifndef WARPYARD_CORE_EXEC_BITS_H_
#define WARPYARD_CORE_EXEC_BITS_H_

#include <bit>
#include <cstdint>

#include "core/base/macros.h"

namespace warpyard::exec {

/// @shape word: not 0
WY_HD inline std::uint32_t LowestBit(std::uint32_t word) {
#ifdef __CUDA_ARCH__
  return static_cast<std::uint32_t>(__ffs(static_cast<int>(word)) - 1);
#else
  return static_cast<std::uint32_t>(std::countr_zero(word));
#endif
}

/// @shape word: not 0
WY_HD inline std::uint32_t HighestBit(std::uint32_t word) {
#ifdef __CUDA_ARCH__
  return static_cast<std::uint32_t>(31 - __clz(static_cast<int>(word)));
#else
  return static_cast<std::uint32_t>(31 - std::countl_zero(word));
#endif
}

WY_HD inline std::uint32_t CountBits(std::uint32_t word) {
#ifdef __CUDA_ARCH__
  return static_cast<std::uint32_t>(__popc(word));
#else
  return static_cast<std::uint32_t>(std::popcount(word));
#endif
}

/// A word whose lowest `count` bits are set; all from 32 on.
WY_HD inline std::uint32_t LowBits(std::uint32_t count) {
#ifdef __CUDA_ARCH__
  return __funnelshift_lc(~0u, 0u, count);
#else
  return count < 32 ? (1u << count) - 1u : ~0u;
#endif
}

/// Byte `k` of a word, the lowest first.
template <std::uint32_t k>
constexpr std::uint32_t ByteOf(std::uint32_t word) {
  static_assert(k < 4);
  return word >> 8 * k & 0xffu;
}

/// Two values of 16 bits in one word, which is loaded and stored at once.
struct PackedPair {
  std::uint32_t word;

  /// @shape first, second: less than 1 << 16
  static constexpr PackedPair Of(std::uint32_t first, std::uint32_t second) {
    return {first | second << 16};
  }
  constexpr std::uint32_t First() const { return word & 0xffffu; }
  constexpr std::uint32_t Second() const { return word >> 16; }
  /// @shape k: 0 for the first, 1 for the second
  constexpr std::uint32_t Get(std::uint32_t k) const { return word >> 16 * k & 0xffffu; }
};

constexpr std::uint32_t Least(std::uint32_t a, std::uint32_t b) { return a < b ? a : b; }

/// 1 / value with an error of a few of the last bits, fast. Results differ between backends.
WY_HD inline float RoughReciprocal(float value) {
#ifdef __CUDA_ARCH__
  return __fdividef(1.0f, value);
#else
  return 1.0f / value;
#endif
}

}  // namespace warpyard::exec

#endif  // WARPYARD_CORE_EXEC_BITS_H_
