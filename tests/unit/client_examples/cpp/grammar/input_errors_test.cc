// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/grammar/input_errors.h"

#include <gtest/gtest.h>

#include <string>

namespace warpyard::cli {
namespace {

/// What a user reads of an error, for a map of two parcels in its second feature, a column of it,
/// and a flag.
std::string Told(const std::string& message, bool is_one_feature = false) {
  DeriveArguments arguments;
  arguments.parcels_file = "map.geojson";
  arguments.attributes = {{"age", 3.F}};
  for (const char* const name : {"floors", "age"}) {
    arguments.request.add_values()->set_attribute(name);
  }
  city_io::ParcelFile parcels;
  parcels.is_one_feature = is_one_feature;
  parcels.parcels.resize(2);
  for (city_io::MapParcel& parcel : parcels.parcels) parcel.feature = 1;
  const absl::Status told = InInputs(absl::InvalidArgumentError(message), arguments, parcels);
  EXPECT_EQ(told.code(), absl::StatusCode::kInvalidArgument);
  return std::string(told.message());
}

TEST(InInputs, NamesTheFeatureAndTheProperty) {
  EXPECT_EQ(Told("values[0].values[1]: 40 for 'floors', expected from 1 to 9"),
            "map.geojson: features[1].properties.floors: 40 for 'floors', expected from 1 to 9");
  EXPECT_EQ(Told("values[0].values[1]: 40 (INVALID_FIELD, field values[0].values[1], request 7)"),
            "map.geojson: features[1].properties.floors: 40 (INVALID_FIELD, request 7)");
  EXPECT_EQ(Told("parcels[0].polygon: no area"), "map.geojson: features[1].geometry: no area");
  EXPECT_EQ(Told("parcels[1].height: 1e30"), "map.geojson: features[1].properties.height: 1e30");
  EXPECT_EQ(Told("parcels[1].ground: nan"), "map.geojson: features[1].properties.ground: nan");
  EXPECT_EQ(Told("parcels[1].polygon: no area", true), "map.geojson: feature.geometry: no area");
}

TEST(InInputs, NamesTheFlag) {
  EXPECT_EQ(Told("values[1].values[0]: 40 for 'age'"), "--attr age: 40 for 'age'");
  EXPECT_EQ(Told("values[1].attribute: the grammar has no 'age'"),
            "--attr age: the grammar has no 'age'");
}

TEST(InInputs, LeavesOtherErrorsAsTheyAre) {
  for (const char* const message :
       {"max_depth: 0", "parcels: none", "parcels[2].polygon: no such parcel", "parcels[x].polygon",
        "parcels[", "parcels[0].size: odd", "values[2].values[0]: no such column",
        "values[0].values[2]: no such parcel", "values[0].values: 3 numbers", "values[0].values[0",
        ""}) {
    EXPECT_EQ(Told(message), message);
  }
}

}  // namespace
}  // namespace warpyard::cli
