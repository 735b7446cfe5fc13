// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/occlusion/city_volumes.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/workload/grammar/code/code.h"

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
  Instance coarse = Volume(0, 80);
  coarse.flags = kCoarse;
  volumes.Add(std::vector<Instance>{coarse});
  EXPECT_TRUE(SeenFrom(volumes, ViewFrom(2, -20), {true, true})[1]) << "a limit made it";
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
