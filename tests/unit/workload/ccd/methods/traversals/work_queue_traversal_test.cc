// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/methods/traversals/work_queue_traversal.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "core/exec/thread_scope.h"
#include "tests/support/mesh_fixtures.h"
#include "tests/support/serial_sorts.h"
#include "tests/unit/workload/ccd/broad/hierarchy_fixture.h"
#include "tests/unit/workload/ccd/stage_runners.h"

namespace warpyard::test_support {
namespace {

/// Expands the root where no pair may wait, so that one thread walks through the tree. Returns how
/// many pairs it has visited.
std::uint64_t VisitedPairs(HostHierarchy& hierarchy, std::uint32_t cancel) {
  hierarchy.job.step.counters->traversal = {};
  hierarchy.job.step.work.queue_limit = 0;
  exec::ThreadScope scope(nullptr);
  ThreadContext context{scope, hierarchy.job, &cancel};
  ccd::ExpandQueued::Execute(context, ccd::RootPair());
  return hierarchy.job.step.counters->traversal.queued >> 32;
}

TEST(WorkQueueTraversal, EndsAWalkOfACancelledEvent) {
  HostHierarchy hierarchy(TriangleSoup(3, {300, 0.2, 0.3}));
  hierarchy.BuildAndRefit(InRandomOrder(1, hierarchy));
  EXPECT_GT(VisitedPairs(hierarchy, 0), 1000u);
  EXPECT_LE(VisitedPairs(hierarchy, 1), 65u);
}

}  // namespace
}  // namespace warpyard::test_support
