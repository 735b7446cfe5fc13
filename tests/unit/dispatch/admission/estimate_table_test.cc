// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/dispatch/admission/estimate_table.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace warpyard::dispatch {
namespace {

TEST(EstimateTable, JobsOfOneKindHaveOneEstimate) {
  EstimateTable table(4);
  EXPECT_EQ(table.Find(1), table.Find(1));
  EXPECT_NE(table.Find(1), table.Find(2));
}

TEST(EstimateTable, ForgetsTheKindThatWasNotUsedForLongest) {
  EstimateTable table(4);
  for (const std::uint64_t kind : {1, 2, 3, 4}) table.Find(kind)->Learn({100, 100, true});
  const auto second = table.Find(2);
  table.Find(1);
  table.Find(3);
  table.Find(4);
  EXPECT_EQ(table.Find(5)->Cost(0), 0);
  EXPECT_EQ(table.Find(1)->Cost(0), 100);
  EXPECT_EQ(table.Find(2)->Cost(0), 0);
  EXPECT_EQ(second->Cost(0), 100) << "jobs that have it keep it";
}

TEST(EstimateTable, KeepsAsManyKindsOfAnyNumbers) {
  EstimateTable table(8);
  for (std::uint64_t kind = 0; kind < 8; ++kind) table.Find(16 * kind + 1)->Learn({100, 100, true});
  for (std::uint64_t kind = 0; kind < 8; ++kind) {
    EXPECT_EQ(table.Find(16 * kind + 1)->Cost(0), 100) << kind;
  }
}

}  // namespace
}  // namespace warpyard::dispatch
