// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The expected counts of a synthetic event, computed on the host, and the counts that the event
// reports.
#ifndef WARPYARD_CORE_WORKLOAD_SYNTHETIC_SYNTHETIC_ORACLE_H_
#define WARPYARD_CORE_WORKLOAD_SYNTHETIC_SYNTHETIC_ORACLE_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/workload/synthetic/synthetic_job.h"
#include "core/workload/synthetic/synthetic_node.h"

namespace warpyard::synthetic {

struct SyntheticTotals {
  std::uint64_t executed = 0;  ///< elements
  std::uint64_t checksum = 0;

  friend bool operator==(const SyntheticTotals&, const SyntheticTotals&) = default;
};

namespace internal {

/// Adds a node of the start and all its descendants.
inline void CountTree(const SyntheticJob& job, const Node& root, SyntheticTotals& totals) {
  struct TypedNode {
    Node node;
    std::uint32_t type;
  };
  const bool typed = job.kind == SyntheticKind::kTree;
  std::vector<TypedNode> waiting{{root, typed ? RootType(job, root.id) : 0}};
  while (!waiting.empty()) {
    const auto [node, type] = waiting.back();
    waiting.pop_back();
    const std::uint32_t hash = NodeHash(job, node);
    ++totals.executed;
    totals.checksum += ChecksumOf(hash, type);
    for (std::uint32_t child = 0; child < 2; ++child) {
      if (!HasChild(job.growth, hash, node.depth, child)) continue;
      const Node next = ChildOf(hash, node.depth, child);
      waiting.push_back({next, typed ? ChildType(job, next, type) : 0});
    }
  }
}

}  // namespace internal

/// Counts the elements of an event without a fault.
inline SyntheticTotals CountNodes(const SyntheticJob& job) {
  const bool prioritised = job.kind == SyntheticKind::kPrioritised;
  const bool grows = !prioritised && !IsFlat(job.kind);
  SyntheticTotals stage;
  const std::uint32_t roots = prioritised ? std::max(job.elements, job.total) : job.elements;
  for (std::uint32_t id = 0; id < roots; ++id) {
    if (grows) {
      internal::CountTree(job, {id, 0}, stage);
    } else {
      ++stage.executed;
      stage.checksum += ChecksumOf(NodeHash(job, {id, 0}), 0);
    }
  }
  if (job.elements == 0) stage = {};
  const std::uint32_t stages = prioritised ? 1 : job.stages;
  return {stage.executed * stages, stage.checksum * stages};
}

/// The counts of an event. @shape results: as copied back after the event
inline SyntheticTotals TotalOf(const SyntheticResults& results) {
  SyntheticTotals totals;
  for (const SyntheticCounters& part : results.parts) {
    totals.executed += part.executed;
    totals.checksum += part.checksum;
  }
  return totals;
}

/// Number of threads that took part, with Counting::kThreads.
inline std::uint64_t ThreadsOf(const SyntheticResults& results) {
  std::uint64_t threads = 0;
  for (const SyntheticCounters& part : results.parts) threads += part.threads;
  return threads;
}

}  // namespace warpyard::synthetic

#endif  // WARPYARD_CORE_WORKLOAD_SYNTHETIC_SYNTHETIC_ORACLE_H_
