// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What a view shows of a city, and derivations of a part of it.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVATION_CITY_PART_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVATION_CITY_PART_H_

#include <cstdint>
#include <vector>

#include "core/workload/grammar/grammar_types.h"

namespace warpyard::grammar {

/// The buildings whose parcels are not outside the planes of a view. @shape result: [parcels]
std::vector<bool> InPlanes(const std::vector<Parcel>& parcels, const View& view);

/// Where a list of bools is true.
std::vector<std::uint32_t> PositionsOf(const std::vector<bool>& list);

/// The view of buildings that were found to be seen: it decides about details alone.
View WithoutTests(View view);

/// A derivation of some buildings, with the results that they have when all of the city is derived.
/// Without `take`. @shape buildings: increasing positions of parcels
DeriveOptions PartOf(const DeriveOptions& city, const std::vector<std::uint32_t>& buildings);

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVATION_CITY_PART_H_
