// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/result_lists.h"

#include <tbb/parallel_sort.h>

#include <cstddef>

namespace warpyard::ccd {
namespace {

const PairIds& Ids(const PairIds& pair) { return pair; }
const PairIds& Ids(const PairContact& pair) { return pair.ids; }
double Time(const PairIds&) { return 0; }
double Time(const PairContact& pair) { return pair.time; }

template <class T>
void SortByIds(std::vector<T>& list) {
  tbb::parallel_sort(list.begin(), list.end(), [](const T& x, const T& y) {
    const PairIds& p = Ids(x);
    const PairIds& q = Ids(y);
    return (std::uint64_t{p.a} << 32 | p.b) < (std::uint64_t{q.a} << 32 | q.b);
  });
}

template <class T>
std::vector<VertexFaceCollision> VertexFace(std::vector<T>& list) {
  SortByIds(list);
  std::vector<VertexFaceCollision> result(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    result[i] = {Ids(list[i]).a, Ids(list[i]).b, Time(list[i])};
  }
  return result;
}

template <class T>
std::vector<EdgeEdgeCollision> EdgeEdge(std::vector<T>& list,
                                        const std::vector<std::uint32_t>& edge_vertices) {
  SortByIds(list);
  std::vector<EdgeEdgeCollision> result(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::size_t a = 2 * std::size_t{Ids(list[i]).a}, b = 2 * std::size_t{Ids(list[i]).b};
    result[i] = {edge_vertices[a], edge_vertices[a + 1], edge_vertices[b], edge_vertices[b + 1],
                 Time(list[i])};
  }
  return result;
}

}  // namespace

std::vector<VertexFaceCollision> SortedVertexFace(std::vector<PairContact>& list) {
  return VertexFace(list);
}

std::vector<VertexFaceCollision> SortedVertexFace(std::vector<PairIds>& list) {
  return VertexFace(list);
}

std::vector<EdgeEdgeCollision> SortedEdgeEdge(std::vector<PairContact>& list,
                                              const std::vector<std::uint32_t>& edge_vertices) {
  return EdgeEdge(list, edge_vertices);
}

std::vector<EdgeEdgeCollision> SortedEdgeEdge(std::vector<PairIds>& list,
                                              const std::vector<std::uint32_t>& edge_vertices) {
  return EdgeEdge(list, edge_vertices);
}

}  // namespace warpyard::ccd
