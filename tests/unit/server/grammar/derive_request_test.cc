// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/grammar/derive_request.h"

#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::server {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::uint64_t kMostInstances = 1000;
constexpr float kFloatNan = std::numeric_limits<float>::quiet_NaN();

grammar::GrammarInfo Info() {
  grammar::GrammarInfo info;
  info.rules = {"Lot"};
  info.attributes = {{"floors", 3, 1, 40}, {"width", 2, 0.5f, 10}};
  info.styles = {{"old", {{0, 2}, {1, 4}}}};
  info.reports = {"area"};
  return info;
}

v1::DeriveGrammarRequest Request(int parcels = 1) {
  v1::DeriveGrammarRequest request;
  for (int i = 0; i < parcels; ++i) request.add_parcels();
  return request;
}

void AddValues(v1::DeriveGrammarRequest& request, const std::string& attribute,
               const std::vector<float>& values) {
  v1::GrammarValues& to = *request.add_values();
  to.set_attribute(attribute);
  to.mutable_values()->Assign(values.begin(), values.end());
}

absl::StatusOr<grammar::DeriveOptions> Convert(const v1::DeriveGrammarRequest& request) {
  std::vector<grammar::Parcel> parcels(static_cast<std::size_t>(request.parcels_size()));
  return ToDeriveOptions(request, std::move(parcels), Info(), kMostInstances);
}

/// What is wrong with a request for two parcels that a function has broken.
std::string ErrorOf(const std::function<void(v1::DeriveGrammarRequest&)>& break_it) {
  v1::DeriveGrammarRequest request = Request(2);
  break_it(request);
  const absl::Status status = Convert(request).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  return std::string(status.message());
}

TEST(ToDeriveOptions, HasTheDefaultsOfTheContract) {
  const auto options = Convert(Request());
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->seed, 0u);
  EXPECT_EQ(options->parcels.size(), 1u);
  EXPECT_THAT(options->attributes, IsEmpty());
  EXPECT_FALSE(options->view.has_value());
  EXPECT_EQ(options->on_limit, grammar::OnLimit::kFail);
  EXPECT_EQ(options->max_depth, 256u);
  EXPECT_EQ(options->max_instances, kMostInstances);
  EXPECT_EQ(options->max_bytes, 1u << 30);
}

TEST(ToDeriveOptions, TakesEveryField) {
  v1::DeriveGrammarRequest request = Request(2);
  request.set_seed(9);
  request.set_on_limit(v1::ON_LIMIT_COARSE);
  request.set_max_depth(7);
  request.set_max_instances(8);
  request.set_max_bytes(16 << 20);
  v1::GrammarView& view = *request.mutable_view();
  for (const float number : {1.f, 2.f, 3.f}) view.add_position(number);
  for (const float number : {0.f, 1.f, 0.f, 5.f, 1.f, 0.f, 0.f, 6.f}) view.add_planes(number);
  view.set_pixels(500);
  const auto options = Convert(request);
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->seed, 9u);
  EXPECT_EQ(options->on_limit, grammar::OnLimit::kCoarse);
  EXPECT_EQ(options->max_depth, 7u);
  EXPECT_EQ(options->max_instances, 8u);
  EXPECT_EQ(options->max_bytes, 16u << 20);
  ASSERT_TRUE(options->view.has_value());
  EXPECT_THAT(options->view->position, ElementsAre(1, 2, 3));
  ASSERT_EQ(options->view->planes.size(), 2u);
  EXPECT_THAT(options->view->planes[1], ElementsAre(1, 0, 0, 6));
  EXPECT_EQ(options->view->pixels, 500);
  EXPECT_EQ(options->view->least_pixels, 1);
  EXPECT_FALSE(options->view->hide_occluded);
  request.mutable_view()->set_hide_occluded(true);
  EXPECT_TRUE(Convert(request)->view->hide_occluded);
}

TEST(ToDeriveOptions, LetsValuesReplaceThoseOfAStyle) {
  v1::DeriveGrammarRequest request = Request(2);
  request.set_style("old");
  AddValues(request, "floors", {5, 6});
  const auto options = Convert(request);
  ASSERT_TRUE(options.ok()) << options.status();
  ASSERT_EQ(options->attributes.size(), 2u);
  EXPECT_EQ(options->attributes[0].attribute, 1u);
  EXPECT_THAT(options->attributes[0].values, ElementsAre(4));
  EXPECT_EQ(options->attributes[1].attribute, 0u);
  EXPECT_THAT(options->attributes[1].values, ElementsAre(5, 6));
}

TEST(ToDeriveOptions, NamesWhatIsWrongWithValues) {
  EXPECT_THAT(ErrorOf([](auto& r) { AddValues(r, "flors", {1}); }),
              HasSubstr("values[0].attribute: the grammar has no 'flors', did you mean 'floors'?"));
  EXPECT_THAT(ErrorOf([](auto& r) { AddValues(r, "", {1}); }), HasSubstr("has no ''"));
  EXPECT_THAT(ErrorOf([](auto& r) { r.set_style("odl"); }),
              HasSubstr("style: the grammar has no 'odl', did you mean 'old'?"));
  EXPECT_THAT(ErrorOf([](auto& r) {
                AddValues(r, "floors", {1, 2, 3});
              }),
              HasSubstr("values[0].values: 3 numbers for 'floors', expected 1 or one for each of 2 "
                        "parcels"));
  EXPECT_THAT(ErrorOf([](auto& r) { AddValues(r, "floors", {}); }), HasSubstr("0 numbers"));
  EXPECT_THAT(ErrorOf([](auto& r) {
                AddValues(r, "floors", {1, 41});
              }),
              HasSubstr("values[0].values[1]: 41 for 'floors', expected from 1 to 40"));
  EXPECT_THAT(ErrorOf([](auto& r) { AddValues(r, "floors", {kFloatNan}); }), HasSubstr("nan"));
  EXPECT_THAT(ErrorOf([](auto& r) {
                AddValues(r, "width", {1});
                AddValues(r, "width", {2});
              }),
              HasSubstr("values[1].attribute: 'width' was there before"));
}

TEST(ToDeriveOptions, NamesTheLimitThatIsWrong) {
  EXPECT_THAT(ErrorOf([](auto& r) { r.clear_parcels(); }), HasSubstr("parcels: 0"));
  EXPECT_THAT(ErrorOf([](auto& r) { r.set_max_depth(257); }), HasSubstr("max_depth: 257"));
  EXPECT_THAT(ErrorOf([](auto& r) { r.set_max_instances(1001); }),
              HasSubstr("max_instances: 1001, expected at most 1000 (--max-instances)"));
  EXPECT_THAT(ErrorOf([](auto& r) { r.set_max_bytes(1000); }), HasSubstr("max_bytes: 1000"));
  EXPECT_THAT(ErrorOf([](auto& r) { r.set_on_limit(static_cast<v1::OnLimit>(9)); }),
              HasSubstr("on_limit: unknown value 9"));
}

TEST(ToDeriveOptions, NamesWhatIsWrongWithAView) {
  const auto error = [](const std::function<void(v1::GrammarView&)>& break_it) {
    return ErrorOf([&](v1::DeriveGrammarRequest& request) {
      v1::GrammarView& view = *request.mutable_view();
      for (int axis = 0; axis < 3; ++axis) view.add_position(0);
      view.set_pixels(100);
      break_it(view);
    });
  };
  EXPECT_THAT(error([](auto& v) { v.clear_position(); }), HasSubstr("view.position: 0 numbers"));
  EXPECT_THAT(error([](auto& v) { v.set_position(0, kFloatNan); }), HasSubstr("view.position"));
  EXPECT_THAT(error([](auto& v) { v.add_planes(1); }), HasSubstr("view.planes: 1 numbers"));
  EXPECT_THAT(error([](auto& v) { v.mutable_planes()->Resize(36, 1); }),
              HasSubstr("view.planes: 9 planes, expected 8"));
  EXPECT_THAT(error([](auto& v) { v.mutable_planes()->Resize(4, kFloatNan); }),
              HasSubstr("view.planes"));
  EXPECT_THAT(error([](auto& v) { v.set_pixels(0); }), HasSubstr("view.pixels: missing or 0"));
  EXPECT_THAT(error([](auto& v) { v.set_pixels(-1); }), HasSubstr("view.pixels: -1"));
  EXPECT_THAT(error([](auto& v) { v.set_least_pixels(-1); }), HasSubstr("view.least_pixels: -1"));
}

TEST(StatisticsBytes, CountsReportsOfEachParcel) {
  EXPECT_EQ(StatisticsBytes(Info(), 1000), 8 * 1000 + 48u);
}

}  // namespace
}  // namespace warpyard::server
