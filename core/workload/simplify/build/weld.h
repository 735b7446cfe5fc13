// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Welding: vertices at equal positions become one leaf, and triangles with a repeated corner go.
// Those that have equal attributes and one group, too, become one leaf of the wedges' tree.
//
// A slot of the hash table holds the least vertex of its position. So leaves have the order of
// their first vertices, whatever the order in which workers insert them.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_BUILD_WELD_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_BUILD_WELD_H_

#include <cstdint>
#include <cstring>

#include "core/base/macros.h"
#include "core/workload/simplify/build/bound_positions.h"
#include "core/workload/simplify/job/stages.h"

namespace warpyard::simplify {

/// Stages after one that found invalid input have nothing to do. Else any number of positions that
/// are not numbers, and so equal none, would look for room in one place of a hash table.
WY_HD inline bool IsInvalid(const SimplifyJob& job) { return job.counters->input.invalid != 0; }

struct EachInputTriangle {
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    return IsInvalid(job) ? 0 : job.build.input.triangles;
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
/// @shape seed: one that no client knows, or it could send positions with equal hashes
WY_HD inline std::uint32_t HashOf(const FloatPoint& p, std::uint32_t seed) {
  return Mixed(CoordinateBits(p.x) +
               Mixed(CoordinateBits(p.y) + Mixed(CoordinateBits(p.z) + Mixed(seed))));
}
WY_HD inline bool IsEqual(const FloatPoint& a, const FloatPoint& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

/// Vertices at one position.
struct PointKey {
  static constexpr const char* kClear = "SimplifyClearPoints";
  static constexpr const char* kWeld = "SimplifyWeldPoints";
  static constexpr const char* kNames[] = {"SimplifyCountLeaves", "SimplifyNumberLeaves"};

  WY_HD static const WeldView& View(const SimplifyJob& job) { return job.build.input.points; }
  WY_HD static bool Exists(const SimplifyJob&) { return true; }
  WY_HD static std::uint32_t Hash(const SimplifyJob& job, std::uint32_t vertex) {
    return HashOf(job.build.input.positions[vertex], job.build.input.seed);
  }
  WY_HD static bool IsSame(const SimplifyJob& job, std::uint32_t a, std::uint32_t b) {
    return IsEqual(job.build.input.positions[a], job.build.input.positions[b]);
  }
  WY_HD static void SetLeaves(const SimplifyJob& job, std::uint64_t count) {
    job.counters->leaves = static_cast<std::uint32_t>(count);
  }
};

/// Those of them with equal attributes and one group.
struct WedgeKey {
  static constexpr const char* kClear = "SimplifyClearWedges";
  static constexpr const char* kWeld = "SimplifyWeldWedges";
  static constexpr const char* kNames[] = {"SimplifyCountWedges", "SimplifyNumberWedges"};

  WY_HD static const WeldView& View(const SimplifyJob& job) { return job.build.input.wedges; }
  WY_HD static bool Exists(const SimplifyJob& job) { return View(job).table != nullptr; }
  WY_HD static std::uint32_t Hash(const SimplifyJob& job, std::uint32_t vertex) {
    const std::uint32_t channels = job.model.wedges.channels;
    const float* const values = Values(job, vertex);
    std::uint32_t hash = PointKey::Hash(job, vertex) + GroupOf(job, vertex);
    for (std::uint32_t k = 0; k < channels; ++k) hash = Mixed(hash + CoordinateBits(values[k]));
    return Mixed(hash);
  }
  WY_HD static bool IsSame(const SimplifyJob& job, std::uint32_t a, std::uint32_t b) {
    if (!PointKey::IsSame(job, a, b) || GroupOf(job, a) != GroupOf(job, b)) return false;
    for (std::uint32_t k = 0; k < job.model.wedges.channels; ++k) {
      if (Values(job, a)[k] != Values(job, b)[k]) return false;
    }
    return true;
  }
  WY_HD static void SetLeaves(const SimplifyJob& job, std::uint64_t count) {
    job.counters->wedges = static_cast<std::uint32_t>(count);
  }

 private:
  WY_HD static const float* Values(const SimplifyJob& job, std::uint32_t vertex) {
    return job.build.input.attributes + std::uint64_t{job.model.wedges.channels} * vertex;
  }
  WY_HD static std::uint32_t GroupOf(const SimplifyJob& job, std::uint32_t vertex) {
    return job.model.wedges.groups == nullptr ? 0 : job.model.wedges.groups[vertex];
  }
};

/// @shape derived from the key, whose names a prefix sum takes
template <class Key>
struct EachVertexOf : Key {
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    return Key::Exists(job) && !IsInvalid(job) ? job.build.input.vertices : 0;
  }
};
template <class Key>
struct EachSlotOf {
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    return Key::Exists(job) ? Key::View(job).table_mask + 1 : 0;
  }
};

template <class Key>
struct ClearTable {
  static constexpr const char* kName = Key::kClear;
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t slot) {
    Key::View(job).table[slot] = kNone;
    if (slot < job.build.input.vertices) Key::View(job).leaves[slot] = kNone;
  }
};

template <class Key>
struct WeldVertices {
  static constexpr const char* kName = Key::kWeld;
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t vertex) {
    const WeldView& view = Key::View(job);
    std::uint32_t slot = Key::Hash(job, vertex) & view.table_mask;
    // The table is at most half full.
    for (;; slot = (slot + 1) & view.table_mask) {
      const auto word = Scope::Word(view.table[slot]);
      std::uint32_t other = word.LoadRelaxed();
      if (other == kNone && word.CompareExchangeRelaxed(other, vertex)) break;
      if (!Key::IsSame(job, other, vertex)) continue;
      word.FetchMinRelaxed(vertex);
      break;
    }
    view.slots[vertex] = slot;
  }
};

struct EachLock {
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    return job.build.input.locks == nullptr || IsInvalid(job) ? 0 : job.build.input.vertices;
  }
};

/// Locks the first vertex of a position where another one is locked.
struct WeldLocks {
  static constexpr const char* kName = "SimplifyWeldLocks";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t vertex) {
    const InputView& input = job.build.input;
    if (Scope::Word(input.locks[vertex]).LoadRelaxed() == 0) return;
    Scope::Word(input.locks[input.points.table[input.points.slots[vertex]]]).StoreRelaxed(1);
  }
};

/// Replaces corners by the first vertices of their positions and wedges, and marks those that are
/// used. Finds indices without a vertex.
struct WeldTriangles {
  static constexpr const char* kName = "SimplifyWeldTriangles";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t triangle) {
    const InputView& input = job.build.input;
    std::uint32_t* const corners = input.indices + 3 * std::uint64_t{triangle};
    const std::uint32_t vertices = input.vertices;
    if (corners[0] >= vertices || corners[1] >= vertices || corners[2] >= vertices) {
      Scope::Word(job.counters->input.invalid).StoreRelaxed(1);
      return;
    }
    std::uint32_t welded[3], wedges[3];
    Find(input.points, corners, welded);
    const bool keeps = welded[0] != welded[1] && welded[1] != welded[2] && welded[2] != welded[0];
    if (WedgeKey::Exists(job)) {
      Find(input.wedges, corners, wedges);
      Mark<Scope>(input.wedges, keeps, wedges, input.wedge_indices + 3 * std::uint64_t{triangle});
    }
    Mark<Scope>(input.points, keeps, welded, corners);
  }

 private:
  WY_HD static void Find(const WeldView& view, const std::uint32_t* corners,
                         std::uint32_t (&first)[3]) {
    for (int k = 0; k < 3; ++k) first[k] = view.table[view.slots[corners[k]]];
  }
  template <class Scope>
  WY_HD static void Mark(const WeldView& view, bool keeps, const std::uint32_t (&first)[3],
                         std::uint32_t* out) {
    for (int k = 0; k < 3; ++k) {
      out[k] = keeps ? first[k] : kNone;
      if (keeps) Scope::Word(view.leaves[first[k]]).StoreRelaxed(0);
    }
  }
};

/// Gives the vertices in use their leaves.
template <class Key>
struct NumberLeaves : EachVertexOf<Key> {
  WY_HD static std::uint64_t Value(const SimplifyJob& job, std::uint32_t vertex) {
    return Key::View(job).leaves[vertex] != kNone ? 1 : 0;
  }
  template <class Scope>
  WY_HD static void Place(const SimplifyJob& job, std::uint32_t vertex, std::uint64_t value,
                          std::uint64_t before) {
    if (value == 0) return;
    const auto leaf = static_cast<std::uint32_t>(before);
    Key::View(job).leaves[vertex] = leaf;
    // The source of the leaf: slots are not needed any more.
    Key::View(job).slots[leaf] = vertex;
  }
  WY_HD static void End(const SimplifyJob& job, std::uint64_t total) { Key::SetLeaves(job, total); }
};

/// Lists the triangles that are left, with their leaves.
struct KeepTriangles : EachInputTriangle {
  static constexpr const char* kNames[] = {"SimplifyCountKept", "SimplifyKeepTriangles"};
  WY_HD static std::uint64_t Value(const SimplifyJob& job, std::uint32_t triangle) {
    return job.build.input.indices[3 * std::uint64_t{triangle}] != kNone ? 1 : 0;
  }
  template <class Scope>
  WY_HD static void Place(const SimplifyJob& job, std::uint32_t triangle, std::uint64_t value,
                          std::uint64_t before) {
    if (value == 0) return;
    const InputView& input = job.build.input;
    const std::uint64_t first = 3 * std::uint64_t{triangle};
    for (std::uint64_t k = 0; k < 3; ++k) {
      const std::uint32_t leaf = input.points.leaves[input.indices[first + k]];
      job.model.corners[3 * before + k] = leaf;
      if (!WedgeKey::Exists(job)) continue;
      const std::uint32_t wedge = input.wedges.leaves[input.wedge_indices[first + k]];
      job.model.wedges.corners[3 * before + k] = wedge;
      Scope::Word(job.model.wedges.owners[wedge]).StoreRelaxed(leaf);
    }
  }
  WY_HD static void End(const SimplifyJob& job, std::uint64_t total) {
    job.counters->triangles = static_cast<std::uint32_t>(total);
  }
};

using WeldStages =
    JoinedStages<Stages<Row<BoundPositions, EachPositionToBound>,
                        EachRow<ClearTable<PointKey>, EachSlotOf<PointKey>>,
                        EachRow<ClearTable<WedgeKey>, EachSlotOf<WedgeKey>>,
                        EachRow<WeldVertices<PointKey>, EachVertexOf<PointKey>>,
                        EachRow<WeldVertices<WedgeKey>, EachVertexOf<WedgeKey>>,
                        EachRow<WeldLocks, EachLock>, EachRow<WeldTriangles, EachInputTriangle>>,
                 ScanStages<NumberLeaves<PointKey>>, ScanStages<NumberLeaves<WedgeKey>>,
                 ScanStages<KeepTriangles>>;

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_BUILD_WELD_H_
