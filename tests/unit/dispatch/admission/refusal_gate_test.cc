// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/dispatch/admission/refusal_gate.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <thread>

namespace warpyard::dispatch {
namespace {

constexpr std::int64_t kMicrosecond = 1'000, kMillisecond = 1'000'000;

TEST(RefusalGate, IsOpenAtFirst) {
  RefusalGate gate;
  EXPECT_EQ(gate.Refuse(0, 100, 5 * kMillisecond, kMillisecond), std::nullopt);
  EXPECT_EQ(gate.Refused(), 0u);
}

TEST(RefusalGate, RefusesWhatComesBeforeTheExpectedEnd) {
  RefusalGate gate;
  gate.Close(0, 100, 10 * kMillisecond, kMillisecond);
  EXPECT_EQ(gate.Refuse(0, 100, 10 * kMillisecond - 1, kMillisecond + 1), 10 * kMillisecond);
  EXPECT_EQ(gate.Refuse(0, 100, 10 * kMillisecond, kMillisecond + 1), std::nullopt) << "it may fit";
  EXPECT_EQ(gate.Refused(), 1u);
}

TEST(RefusalGate, LeavesOtherTenantsAndOtherSizesToAdmission) {
  RefusalGate gate;
  gate.Close(3, 100, 10 * kMillisecond, kMillisecond);
  EXPECT_EQ(gate.Refuse(2, 100, 5 * kMillisecond, kMillisecond), std::nullopt);
  EXPECT_EQ(gate.Refuse(3, 99, 5 * kMillisecond, kMillisecond), std::nullopt)
      << "a shorter job may fit";
  EXPECT_EQ(gate.Refuse(3, 201, 5 * kMillisecond, kMillisecond), std::nullopt)
      << "small ones make room for it";
  EXPECT_EQ(gate.Refuse(3, 0, 5 * kMillisecond, kMillisecond), std::nullopt) << "not known";
  EXPECT_NE(gate.Refuse(3, 200, 5 * kMillisecond, kMillisecond), std::nullopt);
}

TEST(RefusalGate, OpensSoon) {
  RefusalGate gate;
  gate.Close(0, 100, 10 * kMillisecond, kMillisecond);
  EXPECT_NE(gate.Refuse(0, 100, 5 * kMillisecond, kMillisecond + 200 * kMicrosecond), std::nullopt);
  EXPECT_EQ(gate.Refuse(0, 100, 5 * kMillisecond, kMillisecond + 300 * kMicrosecond), std::nullopt);
}

TEST(RefusalGate, LeavesUnknownJobsToAdmissionAlsoIfTheRefusedOneCostNothing) {
  RefusalGate gate;
  gate.Close(0, 0, 10 * kMillisecond, kMillisecond);
  EXPECT_EQ(gate.Refuse(0, 0, 5 * kMillisecond, kMillisecond), std::nullopt);
}

TEST(RefusalGate, LetsAdmissionSeeSomeOfThoseItWouldRefuse) {
  RefusalGate gate;
  gate.Close(0, 100, 10 * kMillisecond, kMillisecond);
  constexpr std::uint64_t kJobs = 25'600;
  std::uint64_t passed = 0;
  for (std::uint64_t i = 0; i < kJobs; ++i) {
    const auto deadline_ns = 5 * kMillisecond + static_cast<std::int64_t>(i * 7);
    const bool passes = !gate.Refuse(0, 100, deadline_ns, kMillisecond);
    passed += passes;
    if (!passes) continue;
    EXPECT_FALSE(gate.Refuse(0, 100, deadline_ns, kMillisecond)) << "it passes again";
  }
  EXPECT_NEAR(static_cast<double>(passed), 100, 20);
  EXPECT_EQ(gate.Refused(), kJobs - passed);
}

TEST(RefusalGate, AReaderSeesTheWholeOfARefusal) {
  constexpr int kTimes = 200'000;
  RefusalGate gate;
  std::thread writer([&] {
    for (std::int64_t i = 0; i < kTimes; ++i) {
      const bool is_large = i % 2 != 0;
      gate.Close(0, is_large ? 1000 : 100, is_large ? 20 * kMillisecond : 10 * kMillisecond, i);
    }
  });
  for (int i = 0; i < kTimes; ++i) {
    const bool is_large = i % 3 == 0;
    const auto expected = gate.Refuse(0, is_large ? 1500 : 150, 0, 0);
    if (!expected) continue;
    ASSERT_EQ(*expected, is_large ? 20 * kMillisecond : 10 * kMillisecond) << "of another refusal";
  }
  writer.join();
}

}  // namespace
}  // namespace warpyard::dispatch
