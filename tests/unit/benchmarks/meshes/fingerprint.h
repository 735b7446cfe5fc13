// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A hash of a mesh, to compare its bits between machines.
#ifndef WARPYARD_TESTS_UNIT_BENCHMARKS_MESHES_FINGERPRINT_H_
#define WARPYARD_TESTS_UNIT_BENCHMARKS_MESHES_FINGERPRINT_H_

#include <cstdint>
#include <cstring>

#include "benchmarks/meshes/triangle_mesh.h"

namespace warpyard::meshes {

/// FNV-1a over the bits of a mesh, word by word.
inline std::uint64_t Fingerprint(const TriangleMesh& mesh) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  const auto add = [&](std::uint64_t word) { hash = (hash ^ word) * 0x100000001b3u; };
  for (const std::uint32_t index : mesh.triangles) add(index);
  for (const double value : mesh.positions) {
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    add(bits >> 32);
    add(bits & 0xffffffffu);
  }
  return hash;
}

}  // namespace warpyard::meshes

#endif  // WARPYARD_TESTS_UNIT_BENCHMARKS_MESHES_FINGERPRINT_H_
