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
  bounds_.reserve(parcels.size());
  for (const Parcel& parcel : parcels) {
    const float(&s)[3] = parcel.size;
    bounds_.push_back({{0, 0, 0}, {s[0], s[1], s[2]}});
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
    if ((box.flags & kCoarse) != 0) {
      bounds_[box.building].are_known = false;
      return;
    }
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
  Bounds& bounds = bounds_[box.building];
  for (std::size_t c = 0; c < WorldBox::kCorners; ++c) {
    const Vector3d away = volume.Corner(c) - parcel.corner;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double along = geometry::Dot(away, parcel.edges[axis]);
      bounds.least[axis] = std::min(bounds.least[axis], Down(along));
      bounds.most[axis] = std::max(bounds.most[axis], Up(along));
    }
  }
}

WorldBox CityVolumes::BoundsOf(std::uint32_t building) const {
  const auto& [least, most, are_known] = bounds_[building];
  const Parcel& parcel = parcels_[building];
  WorldBox box = BoxOf(parcel.position, parcel.rotation, {1, 1, 1});
  for (std::size_t axis = 0; axis < 3; ++axis) {
    box.corner = box.corner + double{least[axis]} * box.edges[axis];
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    box.edges[axis] = (double{most[axis]} - least[axis]) * box.edges[axis];
  }
  return box;
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
  for (std::uint32_t b = 0; b < bounds_.size(); ++b) {
    if (!seen[b] || !bounds_[b].are_known) continue;
    if (token.Cancelled()) return absl::CancelledError("the job was cancelled");
    // A building's own volumes are not nearer than its bounds, so they do not hide it.
    if (!cube.Hides(BoundsOf(b))) continue;
    seen[b] = false;
    ++hidden;
  }
  return hidden;
}

}  // namespace warpyard::grammar
