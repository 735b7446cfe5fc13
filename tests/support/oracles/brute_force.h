// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The broad phase by definition: every pair of features is tested.
//
// For small meshes, as an oracle: the time grows with the square of their size (about 5 s for
// 24,000 triangles).
#ifndef WARPYARD_TESTS_SUPPORT_ORACLES_BRUTE_FORCE_H_
#define WARPYARD_TESTS_SUPPORT_ORACLES_BRUTE_FORCE_H_

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/workload/ccd/collision_types.h"
#include "tests/support/motion.h"

namespace warpyard::test_support {

/// Two ids of features; the kinds of the features follow from the list.
using IdPair = std::array<std::uint32_t, 2>;

/// Pairs without a common vertex whose swept boxes overlap, in ascending order.
struct CandidatePairs {
  /// @shape vertex, face (the triangle's index)
  std::vector<IdPair> vertex_face;
  /// @shape smaller edge id, larger edge id, of UniqueEdges
  std::vector<IdPair> edge_edge;
};

/// The unique undirected edges (smaller vertex, larger vertex), sorted by (larger, smaller); the
/// index of an edge is its id.
std::vector<IdPair> UniqueEdges(std::span<const std::uint32_t> triangles);

/// All pairs of closed swept boxes that overlap, in exact comparisons of doubles. Vertices that no
/// triangle uses take no part.
CandidatePairs BruteForceCandidates(const Motion& motion,
                                    ccd::GroupRule rule = ccd::GroupRule::kAll,
                                    const std::vector<std::uint64_t>& matrix = {});

/// Order-free hash of a set of pairs: the sum, modulo 2^64, of splitmix64(first << 32 | second).
std::uint64_t PairSetHash(std::span<const IdPair> pairs);

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_ORACLES_BRUTE_FORCE_H_
