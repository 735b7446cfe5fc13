// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/occlusion/city_volumes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "core/workload/grammar/code/code.h"
#include "tests/support/grammar/rays.h"

namespace warpyard::grammar {
namespace {

/// Flat parcels of 10 x 10 m, one behind the other along z.
std::vector<Parcel> Row(std::uint32_t count) {
  std::vector<Parcel> parcels(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    parcels[i].position[2] = static_cast<float>(20 * i);
    parcels[i].size[0] = parcels[i].size[2] = 10;
    parcels[i].size[1] = 0;
  }
  return parcels;
}

/// A volume on all of a parcel of the row.
Instance Volume(std::uint32_t building, float height, VolumeKind kind = VolumeKind::kOpaque) {
  Instance box{};
  box.position[2] = static_cast<float>(20 * building);
  box.rotation[3] = 1;
  box.size[0] = box.size[2] = 10;
  box.size[1] = height;
  box.material = static_cast<std::uint16_t>(kind);
  box.building = building;
  return box;
}

View ViewFrom(float y, float z) {
  View view;
  view.position[0] = 5;
  view.position[1] = y;
  view.position[2] = z;
  return view;
}

std::vector<bool> SeenFrom(const CityVolumes& volumes, const View& view, std::vector<bool> seen) {
  const procedure::CancelToken token;
  const auto before = std::count(seen.begin(), seen.end(), true);
  const auto hidden = volumes.RemoveHidden(view, token, seen);
  EXPECT_TRUE(hidden.ok());
  EXPECT_EQ(std::count(seen.begin(), seen.end(), true), before - *hidden);
  return seen;
}

TEST(CityVolumes, TheFirstHouseOfARowHidesTheOthers) {
  const std::vector<Parcel> row = Row(3);
  CityVolumes volumes(row);
  volumes.Add(std::vector<Instance>{Volume(0, 8), Volume(1, 8), Volume(2, 12)});
  const std::vector<bool> all(3, true);
  EXPECT_EQ(SeenFrom(volumes, ViewFrom(2, -20), all), (std::vector<bool>{true, false, false}));
  EXPECT_EQ(SeenFrom(volumes, ViewFrom(9, -20), all), (std::vector<bool>{true, true, true}));
  EXPECT_EQ(SeenFrom(volumes, ViewFrom(2, 80), all), (std::vector<bool>{false, false, true}));
}

TEST(CityVolumes, AHouseCountsWithAllOfItsVolumes) {
  const std::vector<Parcel> row = Row(2);
  CityVolumes volumes(row);
  volumes.Add(std::vector<Instance>{Volume(0, 8), Volume(1, 6)});
  EXPECT_FALSE(SeenFrom(volumes, ViewFrom(2, -20), {true, true})[1]);
  // A mast that looks over the first house.
  volumes.Add(std::vector<Instance>{Volume(1, 40, VolumeKind::kEnclosing)});
  EXPECT_TRUE(SeenFrom(volumes, ViewFrom(2, -20), {true, true})[1]);
}

TEST(CityVolumes, OnlyOpaqueVolumesHide) {
  const std::vector<Parcel> row = Row(2);
  CityVolumes volumes(row);
  volumes.Add(std::vector<Instance>{Volume(0, 80, VolumeKind::kEnclosing), Volume(1, 6)});
  EXPECT_TRUE(SeenFrom(volumes, ViewFrom(2, -20), {true, true})[1]);
}

TEST(CityVolumes, ABuildingWithTooManyVolumesHidesNothingAndIsNeverHidden) {
  const std::vector<Parcel> row = Row(3);
  CityVolumes volumes(row);
  Instance coarse = Volume(1, 8);
  coarse.flags = kCoarse;
  volumes.Add(std::vector<Instance>{Volume(0, 8), Volume(1, 8), coarse, Volume(2, 8)});
  EXPECT_EQ(SeenFrom(volumes, ViewFrom(2, -20), {true, true, true}),
            (std::vector<bool>{true, true, false}));
  EXPECT_TRUE(SeenFrom(volumes, ViewFrom(2, -20), {false, true, true})[2]);
}

TEST(CityVolumes, NoRayReachesAHiddenBuildingOfARandomCity) {
  std::mt19937 random(11);
  std::uniform_real_distribution<float> unit(0, 1);
  constexpr std::uint32_t kBuildings = 120;
  int hidden = 0;
  for (int city = 0; city < 20; ++city) {
    std::vector<Parcel> parcels(kBuildings);
    std::vector<Instance> boxes;
    for (std::uint32_t b = 0; b < kBuildings; ++b) {
      Parcel& parcel = parcels[b];
      // Far from the origin, and with rotations of three digits: not quite unit quaternions.
      parcel.position[0] = 1e5f + 200 * unit(random);
      parcel.position[2] = 200 * unit(random);
      const float angle = 3 * unit(random);
      parcel.rotation[1] = std::round(1000 * std::sin(angle)) / 1000;
      parcel.rotation[3] = std::round(1000 * std::cos(angle)) / 1000;
      for (float& size : parcel.size) size = 10 * unit(random);
      for (int i = 0; i < 3; ++i) {
        Instance box = Volume(b, 0, i == 2 ? VolumeKind::kEnclosing : VolumeKind::kOpaque);
        for (int axis = 0; axis < 3; ++axis) {
          box.position[axis] = parcel.position[axis] + 8 * unit(random) - 4;
          box.size[axis] = 20 * unit(random);
        }
        if (i == 1) box.size[0] = -box.size[0];  // mirrored
        std::copy(parcel.rotation, parcel.rotation + 4, box.rotation);
        boxes.push_back(box);
      }
    }
    CityVolumes volumes(parcels);
    volumes.Add(boxes);
    View view;
    view.position[0] = 1e5f + 200 * unit(random);
    view.position[1] = 10 * unit(random);
    view.position[2] = 200 * unit(random);
    const Vector3d eye = {view.position[0], view.position[1], view.position[2]};
    const std::vector<bool> seen = SeenFrom(volumes, view, std::vector<bool>(kBuildings, true));
    for (const Instance& box : boxes) {
      if (seen[box.building]) continue;
      ++hidden;
      for (int ray = 0; ray < 32; ++ray) {
        const Vector3d point = test_support::PointIn(BoxOf(box), random);
        ASSERT_TRUE(std::ranges::any_of(boxes, [&](const Instance& other) {
          return other.building != box.building &&
                 other.material == static_cast<std::uint16_t>(VolumeKind::kOpaque) &&
                 test_support::Meets(BoxOf(other), eye, point);
        }));
      }
    }
  }
  EXPECT_GT(hidden, 20 * 30);
}

TEST(CityVolumes, WhatTheViewDoesNotShowHidesNothing) {
  const std::vector<Parcel> row = Row(2);
  CityVolumes volumes(row);
  volumes.Add(std::vector<Instance>{Volume(0, 80), Volume(1, 6)});
  EXPECT_FALSE(SeenFrom(volumes, ViewFrom(2, -20), {true, true})[1]);
  EXPECT_TRUE(SeenFrom(volumes, ViewFrom(2, -20), {false, true})[1]) << "left out by planes";
  View view = ViewFrom(2, -20);
  view.planes = {{0, 0, 1, -5}};
  EXPECT_TRUE(SeenFrom(volumes, view, {true, true})[1]) << "the near plane cuts the house open";
  view.planes = {{0, 0, 1, 5}};
  EXPECT_FALSE(SeenFrom(volumes, view, {true, true})[1]);
}

TEST(CityVolumes, TheLargestVolumesOfABuildingHide) {
  const std::vector<Parcel> row = Row(2);
  CityVolumes volumes(row);
  std::vector<Instance> boxes(20, Volume(0, 1));
  boxes[13] = Volume(0, 80);
  boxes.push_back(Volume(1, 6));
  volumes.Add(boxes);
  EXPECT_EQ(SeenFrom(volumes, ViewFrom(2, -20), {true, true}), (std::vector<bool>{true, false}));
}

TEST(CityVolumes, PlanesThroughTheEyeCutNothingOff) {
  const std::vector<Parcel> row = Row(2);
  CityVolumes volumes(row);
  volumes.Add(std::vector<Instance>{Volume(0, 80), Volume(1, 6)});
  View view = ViewFrom(2, -20);
  for (const float angle : {0.3f, 0.7f, 1.1f, 2.1f, 2.6f}) {
    const float x = std::cos(angle), z = std::sin(angle);
    view.planes.push_back({x, 0, z, -(x * view.position[0] + z * view.position[2])});
  }
  EXPECT_FALSE(SeenFrom(volumes, view, {true, true})[1]);
}

TEST(CityVolumes, StopsWhenItIsCancelled) {
  const std::vector<Parcel> row = Row(1);
  const CityVolumes volumes(row);
  procedure::CancelToken token;
  token.Cancel();
  std::vector<bool> seen = {true};
  EXPECT_EQ(volumes.RemoveHidden(ViewFrom(2, -20), token, seen).status().code(),
            absl::StatusCode::kCancelled);
}

}  // namespace
}  // namespace warpyard::grammar
