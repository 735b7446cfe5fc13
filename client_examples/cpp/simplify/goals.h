// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// One goal for a whole file, shared among its meshes.
#ifndef WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_GOALS_H_
#define WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_GOALS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "warpyard/v1/simplify_service.pb.h"

namespace warpyard::cli {

/// The least goal of bytes that the service takes: a triangle.
inline constexpr std::uint64_t kLeastBytes = 48;

/// What a mesh counts in the goal of its file.
struct MeshSize {
  std::uint64_t triangles = 0;
  std::uint64_t bytes = 0;   ///< as max_bytes counts them
  std::uint64_t copies = 1;  ///< in the file that is written
  double scale = 1;          ///< the largest of its instances
};

/// The part of the file that stays as it is, all copies together.
struct KeptSize {
  std::uint64_t triangles = 0;
  std::uint64_t vertices = 0;
};

/// A goal for each mesh. Numbers of triangles and of bytes are for the file: what is kept is
/// subtracted, and the meshes share the rest in proportion to their sizes. A mesh has at least one
/// triangle (48 bytes), so the sum may be more if there is little to share. A distance is one in
/// the scene: it is divided by the mesh's scale. Ratios and levels are the same for all.
/// @shape goal: of the file; a goal out of range stays as it is, so that the service refuses it
std::vector<v1::SimplifyRequest> ShareGoal(const v1::SimplifyRequest& goal,
                                           const std::vector<MeshSize>& meshes,
                                           const KeptSize& kept);

/// The goal for the next level of detail: half of `triangles`, but at least one.
v1::SimplifyRequest HalfOf(const v1::SimplifyRequest& goal, std::uint64_t triangles);

/// Whether SimplifyLevels can reach such a goal. An error of 0 begins no chain: twice 0 is 0.
bool IsForChain(const v1::SimplifyRequest& goal);

/// The goal for the next level, after `levels` levels of a chain that ran out of time. After an
/// error: the error of that level. Else half of the triangles of the last level. @shape triangles:
/// of the last level
v1::SimplifyRequest GoalAfter(const v1::SimplifyRequest& goal, std::size_t levels,
                              std::uint64_t triangles);

/// A chain that begins with the goal. Each further level has half of the goal before, until that is
/// less than a triangle; or twice the error before.
/// @shape goal: with IsForChain; levels: the most goals, at least 1
v1::SimplifyLevelsRequest ChainOf(const v1::SimplifyRequest& goal, std::uint64_t model_triangles,
                                  std::size_t levels);

/// How much longer a transform makes a vector at most: its largest singular value.
/// @shape transform: 4 columns of 4
double LargestScale(const std::array<double, 16>& transform);

}  // namespace warpyard::cli

#endif  // WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_GOALS_H_
