// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Numbers that look random, the same on every machine.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_MEASURE_NOISE_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_MEASURE_NOISE_H_

#include <cstdint>

namespace warpyard::mesh_measure {

/// A hash of three numbers, in [0, 1). (The finaliser of splitmix64.)
inline double Noise(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  std::uint64_t x = (a * 0x9e3779b97f4a7c15u + b) * 0xd1b54a32d192ed03u + c + 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return static_cast<double>((x ^ x >> 31) >> 11) * 0x1p-53;
}

}  // namespace warpyard::mesh_measure

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_MEASURE_NOISE_H_
