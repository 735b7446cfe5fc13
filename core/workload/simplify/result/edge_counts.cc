// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/result/edge_counts.h"

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace warpyard::simplify {
namespace {

/// For each vertex, the same number as for all others at its position.
std::vector<std::uint32_t> NumbersOfPositions(const SimplifiedMesh& mesh) {
  std::vector<std::uint32_t> numbers(mesh.positions.size() / 3);
  std::iota(numbers.begin(), numbers.end(), 0u);
  if (mesh.attributes.empty() && mesh.groups.empty()) return numbers;
  const auto at = [&](std::uint32_t vertex) { return mesh.positions.begin() + 3 * vertex; };
  std::vector<std::uint32_t> sorted = numbers;
  tbb::parallel_sort(sorted.begin(), sorted.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::lexicographical_compare(at(a), at(a) + 3, at(b), at(b) + 3);
  });
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (std::equal(at(sorted[i]), at(sorted[i]) + 3, at(sorted[i - 1]))) {
      numbers[sorted[i]] = numbers[sorted[i - 1]];
    }
  }
  return numbers;
}

}  // namespace

EdgeCounts CountEdges(const SimplifiedMesh& mesh) {
  const std::vector<std::uint32_t> numbers = NumbersOfPositions(mesh);
  std::vector<std::uint64_t> edges;  // both ends, the lower one first
  edges.reserve(mesh.triangles.size());
  for (std::size_t corner = 0; corner < mesh.triangles.size(); ++corner) {
    const std::size_t next = corner % 3 == 2 ? corner - 2 : corner + 1;
    const std::uint32_t a = numbers[mesh.triangles[corner]], b = numbers[mesh.triangles[next]];
    if (a != b) edges.push_back(std::uint64_t{std::min(a, b)} << 32 | std::max(a, b));
  }
  tbb::parallel_sort(edges.begin(), edges.end());
  EdgeCounts counts;
  for (std::size_t begin = 0, end = 0; begin < edges.size(); begin = end) {
    while (end < edges.size() && edges[end] == edges[begin]) ++end;
    counts.border += end - begin == 1 ? 1 : 0;
    counts.non_manifold += end - begin > 2 ? 1 : 0;
  }
  return counts;
}

}  // namespace warpyard::simplify
