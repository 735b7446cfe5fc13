// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/grammar/city.h"

#include <cmath>

#include "core/workload/grammar/derive/chance.h"

namespace warpyard::grammar_bench {
namespace {

constexpr float kCell = 30;  // metres
/// Values of the attribute.
enum Kind : int { kSuburban, kResidential, kOffices };

/// How many buildings of a cell's quarter have offices: none in the suburb, where the camera
/// begins, most in the centre, and any share in the quarters beyond.
float OfficesAt(float x) {
  if (x < 1500) return 0;
  if (x < 4500) return 0.7f;
  return grammar::ChanceOf(static_cast<std::uint64_t>(x / 1000), 3);
}

Kind KindOf(float x, std::uint64_t id) {
  const float chance = grammar::ChanceOf(id, 0), offices = OfficesAt(x);
  if (chance < offices) return kOffices;
  return chance < offices + (1 - offices) * 0.6f ? kSuburban : kResidential;
}

grammar::Parcel ParcelAt(std::int32_t column, std::int32_t row, Kind& kind) {
  grammar::Parcel parcel;
  parcel.id =
      std::uint64_t{static_cast<std::uint32_t>(column)} << 32 | static_cast<std::uint32_t>(row);
  parcel.position[0] = static_cast<float>(column) * kCell;
  parcel.position[2] = static_cast<float>(row) * kCell;
  kind = KindOf(parcel.position[0], parcel.id);
  constexpr float kWidths[] = {22, 20, 24}, kHeights[] = {8, 6, 40};
  parcel.size[0] = kWidths[kind];
  parcel.size[1] = kHeights[kind];
  parcel.size[2] = 24;
  if (kind == kOffices) parcel.size[1] += 160 * grammar::ChanceOf(parcel.id, 1);
  return parcel;
}

}  // namespace

grammar::DeriveOptions PartOfCity(const Rectangle& part, std::uint32_t kind) {
  const auto cell = [](float place) {
    return static_cast<std::int32_t>(std::floor(place / kCell));
  };
  grammar::DeriveOptions options;
  grammar::AttributeColumn kinds{kind, {}};
  for (std::int32_t row = cell(part.least_z); row <= cell(part.most_z); ++row) {
    for (std::int32_t column = cell(part.least_x); column <= cell(part.most_x); ++column) {
      Kind its_kind;
      options.parcels.push_back(ParcelAt(column, row, its_kind));
      kinds.values.push_back(static_cast<float>(its_kind));
    }
  }
  options.attributes.push_back(std::move(kinds));
  return options;
}

}  // namespace warpyard::grammar_bench
