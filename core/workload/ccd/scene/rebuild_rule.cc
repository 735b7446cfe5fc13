// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/scene/rebuild_rule.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace warpyard::ccd {

double RatioOf(const HierarchySize& size) {
  return (static_cast<double>(size.nodes) + 1) / (static_cast<double>(size.triangles) + 1);
}

void RebuildRule::Built(const HierarchySize (&sizes)[2]) {
  for (std::size_t kind = 0; kind < 2; ++kind) built_[kind] = RatioOf(sizes[kind]);
  growth_ = {1, 1};
  if (builds_++ != 0) rest_ = kRest;
}

void RebuildRule::Linked(const HierarchySize& nodes) {
  built_[static_cast<std::size_t>(HierarchyKind::kNodes)] = RatioOf(nodes);
}

double RebuildRule::Take(HierarchyKind kind, const HierarchySize& size) {
  if (rest_ != 0) --rest_;
  growth_ = {growth_[1], RatioOf(size) / built_[static_cast<std::size_t>(kind)]};
  return growth_[1];
}

bool RebuildRule::IsDue(double factor, std::uint32_t triangles) const {
  return factor > 0 && triangles >= kLeastTriangles && rest_ == 0 &&
         std::min(growth_[0], growth_[1]) > factor;
}

float SizeScale(double extents) {
  const int exponent = extents > 0 ? std::ilogb(extents) : 0;
  return std::ldexp(1.0F, std::clamp(26 - exponent, -120, 120));
}

}  // namespace warpyard::ccd
