// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Build and refit of a hierarchy in seeded interleavings: of two siblings, the second one to arrive
// continues.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tests/support/mesh_fixtures.h"
#include "tests/support/scheduled_scope.h"
#include "tests/support/seed_count.h"
#include "tests/unit/workload/ccd/broad/hierarchy_fixture.h"

namespace warpyard::test_support {
namespace {

constexpr std::uint32_t kThreads = 3;

/// Runs each stage on three threads, each of which takes every third index.
struct InSchedules {
  HostHierarchy& hierarchy;
  std::uint64_t seed;
  std::string& failure;

  template <class Procedure>
  void operator()(std::uint32_t count) {
    Schedule schedule(seed);
    for (std::uint32_t t = 0; t < kThreads; ++t) {
      schedule.Add([this, t, count] {
        ScheduledScope scope(nullptr);
        procedure::Context<ScheduledScope, ccd::CollisionJob> context{scope, hierarchy.job};
        for (std::uint32_t i = t; i < count; i += kThreads) {
          Procedure::Execute(context, procedure::Range{i, i + 1});
        }
      });
    }
    failure += schedule.Run();
  }
};

TEST(HierarchySchedules, BuildAndRefitARightHierarchy) {
  for (std::uint32_t seed = 0; seed < SeedCount(600); ++seed) {
    const std::uint32_t triangles = 1 + seed % 12;
    HostHierarchy hierarchy(TriangleSoup(seed, {triangles, 0.3, 0.3}));
    std::string failure;
    hierarchy.BuildAndRefit(InSchedules{hierarchy, seed, failure});
    ASSERT_EQ(failure, "") << "seed " << seed;
    ASSERT_EQ(hierarchy.FindFault(), "") << triangles << " triangles, seed " << seed;
  }
}

}  // namespace
}  // namespace warpyard::test_support
