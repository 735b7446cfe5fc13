// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Welding: vertices at equal positions become one leaf, and triangles with a repeated corner go.
//
// A slot of the hash table holds the least vertex of its position. So leaves have the order of
// their first vertices, whatever the order in which workers insert them.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_BUILD_WELD_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_BUILD_WELD_H_

#include <cstdint>
#include <cstring>

#include "core/base/macros.h"
#include "core/workload/simplify/job/stages.h"

namespace warpyard::simplify {

struct EachInputVertex {
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    return job.build.input.vertices;
  }
};
struct EachInputTriangle {
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    return job.build.input.triangles;
  }
};
struct EachTableSlot {
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    return job.build.input.table_mask + 1;
  }
};

/// Mixes all bits of a word (the finaliser of MurmurHash3).
WY_HD inline std::uint32_t Mixed(std::uint32_t word) {
  word = (word ^ word >> 16) * 0x85ebca6bu;
  word = (word ^ word >> 13) * 0xc2b2ae35u;
  return word ^ word >> 16;
}

/// The bits of a coordinate: equal numbers have equal bits.
WY_HD inline std::uint32_t CoordinateBits(float value) {
  value += 0.0f;  // -0 becomes 0
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
WY_HD inline std::uint32_t HashOf(const FloatPoint& p) {
  return Mixed(CoordinateBits(p.x) + Mixed(CoordinateBits(p.y) + Mixed(CoordinateBits(p.z) + 1)));
}
WY_HD inline bool IsEqual(const FloatPoint& a, const FloatPoint& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

struct ClearTable {
  static constexpr const char* kName = "SimplifyClearTable";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t slot) {
    job.build.input.table[slot] = kNone;
    if (slot < job.build.input.vertices) job.build.input.leaves[slot] = kNone;
  }
};

struct WeldVertices {
  static constexpr const char* kName = "SimplifyWeldVertices";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t vertex) {
    const BuildView& build = job.build;
    const FloatPoint point = build.input.positions[vertex];
    std::uint32_t slot = HashOf(point) & build.input.table_mask;
    // The table is at most half full.
    for (;; slot = (slot + 1) & build.input.table_mask) {
      const auto word = Scope::Word(build.input.table[slot]);
      std::uint32_t other = word.LoadRelaxed();
      if (other == kNone && word.CompareExchangeRelaxed(other, vertex)) break;
      if (!IsEqual(build.input.positions[other], point)) continue;
      word.FetchMinRelaxed(vertex);
      break;
    }
    build.input.slots[vertex] = slot;
  }
};

/// Replaces corners by the first vertices of their positions, and marks those that are used.
struct WeldTriangles {
  static constexpr const char* kName = "SimplifyWeldTriangles";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t triangle) {
    const BuildView& build = job.build;
    std::uint32_t* const corners = build.input.indices + 3 * std::uint64_t{triangle};
    std::uint32_t welded[3];
    for (int k = 0; k < 3; ++k) welded[k] = build.input.table[build.input.slots[corners[k]]];
    const bool keeps = welded[0] != welded[1] && welded[1] != welded[2] && welded[2] != welded[0];
    for (int k = 0; k < 3; ++k) {
      corners[k] = keeps ? welded[k] : kNone;
      if (keeps) Scope::Word(build.input.leaves[welded[k]]).StoreRelaxed(0);
    }
  }
};

/// Gives the vertices in use their leaves.
struct NumberLeaves : EachInputVertex {
  static constexpr const char* kNames[] = {"SimplifyCountLeaves", "SimplifyNumberLeaves"};
  WY_HD static std::uint64_t Value(const SimplifyJob& job, std::uint32_t vertex) {
    return job.build.input.leaves[vertex] != kNone ? 1 : 0;
  }
  template <class Scope>
  WY_HD static void Place(const SimplifyJob& job, std::uint32_t vertex, std::uint64_t value,
                          std::uint64_t before) {
    if (value == 0) return;
    const auto leaf = static_cast<std::uint32_t>(before);
    job.build.input.leaves[vertex] = leaf;
    job.build.input.slots[leaf] = vertex;  // the source of the leaf: slots are not needed any more
  }
  WY_HD static void End(const SimplifyJob& job, std::uint64_t total) {
    job.counters->leaves = static_cast<std::uint32_t>(total);
  }
};

/// Closes the gaps of triangles that go, within indices.
struct KeepTriangles : EachInputTriangle {
  static constexpr const char* kNames[] = {"SimplifyCountKept", "SimplifyKeepTriangles"};
  WY_HD static std::uint64_t Value(const SimplifyJob& job, std::uint32_t triangle) {
    return job.build.input.indices[3 * std::uint64_t{triangle}] != kNone ? 1 : 0;
  }
  template <class Scope>
  WY_HD static void Place(const SimplifyJob& job, std::uint32_t triangle, std::uint64_t value,
                          std::uint64_t before) {
    if (value == 0) return;
    const std::uint32_t* const corners = job.build.input.indices + 3 * std::uint64_t{triangle};
    std::uint32_t* const leaves = job.model.corners + 3 * before;
    for (int k = 0; k < 3; ++k) leaves[k] = job.build.input.leaves[corners[k]];
  }
  WY_HD static void End(const SimplifyJob& job, std::uint64_t total) {
    job.counters->triangles = static_cast<std::uint32_t>(total);
  }
};

using WeldStages =
    JoinedStages<Stages<EachRow<ClearTable, EachTableSlot>, EachRow<WeldVertices, EachInputVertex>,
                        EachRow<WeldTriangles, EachInputTriangle>>,
                 ScanStages<NumberLeaves>, ScanStages<KeepTriangles>>;

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_BUILD_WELD_H_
