// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/occlusion/depth_cube.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "absl/container/inlined_vector.h"

namespace warpyard::grammar {
namespace {

constexpr double kHalf = DepthCube::kSide / 2.0;

/// Of a pixel, and of a depth. More than the roundings of all that leads to them.
constexpr double kRounding = 1e-6;

double At(const Vector3d& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

/// A vector in the axes of a face: to the right, up, ahead.
Vector3d Through(int face, const Vector3d& v) {
  const int ahead = face / 2;
  const double sign = face % 2 == 0 ? 1 : -1;
  return {At(v, (ahead + 1) % 3), At(v, (ahead + 2) % 3), sign * At(v, ahead)};
}

/// The corners of a box, from the eye.
class CornersFromEye {
 public:
  CornersFromEye(const WorldBox& box, const Vector3d& eye) {
    for (std::size_t c = 0; c < WorldBox::kCorners; ++c) corners_[c] = box.Corner(c) - eye;
    least_ = most_ = corners_[0];
    for (const Vector3d& c : corners_) {
      least_ = {std::min(least_.x, c.x), std::min(least_.y, c.y), std::min(least_.z, c.z)};
      most_ = {std::max(most_.x, c.x), std::max(most_.y, c.y), std::max(most_.z, c.z)};
    }
  }

  /// Whether nothing of the box is seen through a face. Fast, and false now and then.
  bool AreBeside(int face) const {
    const int ahead = face / 2, right = (ahead + 1) % 3, up = (ahead + 2) % 3;
    const double farthest = face % 2 == 0 ? At(most_, ahead) : -At(least_, ahead);
    return farthest <= 0 || At(least_, right) > farthest || -At(most_, right) > farthest ||
           At(least_, up) > farthest || -At(most_, up) > farthest;
  }

  SeenCorners Through(int face) const {
    SeenCorners seen;
    for (std::size_t c = 0; c < WorldBox::kCorners; ++c) {
      seen.points[c] = grammar::Through(face, corners_[c]);
    }
    return seen;
  }

 private:
  std::array<Vector3d, WorldBox::kCorners> corners_;
  Vector3d least_, most_;
};

/// The sides of a box that face the eye, as seen through a face of the cube.
class FrontSides {
 public:
  FrontSides(const WorldBox& box, const Vector3d& eye, int face) {
    const Vector3d away = eye - box.corner;
    for (std::size_t e = 0; e < 3; ++e) {
      Vector3d normal = box.edges[e];
      const double square = geometry::Dot(normal, normal);
      // A flat box has one side across this axis.
      if (square == 0) normal = geometry::Cross(box.edges[(e + 1) % 3], box.edges[(e + 2) % 3]);
      const double along = geometry::Dot(away, normal);
      if (along >= 0 && along <= square && square != 0) continue;
      sides_.push_back({Through(face, normal), along < 0 || square == 0 ? -along : square - along});
    }
  }

  /// The depth at which a ray comes to the box that meets it. @shape x, y: on the plane z = 1
  double EntryOf(double x, double y) const {
    double entry = 0;
    for (const auto& [normal, distance] : sides_) {
      entry = std::max(entry, distance / (x * normal.x + y * normal.y + normal.z));
    }
    return entry;
  }

 private:
  struct Side {
    Vector3d normal;
    double distance;  ///< from the eye along the normal, in lengths of the normal
  };
  absl::InlinedVector<Side, 3> sides_;
};

/// From the plane z = 1 to pixels.
Points2d InPixels(Points2d points) {
  for (Point2d& point : points) point = {(point.x + 1) * kHalf, (point.y + 1) * kHalf};
  return points;
}

/// A whole number within the side of a face.
int Within(double number) { return static_cast<int>(std::clamp(number, 0.0, 2 * kHalf)); }

/// @shape number: of a face or level
std::size_t IndexOf(int number) { return static_cast<std::size_t>(number); }

std::size_t PlaceOf(int level, int x, int y) {
  return static_cast<std::size_t>(y) * (DepthCube::kSide >> level) + static_cast<std::size_t>(x);
}

}  // namespace

DepthCube::DepthCube(const Vector3d& eye) : eye_(eye) {
  for (Face& face : faces_) {
    for (int level = 0; level < kLevels; ++level) {
      face[IndexOf(level)].assign(PlaceOf(level, 0, kSide >> level),
                                  std::numeric_limits<float>::infinity());
    }
  }
}

void DepthCube::Add(const WorldBox& box) {
  const double nearest = NearestOf(box, eye_);
  std::array<double, 3> lengths;
  std::ranges::transform(box.edges, lengths.begin(), LengthOf);
  std::ranges::sort(lengths);
  // The eye is inside, or the box looks narrower than a pixel from any direction.
  if (nearest == 0 || std::hypot(lengths[0], lengths[1]) * kHalf < nearest) return;
  if (drawn_ >= kMostPixels) return;
  const CornersFromEye from_eye(box, eye_);
  for (int face = 0; face < kFaces; ++face) {
    if (from_eye.AreBeside(face)) continue;
    const SeenCorners corners = from_eye.Through(face);
    if (!corners.AreOutside()) Draw(box, corners, face);
  }
}

void DepthCube::Draw(const WorldBox& box, const SeenCorners& corners, int face) {
  const Points2d outline = HullOf(InPixels(PictureOf(corners)));
  if (outline.size() < 3) return;
  const FrontSides sides(box, eye_, face);
  const auto entry_at = [&](int x, int y) { return sides.EntryOf(x / kHalf - 1, y / kHalf - 1); };
  const auto [lowest, highest] = std::ranges::minmax(outline, {}, &Point2d::y);
  const int end = Within(std::floor(highest.y - kRounding));
  for (int y = Within(std::ceil(lowest.y + kRounding)); y < end; ++y) {
    // A pixel is covered if all four of its corners are: the outline is convex.
    const auto [low_first, low_last] = SectionOf(outline, y);
    const auto [high_first, high_last] = SectionOf(outline, y + 1);
    const int first = Within(std::ceil(std::max(low_first, high_first) + kRounding));
    const int last = Within(std::floor(std::min(low_last, high_last) - kRounding));
    if (first >= last) continue;
    drawn_ += last - first;
    // Of a plane, the ray with the greatest depth goes through a corner of the pixel.
    double left = std::max(entry_at(first, y), entry_at(first, y + 1));
    for (int x = first; x < last; ++x) {
      const double right = std::max(entry_at(x + 1, y), entry_at(x + 1, y + 1));
      const double depth = std::max(left, right) * (1 + kRounding);
      float& pixel = faces_[IndexOf(face)][0][PlaceOf(0, x, y)];
      pixel = std::min(pixel, static_cast<float>(depth));
      left = right;
    }
  }
}

void DepthCube::Finish() {
  for (Face& face : faces_) {
    for (int level = 1; level < kLevels; ++level) {
      const int side = kSide >> level;
      const std::vector<float>& finer = face[IndexOf(level - 1)];
      for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x) {
          const auto at = [&](int dx, int dy) {
            return finer[PlaceOf(level - 1, 2 * x + dx, 2 * y + dy)];
          };
          face[IndexOf(level)][PlaceOf(level, x, y)] =
              std::max({at(0, 0), at(1, 0), at(0, 1), at(1, 1)});
        }
      }
    }
  }
}

bool DepthCube::Hides(const WorldBox& box) const {
  // No ray of a face is more than a diagonal of its cube from the axis.
  const double nearest = NearestOf(box, eye_) / std::sqrt(3.0);
  const CornersFromEye from_eye(box, eye_);
  for (int f = 0; f < kFaces; ++f) {
    if (from_eye.AreBeside(f)) continue;
    const SeenCorners corners = from_eye.Through(f);
    if (corners.AreOutside()) continue;
    const double least = std::ranges::min(corners.points, {}, &Vector3d::z).z;
    const double depth = std::max(least, nearest) * (1 - kRounding);
    const Points2d points = InPixels(PictureOf(corners));
    const auto [left, right] = std::ranges::minmax(points, {}, &Point2d::x);
    const auto [low, high] = std::ranges::minmax(points, {}, &Point2d::y);
    const Rectangle rectangle = {Within(std::floor(left.x - kRounding)),
                                 Within(std::floor(low.y - kRounding)),
                                 Within(std::floor(right.x + kRounding) + 1),
                                 Within(std::floor(high.y + kRounding) + 1), depth};
    if (!IsHidden(faces_[IndexOf(f)], rectangle, kLevels - 1, 0, 0)) return false;
  }
  return true;
}

/// @shape x, y: of a pixel of the level
bool DepthCube::IsHidden(const Face& face, const Rectangle& rectangle, int level, int x, int y) {
  const int side = 1 << level;  // of the pixel, in those of level 0
  if (x * side >= rectangle.end_x || (x + 1) * side <= rectangle.x || y * side >= rectangle.end_y ||
      (y + 1) * side <= rectangle.y) {
    return true;
  }
  if (face[IndexOf(level)][PlaceOf(level, x, y)] < rectangle.depth) return true;
  if (level == 0) return false;
  for (int child = 0; child < 4; ++child) {
    if (!IsHidden(face, rectangle, level - 1, 2 * x + child % 2, 2 * y + child / 2)) {
      return false;
    }
  }
  return true;
}

}  // namespace warpyard::grammar
