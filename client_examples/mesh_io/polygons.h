// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Triangles of fans and strips.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_IO_POLYGONS_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_IO_POLYGONS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpyard::mesh_io {

/// Appends the triangles of a polygon's fan around its first vertex.
template <class Corner>
void AppendFan(const std::vector<Corner>& polygon, std::vector<Corner>& triangles) {
  for (std::size_t i = 2; i < polygon.size(); ++i) {
    triangles.insert(triangles.end(), {polygon[0], polygon[i - 1], polygon[i]});
  }
}

/// Appends a triangle unless it names a corner twice.
inline void AppendProper(std::uint32_t a, std::uint32_t b, std::uint32_t c,
                         std::vector<std::uint32_t>& triangles) {
  if (a != b && b != c && c != a) triangles.insert(triangles.end(), {a, b, c});
}

/// Appends the triangles of a strip. Those that name a corner twice only link parts of it, and are
/// left out.
inline void AppendStrip(const std::vector<std::uint32_t>& strip,
                        std::vector<std::uint32_t>& triangles) {
  for (std::size_t i = 2; i < strip.size(); ++i) {
    // Every second triangle of a strip is turned round.
    AppendProper(strip[i - 2 + i % 2], strip[i - 1 - i % 2], strip[i], triangles);
  }
}

}  // namespace warpyard::mesh_io

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_IO_POLYGONS_H_
