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
  EXPECT_EQ(table.Find(5)->Cost(0), 0);
  EXPECT_EQ(table.Find(1)->Cost(0), 0);
  EXPECT_EQ(first->Cost(0), 100) << "jobs that have it keep it";
}

}  // namespace
}  // namespace warpyard::dispatch
