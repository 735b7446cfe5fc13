// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/dispatch/placement.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace warpyard::dispatch {
namespace {

constexpr int kNormal = 2, kUrgent = 4;

DeviceLoad Idle(double power = 1, std::uint32_t scenes = 0) { return {0, scenes, 0, 0, power}; }
DeviceLoad Busy(std::uint32_t events, double seconds, int urgency = kNormal) {
  return {events, 0, seconds, urgency};
}
DeviceLoad Lost(DeviceLoad load) {
  load.lost = true;
  return load;
}

TEST(ChooseDevice, TakesTheOnlyDevice) {
  EXPECT_EQ(ChooseDevice(std::vector{Idle()}, kNormal), 0u);
  EXPECT_EQ(ChooseDevice(std::vector{Busy(100, 60)}, kNormal), 0u);
}

TEST(ChooseDevice, FindsNoneWhereThereIsNone) {
  EXPECT_FALSE(ChooseDevice({}, kNormal).has_value());
  EXPECT_FALSE(ChooseDevice(std::vector{Lost(Idle()), Lost(Busy(1, 1))}, kNormal).has_value());
}

TEST(ChooseDevice, NeverTakesALostDevice) {
  EXPECT_EQ(ChooseDevice(std::vector{Lost(Idle(100)), Busy(9, 9)}, kNormal), 1u);
  EXPECT_EQ(ChooseDevice(std::vector{Busy(9, 9), Lost(Busy(1, 0.1))}, kNormal), 0u);
}

TEST(ChooseDevice, PrefersADeviceWithoutEvents) {
  EXPECT_EQ(ChooseDevice(std::vector{Busy(1, 1e-9), Idle(0.01, 50)}, kNormal), 1u);
  EXPECT_EQ(ChooseDevice(std::vector{Idle(0.01, 50), Busy(1, 1e-9)}, kNormal), 0u);
}

TEST(ChooseDevice, AmongIdleDevicesTakesTheMostPowerful) {
  EXPECT_EQ(ChooseDevice(std::vector{Idle(1), Idle(3), Idle(2)}, kNormal), 1u);
}

TEST(ChooseDevice, SpreadsResidentsOverDevicesThatAreAlike) {
  std::vector<DeviceLoad> devices(4, Idle());
  for (int resident = 0; resident < 12; ++resident)
    ++devices[*ChooseDevice(devices, kNormal)].residents;
  for (const DeviceLoad& device : devices) EXPECT_EQ(device.residents, 3u);
}

TEST(ChooseDevice, GivesAPowerfulDeviceItsShareOfResidents) {
  std::vector<DeviceLoad> devices = {Idle(1), Idle(3)};
  for (int resident = 0; resident < 40; ++resident)
    ++devices[*ChooseDevice(devices, kNormal)].residents;
  EXPECT_NEAR(devices[0].residents, 10, 1);
}

TEST(ChooseDevice, AmongBusyDevicesTakesTheOneThatRunsOutOfWorkFirst) {
  EXPECT_EQ(ChooseDevice(std::vector{Busy(4, 3), Busy(4, 1), Busy(4, 2)}, kNormal), 1u);
}

TEST(ChooseDevice, AmongBusyDevicesTakesTheOneWithTheFewestEvents) {
  // With the factor of the thesis, the second device, which has the mean number, would win.
  EXPECT_EQ(ChooseDevice(std::vector{Busy(1, 1), Busy(5, 1), Busy(9, 1)}, kNormal), 0u);
}

TEST(ChooseDevice, TakesTheDeviceThatWorksOnWhatIsLessUrgent) {
  EXPECT_EQ(ChooseDevice(std::vector{Busy(2, 1, kDeadlineUrgency), Busy(2, 1, 1)}, kUrgent), 1u);
  EXPECT_EQ(ChooseDevice(std::vector{Busy(2, 1, 1), Busy(2, 1, kUrgent)}, kUrgent), 0u);
}

TEST(Score, IsOneWhereAllAreAlike) {
  const std::vector<DeviceLoad> devices(3, Busy(5, 0.5, kNormal));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_DOUBLE_EQ(Score(devices, i, kNormal), 1);
  EXPECT_DOUBLE_EQ(Score(devices, 0, kUrgent), 2);
}

TEST(Score, LeavesLostDevicesOutOfTheMeans) {
  const std::vector<DeviceLoad> devices = {Busy(2, 1), Lost(Busy(1000, 1000)), Busy(4, 1)};
  EXPECT_DOUBLE_EQ(Score(devices, 0, kNormal), 1.5);
}

TEST(Score, TakesTheTimeThatIsLeftPerPower) {
  std::vector<DeviceLoad> devices = {Busy(2, 2), Busy(2, 2)};
  devices[1].power = 3;
  EXPECT_DOUBLE_EQ(Score(devices, 1, kNormal), 3 * Score(devices, 0, kNormal));
}

TEST(Score, DoesNotDivideByNothing) {
  EXPECT_GT(Score(std::vector{Busy(1, 0), Busy(1, 0)}, 0, kNormal), 0);
}

}  // namespace
}  // namespace warpyard::dispatch
