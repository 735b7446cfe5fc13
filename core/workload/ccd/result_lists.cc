// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/result_lists.h"

#include <algorithm>
#include <cstddef>

namespace warpyard::ccd {
namespace {

const PairIds& Ids(const PairIds& pair) { return pair; }
const PairIds& Ids(const PairContact& pair) { return pair.ids; }
double Time(const PairIds&) { return 0; }
double Time(const PairContact& pair) { return pair.time; }

/// Sorts by ids: deals the pairs out by their first ids, of which there are `ids`, and sorts the
/// few of each. Lists that are short beside that are sorted as a whole.
template <class T>
void SortByIds(ListBuffers<T>& buffers, std::size_t ids) {
  std::vector<T>& list = buffers.list;
  constexpr std::size_t kSparse = 8;
  if (list.size() < ids / kSparse) {
    std::sort(list.begin(), list.end(), [](const T& x, const T& y) {
      const PairIds& p = Ids(x);
      const PairIds& q = Ids(y);
      return (std::uint64_t{p.a} << 32 | p.b) < (std::uint64_t{q.a} << 32 | q.b);
    });
    return;
  }
  std::vector<std::size_t>& next = buffers.next;
  next.assign(ids + 1, 0);
  for (const T& pair : list) ++next[Ids(pair).a + 1];
  for (std::size_t id = 0; id < ids; ++id) next[id + 1] += next[id];
  buffers.dealt.resize(list.size());
  for (const T& pair : list) buffers.dealt[next[Ids(pair).a]++] = pair;
  list.swap(buffers.dealt);
  std::size_t begin = 0;
  for (std::size_t id = 0; id < ids; begin = next[id++]) {  // by now the end of the id's pairs
    if (next[id] - begin < 2) continue;
    std::sort(list.data() + begin, list.data() + next[id],
              [](const T& x, const T& y) { return Ids(x).b < Ids(y).b; });
  }
}

template <class T>
std::vector<VertexFaceCollision> VertexFace(ListBuffers<T>& buffers, std::size_t vertices) {
  SortByIds(buffers, vertices);
  const std::vector<T>& list = buffers.list;
  std::vector<VertexFaceCollision> result(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    result[i] = {Ids(list[i]).a, Ids(list[i]).b, Time(list[i])};
  }
  return result;
}

template <class T>
std::vector<EdgeEdgeCollision> EdgeEdge(ListBuffers<T>& buffers,
                                        const std::vector<std::uint32_t>& edge_vertices) {
  SortByIds(buffers, edge_vertices.size() / 2);
  const std::vector<T>& list = buffers.list;
  std::vector<EdgeEdgeCollision> result(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::size_t a = 2 * std::size_t{Ids(list[i]).a}, b = 2 * std::size_t{Ids(list[i]).b};
    result[i] = {edge_vertices[a], edge_vertices[a + 1], edge_vertices[b], edge_vertices[b + 1],
                 Time(list[i])};
  }
  return result;
}

}  // namespace

std::vector<VertexFaceCollision> SortedVertexFace(ListBuffers<PairContact>& buffers,
                                                  std::size_t vertices) {
  return VertexFace(buffers, vertices);
}

std::vector<VertexFaceCollision> SortedVertexFace(ListBuffers<PairIds>& buffers,
                                                  std::size_t vertices) {
  return VertexFace(buffers, vertices);
}

std::vector<EdgeEdgeCollision> SortedEdgeEdge(ListBuffers<PairContact>& buffers,
                                              const std::vector<std::uint32_t>& edge_vertices) {
  return EdgeEdge(buffers, edge_vertices);
}

std::vector<EdgeEdgeCollision> SortedEdgeEdge(ListBuffers<PairIds>& buffers,
                                              const std::vector<std::uint32_t>& edge_vertices) {
  return EdgeEdge(buffers, edge_vertices);
}

}  // namespace warpyard::ccd
