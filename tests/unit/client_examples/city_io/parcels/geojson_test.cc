// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/city_io/parcels/geojson.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"

namespace warpyard::city_io {
namespace {

constexpr char kSquare[] = "[[[0, 0], [10, 0], [10, 20], [0, 20], [0, 0]]]";

std::string Feature(const std::string& properties, const std::string& polygon = kSquare,
                    const std::string& more = "") {
  return absl::StrCat(R"({"type": "Feature", "geometry": {"type": "Polygon", "coordinates": )",
                      polygon, R"(}, "properties": {)", properties, "}", more, "}");
}

std::string Collection(const std::vector<std::string>& features, const std::string& more = "") {
  std::string list;
  for (const std::string& feature : features)
    absl::StrAppend(&list, list.empty() ? "" : ",", feature);
  return absl::StrCat(R"({"type": "FeatureCollection", "features": [)", list, "]", more, "}");
}

ParcelFile Parse(const std::string& text, MapUnit unit = MapUnit::kMetres) {
  absl::StatusOr<ParcelFile> file = ParseParcels(text, {unit, 5});
  EXPECT_TRUE(file.ok()) << file.status();
  return file.ok() ? *std::move(file) : ParcelFile();
}

/// The message for a text that is refused.
std::string Refusal(const std::string& text,
                    const ParcelOptions& options = {MapUnit::kMetres, {}}) {
  const auto file = ParseParcels(text, options);
  EXPECT_EQ(file.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(file.status().message());
}

TEST(ParseParcels, ReadsPolygonsAroundTheirMiddle) {
  const ParcelFile file = Parse(Collection({Feature(R"("height": 9, "ground": 2.5)")}));
  ASSERT_EQ(file.parcels.size(), 1u);
  const MapParcel& parcel = file.parcels[0];
  EXPECT_EQ(parcel.corners, (std::vector<LocalPoint>{{-5, 10}, {5, 10}, {5, -10}, {-5, -10}}));
  EXPECT_EQ(parcel.height, 9);
  EXPECT_EQ(parcel.ground, 2.5);
  EXPECT_EQ(parcel.id, 0u);
  EXPECT_EQ(file.projection.origin(), (MapPoint{5, 10}));
}

TEST(ParseParcels, TakesOuterRingsOfAllPolygons) {
  const std::string hole = "[[[0,0],[9,0],[9,9],[0,0]], [[1,1],[2,1],[2,2],[1,1]]]";
  const std::string text =
      absl::StrCat(R"({"type": "Feature", "id": 4, "properties": null, "geometry": )",
                   R"({"type": "MultiPolygon", "coordinates": [)", hole, ",", kSquare, "]}}");
  const ParcelFile file = Parse(text);
  ASSERT_EQ(file.parcels.size(), 2u);
  EXPECT_EQ(file.parcels[0].corners.size(), 3u);
  EXPECT_EQ(file.parcels[1].corners.size(), 4u);
  EXPECT_EQ(file.parcels[0].id, 4u);
  EXPECT_NE(file.parcels[1].id, 4u);
  EXPECT_EQ(file.parcels[1].height, 5) << "that of the options";
}

TEST(ParseParcels, GivesEachFeatureAnId) {
  std::vector<std::string> features;
  for (const char* const id : {"12", "\"34\"", "\"way/34\"", "\"way/35\"", "-1", "null"}) {
    features.push_back(Feature("", kSquare, absl::StrCat(", \"id\": ", id)));
  }
  std::set<std::uint64_t> ids;
  for (const MapParcel& parcel : Parse(Collection(features)).parcels) ids.insert(parcel.id);
  EXPECT_EQ(ids.size(), 6u);
  for (const std::uint64_t id : {12u, 34u, 5u}) EXPECT_EQ(ids.count(id), 1u);
}

TEST(ParseParcels, CollectsNumbersAsColumns) {
  const ParcelFile file =
      Parse(Collection({Feature(R"("height": 3)"), Feature(R"("floors": 2, "name": "a")"),
                        Feature(R"("floors": null, "age": 1.5)")}));
  ASSERT_EQ(file.numbers.size(), 2u);
  const std::vector<float>&floors = file.numbers.at("floors"), &age = file.numbers.at("age");
  EXPECT_TRUE(std::isnan(floors[0]) && std::isnan(floors[2]));
  EXPECT_EQ(floors[1], 2);
  EXPECT_TRUE(std::isnan(age[0]) && std::isnan(age[1]));
  EXPECT_EQ(age[2], 1.5F);
}

TEST(ParseParcels, ReadsTextsOfNumbersAsNumbers) {
  const ParcelFile file = Parse(Collection(
      {Feature(R"("height": "9.5", "ground": " -1 ", "floors": "4")"), Feature(R"("floors": 2)")}));
  EXPECT_EQ(file.parcels[0].height, 9.5);
  EXPECT_EQ(file.parcels[0].ground, -1);
  EXPECT_EQ(file.numbers.at("floors"), (std::vector<float>{4, 2}));
  EXPECT_TRUE(file.others.empty());
}

TEST(ParseParcels, TellsOfTheFirstValueThatIsNoNumber) {
  const ParcelFile file = Parse(Collection({Feature(R"("floors": 3, "new": null)"),
                                            Feature(R"("floors": "many", "flat": true)"),
                                            Feature(R"("floors": "nan", "name": "a")")}));
  ASSERT_EQ(file.others.size(), 3u);
  EXPECT_EQ(file.others.at("floors"), "features[1].properties.floors: \"many\", expected a number");
  EXPECT_EQ(file.others.at("flat"), "features[1].properties.flat: true, expected a number");
  EXPECT_EQ(file.others.at("name"), "features[2].properties.name: \"a\", expected a number");
  EXPECT_TRUE(std::isnan(file.numbers.at("floors")[1]));
}

TEST(ParseParcels, KnowTheFeaturesOfParcels) {
  const std::string two = absl::StrCat(R"({"geometry": {"type": "MultiPolygon", "coordinates": [)",
                                       kSquare, ",", kSquare, "]}}");
  const ParcelFile file = Parse(Collection({two, Feature("")}));
  EXPECT_EQ(PlaceOf(file, 1), "features[0]");
  EXPECT_EQ(PlaceOf(file, 2), "features[1]");
  EXPECT_EQ(PlaceOf(Parse(Feature("")), 0), "feature");
}

TEST(ParseParcels, ProjectsDegrees) {
  const std::string near = "[[[16.30, 48.20], [16.31, 48.20], [16.31, 48.21], [16.30, 48.20]]]";
  for (const MapUnit unit : {MapUnit::kByFile, MapUnit::kDegrees}) {
    const ParcelFile file = Parse(Collection({Feature("", near)}), unit);
    const std::vector<LocalPoint>& corners = file.parcels[0].corners;
    EXPECT_NEAR(corners[1][0] - corners[0][0], 743, 1);
    EXPECT_NEAR(corners[2][1] - corners[1][1], -1112, 1) << "north is -z";
  }
}

TEST(ParseParcels, BelievesTheMemberCrs) {
  const auto with = [](const std::string& name) {
    return Collection(
        {Feature("")},
        absl::StrCat(R"(, "crs": {"type": "name", "properties": {"name": ")", name, "\"}}"));
  };
  const double metres =
      Parse(with("urn:ogc:def:crs:EPSG::31256"), MapUnit::kByFile).parcels[0].corners[1][0];
  const double degrees =
      Parse(with("urn:ogc:def:crs:OGC:1.3:CRS84"), MapUnit::kByFile).parcels[0].corners[1][0];
  EXPECT_EQ(metres, 5);
  EXPECT_GT(degrees, 500'000);
}

TEST(ParseParcels, AsksWhereUnitsAreInDoubt) {
  EXPECT_NE(Refusal(Collection({Feature("\"height\": 1")}), {}).find("--degrees or --metres"),
            std::string::npos);
  const std::string far = "[[[0, 0], [1000, 0], [1000, 20], [0, 0]]]";
  EXPECT_EQ(Parse(Collection({Feature("", far)}), MapUnit::kByFile).parcels[0].corners[1][0], 500);
}

TEST(ParseParcels, NamesTheFeatureAndTheField) {
  const auto second = [](const std::string& feature) {
    return Refusal(Collection({Feature("\"height\": 1"), feature}));
  };
  EXPECT_EQ(second(Feature("\"height\": \"tall\"")),
            "features[1].properties.height: \"tall\", expected a number");
  EXPECT_EQ(second(Feature("\"height\": 0")),
            "features[1].properties.height: 0, expected more than 0");
  EXPECT_EQ(second(Feature("")),
            "features[1].properties.height: missing, and there is no height for such features");
  EXPECT_EQ(second(Feature("\"height\": 1", "[[[0, 0], [1, 1], [0, 0]]]")),
            "features[1].geometry.coordinates[0]: 2 corners, expected 3 to 4096");
  EXPECT_EQ(second(Feature("\"height\": 1", "[[[0, 0], [1, \"a\"]]]")),
            "features[1].geometry.coordinates[0][1]: expected two numbers");
  EXPECT_EQ(second(Feature("\"height\": 1", "[]")),
            "features[1].geometry.coordinates[0]: expected a ring, a list of positions");
  EXPECT_EQ(second(R"({"geometry": {"type": "Point", "coordinates": [0, 0]}})"),
            "features[1].geometry.type: \"Point\", expected \"Polygon\" or \"MultiPolygon\"");
  EXPECT_EQ(second(R"({"geometry": null})"),
            "features[1].geometry.type: missing, expected \"Polygon\" or \"MultiPolygon\"");
  EXPECT_EQ(second("7"),
            "features[1].geometry.type: missing, expected \"Polygon\" or \"MultiPolygon\"");
}

TEST(ParseParcels, RefusesOtherFiles) {
  for (const char* const text :
       {"", "[]", "{", "{}", R"({"type": "FeatureCollection"})",
        R"({"type": "FeatureCollection", "features": []})",
        R"({"type": "FeatureCollection", "features": {}})", R"({"type": ["FeatureCollection"]})"}) {
    Refusal(text);
  }
}

}  // namespace
}  // namespace warpyard::city_io
