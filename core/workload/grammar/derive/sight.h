// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What a camera sees: which buildings, and which details of them.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_SIGHT_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_SIGHT_H_

#include <bit>
#include <cmath>
#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/grammar/derive/query.h"
#include "core/workload/grammar/derive/transform.h"
#include "core/workload/grammar/job/derive_job.h"

namespace warpyard::grammar {

/// Whether the parcel's box is not behind one of the view's planes. [Steinberger §10.4.1]
WY_HD inline bool IsSeen(const DeviceView& view, const Scope& parcel) {
  const Vector3f center = parcel.position + Rotate(parcel.rotation, 0.5f * parcel.size);
  const CenteredBox box = BoxOf(parcel, center);
  for (std::uint32_t p = 0; p < view.plane_count; ++p) {
    const float(&plane)[4] = view.planes[p];
    const Vector3f normal{plane[0], plane[1], plane[2]};
    if (geometry::Dot(normal, center) + plane[3] + ReachOf(box, normal) < 0) return false;
  }
  return true;
}

/// A length that the camera can move in any direction before a rule at this distance changes sides
/// of its limit. Rounding counts as a part of the way.
WY_HD inline float SlackOf(float distance, float limit) {
  constexpr float kRounding = 1e-5f;
  const float slack = std::fabs(distance - limit) - kRounding * (distance + limit);
  return slack > 0 ? slack : 0;
}

/// Whether the scope is so far from the camera that the rule's details cannot be seen.
/// [Steinberger §10.4.3]
template <class ExecScope>
WY_HD bool IsSmall(const DeriveJob& job, const Symbol& symbol, float detail) {
  if (job.sight.view == nullptr || detail <= 0 || job.sight.view->detail <= 0) return false;
  const Scope& parcel = job.parcels[symbol.building].scope;
  const Vector3f center = parcel.position + Rotate(parcel.rotation, CenterOf(symbol));
  const float(&camera)[3] = job.sight.view->position;
  const Vector3f away = center - Vector3f{camera[0], camera[1], camera[2]};
  const float limit = detail * job.sight.view->detail;
  const float square = geometry::Dot(away, away);
  if (job.sight.slack != nullptr) {
    // Bits of numbers that are not negative have the order of the numbers.
    const auto bits = std::bit_cast<std::uint32_t>(SlackOf(std::sqrt(square), limit));
    auto word = ExecScope::Word(job.sight.slack[symbol.building]);
    // Most symbols are no nearer to their limits than others were.
    if (bits < word.LoadRelaxed()) word.FetchMinRelaxed(bits);
  }
  return square > limit * limit;
}

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_SIGHT_H_
