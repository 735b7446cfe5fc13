// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The random properties of a synthetic event as functions of its job: its elements, their types,
// priorities and amounts of work.
//
// The properties do not depend on the order of execution or on the worker, so that every backend,
// and an oracle on the host, finds the same elements.
#ifndef WARPYARD_CORE_WORKLOAD_SYNTHETIC_SYNTHETIC_NODE_H_
#define WARPYARD_CORE_WORKLOAD_SYNTHETIC_SYNTHETIC_NODE_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/synthetic/synthetic_job.h"

namespace warpyard::synthetic {

/// The queued data of an element.
/// @shape id: for kFlat, kPrioritised and the first elements of other kinds a number from 0 on; for
/// spawned elements a hash
struct Node {
  std::uint32_t id;
  std::uint32_t depth;
};
static_assert(sizeof(Node) == 8);

inline constexpr std::uint32_t kTypes = 4;

/// A bijection in which every bit of the result depends on every bit of `x` (lowbias32 of Wellons'
/// hash-prospector).
WY_HD inline std::uint32_t Mix(std::uint32_t x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

WY_HD inline std::uint32_t Combine(std::uint32_t a, std::uint32_t b) {
  return Mix(a ^ Mix(b + 0x9e3779b9u));
}

/// Maps an evenly distributed `hash` to a number less than `bound`.
WY_HD inline std::uint32_t Scaled(std::uint32_t hash, std::uint32_t bound) {
  return static_cast<std::uint32_t>(std::uint64_t{hash} * bound >> 32);
}

/// The source of all random properties of a node.
WY_HD inline std::uint32_t NodeHash(const SyntheticJob& job, const Node& node) {
  return Combine(Combine(job.seed, node.id), node.depth);
}

/// Probability that a node of this depth has child `child`.
WY_HD inline std::uint32_t ChildPermille(const Growth& growth, std::uint32_t depth,
                                         std::uint32_t child) {
  if (depth + 1 >= growth.depths) return 0;
  const std::uint32_t full = growth.child_permille[child];
  if (depth < growth.decline_from || growth.decline_permille == 0) return full;
  const std::uint64_t lost =
      std::uint64_t{growth.decline_permille} * (depth - growth.decline_from + 1);
  return lost >= 1000 ? 0 : full * static_cast<std::uint32_t>(1000 - lost) / 1000;
}

/// Whether a node has child 0 or 1. @shape hash: NodeHash of the node
WY_HD inline bool HasChild(const Growth& growth, std::uint32_t hash, std::uint32_t depth,
                           std::uint32_t child) {
  return Scaled(Combine(hash, 2 * child), 1000) < ChildPermille(growth, depth, child);
}

WY_HD inline Node ChildOf(std::uint32_t hash, std::uint32_t depth, std::uint32_t child) {
  return {Combine(hash, 2 * child + 1), depth + 1};
}

/// Type of a node at the start.
WY_HD inline std::uint32_t RootType(const SyntheticJob& job, std::uint32_t id) {
  return Scaled(Combine(~job.seed, id), kTypes);
}

/// Type of a node that a node of type `parent` spawned; all other types are equally likely.
WY_HD inline std::uint32_t ChildType(const SyntheticJob& job, const Node& node,
                                     std::uint32_t parent) {
  const std::uint32_t hash = Combine(~job.seed, node.id);
  if (Scaled(hash, 1000) >= job.growth.type_change_permille) return parent;
  return (parent + 1 + Scaled(Mix(hash), kTypes - 1)) % kTypes;
}

/// Priority of a prioritised package, evenly distributed; lower is earlier.
WY_HD inline std::uint32_t PriorityOf(const SyntheticJob& job, std::uint32_t id) {
  return Combine(Mix(job.seed), id);
}

/// The priority, mapped to as many steps as there are levels. @shape job.levels: not 0
WY_HD inline std::uint32_t LevelOf(const SyntheticJob& job, std::uint32_t id) {
  return Scaled(PriorityOf(job, id), job.levels);
}

/// Work of a node, evenly distributed around work.amount.
WY_HD inline std::uint32_t AmountOf(const Work& work, std::uint32_t hash) {
  if (work.spread_permille == 0) return work.amount;
  const std::uint32_t permille =
      1000 - work.spread_permille + Scaled(Mix(hash), 2 * work.spread_permille + 1);
  return static_cast<std::uint32_t>(std::uint64_t{work.amount} * permille / 1000);
}

/// A node's part of the checksum. @shape type: of the procedure that executed it
WY_HD inline std::uint64_t ChecksumOf(std::uint32_t hash, std::uint32_t type) {
  return Combine(hash, 4 + type);
}

}  // namespace warpyard::synthetic

#endif  // WARPYARD_CORE_WORKLOAD_SYNTHETIC_SYNTHETIC_NODE_H_
