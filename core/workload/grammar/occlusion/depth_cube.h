// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Finds out what boxes hide from a point, in all directions: a hierarchical depth buffer on the six
// faces of a cube. [Greene, Kass & Miller 1993], [Steinberger §10.4.1]
//
// It errs on one side only: what it says is hidden is hidden. A box counts for the pixels that it
// covers whole, with the greatest depth at which the rays of a pixel come to it. A box that is
// tested counts with all pixels of the rectangle around its picture, at its least depth.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_OCCLUSION_DEPTH_CUBE_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_OCCLUSION_DEPTH_CUBE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/workload/grammar/occlusion/outline.h"
#include "core/workload/grammar/occlusion/world_box.h"

namespace warpyard::grammar {

class DepthCube {
 public:
  /// Pixels along the side of a face: one is 0.22 to 0.45 degrees wide. A power of 2.
  static constexpr int kSide = 256;
  static constexpr std::int64_t kMostPixels = std::int64_t{1} << 26;

  explicit DepthCube(const Vector3d& eye);

  /// A box that hides what is behind it. One that has the eye inside hides nothing. When
  /// kMostPixels have been drawn, further boxes hide nothing: so the work for a view has a bound.
  void Add(const WorldBox& box);
  /// After the last Add, before the first Hides.
  void Finish();
  bool Hides(const WorldBox& box) const;

 private:
  static constexpr int kFaces = 6;
  static constexpr int kLevels = 9;
  static_assert(kSide >> (kLevels - 1) == 1, "the last level has one pixel");

  /// Depths, in metres along the axis of the face, up to which nothing is hidden. @shape of each
  ///     level: [side][side]; a pixel of a level has the most of four of the level before it
  using Face = std::array<std::vector<float>, kLevels>;

  /// Pixels [x, end_x) x [y, end_y) of a face, at a depth.
  struct Rectangle {
    int x, y, end_x, end_y;
    double depth;
  };

  void Draw(const WorldBox& box, const SeenCorners& corners, int face);
  static bool IsHidden(const Face& face, const Rectangle& rectangle, int level, int x, int y);

  const Vector3d eye_;
  std::array<Face, kFaces> faces_;
  std::int64_t drawn_ = 0;  ///< pixels
};

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_OCCLUSION_DEPTH_CUBE_H_
