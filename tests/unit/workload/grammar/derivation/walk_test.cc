// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/derivation/walk.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/grammar/derive_driver.h"
#include "tests/support/grammar/showcase.h"

namespace warpyard {
namespace {

using grammar::DeriveOptions;
using grammar::Instance;
using grammar::View;
using grammar::ViewChange;
using test_support::DeriveDriver;
using test_support::kShowcase;

// Three distances at which something changes, one of them at random.
constexpr char kDetails[] = R"(
wyg 1;
attr high = 3 in [2..9];
start Lot;
rule Lot = size(0, 0.5 * sy + 0.5 * high, 0) Mass;
@lod(4) rule Mass = comp { side : Wall | top : box(roof) };
@lod(1.5) rule Wall = repeat(y, high) { Storey };
rule Storey = { 60% : repeat(x, 2) { Tile } | else : box(wall) };
@lod(0.5) rule Tile = border(0.2) { edge : box(frame) | inside : quad(glass) };
)";

/// A square of lots with gaps.
DeriveOptions Square(std::uint32_t side) {
  DeriveOptions options = test_support::Lots(side * side, 20, 30, 20);
  for (std::uint32_t i = 0; i < side * side; ++i) {
    options.parcels[i].position[0] = static_cast<float>(i % side) * 30;
    options.parcels[i].position[2] = static_cast<float>(i / side) * 30;
  }
  return options;
}

/// A camera that sees a quarter of the directions. @shape angle: radians about y
View Camera(float x, float y, float z, float angle) {
  View view;
  view.position[0] = x;
  view.position[1] = y;
  view.position[2] = z;
  for (const float side : {-0.785f, 0.785f}) {
    const float a = std::cos(angle + side), c = std::sin(angle + side);
    view.planes.push_back({a, 0, c, -(a * x + c * z)});
  }
  view.pixels = 100;
  return view;
}

/// What a client has that follows a camera.
class Client {
 public:
  Client(const std::string& text, DeriveOptions city) : walk_(city), city_(std::move(city)) {
    const absl::Status opened = driver_.Open(text);
    if (!opened.ok()) throw std::runtime_error(opened.ToString());
  }

  absl::StatusOr<grammar::DeriveStatistics> Show(const View& view) {
    const grammar::TakeView take = {
        [this](const ViewChange& change, const procedure::CancelToken&) {
          for (const std::uint32_t b : change.hidden) EXPECT_EQ(shown_.erase(b), 1u);
          for (const std::uint32_t b : change.changed) shown_[b].clear();
          changed = change.changed.size();
          return absl::OkStatus();
        },
        [this](grammar::DerivedBatch batch, const procedure::CancelToken&) {
          for (const Instance& instance : batch.instances) {
            shown_.at(instance.building).push_back(instance);
          }
          return absl::OkStatus();
        }};
    return walk_.Show(driver_.grammar(), driver_.runner(), view, take, driver_.token());
  }

  /// Whether it has what a derivation of the whole city gives.
  bool HasAllOf(const View& view) {
    DeriveOptions whole = city_;
    whole.view = view;
    const auto derived = driver_.Derive(whole);
    EXPECT_TRUE(derived.ok()) << derived.status();
    std::vector<Instance> shown;
    for (const auto& [building, instances] : shown_) {
      shown.insert(shown.end(), instances.begin(), instances.end());
    }
    return derived.ok() && shown.size() == derived->instances.size() &&
           std::memcmp(shown.data(), derived->instances.data(), shown.size() * sizeof(Instance)) ==
               0;
  }

  std::size_t changed = 0;  ///< buildings, by the last view

 private:
  DeriveDriver driver_;
  grammar::Walk walk_;
  const DeriveOptions city_;
  std::map<std::uint32_t, std::vector<Instance>> shown_;
};

TEST(Walk, ShowsWhatADerivationOfTheWholeCityGives) {
  for (const char* const text : {kDetails, kShowcase}) {
    Client client(text, Square(12));
    std::mt19937 random(5);
    std::uniform_real_distribution<float> place(-100, 460), angle(0, 6), step(-8, 8);
    View view = Camera(180, 2, 180, 0);
    std::size_t changed = 0, views = 0;
    for (int i = 0; i < 40; ++i) {
      const bool jumps = i % 10 == 0;
      view = Camera(jumps ? place(random) : view.position[0] + step(random), 2,
                    jumps ? place(random) : view.position[2] + step(random),
                    static_cast<float>(i) * 0.1f);
      const auto statistics = client.Show(view);
      ASSERT_TRUE(statistics.ok()) << statistics.status();
      EXPECT_TRUE(client.HasAllOf(view)) << i;
      EXPECT_EQ(statistics->kept + statistics->buildings + statistics->culled, 144u);
      if (!jumps) changed += client.changed, ++views;
    }
    EXPECT_LT(changed, views * 36) << "a quarter of the buildings is seen, and most do not change";
  }
}

// Houses of random heights.
constexpr char kHouses[] = R"(
wyg 1;
stage mass, build;
start Lot;
rule Lot : mass = report(lots, 1) size(0, rand(4, 12), 0) volume(house) House;
@lod(3) rule House : build = comp { side : repeat(y, 3) { repeat(x, 2) { quad(glass) } } | top : box };
)";

TEST(Walk, LeavesOutWhatOthersHide) {
  DeriveOptions city = Square(12);
  for (grammar::Parcel& parcel : city.parcels) parcel.size[1] = 0;
  Client client(kHouses, city);
  std::uint32_t occluded = 0;
  for (int i = 0; i < 30; ++i) {
    // Along a street.
    View view = Camera(24, 1.7f, static_cast<float>(10 * i), static_cast<float>(i) * 0.4f);
    view.hide_occluded = i % 7 != 6;
    const auto statistics = client.Show(view);
    ASSERT_TRUE(statistics.ok()) << statistics.status();
    EXPECT_TRUE(client.HasAllOf(view)) << i;
    EXPECT_EQ(statistics->kept + statistics->buildings + statistics->culled, 144u);
    EXPECT_LE(statistics->occluded, statistics->culled);
    if (!view.hide_occluded) {
      EXPECT_EQ(statistics->occluded, 0u);
    }
    occluded += statistics->occluded;
  }
  EXPECT_GT(occluded, 30u * 10);
}

TEST(Walk, DerivesNothingForTheSameViewAgain) {
  Client client(kDetails, Square(6));
  const View view = Camera(60, 2, -20, 1.57f);
  ASSERT_TRUE(client.Show(view).ok());
  EXPECT_GT(client.changed, 0u);
  const auto again = client.Show(view);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(client.changed, 0u);
  EXPECT_EQ(again->terminals, 0u);
  EXPECT_GT(again->kept, 0u);
}

TEST(Walk, DerivesAgainWhereDetailsGetLarger) {
  Client client(kDetails, Square(6));
  View view = Camera(60, 2, -20, 1.57f);
  ASSERT_TRUE(client.Show(view).ok());
  view.pixels = 250;
  ASSERT_TRUE(client.Show(view).ok());
  EXPECT_GT(client.changed, 0u);
  EXPECT_TRUE(client.HasAllOf(view));
}

TEST(Walk, KeepsAttributesAndSharesOfBuildings) {
  DeriveOptions city = Square(5);
  grammar::AttributeColumn floors;
  for (std::uint32_t i = 0; i < 25; ++i) floors.values.push_back(2 + static_cast<float>(i % 7));
  city.attributes = {floors};
  city.on_limit = grammar::OnLimit::kCoarse;
  city.max_instances = 25 * 100;  // many buildings have more than their share
  Client client(kDetails, city);
  for (int i = 0; i < 6; ++i) {
    const View view = Camera(static_cast<float>(10 * i), 2, -10, 1.57f);
    ASSERT_TRUE(client.Show(view).ok());
    EXPECT_TRUE(client.HasAllOf(view)) << i;
  }
}

TEST(Walk, NamesParcelsAsTheRequestDoes) {
  DeriveOptions city = Square(4);
  Client client("wyg 1; start Lot; rule Lot = Again; rule Again = Again;", city);
  View view;
  view.planes = {{0, 0, 1, -85}};  // the last row alone
  const auto failed = client.Show(view);
  EXPECT_EQ(failed.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_NE(failed.status().message().find("parcel 12"), std::string::npos) << failed.status();
}

TEST(Walk, ChecksItsViews) {
  Client client(kDetails, Square(2));
  View view;
  view.pixels = -1;
  EXPECT_EQ(client.Show(view).status().code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace warpyard
