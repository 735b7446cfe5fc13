// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/model/input_points.h"

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "core/base/exact_text.h"
#include "core/base/macros.h"
#include "core/base/status_facts.h"
#include "core/workload/geometry/bounds.h"
#include "core/workload/simplify/model/host_parts.h"
#include "core/workload/simplify/model/upload.h"

namespace warpyard::simplify {

absl::StatusOr<PointBox> FindBox(const geometry::PositionsView& positions) {
  PointBox parts[kHostParts];
  const auto find = [&](const IndexPart& part) {
    PointBox own;
    for (std::size_t v = part.begin; v < part.end; ++v) {
      const Vector3d p = geometry::PositionAt(positions, v);
      if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) {
        return InvalidField(
            "positions", absl::StrCat("vertex ", v, " is (", ExactText(p.x), ", ", ExactText(p.y),
                                      ", ", ExactText(p.z), "), expected finite numbers"));
      }
      own.Add({p, p});
    }
    parts[part.number] = own;
    return absl::OkStatus();
  };
  WY_RETURN_IF_ERROR(ForEachPart(positions.vertices, positions.vertices * sizeof(Vector3d), find));
  PointBox box;
  for (const PointBox& part : parts) box.Add(part);
  return box;
}

PointBox BoxOf(const InputCounters& counters) {
  // -0 becomes 0: which one of both is there depends on the order of the positions.
  const auto low = [&](int axis) { return geometry::FromOrderedBits(~counters.least[axis]) + 0.0; };
  const auto high = [&](int axis) {
    return geometry::FromOrderedBits(counters.greatest[axis]) + 0.0;
  };
  return {{low(0), low(1), low(2)}, {high(0), high(1), high(2)}};
}

absl::StatusOr<Frame> FrameOf(const PointBox& box, const Vector3d& origin) {
  const Vector3d sides = box.high - box.low;
  const double extent = std::max({sides.x, sides.y, sides.z});
  constexpr double kLeast = std::numeric_limits<float>::min();
  // New vertices may lie outside the box, by less than its diagonal.
  constexpr double kMost = std::numeric_limits<float>::max() / 4;
  if (extent >= kLeast && extent <= kMost) return Frame{box.low - origin, extent};
  return InvalidField("positions",
                      absl::StrCat("the largest side of their box is ", ExactText(extent),
                                   ", expected ", ExactText(kLeast), " to ", ExactText(kMost)));
}

absl::Status UploadPoints(device::Backend& backend, const geometry::PositionsView& positions,
                          const Vector3d& origin, FloatPoint* to) {
  return UploadMade(
      backend, positions.vertices, to, [&](std::size_t begin, std::size_t end, FloatPoint* out) {
        for (std::size_t v = begin; v < end; ++v) {
          const Vector3d p = geometry::PositionAt(positions, v) - origin;
          *out++ = {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
        }
      });
}

}  // namespace warpyard::simplify
