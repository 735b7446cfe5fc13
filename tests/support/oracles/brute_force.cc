// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/support/oracles/brute_force.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>

namespace warpyard::test_support {
namespace {

struct Box {
  Vec3 low;
  Vec3 high;
};

Box SweptBox(const Motion& motion, std::initializer_list<std::uint32_t> vertices) {
  Box box;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t first = std::size_t{3} * *vertices.begin() + axis;
    box.low[axis] = box.high[axis] = motion.start[first];
    for (const std::uint32_t vertex : vertices) {
      const std::size_t at = std::size_t{3} * vertex + axis;
      box.low[axis] = std::min({box.low[axis], motion.start[at], motion.end[at]});
      box.high[axis] = std::max({box.high[axis], motion.start[at], motion.end[at]});
    }
  }
  return box;
}

// The loops over all pairs read little else. One thread makes the boxes and reads them, so
// ThreadSanitizer would only take time to watch that.
__attribute__((no_sanitize("thread"))) bool Overlap(const Box& a, const Box& b) {
  // A sum, since the loops over all pairs run twice as fast without the branches of ||.
  return (a.low[0] > b.high[0]) + (b.low[0] > a.high[0]) + (a.low[1] > b.high[1]) +
             (b.low[1] > a.high[1]) + (a.low[2] > b.high[2]) + (b.low[2] > a.high[2]) ==
         0;
}

class BruteForce {
 public:
  BruteForce(const Motion& motion, ccd::GroupRule rule, const std::vector<std::uint64_t>& matrix)
      : motion_(motion), rule_(rule), matrix_(matrix) {}

  std::vector<IdPair> VertexFace() const {
    std::vector<bool> used(motion_.Vertices());
    for (const std::uint32_t vertex : motion_.triangles) used[vertex] = true;
    std::vector<Box> faces;
    for (std::size_t f = 0; f < motion_.Triangles(); ++f) {
      faces.push_back(SweptBox(motion_, {Corner(f, 0), Corner(f, 1), Corner(f, 2)}));
    }
    std::vector<IdPair> pairs;
    for (std::uint32_t v = 0; v < used.size(); ++v) {
      if (!used[v]) continue;
      const Box box = SweptBox(motion_, {v});
      for (std::uint32_t f = 0; f < faces.size(); ++f) {
        if (!Overlap(box, faces[f])) continue;
        const bool shared = v == Corner(f, 0) || v == Corner(f, 1) || v == Corner(f, 2);
        if (!shared && GroupsMayCollide(v, Corner(f, 0))) pairs.push_back({v, f});
      }
    }
    return pairs;
  }

  std::vector<IdPair> EdgeEdge() const {
    const std::vector<IdPair> edges = UniqueEdges(motion_.triangles);
    std::vector<Box> boxes;
    for (const IdPair& edge : edges) boxes.push_back(SweptBox(motion_, {edge[0], edge[1]}));
    std::vector<IdPair> pairs;
    for (std::uint32_t a = 0; a < edges.size(); ++a) {
      for (std::uint32_t b = a + 1; b < edges.size(); ++b) {
        if (!Overlap(boxes[a], boxes[b])) continue;
        const bool shared = edges[a][0] == edges[b][0] || edges[a][0] == edges[b][1] ||
                            edges[a][1] == edges[b][0] || edges[a][1] == edges[b][1];
        if (!shared && GroupsMayCollide(edges[a][0], edges[b][0])) pairs.push_back({a, b});
      }
    }
    return pairs;
  }

 private:
  std::uint32_t Corner(std::size_t face, std::size_t corner) const {
    return motion_.triangles[3 * face + corner];
  }

  bool GroupsMayCollide(std::uint32_t a, std::uint32_t b) const {
    if (rule_ == ccd::GroupRule::kAll) return true;
    if (rule_ == ccd::GroupRule::kMatrix) {
      return (matrix_[motion_.vertex_groups[a]] >> motion_.vertex_groups[b] & 1) != 0;
    }
    const bool same =
        motion_.vertex_groups.empty() || motion_.vertex_groups[a] == motion_.vertex_groups[b];
    return same == (rule_ == ccd::GroupRule::kSame);
  }

  const Motion& motion_;
  ccd::GroupRule rule_;
  const std::vector<std::uint64_t>& matrix_;
};

// Steele, Lea, Flood 2014.
std::uint64_t SplitMix64(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

}  // namespace

std::vector<IdPair> UniqueEdges(std::span<const std::uint32_t> triangles) {
  std::vector<IdPair> edges;
  for (std::size_t f = 0; f + 2 < triangles.size(); f += 3) {
    for (std::size_t side = 0; side < 3; ++side) {
      const std::uint32_t a = triangles[f + side];
      const std::uint32_t b = triangles[f + (side + 1) % 3];
      edges.push_back({std::min(a, b), std::max(a, b)});
    }
  }
  std::sort(edges.begin(), edges.end(), [](const IdPair& a, const IdPair& b) {
    return a[1] != b[1] ? a[1] < b[1] : a[0] < b[0];
  });
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

CandidatePairs BruteForceCandidates(const Motion& motion, ccd::GroupRule rule,
                                    const std::vector<std::uint64_t>& matrix) {
  const BruteForce search(motion, rule, matrix);
  return {search.VertexFace(), search.EdgeEdge()};
}

std::uint64_t PairSetHash(std::span<const IdPair> pairs) {
  std::uint64_t sum = 0;
  for (const IdPair& pair : pairs) sum += SplitMix64(std::uint64_t{pair[0]} << 32 | pair[1]);
  return sum;
}

}  // namespace warpyard::test_support
