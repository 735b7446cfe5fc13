// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/occlusion/city_volumes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>

#include "core/workload/grammar/code/code.h"
#include "core/workload/grammar/occlusion/depth_cube.h"

namespace warpyard::grammar {
namespace {

Vector3d EyeOf(const View& view) { return {view.position[0], view.position[1], view.position[2]}; }

double HeightAbove(const std::array<float, 4>& plane, const Vector3d& point) {
  return double{plane[0]} * point.x + double{plane[1]} * point.y + double{plane[2]} * point.z +
         plane[3];
}

using Planes = std::vector<std::array<float, 4>>;

/// The planes that the eye is behind, such as the near one of a picture. The others do not cut off
/// what is between the eye and something that the view shows.
Planes PlanesAhead(const View& view) {
  Planes ahead;
  std::ranges::copy_if(view.planes, std::back_inserter(ahead),
                       [&](const auto& plane) { return HeightAbove(plane, EyeOf(view)) < 0; });
  return ahead;
}

bool IsInFrontOf(const Planes& planes, const WorldBox& box) {
  return std::ranges::all_of(planes, [&](const std::array<float, 4>& plane) {
    for (std::size_t c = 0; c < WorldBox::kCorners; ++c) {
      if (HeightAbove(plane, box.Corner(c)) < 0) return false;
    }
    return true;
  });
}

/// A float that is not less, or not more.
float Up(double x) {
  return std::nextafter(static_cast<float>(x), std::numeric_limits<float>::infinity());
}
float Down(double x) {
  return std::nextafter(static_cast<float>(x), -std::numeric_limits<float>::infinity());
}

}  // namespace

CityVolumes::CityVolumes(std::span<const Parcel> parcels) : parcels_(parcels) {
  for (const Parcel& parcel : parcels) {
    const float(&s)[3] = parcel.size;
    hulls_.push_back({{0, 0, 0}, {s[0], s[1], s[2]}});
  }
}

void CityVolumes::Add(std::span<const Instance> boxes) {
  while (!boxes.empty()) {
    const auto end = std::ranges::find_if(
        boxes, [&](const Instance& box) { return box.building != boxes.front().building; });
    const auto count = static_cast<std::size_t>(end - boxes.begin());
    AddBuilding(boxes.first(count));
    boxes = boxes.subspan(count);
  }
}

void CityVolumes::AddBuilding(std::span<const Instance> boxes) {
  std::vector<OpaqueBox> opaque;
  for (const Instance& box : boxes) {
    if ((box.flags & kCoarse) != 0) continue;
    Grow(box);
    if (box.material != static_cast<std::uint16_t>(VolumeKind::kOpaque)) continue;
    const float(&p)[3] = box.position;
    const float(&q)[4] = box.rotation;
    const float(&s)[3] = box.size;
    opaque.push_back(
        {{p[0], p[1], p[2]}, {q[0], q[1], q[2], q[3]}, {s[0], s[1], s[2]}, box.building});
  }
  if (opaque.size() > kMostOpaque) {
    std::ranges::stable_sort(opaque, std::greater<>(), [](const OpaqueBox& box) {
      return std::fabs(double{box.size[0]} * box.size[1] * box.size[2]);
    });
    opaque.resize(kMostOpaque);
  }
  opaque_.insert(opaque_.end(), opaque.begin(), opaque.end());
}

void CityVolumes::Grow(const Instance& box) {
  const Parcel& from = parcels_[box.building];
  const WorldBox parcel = BoxOf(from.position, from.rotation, {1, 1, 1});
  const WorldBox volume = BoxOf(box);
  Hull& hull = hulls_[box.building];
  for (std::size_t c = 0; c < WorldBox::kCorners; ++c) {
    const Vector3d away = volume.Corner(c) - parcel.corner;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double along = geometry::Dot(away, parcel.edges[axis]);
      hull.least[axis] = std::min(hull.least[axis], Down(along));
      hull.most[axis] = std::max(hull.most[axis], Up(along));
    }
  }
}

WorldBox CityVolumes::HullOf(std::uint32_t building) const {
  const auto& [least, most] = hulls_[building];
  const Parcel& parcel = parcels_[building];
  WorldBox hull = BoxOf(parcel.position, parcel.rotation, {1, 1, 1});
  for (std::size_t axis = 0; axis < 3; ++axis) {
    hull.corner = hull.corner + double{least[axis]} * hull.edges[axis];
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    hull.edges[axis] = (double{most[axis]} - least[axis]) * hull.edges[axis];
  }
  return hull;
}

absl::StatusOr<std::uint32_t> CityVolumes::RemoveHidden(const View& view,
                                                        const procedure::CancelToken& token,
                                                        std::vector<bool>& seen) const {
  DepthCube cube(EyeOf(view));
  const Planes ahead = PlanesAhead(view);
  for (const OpaqueBox& box : opaque_) {
    if (!seen[box.building]) continue;
    if (token.Cancelled()) return absl::CancelledError("the job was cancelled");
    const WorldBox occluder = BoxOf(box.position, box.rotation, box.size);
    if (IsInFrontOf(ahead, occluder)) cube.Add(occluder);
  }
  cube.Finish();
  std::uint32_t hidden = 0;
  for (std::uint32_t b = 0; b < hulls_.size(); ++b) {
    if (!seen[b]) continue;
    if (token.Cancelled()) return absl::CancelledError("the job was cancelled");
    // A building's own volumes are not nearer than its hull, so they do not hide it.
    if (!cube.Hides(HullOf(b))) continue;
    seen[b] = false;
    ++hidden;
  }
  return hidden;
}

}  // namespace warpyard::grammar
