// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Morton codes: the position of a point on a space-filling curve. [SilvaThesis §2.3.1]
#ifndef WARPYARD_CORE_WORKLOAD_GEOMETRY_MORTON_H_
#define WARPYARD_CORE_WORKLOAD_GEOMETRY_MORTON_H_

#include <cstdint>

namespace warpyard::geometry {

/// Spreads the low 10 bits of `value` to every third bit.
constexpr std::uint32_t SpreadBits(std::uint32_t value) {
  value = (value | value << 16) & 0x030000ffu;
  value = (value | value << 8) & 0x0300f00fu;
  value = (value | value << 4) & 0x030c30c3u;
  value = (value | value << 2) & 0x09249249u;
  return value;
}

/// 30-bit code of a grid cell. @units cell coordinates below 1024
constexpr std::uint32_t MortonCode(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  return SpreadBits(x) << 2 | SpreadBits(y) << 1 | SpreadBits(z);
}

/// Cell of `value` on a grid of 1024 over `extent` from `low` on; values outside go to the border
/// cells.
constexpr std::uint32_t GridCell(float value, float low, float extent) {
  if (!(extent > 0)) return 0;
  const float cell = (value - low) / extent * 1024.0f;
  if (!(cell > 0)) return 0;
  return cell < 1023.0f ? static_cast<std::uint32_t>(cell) : 1023u;
}

}  // namespace warpyard::geometry

#endif  // WARPYARD_CORE_WORKLOAD_GEOMETRY_MORTON_H_
