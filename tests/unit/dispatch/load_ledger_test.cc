// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/dispatch/load_ledger.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace warpyard::dispatch {
namespace {

constexpr int kNormal = 2;
bool NoneLost(std::size_t) { return false; }

TEST(LoadLedger, KnowsWhoHasNothingToDo) {
  LoadLedger ledger({1, 1});
  EXPECT_EQ(ledger.ChooseDevice(NoneLost, kNormal), 0u);
  LoadLedger::Claim event = ledger.AddEvent(0, kNormal, 0.5);
  EXPECT_EQ(ledger.ChooseDevice(NoneLost, kNormal), 1u);
  event.Release();
  EXPECT_EQ(ledger.ChooseDevice(NoneLost, kNormal), 0u);
}

TEST(LoadLedger, AddsUpTheTimeOfEvents) {
  LoadLedger ledger({1, 1});
  const auto a = ledger.AddEvent(0, kNormal, 0.2), b = ledger.AddEvent(0, kNormal, 0.2);
  const auto c = ledger.AddEvent(1, kNormal, 0.1), d = ledger.AddEvent(1, kNormal, 0.4);
  EXPECT_EQ(ledger.ChooseDevice(NoneLost, kNormal), 0u);
}

TEST(LoadLedger, KnowsTheHighestUrgencyThatIsLeft) {
  LoadLedger ledger({1, 1});
  const auto low = ledger.AddEvent(0, 1, 1), other = ledger.AddEvent(1, kNormal, 1);
  auto urgent = ledger.AddEvent(0, kDeadlineUrgency, 1);
  const auto fourth = ledger.AddEvent(1, kNormal, 1);
  EXPECT_EQ(ledger.ChooseDevice(NoneLost, kNormal), 1u);
  urgent.Release();
  const auto third = ledger.AddEvent(0, 1, 1);
  EXPECT_EQ(ledger.ChooseDevice(NoneLost, kNormal), 0u);
}

TEST(LoadLedger, CountsResidentsWhereTheyLive) {
  LoadLedger ledger({1, 1});
  LoadLedger::Claim resident = ledger.AddResident(0);
  EXPECT_EQ(ledger.Residents(0), 1u);
  EXPECT_EQ(ledger.Residents(1), 0u);
  EXPECT_EQ(ledger.ChooseDevice(NoneLost, kNormal), 1u);
  resident.Release();
  EXPECT_EQ(ledger.Residents(0), 0u);
}

TEST(LoadLedger, LeavesLostDevicesOut) {
  LoadLedger ledger({1, 1});
  EXPECT_EQ(ledger.ChooseDevice([](std::size_t i) { return i == 0; }, kNormal), 1u);
  EXPECT_FALSE(ledger.ChooseDevice([](std::size_t) { return true; }, kNormal).has_value());
}

TEST(LoadLedger, IsEvenAgainAfterManyThreads) {
  LoadLedger ledger({1, 1});
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&ledger, t] {
      for (int i = 0; i < 500; ++i) {
        const auto resident = ledger.AddResident(static_cast<std::size_t>(t % 2));
        const auto event = ledger.AddEvent(static_cast<std::size_t>(i % 2), 1 + i % 5, 0.1 * i);
        ledger.ChooseDevice(NoneLost, kNormal);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(ledger.Residents(0) + ledger.Residents(1), 0u);
  EXPECT_EQ(ledger.ChooseDevice(NoneLost, kNormal), 0u);
}

}  // namespace
}  // namespace warpyard::dispatch
