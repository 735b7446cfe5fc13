// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A long strip of a city for a camera that flies through it: buildings every 30 m, as many on a
// square kilometre as in [Steinberger §10.5.2].
#ifndef WARPYARD_BENCHMARKS_GRAMMAR_CITY_H_
#define WARPYARD_BENCHMARKS_GRAMMAR_CITY_H_

#include <cstdint>

#include "core/workload/grammar/grammar_types.h"

namespace warpyard::grammar_bench {

/// @units metres
struct Rectangle {
  float least_x, least_z;
  float most_x, most_z;
};

/// The buildings of a part of the city. A building is the same in each part that has it.
/// @shape kind: position of the attribute that tells kinds of buildings apart
grammar::DeriveOptions PartOfCity(const Rectangle& part, std::uint32_t kind);

}  // namespace warpyard::grammar_bench

#endif  // WARPYARD_BENCHMARKS_GRAMMAR_CITY_H_
