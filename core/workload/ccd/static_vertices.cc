// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/static_vertices.h"

#include "absl/strings/str_cat.h"
#include "core/base/status_facts.h"

namespace warpyard::ccd {

absl::Status CheckStaticVertices(const VertexNumbers& vertices,
                                 std::span<const std::uint32_t> triangles, HierarchyBuild build) {
  if (vertices.never_move == 0) return absl::OkStatus();
  if (vertices.never_move >= vertices.all) {
    return InvalidField("static_vertices",
                        absl::StrCat(vertices.never_move, " of ", vertices.all,
                                     " vertices, expected fewer: at least one triangle moves"));
  }
  if (build != HierarchyBuild::kMorton) {
    return InvalidField("static_vertices", "given, but the hierarchy is not built in Morton order");
  }
  const std::size_t moving = vertices.all - vertices.never_move;
  bool any_moves = false;
  for (std::size_t t = 0; t < triangles.size() / 3; ++t) {
    const std::uint32_t* const corners = triangles.data() + 3 * t;
    const int moves = (corners[0] < moving) + (corners[1] < moving) + (corners[2] < moving);
    if (moves != 0 && moves != 3) {
      return InvalidField("static_vertices",
                          absl::StrCat("triangle ", t, " has ", 3 - moves, " of the vertices from ",
                                       moving, " on, which never move; expected 0 or 3"));
    }
    any_moves |= moves != 0;
  }
  if (any_moves) return absl::OkStatus();
  return InvalidField("static_vertices",
                      absl::StrCat(vertices.never_move, ", but then no triangle moves"));
}

std::uint32_t CountStaticTriangles(const VertexNumbers& vertices,
                                   std::span<const std::uint32_t> triangles) {
  if (vertices.never_move == 0) return 0;
  const std::size_t moving = vertices.all - vertices.never_move;
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < triangles.size(); i += 3) count += triangles[i] < moving ? 0 : 1;
  return count;
}

}  // namespace warpyard::ccd
