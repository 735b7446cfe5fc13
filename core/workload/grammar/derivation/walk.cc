// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/derivation/walk.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "absl/time/clock.h"
#include "core/base/macros.h"
#include "core/workload/grammar/derivation/batch_memory.h"
#include "core/workload/grammar/derivation/check_options.h"
#include "core/workload/grammar/derivation/city_part.h"

namespace warpyard::grammar {
namespace {

double DistanceOf(const float (&a)[3], const float (&b)[3]) {
  // Differences of floats are exact in double, or nearly so.
  const double x = double{a[0]} - b[0], y = double{a[1]} - b[1], z = double{a[2]} - b[2];
  return std::sqrt(x * x + y * y + z * z);
}

}  // namespace

Walk::Walk(DeriveOptions options) : city_(std::move(options)), shown_(city_.parcels.size()) {}

absl::StatusOr<DeriveStatistics> Walk::Show(Grammar& grammar, GrammarRunner& runner,
                                            const View& view, const TakeView& take,
                                            const procedure::CancelToken& token) {
  WY_RETURN_IF_ERROR(CheckView(view));
  const absl::Time begin = absl::Now();
  std::vector<bool> seen = InPlanes(city_.parcels, view);
  std::uint32_t occluded = 0;
  if (view.hide_occluded) {
    if (!volumes_) {
      WY_ASSIGN_OR_RETURN(volumes_, grammar.VolumesOf(runner, city_, token));
    }
    WY_ASSIGN_OR_RETURN(occluded, volumes_->RemoveHidden(view, token, seen));
  }
  const ViewChange change = Compare(view, seen);
  const absl::Duration comparing = absl::Now() - begin;
  WY_RETURN_IF_ERROR(take.change(change, token));
  for (const std::uint32_t building : change.hidden) shown_[building].is_shown = false;
  detail_ = ToDeviceView(view).detail;
  DeriveStatistics statistics;
  if (!change.changed.empty()) {
    DeriveOptions options = PartOf(city_, change.changed);
    options.view = WithoutTests(view);
    options.wants_slack = true;
    options.keeps_memory = true;
    options.take = [&](DerivedBatch batch, const procedure::CancelToken& its_token) {
      for (std::uint32_t b = 0; b < batch.buildings; ++b) {
        Shown& shown = shown_[change.changed[batch.first_building + b]];
        shown.is_shown = true;
        shown.slack = batch.slack[b];
        std::copy(view.position, view.position + 3, shown.position);
      }
      return take.batch ? take.batch(std::move(batch), its_token) : absl::OkStatus();
    };
    WY_ASSIGN_OR_RETURN(statistics, grammar.Derive(runner, options, token));
  } else {
    statistics.rules.resize(grammar.info().rules.size());
  }
  const std::size_t shown = change.changed.size() + change.kept;
  statistics.culled = static_cast<std::uint32_t>(shown_.size() - shown);
  statistics.occluded = occluded;
  statistics.kept = change.kept;
  statistics.phases.insert(statistics.phases.begin(), {"compare", comparing});
  return statistics;
}

/// @shape seen: [buildings]
ViewChange Walk::Compare(const View& view, const std::vector<bool>& seen) const {
  const DeviceView device_view = ToDeviceView(view);
  ViewChange change;
  for (std::uint32_t b = 0; b < shown_.size(); ++b) {
    const Shown& shown = shown_[b];
    if (!seen[b]) {
      if (shown.is_shown) change.hidden.push_back(b);
    } else if (shown.is_shown && IsAsBefore(shown, device_view)) {
      ++change.kept;
    } else {
      change.changed.push_back(b);
    }
  }
  return change;
}

bool Walk::IsAsBefore(const Shown& shown, const DeviceView& view) const {
  if (shown.slack == std::numeric_limits<float>::infinity()) return true;
  if (view.detail != detail_) return false;
  const double moved = DistanceOf(shown.position, view.position);
  return moved == 0 || moved < shown.slack;
}

}  // namespace warpyard::grammar
