// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/grammar/parse_parcels.h"

#include <cstddef>
#include <random>
#include <string>

#include "gmock/gmock.h"
#include "grpcpp/support/slice.h"
#include "gtest/gtest.h"

namespace warpyard::server {
namespace {

using ::testing::HasSubstr;

/// A request and its parcels, once parsed.
struct Parsed {
  absl::Status status;
  v1::DeriveGrammarRequest request;
  std::vector<grammar::Parcel> parcels;
};

/// @shape slice: bytes that are in one piece of memory; messages go over the borders
Parsed ParseBytes(const std::string& bytes, std::size_t slice = 7) {
  std::vector<grpc::Slice> slices;
  for (std::size_t i = 0; i < bytes.size(); i += slice) slices.emplace_back(bytes.substr(i, slice));
  grpc::ByteBuffer buffer(slices.data(), slices.size());
  Parsed parsed;
  parsed.status = ParseParcels(&buffer, &parsed.request, &parsed.parcels);
  return parsed;
}

v1::DeriveGrammarRequest ThreeParcels() {
  v1::DeriveGrammarRequest request;
  request.set_grammar("grammar-1");
  request.set_seed(5);
  for (int i = 0; i < 3; ++i) {
    v1::GrammarParcel& parcel = *request.add_parcels();
    for (const int size : {1, 2, 3}) parcel.add_size(static_cast<float>(size + i));
  }
  request.mutable_parcels(1)->set_id(9);
  request.mutable_parcels(1)->set_yaw(180);
  request.set_style("old");
  request.add_values()->add_values(4);
  return request;
}

TEST(ParseParcels, TakesParcelsOutOfTheRequest) {
  v1::DeriveGrammarRequest request = ThreeParcels();
  const Parsed parsed = ParseBytes(request.SerializeAsString());
  ASSERT_TRUE(parsed.status.ok()) << parsed.status;
  ASSERT_EQ(parsed.parcels.size(), 3u);
  EXPECT_EQ(parsed.parcels[2].size[0], 3);
  EXPECT_EQ(parsed.parcels[0].id, 0u);
  EXPECT_EQ(parsed.parcels[1].id, 9u);
  EXPECT_EQ(parsed.parcels[2].id, 2u);
  EXPECT_EQ(parsed.parcels[1].rotation[1], 1);
  EXPECT_EQ(parsed.parcels[2].rotation[1], 0) << "nothing is left of the parcel before";
  request.clear_parcels();
  EXPECT_EQ(parsed.request.SerializeAsString(), request.SerializeAsString());
}

TEST(ParseParcels, TakesFieldsInAnyOrder) {
  v1::DeriveGrammarRequest seed;
  seed.set_seed(6);
  const std::string bytes = ThreeParcels().SerializeAsString();
  const Parsed parsed = ParseBytes(bytes + seed.SerializeAsString() + bytes);
  ASSERT_TRUE(parsed.status.ok());
  EXPECT_EQ(parsed.parcels.size(), 6u);
  EXPECT_EQ(parsed.parcels[5].id, 5u);
  EXPECT_EQ(parsed.request.values_size(), 2);
}

TEST(ParseParcels, NamesTheParcelThatIsWrong) {
  v1::DeriveGrammarRequest request = ThreeParcels();
  request.mutable_parcels(2)->set_size(1, -1);
  EXPECT_THAT(std::string(ParseBytes(request.SerializeAsString()).status.message()),
              HasSubstr("parcels[2].size: -1"));
}

TEST(ParseParcels, LimitsTheirNumber) {
  const std::string parcel = [] {
    v1::DeriveGrammarRequest request = ThreeParcels();
    v1::DeriveGrammarRequest one;
    *one.add_parcels() = request.parcels(0);
    return one.SerializeAsString();
  }();
  std::string bytes;
  for (std::size_t i = 0; i < grammar::kMostBuildings; ++i) bytes += parcel;
  EXPECT_EQ(ParseBytes(bytes, 100'000).parcels.size(), grammar::kMostBuildings);
  EXPECT_EQ(ParseBytes(bytes + parcel, 100'000).status.message(),
            "parcels: more than 4194304, expected at most as many");
}

TEST(ParseParcels, RefusesDamagedBytes) {
  const std::string bytes = ThreeParcels().SerializeAsString();
  std::mt19937 random(3);
  for (int round = 0; round < 3000; ++round) {
    std::string damaged = bytes;
    damaged.resize(random() % (bytes.size() + 1));
    for (int i = 0; i < 2 && !damaged.empty(); ++i) {
      damaged[random() % damaged.size()] = static_cast<char>(random());
    }
    const Parsed parsed = ParseBytes(damaged);
    v1::DeriveGrammarRequest whole;
    const bool is_valid = whole.ParseFromString(damaged);
    if (!is_valid) {
      EXPECT_EQ(parsed.status.code(), absl::StatusCode::kInvalidArgument);
    } else if (parsed.status.ok()) {
      EXPECT_EQ(parsed.parcels.size(), static_cast<std::size_t>(whole.parcels_size()));
    }
  }
  EXPECT_EQ(ParseBytes("\xff\xff").status.message(),
            "the request is not a valid warpyard.v1.DeriveGrammarRequest message");
}

}  // namespace
}  // namespace warpyard::server
