// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/admission/byte_budget.h"

#include <limits>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::server {
namespace {

TEST(ByteBudget, GivesBytesUpToItsLimit) {
  ByteBudget budget(std::size_t{3} << 20, kRequestWording);
  auto first = budget.Take(std::size_t{2} << 20);
  ASSERT_TRUE(first.ok());
  EXPECT_FALSE(budget.HasPlenty());
  const auto refused = budget.Take((std::size_t{1} << 20) + 1);
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(refused.status().message(),
            "requests: 2097152 bytes are held for jobs that have not ended, and this one has "
            "1048577; the limit is 3 MiB (--max-pending-mib)");
  EXPECT_TRUE(budget.Take(std::size_t{1} << 20).ok());
  first->reset();
  EXPECT_EQ(budget.used(), 0u);
  EXPECT_TRUE(budget.HasPlenty());
}

TEST(ByteBudget, NamesResultsThatWaitForTheirReaders) {
  ByteBudget budget(std::size_t{2} << 20, kResultWording);
  EXPECT_EQ(budget.Take(std::size_t{3} << 20).status().message(),
            "results: 0 bytes wait for clients that do not read them, and this one has 3145728; "
            "the limit is 2 MiB (--max-unread-mib)");
}

TEST(ByteBudget, RefusesWhatIsLargerThanAllOfIt) {
  ByteBudget budget(100, kRequestWording);
  EXPECT_FALSE(budget.Take(101).ok());
  EXPECT_FALSE(budget.Take(std::numeric_limits<std::size_t>::max()).ok());
  EXPECT_TRUE(budget.Take(0).ok());
  EXPECT_TRUE(budget.Take(100).ok());
}

TEST(ByteBudget, NeverGivesMoreThanItHasToManyThreads) {
  ByteBudget budget(1000, kRequestWording);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&budget, t] {
      for (int i = 0; i < 2000; ++i) {
        const auto hold = budget.Take(100 + 100 * t);
        EXPECT_LE(budget.used(), 1000u);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(budget.used(), 0u);
}

}  // namespace
}  // namespace warpyard::server
