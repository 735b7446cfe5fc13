// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/geometry/positions_view.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

namespace warpyard::geometry {
namespace {

TEST(PositionAt, ReadsFloatsAndDoubles) {
  const float floats[] = {1, 2, 3, 0.1f, 5, 6};
  const Vector3d from_floats = PositionAt({ScalarType::kFloat32, floats, 2}, 1);
  EXPECT_EQ(from_floats.x, static_cast<double>(0.1f));
  EXPECT_EQ(from_floats.z, 6);
  const double doubles[] = {1, 2, 3, 0.1, 5, 6};
  EXPECT_EQ(PositionAt({ScalarType::kFloat64, doubles, 2}, 1).x, 0.1);
}

TEST(PositionAt, ReadsPlacesInABox) {
  const std::uint16_t places[] = {0, 65535, 13107};
  const QuantizationBox box = {{-1, 2, 0}, {1, 4, 10}};
  const Vector3d position = PositionAt({ScalarType::kQuantized16, places, 1, box}, 0);
  EXPECT_EQ(position.x, -1);
  EXPECT_EQ(position.y, 4);
  EXPECT_EQ(position.z, 10.0 / 65535 * 13107);
}

TEST(PositionAt, TakesDataThatIsNotAligned) {
  const double xyz[] = {1, 2, 3};
  char bytes[1 + sizeof xyz];
  std::memcpy(bytes + 1, xyz, sizeof xyz);
  EXPECT_EQ(PositionAt({ScalarType::kFloat64, bytes + 1, 1}, 0).y, 2);
}

}  // namespace
}  // namespace warpyard::geometry
