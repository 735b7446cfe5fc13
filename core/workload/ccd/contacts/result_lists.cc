// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/contacts/result_lists.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>

namespace warpyard::ccd {
using memory::HostVector;

namespace {

std::uint32_t FirstId(const VertexFaceCollision& pair) { return pair.vertex; }
std::uint32_t FirstId(const EdgeEdgeCollision& pair) { return pair.a1; }

auto OtherIds(const VertexFaceCollision& pair) { return std::make_tuple(pair.face); }
auto OtherIds(const EdgeEdgeCollision& pair) { return std::make_tuple(pair.a0, pair.b1, pair.b0); }

/// Moves the pairs to their places by first ids, which is faster than comparing all pairs, and then
/// sorts the few pairs of each first id. @shape ids: first ids are less than this
template <class T>
void Sort(HostVector<T>& list, HostVector<T>& dealt, std::vector<std::size_t>& next,
          std::size_t ids) {
  const auto by_others = [](const T& x, const T& y) { return OtherIds(x) < OtherIds(y); };
  constexpr std::size_t kSparse = 8;
  if (list.size() < ids / kSparse) {
    std::sort(list.begin(), list.end(), [&](const T& x, const T& y) {
      return FirstId(x) != FirstId(y) ? FirstId(x) < FirstId(y) : by_others(x, y);
    });
    return;
  }
  next.assign(ids + 1, 0);
  for (const T& pair : list) ++next[FirstId(pair) + 1];
  for (std::size_t id = 0; id < ids; ++id) next[id + 1] += next[id];
  dealt.resize(list.size());
  for (const T& pair : list) dealt[next[FirstId(pair)]++] = pair;
  list.swap(dealt);
  std::size_t begin = 0;
  for (std::size_t id = 0; id < ids;
       begin = next[id++]) {  // `next` is now at the end of the id's pairs
    if (next[id] - begin > 1) std::sort(list.data() + begin, list.data() + next[id], by_others);
  }
}

}  // namespace

void SortCollisions(memory::HostVector<VertexFaceCollision>& list, std::size_t vertices,
                    SortBuffers& buffers) {
  Sort(list, buffers.vertex_face, buffers.next, vertices);
}

void SortCollisions(memory::HostVector<EdgeEdgeCollision>& list, std::size_t vertices,
                    SortBuffers& buffers) {
  Sort(list, buffers.edge_edge, buffers.next, vertices);
}

}  // namespace warpyard::ccd
