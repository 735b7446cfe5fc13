// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/grammar/parcels.h"

#include <cmath>
#include <functional>
#include <initializer_list>
#include <limits>
#include <numbers>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::server {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatEq;
using ::testing::FloatNear;
using ::testing::HasSubstr;

constexpr float kNoNumber = std::numeric_limits<float>::quiet_NaN();

void Set(google::protobuf::RepeatedField<float>* field, std::initializer_list<float> numbers) {
  field->Assign(numbers.begin(), numbers.end());
}

v1::GrammarParcel Box() {
  v1::GrammarParcel parcel;
  Set(parcel.mutable_position(), {1, 2, 3});
  Set(parcel.mutable_size(), {10, 20, 30});
  return parcel;
}

v1::GrammarParcel Square() {
  v1::GrammarParcel parcel;
  Set(parcel.mutable_polygon(), {0, 0, 10, 0, 10, 10, 0, 10});
  parcel.set_height(5);
  return parcel;
}

absl::StatusOr<grammar::Parcel> One(const v1::GrammarParcel& parcel) { return ToParcel(parcel, 0); }

/// What is wrong with a parcel that a function has broken.
std::string ErrorOf(v1::GrammarParcel parcel,
                    const std::function<void(v1::GrammarParcel&)>& break_it) {
  break_it(parcel);
  const absl::Status status = One(parcel).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  return std::string(status.message());
}

TEST(ToParcel, TakesBoxes) {
  const auto parcel = One(Box());
  ASSERT_TRUE(parcel.ok()) << parcel.status();
  EXPECT_THAT(parcel->position, ElementsAre(1, 2, 3));
  EXPECT_THAT(parcel->rotation, ElementsAre(0, 0, 0, 1));
  EXPECT_THAT(parcel->size, ElementsAre(10, 20, 30));
}

TEST(ToParcel, TurnsAboutTheYAxis) {
  for (const float yaw : {0.f, 90.f, -45.f, 360.f, 450.f, 180.f, -180.f, 7200.f}) {
    v1::GrammarParcel box = Box();
    box.set_yaw(yaw);
    const auto parcel = One(box);
    ASSERT_TRUE(parcel.ok());
    // A quaternion and its negative are the same rotation.
    const double angle = 2 * std::atan2(parcel->rotation[1], parcel->rotation[3]);
    EXPECT_NEAR(std::remainder(angle - yaw * std::numbers::pi / 180, 2 * std::numbers::pi), 0, 1e-6)
        << yaw;
    EXPECT_EQ(parcel->rotation[0], 0);
    EXPECT_EQ(parcel->rotation[2], 0);
  }
  v1::GrammarParcel box = Box();
  box.set_yaw(180);
  EXPECT_THAT(One(box)->rotation, ElementsAre(0, 1, 0, 0));
}

TEST(ToParcel, NumbersItUnlessItHasAnId) {
  v1::GrammarParcel box = Box();
  EXPECT_EQ(ToParcel(box, 5)->id, 5u);
  box.set_id(0);
  EXPECT_EQ(ToParcel(box, 5)->id, 0u);
}

TEST(ToParcel, TakesPolygons) {
  v1::GrammarParcel square = Square();
  square.set_ground(-2);
  const auto parcel = One(square);
  ASSERT_TRUE(parcel.ok()) << parcel.status();
  EXPECT_THAT(parcel->position, ElementsAre(0, -2, 0));
  EXPECT_THAT(parcel->rotation, ElementsAre(0, 0, 0, 1));
  EXPECT_THAT(parcel->size, ElementsAre(10, 5, 10));
}

TEST(ToParcel, GivesPolygonsTheRotationThatYawWouldGive) {
  // A box of 20 m by 8 m at (5, 6), with a yaw of 30 degrees, which turns x away from z.
  const double c = std::cos(std::numbers::pi / 6), s = std::sin(std::numbers::pi / 6);
  v1::GrammarParcel polygon;
  for (const auto& [x, z] :
       {std::pair(0, 0), std::pair(20, 0), std::pair(20, 8), std::pair(0, 8)}) {
    polygon.add_polygon(static_cast<float>(5 + x * c + z * s));
    polygon.add_polygon(static_cast<float>(6 - x * s + z * c));
  }
  polygon.set_height(3);
  v1::GrammarParcel box;
  Set(box.mutable_position(), {5, 0, 6});
  Set(box.mutable_size(), {20, 3, 8});
  box.set_yaw(30);
  const auto expected = One(box), found = One(polygon);
  ASSERT_TRUE(expected.ok());
  ASSERT_TRUE(found.ok()) << found.status();
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(found->rotation[i], expected->rotation[i], 1e-6);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(found->position[i], expected->position[i], 1e-5);
    EXPECT_NEAR(found->size[i], expected->size[i], 1e-5);
  }
}

TEST(ToParcel, NamesTheFieldOfABoxThatIsWrong) {
  const auto error = [](auto&& break_it) { return ErrorOf(Box(), break_it); };
  EXPECT_THAT(error([](auto& p) { p.add_position(1); }),
              HasSubstr("parcels[0].position: 4 numbers, expected x y z"));
  EXPECT_THAT(error([](auto& p) { p.set_position(1, kNoNumber); }),
              HasSubstr("parcels[0].position: nan, expected from -1e+07 to 1e+07"));
  EXPECT_THAT(error([](auto& p) { p.set_position(1, 10'000'001); }),
              HasSubstr("position: 10000001, expected"));
  EXPECT_THAT(error([](auto& p) { p.clear_size(); }), HasSubstr("size: 0 numbers"));
  EXPECT_THAT(error([](auto& p) { p.set_size(2, 0); }),
              HasSubstr("parcels[0].size: 0, expected more than 0 and at most 1e+07"));
  EXPECT_THAT(error([](auto& p) { p.set_size(2, -1); }), HasSubstr("size: -1"));
  EXPECT_THAT(error([](auto& p) { p.set_size(2, kNoNumber); }), HasSubstr("size: nan"));
  EXPECT_THAT(error([](auto& p) { p.set_size(0, 2e7f); }), HasSubstr("size: 2e+07"));
  EXPECT_THAT(error([](auto& p) { p.set_yaw(kNoNumber); }), HasSubstr("yaw: nan"));
  EXPECT_THAT(error([](auto& p) { p.set_height(2); }), HasSubstr("height: 2 without a polygon"));
  v1::GrammarParcel at_origin = Box();
  at_origin.clear_position();
  EXPECT_THAT(One(at_origin)->position, ElementsAre(0, 0, 0));
  at_origin.set_size(0, 1e7f);
  EXPECT_TRUE(One(at_origin).ok());
}

TEST(ToParcel, NamesTheFieldOfAPolygonThatIsWrong) {
  const auto error = [](auto&& break_it) { return ErrorOf(Square(), break_it); };
  EXPECT_THAT(error([](auto& p) { p.add_polygon(1); }),
              HasSubstr("parcels[0].polygon: 9 numbers, expected x z of 3 to 4096 corners"));
  EXPECT_THAT(error([](auto& p) { p.mutable_polygon()->Truncate(4); }),
              HasSubstr("polygon: 4 numbers"));
  EXPECT_THAT(error([](auto& p) { p.mutable_polygon()->Resize(2 * 4097, 1); }),
              HasSubstr("polygon: 8194 numbers"));
  EXPECT_THAT(error([](auto& p) { p.set_polygon(3, kNoNumber); }), HasSubstr("polygon: nan"));
  EXPECT_THAT(error([](auto& p) { p.set_polygon(3, 2e7f); }), HasSubstr("polygon: 2e+07"));
  EXPECT_THAT(error([](auto& p) { p.set_height(0); }), HasSubstr("height: 0, expected more than"));
  EXPECT_THAT(error([](auto& p) { p.set_ground(kNoNumber); }), HasSubstr("ground: nan"));
  EXPECT_THAT(error([](auto& p) { p.set_yaw(1); }), HasSubstr("polygon: set beside position"));
  EXPECT_THAT(error([](auto& p) {
                Set(p.mutable_polygon(), {0, 0, 1, 1, 2, 2});
              }),
              HasSubstr("polygon: the rectangle around it is "));
  EXPECT_THAT(error([](auto& p) {
                Set(p.mutable_polygon(), {-1e7f, 0, 0, -1e7f, 1e7f, 0, 0, 1e7f});
              }),
              HasSubstr("polygon: a side of the rectangle: "));
}

}  // namespace
}  // namespace warpyard::server
