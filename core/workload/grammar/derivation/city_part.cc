// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/derivation/city_part.h"

#include <algorithm>
#include <cstddef>

#include "core/workload/grammar/derivation/batch_memory.h"
#include "core/workload/grammar/derive/sight.h"

namespace warpyard::grammar {
namespace {

Scope ScopeOf(const Parcel& parcel) {
  const float(&p)[3] = parcel.position;
  const float(&q)[4] = parcel.rotation;
  const float(&s)[3] = parcel.size;
  return {{p[0], p[1], p[2]}, {q[0], q[1], q[2], q[3]}, {s[0], s[1], s[2]}};
}

}  // namespace

std::vector<bool> InPlanes(const std::vector<Parcel>& parcels, const View& view) {
  const DeviceView device_view = ToDeviceView(view);
  std::vector<bool> seen(parcels.size());
  for (std::size_t b = 0; b < parcels.size(); ++b) {
    seen[b] = IsSeen(device_view, ScopeOf(parcels[b]));
  }
  return seen;
}

std::vector<std::uint32_t> PositionsOf(const std::vector<bool>& list) {
  std::vector<std::uint32_t> positions;
  for (std::uint32_t i = 0; i < list.size(); ++i) {
    if (list[i]) positions.push_back(i);
  }
  return positions;
}

View WithoutTests(View view) {
  view.planes.clear();
  view.hide_occluded = false;
  return view;
}

DeriveOptions PartOf(const DeriveOptions& city, const std::vector<std::uint32_t>& buildings) {
  DeriveOptions part;
  part.seed = city.seed;
  part.view = city.view;
  part.on_limit = city.on_limit;
  part.max_depth = city.max_depth;
  part.max_instances = city.max_instances;
  if (city.on_limit == OnLimit::kCoarse) {
    // A building has the same share as if all of the city were derived.
    const std::uint64_t share = city.max_instances / city.parcels.size();
    part.max_instances = std::max<std::uint64_t>(1, share) * buildings.size();
  }
  part.max_bytes = city.max_bytes;
  part.wants_slack = city.wants_slack;
  part.parcels.reserve(buildings.size());
  part.numbers.reserve(buildings.size());
  for (const std::uint32_t b : buildings) {
    part.parcels.push_back(city.parcels[b]);
    part.numbers.push_back(city.numbers.empty() ? b : city.numbers[b]);
  }
  for (const AttributeColumn& column : city.attributes) {
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
