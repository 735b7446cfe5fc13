// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/broad/cluster_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>

#include "tests/support/mesh_fixtures.h"
#include "tests/unit/workload/ccd/broad/clusters_fixture.h"

namespace warpyard::test_support {
namespace {

TEST(SearchClusters, ListsAClusterWithItselfFirst) {
  Clusters clusters(TriangleSoup(14, {2000, 0.1, 0.2}));
  InRandomOrder run(14, clusters.hierarchy);
  clusters.Build(run);
  clusters.Bound(run);
  const Meetings found = clusters.Found<ccd::SearchClusters>(OnThreads{clusters.hierarchy},
                                                             clusters.Expected().size());
  std::set<std::uint32_t> seen;
  for (const auto& [a, b] : found) {
    EXPECT_TRUE(!seen.insert(a).second || a == b) << a << " with " << b;
  }
}

TEST(SearchClusters, CountsWhatAListThatIsTooShortWouldNeed) {
  Clusters clusters(TriangleSoup(15, {300, 0.2, 0.3}));
  InRandomOrder run(15, clusters.hierarchy);
  clusters.Build(run);
  clusters.Bound(run);
  const Meetings all = clusters.Expected();
  ASSERT_GT(all.size(), 200u);
  for (const std::size_t capacity : {std::size_t{0}, std::size_t{100}, all.size() - 1}) {
    const Meetings found = clusters.Found<ccd::SearchClusters>(run, capacity);
    EXPECT_EQ(*clusters.hierarchy.job.step.lists.meetings.count, all.size());
    EXPECT_EQ(std::set(found.begin(), found.end()).size(), capacity) << "each pair once";
    for (const auto& pair : found) {
      EXPECT_TRUE(std::binary_search(all.begin(), all.end(), pair));
    }
  }
}

}  // namespace
}  // namespace warpyard::test_support
