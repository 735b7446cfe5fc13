// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The quadrics of the leaves: planes of the triangles around them, and of borders. And the depth of
// each edge: that of the smallest cell of an octree that has both of its ends.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_BUILD_PLANES_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_BUILD_PLANES_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/workload/simplify/job/lists.h"
#include "core/workload/simplify/job/stages.h"
#include "core/workload/simplify/views/bounds.h"
#include "core/workload/simplify/wedges/wedges.h"

namespace warpyard::simplify {

struct EachTriangle {
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    return job.model.triangles;
  }
};
struct EachLeaf {
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    return job.model.leaves;
  }
};

/// What lies beyond an edge of a triangle.
enum class Beyond : std::uint32_t {
  kSurface,  ///< a triangle with the same attributes along the edge
  kSeam,     ///< only triangles with other ones
  kNothing,  ///< no triangle: a border
};

/// What is known of a triangle's edges; edge k goes from corner k to the next one.
struct EdgeWord {
  std::uint32_t word;

  WY_HD static EdgeWord Of(const std::uint32_t (&depths)[3], const Beyond (&beyond)[3]) {
    std::uint32_t word = 0;
    for (int k = 0; k < 3; ++k) {
      word |= depths[k] << 5 * k | static_cast<std::uint32_t>(beyond[k]) << (15 + 2 * k);
    }
    return {word};
  }
  WY_HD std::uint32_t Depth(int k) const { return word >> 5 * k & 31u; }
  WY_HD Beyond BeyondOf(int k) const { return static_cast<Beyond>(word >> (15 + 2 * k) & 3u); }
};

/// The coordinate of a cell at depth 21. @shape value: 0 to 1
WY_HD inline std::uint32_t CellOf(double value) {
  const double cell = value * 2097152.0;
  return cell < 2097151.0 ? static_cast<std::uint32_t>(cell) : 2097151u;
}

/// The depth of the smallest cell that has both points.
WY_HD inline std::uint32_t CommonDepth(const Vector3d& a, const Vector3d& b) {
  const std::uint32_t apart =
      (CellOf(a.x) ^ CellOf(b.x)) | (CellOf(a.y) ^ CellOf(b.y)) | (CellOf(a.z) ^ CellOf(b.z));
  return apart == 0 ? kDeepest : kDeepest - 1 - exec::HighestBit(apart);
}

WY_HD inline bool HasCorner(const std::uint32_t* corners, std::uint32_t corner) {
  return corners[0] == corner || corners[1] == corner || corners[2] == corner;
}

/// Makes each leaf a component of its own.
struct BeginComponents {
  static constexpr const char* kName = "SimplifyBeginComponents";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t leaf) {
    const BuildView& build = job.build;
    build.around.counts[leaf] = 0;
    BeginComponent(build.points, leaf);
  }
};

struct CountAround {
  static constexpr const char* kName = "SimplifyCountAround";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t triangle) {
    for (int k = 0; k < 3; ++k) {
      CountItem<Scope>(job.build.around, CornersOf(job.model, triangle)[k]);
    }
  }
};

struct PlaceAround : EachLeaf {
  static constexpr const char* kNames[] = {"SimplifySumAround", "SimplifyPlaceAround"};
  WY_HD static std::uint64_t Value(const SimplifyJob& job, std::uint32_t leaf) {
    return job.build.around.counts[leaf];
  }
  template <class Scope>
  WY_HD static void Place(const SimplifyJob& job, std::uint32_t leaf, std::uint64_t,
                          std::uint64_t before) {
    job.build.around.offsets[leaf] = static_cast<std::uint32_t>(before);
  }
  WY_HD static void End(const SimplifyJob& job, std::uint64_t total) {
    job.build.around.offsets[job.model.leaves] = static_cast<std::uint32_t>(total);
  }
};

struct FillAround {
  static constexpr const char* kName = "SimplifyFillAround";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t triangle) {
    for (int k = 0; k < 3; ++k) {
      AddItem<Scope>(job.build.around, CornersOf(job.model, triangle)[k], triangle);
    }
  }
};

struct SortAround {
  static constexpr const char* kName = "SimplifySortAround";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t leaf) {
    SortList(job.build.around, leaf);
  }
};

/// Describes the edges of a triangle.
struct DescribeEdges {
  static constexpr const char* kName = "SimplifyDescribeEdges";
  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t triangle) {
    const std::uint32_t* const corners = CornersOf(job.model, triangle);
    std::uint32_t depths[3];
    Beyond beyond[3];
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t a = corners[k], b = corners[k == 2 ? 0 : k + 1];
      depths[k] = CommonDepth(LeafAt(job, a), LeafAt(job, b));
      beyond[k] = FindBeyond(job, triangle, a, b);
      const auto known = Scope::Word(job.counters->depths[depths[k]]);
      if (known.LoadRelaxed() == 0) known.StoreRelaxed(1);
    }
    job.build.edges[triangle] = EdgeWord::Of(depths, beyond).word;
  }

 private:
  WY_HD static Beyond FindBeyond(const SimplifyJob& job, std::uint32_t triangle, std::uint32_t a,
                                 std::uint32_t b) {
    const ListsView& around = job.build.around;
    Range list = ListOf(around, a);
    const Range other = ListOf(around, b);
    std::uint32_t far = b;
    if (other.end - other.begin < list.end - list.begin) {
      list = other;
      far = a;
    }
    constexpr int kMost = 16;  // triangles of an edge that are looked at: meshes have two
    Beyond found = Beyond::kNothing;
    int looks = 0;
    for (std::uint32_t i = list.begin; i < list.end && looks < kMost; ++i) {
      const std::uint32_t t = around.items[i];
      if (t == triangle || !HasCorner(CornersOf(job.model, t), far)) continue;
      if (GoesOn(job, triangle, t, a) && GoesOn(job, triangle, t, b)) return Beyond::kSurface;
      found = Beyond::kSeam;
      ++looks;
    }
    return found;
  }

  /// Whether the attributes of two triangles at a corner are the same but for normals: where these
  /// differ the surface has a crease, which its own planes keep.
  WY_HD static bool GoesOn(const SimplifyJob& job, std::uint32_t s, std::uint32_t t,
                           std::uint32_t corner) {
    const WedgeView& wedges = job.model.wedges;
    return wedges.leaves == 0 ||
           HasSameLook(job, WedgeAt(job.model, s, corner), WedgeAt(job.model, t, corner));
  }
};

/// Sums the planes around a leaf, in the order of its triangles.
struct SumPlanes {
  static constexpr const char* kName = "SimplifySumPlanes";
  static constexpr double kBorderWeight = 2;  ///< times the squared length of the edge
  /// Of seams: both sides have a plane.
  static constexpr double kSeamWeight = 1;

  template <class Scope>
  WY_HD static void Do(const SimplifyJob& job, std::uint32_t leaf) {
    const Range list = ListOf(job.build.around, leaf);
    const InputView& input = job.build.input;
    const std::uint32_t source = input.points.slots[leaf];
    bool is_locked = input.locks != nullptr && input.locks[source] != 0;
    Quadric quadric;
    for (std::uint32_t i = list.begin; i < list.end; ++i) {
      const std::uint32_t triangle = job.build.around.items[i];
      AddTriangle(job, triangle, leaf, quadric);
      is_locked |= input.locks_borders && IsAtBorder(job, triangle, leaf);
    }
    const ModelView& model = job.model;
    if (model.wedges.channels != 0) AddFields(job, leaf, quadric);
    model.quadrics[leaf] = quadric;
    model.errors[leaf] = model.distances[leaf] = is_locked ? kLocked : 0;
    model.sources[leaf] = source;
    model.places[leaf] = input.positions[source];
    BoundLeaf(job, leaf);
  }

 private:
  WY_HD static void AddTriangle(const SimplifyJob& job, std::uint32_t triangle, std::uint32_t leaf,
                                Quadric& quadric) {
    const std::uint32_t* const corners = CornersOf(job.model, triangle);
    const Vector3d at[3] = {LeafAt(job, corners[0]), LeafAt(job, corners[1]),
                            LeafAt(job, corners[2])};
    const Vector3d normal = Cross(at[1] - at[0], at[2] - at[0]);
    const double length = LengthOf(normal);
    if (!(length > 0)) return;
    quadric.AddPlane((1 / length) * normal, at[0], length / 2);
    const EdgeWord edges{job.build.edges[triangle]};
    for (int k = 0; k < 3; ++k) {
      const int next = k == 2 ? 0 : k + 1;
      const Beyond beyond = edges.BeyondOf(k);
      if (beyond == Beyond::kSurface || (corners[k] != leaf && corners[next] != leaf)) continue;
      if (beyond == Beyond::kNothing && job.build.input.frees_borders) continue;
      const Vector3d along = at[next] - at[k];
      const Vector3d upright = Cross(normal, along);
      const double tall = LengthOf(upright);
      if (!(tall > 0)) continue;
      const double weight = beyond == Beyond::kSeam ? kSeamWeight : kBorderWeight;
      quadric.AddPlane((1 / tall) * upright, at[k], weight * Dot(along, along));
    }
  }

  WY_HD static bool IsAtBorder(const SimplifyJob& job, std::uint32_t triangle, std::uint32_t leaf) {
    const std::uint32_t* const corners = CornersOf(job.model, triangle);
    const EdgeWord edges{job.build.edges[triangle]};
    for (int k = 0; k < 3; ++k) {
      const bool has_leaf = corners[k] == leaf || corners[k == 2 ? 0 : k + 1] == leaf;
      if (has_leaf && edges.BeyondOf(k) == Beyond::kNothing) return true;
    }
    return false;
  }
};

using EdgeStages =
    JoinedStages<Stages<EachRow<BeginComponents, EachLeaf>, EachRow<CountAround, EachTriangle>>,
                 ScanStages<PlaceAround>,
                 Stages<EachRow<FillAround, EachTriangle>, EachRow<SortAround, EachLeaf>,
                        EachRow<BeginWedges, EachWedgeLeaf>, EachRow<DescribeEdges, EachTriangle>>>;

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_BUILD_PLANES_H_
