// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/dispatch/estimate_table.h"

#include <gtest/gtest.h>

namespace warpyard::dispatch {
namespace {

TEST(EstimateTable, JobsOfOneKindHaveOneEstimate) {
  EstimateTable table(4);
  EXPECT_EQ(table.Find(1), table.Find(1));
  EXPECT_NE(table.Find(1), table.Find(2));
}

TEST(EstimateTable, AKindInTheSameSlotBeginsAnew) {
  EstimateTable table(4);
  const auto first = table.Find(1);
  first->Learn({100, 100, true});
  EXPECT_FALSE(table.Find(5)->IsKnown());
  EXPECT_FALSE(table.Find(1)->IsKnown());
  EXPECT_TRUE(first->IsKnown()) << "jobs that have it keep it";
}

}  // namespace
}  // namespace warpyard::dispatch
