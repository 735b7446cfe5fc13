// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The queue contract on a device, for every queue that fulfils it: element by element and in
// claims.

#include <gtest/gtest.h>

#include <cstdint>

#include "core/exec/device_scope.cuh"
#include "core/queue/distributed_locks_queue.h"
#include "core/queue/sequence_ring.h"
#include "core/queue/sharded_queue.h"
#include "tests/device/device_runner.cuh"
#include "tests/support/queues/queue_claims.h"
#include "tests/support/queues/queue_contract.h"
#include "tests/support/queues/queue_shards.h"
#include "tests/support/queues/queue_with_pool.h"

namespace warpyard::test_support {
namespace {

using exec::DeviceScope;

constexpr std::uint32_t kMaxClaim = 5;
using One = OneByOne<DeviceScope>;
using Claims = InClaims<DeviceScope, kMaxClaim>;

template <std::uint32_t kCapacity>
using Locks = queue::DistributedLocksQueue<DeviceScope, ContractItem, kCapacity>;
using LocksRunners = ::testing::Types<DeviceRunner<Locks<1>, 2048>, DeviceRunner<Locks<2>, 4096>,
                                      DeviceRunner<Locks<1024>, 65536>>;
INSTANTIATE_TYPED_TEST_SUITE_P(DistributedLocksQueueOnDevice, QueueContract, LocksRunners);

template <std::uint32_t kCapacity>
using Ring = queue::SequenceRing<DeviceScope, ContractItem, kCapacity, kThreadsOfASide * kMaxClaim>;
using RingRunners =
    ::testing::Types<DeviceRunner<Ring<1>, 2048>, DeviceRunner<Ring<2>, 4096>,
                     DeviceRunner<Ring<1000>, 65536>, DeviceRunner<Ring<1000>, 65536, Claims>>;
INSTANTIATE_TYPED_TEST_SUITE_P(SequenceRingOnDevice, QueueContract, RingRunners);

template <std::uint32_t kPageSlots, std::uint32_t kCapacity, std::uint32_t kPages>
using Paged = PagedWithPool<DeviceScope, kPageSlots, kCapacity, kPages>;
using PagedRunners =
    ::testing::Types<DeviceRunner<Paged<1, 1, 2>, 2048>, DeviceRunner<Paged<8, 64, 12>, 8192>,
                     DeviceRunner<Paged<32, 1024, 36>, 65536>,
                     DeviceRunner<Paged<8, 64, 12>, 8192, Claims>>;
INSTANTIATE_TYPED_TEST_SUITE_P(PagedQueueOnDevice, QueueContract, PagedRunners);

template <std::uint32_t kShards, std::uint32_t kCapacity>
using ShardedRing = queue::ShardedQueue<DeviceScope, Ring<kCapacity>, kShards>;
using Pool = queue::PagePool<DeviceScope, 8, 40>;
using ShardedPages = QueueWithPool<
    Pool,
    queue::ShardedQueue<DeviceScope, queue::PagedQueue<DeviceScope, ContractItem, Pool, 64>, 4>>;
using ShardedRunners = ::testing::Types<DeviceRunner<ShardedRing<2, 1>, 2048>,
                                        DeviceRunner<ShardedRing<3, 2>, 4096, InShards<One>>,
                                        DeviceRunner<ShardedRing<4, 250>, 65536, InShards<One>>,
                                        DeviceRunner<ShardedRing<4, 250>, 65536, InShards<Claims>>,
                                        DeviceRunner<ShardedPages, 8192, InShards<One>>,
                                        DeviceRunner<ShardedPages, 8192, InShards<Claims>>>;
INSTANTIATE_TYPED_TEST_SUITE_P(ShardedQueueOnDevice, QueueContract, ShardedRunners);

}  // namespace
}  // namespace warpyard::test_support
