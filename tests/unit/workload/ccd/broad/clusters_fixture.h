// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The clusters of a motion, built, bounded and searched by calling the procedures.
#ifndef WARPYARD_TESTS_UNIT_WORKLOAD_CCD_BROAD_CLUSTERS_FIXTURE_H_
#define WARPYARD_TESTS_UNIT_WORKLOAD_CCD_BROAD_CLUSTERS_FIXTURE_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/workload/ccd/broad/cluster_bounds.h"
#include "core/workload/ccd/broad/cluster_build.h"
#include "core/workload/ccd/broad/cluster_search.h"
#include "tests/unit/workload/ccd/broad/cluster_faults.h"
#include "tests/unit/workload/ccd/broad/hierarchy_fixture.h"
#include "tests/unit/workload/ccd/stage_runners.h"

namespace warpyard::test_support {

/// Cluster ids in the order of PairIds.
using Meetings = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// A scene with clusters, and its mesh.
struct Clusters {
  explicit Clusters(Motion of) : motion(std::move(of)), hierarchy(motion) {}

  template <class Run>
  void Build(Run run) {
    hierarchy.BuildAndRefit(run);
    run.template operator()<ccd::ArrangeClusters>(hierarchy.job.scene.Clusters());
  }
  template <class Run>
  void Bound(Run run) {
    run.template operator()<ccd::BoundClusters>(ccd::BoundClusters::IndicesOf(hierarchy.job));
  }

  /// The expected pairs whose boxes overlap, for every `stride`th cluster.
  Meetings Expected(std::uint32_t stride = 1) const {
    const ccd::ClusterTree& tree = hierarchy.job.scene.clusters.tree;
    Meetings expected;
    for (std::uint32_t a = 0; a < tree.Count(0); a += stride) {
      for (std::uint32_t b = a; b < tree.Count(0); ++b) {
        bool overlap = true;
        for (int k = 0; k < 3; ++k) {
          overlap = overlap && tree.boxes[a].low[k] <= tree.boxes[b].high[k] &&
                    tree.boxes[b].low[k] <= tree.boxes[a].high[k];
        }
        if (overlap) expected.emplace_back(a, b);
      }
    }
    return expected;
  }

  /// The list of a search, in its order, with room for `capacity` pairs.
  template <class Search, class Run>
  Meetings Found(Run run, std::size_t capacity) {
    constexpr bool kSamples = std::is_same_v<Search, ccd::SampleClusters>;
    constexpr std::uint32_t kStride = kSamples ? ccd::SampleClusters::kStride : 1;
    hierarchy.ReserveMeetings(capacity);
    const ccd::DeviceList<ccd::PairIds>& list = hierarchy.job.step.lists.meetings;
    *list.count = 0;
    run.template operator()<Search>((hierarchy.job.scene.Clusters() - 1) / kStride + 1);
    EXPECT_EQ(list.items[capacity].a, HostHierarchy::kUnused.a) << "written behind the list";
    Meetings found;
    for (std::size_t i = 0; i < std::min<std::uint64_t>(*list.count, capacity); ++i) {
      found.emplace_back(list.items[i].a, list.items[i].b);
    }
    return found;
  }

  /// Runs both searches. Empty when they list the expected pairs, each once.
  template <class Run>
  std::string FindSearchFault(Run run) {
    const Meetings all = Expected(), sample = Expected(ccd::SampleClusters::kStride);
    Meetings found = Found<ccd::SearchClusters>(run, all.size() + 1);
    std::sort(found.begin(), found.end());
    if (found != all) return "the pairs are not those that overlap";
    found = Found<ccd::SampleClusters>(run, sample.size() + 1);
    std::sort(found.begin(), found.end());
    return found == sample ? "" : "the sample is not the pairs of every 64th cluster";
  }

  std::string FindFault() const {
    ClusterFaults faults(motion, hierarchy.job);
    const std::string fault = faults.OfArrangement();
    return fault.empty() ? faults.OfWholeStep() : fault;
  }

  const Motion motion;
  HostHierarchy hierarchy;
};

inline std::string FaultOf(const Motion& motion, std::uint64_t seed) {
  Clusters clusters(motion);
  InRandomOrder run(seed, clusters.hierarchy);
  clusters.Build(run);
  clusters.Bound(run);
  const std::string fault = clusters.FindFault();
  return fault.empty() ? clusters.FindSearchFault(run) : fault;
}

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_UNIT_WORKLOAD_CCD_BROAD_CLUSTERS_FIXTURE_H_
