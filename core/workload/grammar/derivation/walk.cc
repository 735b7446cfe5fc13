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
#include "core/workload/grammar/derive/sight.h"

namespace warpyard::grammar {
namespace {

Scope ScopeOf(const Parcel& parcel) {
  const float(&p)[3] = parcel.position;
  const float(&q)[4] = parcel.rotation;
  const float(&s)[3] = parcel.size;
  return {{p[0], p[1], p[2]}, {q[0], q[1], q[2], q[3]}, {s[0], s[1], s[2]}};
}

double DistanceOf(const float (&a)[3], const float (&b)[3]) {
  // Differences of floats are exact in double, or nearly so.
  const double x = double{a[0]} - b[0], y = double{a[1]} - b[1], z = double{a[2]} - b[2];
  return std::sqrt(x * x + y * y + z * z);
}

}  // namespace

Walk::Walk(DeriveOptions options) : city_(std::move(options)), shown_(city_.parcels.size()) {}

std::size_t Walk::Bytes() const {
  std::size_t values = 0;
  for (const AttributeColumn& column : city_.attributes) values += column.values.size();
  return city_.parcels.size() * (sizeof(Parcel) + sizeof(Shown)) + values * sizeof(float);
}

absl::StatusOr<DeriveStatistics> Walk::Show(Grammar& grammar, GrammarRunner& runner,
                                            const View& view, const TakeView& take,
                                            const procedure::CancelToken& token) {
  WY_RETURN_IF_ERROR(CheckView(view));
  const absl::Time begin = absl::Now();
  const ViewChange change = Compare(view);
  const absl::Duration comparing = absl::Now() - begin;
  WY_RETURN_IF_ERROR(take.change(change, token));
  for (const std::uint32_t building : change.hidden) shown_[building].is_shown = false;
  detail_ = ToDeviceView(view).detail;
  DeriveStatistics statistics;
  if (!change.changed.empty()) {
    DeriveOptions options = PartOf(change.changed, view);
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
  statistics.kept = change.kept;
  statistics.phases.insert(statistics.phases.begin(), {"compare", comparing});
  return statistics;
}

ViewChange Walk::Compare(const View& view) const {
  const DeviceView device_view = ToDeviceView(view);
  ViewChange change;
  for (std::uint32_t b = 0; b < shown_.size(); ++b) {
    const Shown& shown = shown_[b];
    if (!IsSeen(device_view, ScopeOf(city_.parcels[b]))) {
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

DeriveOptions Walk::PartOf(const std::vector<std::uint32_t>& buildings, const View& view) const {
  DeriveOptions part;
  part.seed = city_.seed;
  part.view = view;
  // The buildings were found to be seen.
  part.view->planes.clear();
  part.on_limit = city_.on_limit;
  part.max_depth = city_.max_depth;
  part.max_instances = city_.max_instances;
  if (city_.on_limit == OnLimit::kCoarse) {
    // A building has the same share as if all of the city were derived.
    const std::uint64_t share = city_.max_instances / city_.parcels.size();
    part.max_instances = std::max<std::uint64_t>(1, share) * buildings.size();
  }
  part.max_bytes = city_.max_bytes;
  part.numbers = buildings;
  part.wants_slack = true;
  part.parcels.reserve(buildings.size());
  for (const std::uint32_t b : buildings) part.parcels.push_back(city_.parcels[b]);
  for (const AttributeColumn& column : city_.attributes) {
    AttributeColumn& copy = part.attributes.emplace_back();
    copy.attribute = column.attribute;
    if (column.values.size() == 1) {
      copy.values = column.values;
      continue;
    }
    copy.values.reserve(buildings.size());
    for (const std::uint32_t b : buildings) copy.values.push_back(column.values[b]);
  }
  return part;
}

}  // namespace warpyard::grammar
