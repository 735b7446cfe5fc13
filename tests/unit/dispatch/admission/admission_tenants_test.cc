// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// How tenants share a simulated device under overload.

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/dispatch/admission/admission.h"
#include "tests/support/dispatch/simulated_device.h"

namespace warpyard::dispatch {
namespace {

constexpr double kMean = 0.1e6;
constexpr int kWorkers = 2;
constexpr double kRunSeconds = 2;

SimulatedClient Client(std::uint32_t tenant, double load) {
  return {.jobs_per_second = load * kWorkers / (kMean * 1e-9),
          .deadline_ns = 10e6,
          .tenant = tenant,
          .work = Spread(kMean)};
}

SimulatedDevice Simulate(const AdmissionOptions& options,
                         const std::vector<SimulatedClient>& clients) {
  SimulatedDevice device({.workers = kWorkers, .runners = 16, .admission = options}, clients);
  device.Run(0.5);
  device.Run(kRunSeconds);
  return device;
}

/// The part of the device that met jobs of a client had.
double Part(const SimulatedDevice& device, std::size_t client) {
  return device.Of(client).met_ns / (kRunSeconds * 1e9 * kWorkers);
}

TEST(AdmissionTenants, OneThatAsksForEightTimesItsSharePushesNobodyOut) {
  const SimulatedDevice device = Simulate({}, {Client(0, 4), Client(1, 0.3)});
  EXPECT_GE(device.Of(1).met, 0.95 * device.Of(1).arrived);
  EXPECT_GE(Part(device, 0) + Part(device, 1), 0.9) << "the rest is the other's";
}

TEST(AdmissionTenants, UnderOverloadTheyShareEqually) {
  const SimulatedDevice device = Simulate({}, {Client(0, 8), Client(1, 2)});
  EXPECT_NEAR(Part(device, 0), Part(device, 1), 0.1);
  EXPECT_GE(Part(device, 0) + Part(device, 1), 0.9);
}

TEST(AdmissionTenants, UnderOverloadTheyShareByTheirWeights) {
  AdmissionOptions options;
  options.weights = {3, 1};
  const SimulatedDevice device = Simulate(options, {Client(0, 4), Client(1, 4)});
  EXPECT_NEAR(Part(device, 0), 0.75, 0.08);
  EXPECT_NEAR(Part(device, 1), 0.25, 0.08);
}

TEST(AdmissionTenants, OneAloneHasAll) {
  AdmissionOptions options;
  options.weights = {1, 3};
  const SimulatedDevice device = Simulate(options, {Client(0, 4)});
  EXPECT_GE(Part(device, 0), 0.9);
}

TEST(AdmissionTenants, ManyWithinTheirSharesAreMet) {
  const SimulatedDevice device =
      Simulate({}, {Client(0, 8), Client(1, 0.15), Client(2, 0.15), Client(3, 0.15)});
  for (const std::size_t client : {1, 2, 3}) {
    EXPECT_GE(device.Of(client).met, 0.93 * device.Of(client).arrived) << client;
  }
}

}  // namespace
}  // namespace warpyard::dispatch
