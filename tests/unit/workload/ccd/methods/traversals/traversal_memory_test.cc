// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/methods/traversals/traversal_memory.h"

#include <gtest/gtest.h>

#include <cstddef>

#include "absl/status/status.h"
#include "core/device/cpu_backend.h"

namespace warpyard::ccd {
namespace {

TEST(TraversalMemory, OfALevelThatFindsNoRoomIsForgotten) {
  constexpr std::uint32_t kWorkers = 2, kTriangles = 100;
  device::CpuBackend backend(1, std::size_t{1} << 20);
  TraversalMemory memory(backend);
  memory.Begin({}, 0);
  StepView step{};
  step.traversal = Traversal::kCompaction;
  StepCounters counters{};
  ASSERT_TRUE(memory.Prepare(kWorkers, kTriangles, step, counters).ok());
  const std::size_t used = backend.MemoryUsed();
  // The pairs of the level fit, those of the next one do not.
  counters.traversal.needed = 25'000;
  const auto fits = memory.Fits(counters);
  ASSERT_TRUE(fits.ok());
  EXPECT_FALSE(*fits);
  EXPECT_TRUE(absl::IsResourceExhausted(memory.Prepare(kWorkers, kTriangles, step, counters)));
  const absl::Status next = memory.Prepare(kWorkers, kTriangles, step, counters);
  EXPECT_TRUE(next.ok()) << next;
  EXPECT_EQ(backend.MemoryUsed(), used);
}

}  // namespace
}  // namespace warpyard::ccd
