// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/queue/distributed_locks_queue.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>

#include "core/exec/thread_scope.h"
#include "tests/support/queues/queue_contract.h"
#include "tests/support/queues/queue_runners.h"

namespace warpyard::test_support {
namespace {

using exec::ThreadScope;

template <std::uint32_t kCapacity>
using Runner =
    ThreadRunner<PlainHolder<queue::DistributedLocksQueue<ThreadScope, ContractItem, kCapacity>>>;

using Runners = ::testing::Types<Runner<1>, Runner<2>, Runner<64>>;
INSTANTIATE_TYPED_TEST_SUITE_P(DistributedLocksQueueOnThreads, QueueContract, Runners);

TEST(DistributedLocksQueue, IsEmptyAgainAfterReset) {
  using Queue = queue::DistributedLocksQueue<ThreadScope, ContractItem, 4>;
  const auto queue = std::make_unique<Queue>();
  queue->Reset();
  for (std::uint32_t i = 0; i < 3; ++i) queue->TryPush(MakeItem(0, i));
  EXPECT_EQ(queue->ApproximateSize(), 3u);
  queue->Reset();
  EXPECT_EQ(CheckAlone(*queue), AloneFault::kNone);
}

}  // namespace
}  // namespace warpyard::test_support
