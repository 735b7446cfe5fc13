// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/model/job_memory.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "core/device/cpu_backend.h"

namespace warpyard::simplify {
namespace {

TEST(JobMemories, KeepsAsManyBytesAsItMay) {
  device::CpuBackend backend(1, 0);
  std::optional<JobMemories> memories(250 * sizeof(std::uint64_t));
  std::unique_ptr<JobMemory> first = memories->Take(), second = memories->Take(),
                             third = memories->Take();
  for (JobMemory* const memory : {first.get(), second.get(), third.get()}) {
    ASSERT_TRUE(memory->tasks.sums.Reserve(backend, 100).ok());
  }
  const JobMemory* const kept = second.get();
  memories->Give(std::move(first));
  memories->Give(std::move(second));
  memories->Give(std::move(third));
  EXPECT_EQ(backend.MemoryUsed(), 200 * sizeof(std::uint64_t));
  std::unique_ptr<JobMemory> again = memories->Take();
  EXPECT_EQ(again.get(), kept) << "the latest one";
  EXPECT_EQ(again->tasks.sums.size(), 100u);
  // What a job has made larger may not fit any more.
  ASSERT_TRUE(again->tasks.sums.Reserve(backend, 151).ok());
  memories->Give(std::move(again));
  EXPECT_EQ(backend.MemoryUsed(), 100 * sizeof(std::uint64_t));
  {
    const BorrowedMemory borrowed(*memories);
    EXPECT_EQ(borrowed->tasks.sums.size(), 100u);
  }
  EXPECT_EQ(backend.MemoryUsed(), 100 * sizeof(std::uint64_t));
  memories.reset();
  EXPECT_EQ(backend.MemoryUsed(), 0u);
}

}  // namespace
}  // namespace warpyard::simplify
