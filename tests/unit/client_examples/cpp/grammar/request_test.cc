// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/grammar/request.h"

#include <gtest/gtest.h>

#include <fstream>

namespace warpyard::cli {
namespace {

using Floats = std::vector<float>;

Floats FloatsOf(const google::protobuf::RepeatedField<float>& field) {
  return {field.begin(), field.end()};
}

TEST(ReadInputs, MakesRowsOfLots) {
  DeriveArguments arguments;
  arguments.lots = {{2, 3}, {10, 20, 30}, 5};
  city_io::ParcelFile parcels;
  ASSERT_EQ(ReadInputs(arguments, parcels), absl::OkStatus());
  ASSERT_EQ(arguments.request.parcels_size(), 6);
  EXPECT_EQ(FloatsOf(arguments.request.parcels(3).position()), (Floats{15, 0, 35}));
  EXPECT_EQ(FloatsOf(arguments.request.parcels(3).size()), (Floats{10, 20, 30}));
  EXPECT_EQ(IdsOf(arguments.request), (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5}));
}

class ParcelInputs : public ::testing::Test {
 protected:
  void SetUp() override {
    arguments_.parcels_file = ::testing::TempDir() + "request.geojson";
    arguments_.parcels.unit = city_io::MapUnit::kMetres;
    std::string features;
    for (const char* const properties :
         {R"("height": 8, "floors": 2)", R"("height": 9, "ground": 1, "age": 3)"}) {
      features += std::string(features.empty() ? "" : ",") +
                  R"({"id": 40, "geometry": {"type": "Polygon", "coordinates": )" +
                  R"([[[0, 0], [10, 0], [10, 20], [0, 0]]]}, "properties": {)" + properties + "}}";
    }
    std::ofstream(arguments_.parcels_file)
        << R"({"type": "FeatureCollection", "features": [)" << features << "]}";
  }

  DeriveArguments arguments_;
  city_io::ParcelFile parcels_;
};

TEST_F(ParcelInputs, BecomePolygons) {
  ASSERT_EQ(ReadInputs(arguments_, parcels_), absl::OkStatus());
  ASSERT_EQ(arguments_.request.parcels_size(), 2);
  const v1::GrammarParcel& parcel = arguments_.request.parcels(1);
  EXPECT_EQ(FloatsOf(parcel.polygon()), (Floats{-5, 10, 5, 10, 5, -10}));
  EXPECT_EQ(parcel.height(), 9);
  EXPECT_EQ(parcel.ground(), 1);
  EXPECT_EQ(IdsOf(arguments_.request), (std::vector<std::uint64_t>{40, 40}));
}

TEST_F(ParcelInputs, GiveAttributesTheirValues) {
  ASSERT_EQ(ReadInputs(arguments_, parcels_), absl::OkStatus());
  v1::CompileGrammarResponse grammar;
  for (const char* const name : {"floors", "style"}) {
    v1::GrammarAttribute& attribute = *grammar.add_attributes();
    attribute.set_name(name);
    attribute.set_value(7);
  }
  v1::DeriveGrammarRequest request;
  ASSERT_EQ(AddAttributes(arguments_, parcels_, grammar, request), absl::OkStatus());
  ASSERT_EQ(request.values_size(), 1) << "the grammar has no age";
  EXPECT_EQ(request.values(0).attribute(), "floors");
  EXPECT_EQ(FloatsOf(request.values(0).values()), (Floats{2, 7}));

  arguments_.attributes = {{"floors", 5}, {"odd", 1}};
  request.clear_values();
  ASSERT_EQ(AddAttributes(arguments_, parcels_, grammar, request), absl::OkStatus());
  ASSERT_EQ(request.values_size(), 2);
  EXPECT_EQ(FloatsOf(request.values(0).values()), (Floats{5})) << "instead of those of the file";
  EXPECT_EQ(request.values(1).attribute(), "odd") << "the service refuses it";
}

TEST_F(ParcelInputs, RefuseAttributesThatAreNoNumbers) {
  ASSERT_EQ(ReadInputs(arguments_, parcels_), absl::OkStatus());
  parcels_.others = {{"floors", "features[1].properties.floors: \"many\", expected a number"}};
  v1::CompileGrammarResponse grammar;
  v1::DeriveGrammarRequest request;
  ASSERT_EQ(AddAttributes(arguments_, parcels_, grammar, request), absl::OkStatus())
      << "it is the name of no attribute";
  grammar.add_attributes()->set_name("floors");
  EXPECT_EQ(
      AddAttributes(arguments_, parcels_, grammar, request).message(),
      arguments_.parcels_file + ": features[1].properties.floors: \"many\", expected a number");
  arguments_.attributes = {{"floors", 2}};
  EXPECT_EQ(AddAttributes(arguments_, parcels_, grammar, request), absl::OkStatus())
      << "the flag replaces it";
}

TEST_F(ParcelInputs, TellOfPropertiesThatAreNoAttributes) {
  ASSERT_EQ(ReadInputs(arguments_, parcels_), absl::OkStatus());
  parcels_.others["name"] = "";
  v1::CompileGrammarResponse grammar;
  grammar.add_attributes()->set_name("floors");
  EXPECT_EQ(
      NoteOfProperties(arguments_, parcels_, grammar),
      arguments_.parcels_file + ": properties that are no attributes of the grammar: age, name");
  for (const char* const name : {"age", "name"}) grammar.add_attributes()->set_name(name);
  EXPECT_EQ(NoteOfProperties(arguments_, parcels_, grammar), "");
  for (int i = 10; i < 40; ++i) parcels_.others["p" + std::to_string(i)] = "";
  const std::string note = NoteOfProperties(arguments_, parcels_, grammar);
  EXPECT_NE(note.find("p28, p29 and 10 more"), std::string::npos) << note;
}

TEST_F(ParcelInputs, NameTheFileThatIsWrong) {
  std::ofstream(arguments_.parcels_file) << "{}";
  EXPECT_NE(ReadInputs(arguments_, parcels_).message().find("request.geojson: type"),
            std::string::npos);
  arguments_.view_file = "/nowhere.json";
  EXPECT_EQ(ReadInputs(arguments_, parcels_).code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace warpyard::cli
