// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What admission reaches on a simulated device, by load and by how different jobs are.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "core/dispatch/admission/admission.h"
#include "tests/support/dispatch/simulated_device.h"

namespace warpyard::dispatch {
namespace {

struct Case {
  const char* name;
  SimulatedWork work;
  int workers;
  std::size_t runners;
  double mean_ns;
  double least_met;  ///< of the capacity, under overload
};

constexpr double kDeadline = 10e6;
constexpr double kSeconds = 1.5;

/// Twenty clients whose jobs together are `load` times what the device can do.
SimulatedDevice Device(const Case& of, double load, bool has_admission = true) {
  const double rate = load * of.workers / (of.mean_ns * 1e-9);
  std::vector<SimulatedClient> clients(
      20, {.jobs_per_second = rate / 20, .deadline_ns = kDeadline, .work = of.work});
  for (std::size_t i = 0; i < clients.size(); i += 2) clients[i].is_periodic = true;
  return SimulatedDevice(
      {.workers = of.workers, .runners = of.runners, .has_admission = has_admission}, clients);
}

double MetOfCapacity(const Case& of, const SimulatedDevice& device) {
  return device.Sum().met_ns / (kSeconds * 1e9 * of.workers);
}

class AdmissionOverload : public ::testing::TestWithParam<Case> {};

TEST_P(AdmissionOverload, MeetsNearlyAsMuchAsTheDeviceCanDo) {
  for (const double load : {2.0, 4.0, 8.0}) {
    SimulatedDevice device = Device(GetParam(), load);
    device.Run(kSeconds / 3);  // to learn
    device.Run(kSeconds);
    EXPECT_GE(MetOfCapacity(GetParam(), device), GetParam().least_met) << load;
    const SimulatedCounts sum = device.Sum();
    EXPECT_LE(sum.late + sum.given_up, 0.03 * sum.accepted) << load << ": accepted is met";
  }
}

TEST_P(AdmissionOverload, WithoutAdmissionItMeetsALittle) {
  SimulatedDevice device = Device(GetParam(), 4, false);
  device.Run(kSeconds / 3);
  device.Run(kSeconds);
  EXPECT_LE(MetOfCapacity(GetParam(), device), 0.35);
}

TEST_P(AdmissionOverload, RefusesNothingAtHalfTheCapacity) {
  SimulatedDevice with = Device(GetParam(), 0.5);
  SimulatedDevice without = Device(GetParam(), 0.5, false);
  for (SimulatedDevice* device : {&with, &without}) {
    device->Run(kSeconds / 3);
    device->Run(2 * kSeconds);
  }
  EXPECT_LT(with.Sum().refused, 0.001 * with.Sum().arrived);
  EXPECT_GE(with.Sum().met, without.Sum().met - 0.001 * with.Sum().arrived);
}

constexpr double kShort = 0.1e6, kUsual = 0.2e6;
INSTANTIATE_TEST_SUITE_P(
    All, AdmissionOverload,
    ::testing::Values(Case{"equal_on_one_worker", Constant(kUsual), 1, 16, kUsual, 0.97},
                      Case{"spread_on_two_workers", Spread(kUsual), 2, 16, kUsual, 0.95},
                      Case{"exponential_on_two_workers", Exponential(kUsual), 2, 16, kUsual, 0.9},
                      Case{"two_sizes_on_two_workers", TwoSizes(kShort), 2, 16, kShort, 0.9},
                      Case{"exponential_on_eight_workers", Exponential(kUsual), 8, 32, kUsual, 0.9},
                      Case{"spread_one_at_a_time", Spread(kUsual), 1, 1, kUsual, 0.95}),
    [](const auto& info) { return std::string(info.param.name); });

// A device whose jobs share events, as small collision steps on a GPU: an event has a delay and
// work of its own, so that the device does more the more jobs wait.
class AdmissionOfBatches : public ::testing::TestWithParam<std::size_t> {
 protected:
  static constexpr double kOwn = 30e3, kEvent = 170e3;
  static constexpr std::size_t kBatch = 64;
  static constexpr double kCapacity = kBatch / (kEvent + kBatch * kOwn);  // jobs a nanosecond

  /// @shape stalls: of 5 ms, a second
  SimulatedDevice DeviceFor(double load, double stalls) {
    const std::size_t clients = GetParam();
    const double rate = load * kCapacity * 1e9 / static_cast<double>(clients);
    std::vector<SimulatedClient> all(
        clients, {.jobs_per_second = rate, .deadline_ns = kDeadline, .work = Constant(kOwn)});
    for (std::size_t i = 0; i < clients; i += 2) all[i].is_periodic = true;
    return SimulatedDevice({.workers = 1,
                            .runners = 768,
                            .events = 4,
                            .batch = kBatch,
                            .delay_ns = kEvent,
                            .event_ns = kEvent,
                            .stalls_per_second = stalls,
                            .stall_ns = 5e6},
                           all);
  }
  static double MetOfCapacity(const SimulatedDevice& device) {
    return device.Sum().met / (kSeconds * 1e9 * kCapacity);
  }
};

TEST_P(AdmissionOfBatches, MeetsNearlyAsMuchAsFullBatchesCan) {
  for (const double load : {1.0, 2.0, 4.0, 8.0}) {
    SimulatedDevice device = DeviceFor(load, 0);
    device.Run(kSeconds / 3);
    device.Run(kSeconds);
    EXPECT_GE(MetOfCapacity(device), 0.93) << load;
    const SimulatedCounts sum = device.Sum();
    EXPECT_LE(sum.late + sum.given_up, 0.03 * sum.accepted) << load;
  }
}

TEST_P(AdmissionOfBatches, RefusesNothingBelowTheCapacity) {
  SimulatedDevice device = DeviceFor(0.8, 0);
  device.Run(kSeconds / 3);
  device.Run(kSeconds);
  EXPECT_LT(device.Sum().refused + device.Sum().late, 0.001 * device.Sum().arrived);
}

TEST_P(AdmissionOfBatches, AfterAStallOfTheHostItAcceptsAsBefore) {
  for (const double load : {2.0, 8.0}) {
    SimulatedDevice device = DeviceFor(load, 5);
    device.Run(kSeconds / 3);
    device.Run(kSeconds);
    EXPECT_GE(MetOfCapacity(device), 0.83) << load;
  }
}

INSTANTIATE_TEST_SUITE_P(Clients, AdmissionOfBatches, ::testing::Values(20, 1024),
                         ::testing::PrintToStringParamName());

TEST(AdmissionOverload, LargeJobsFindRoomBesideSmallOnes) {
  const double rate = 2 / 0.2e-3;
  SimulatedDevice device(
      {.workers = 1, .runners = 16},
      {{.jobs_per_second = rate, .deadline_ns = kDeadline, .work = Spread(kUsual)},
       {.jobs_per_second = rate / 5, .deadline_ns = kDeadline, .work = Spread(5 * kUsual)}});
  device.Run(1);
  device.Run(2);
  const double small = device.Of(0).met / device.Of(0).arrived;
  const double large = device.Of(1).met / device.Of(1).arrived;
  EXPECT_GT(large, small / 2);
  EXPECT_GE(device.Sum().met_ns, 0.9 * 2e9);
}

TEST(AdmissionOverload, FarDeadlinesDoNotSufferFromNearOnes) {
  const double rate = 1 / 0.2e-3;
  SimulatedDevice device(
      {.workers = 1, .runners = 16},
      {{.jobs_per_second = rate, .deadline_ns = kDeadline, .work = Spread(kUsual)},
       {.jobs_per_second = rate / 50, .deadline_ns = 1e9, .work = Spread(50 * kUsual)}});
  device.Run(2);
  device.Run(4);
  const SimulatedCounts& far = device.Of(1);
  EXPECT_GT(far.met, 0.2 * far.arrived);
  EXPECT_LE(far.late + far.given_up, 0.1 * far.accepted);
  EXPECT_GE(device.Sum().met_ns, 0.9 * 4e9);
}

TEST(AdmissionOverload, LearnsThatJobsHaveBecomeShorter) {
  double work = 20e6;
  SimulatedDevice device({.workers = 1, .runners = 4},
                         {{.jobs_per_second = 100,
                           .deadline_ns = kDeadline,
                           .work = [&work](std::mt19937_64&) { return work; },
                           .is_periodic = true}});
  device.Run(1);
  EXPECT_EQ(device.Sum().met, 0);
  work = 1e6;
  device.Run(5);
  device.Run(1);
  EXPECT_EQ(device.Sum().refused, 0);
  EXPECT_GE(device.Sum().met, 99);
}

TEST(AdmissionOverload, IsTheSameInEachRun) {
  const Case of = {"", Exponential(kUsual), 2, 16, kUsual, 0};
  SimulatedDevice first = Device(of, 3), second = Device(of, 3);
  first.Run(0.5);
  second.Run(0.5);
  EXPECT_EQ(first.Sum().refused, second.Sum().refused);
  EXPECT_EQ(first.Sum().met, second.Sum().met);
}

}  // namespace
}  // namespace warpyard::dispatch
