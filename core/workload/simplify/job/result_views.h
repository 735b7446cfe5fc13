// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The memory of results as they are handed out, and the views that ask for them.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_JOB_RESULT_VIEWS_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_JOB_RESULT_VIEWS_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/simplify/job/model_view.h"

namespace warpyard::simplify {

/// What an eye sees, relative to the model.
struct ViewFrustum {
  Vector3d eye;
  Vector3d sides[5];  ///< directions inwards of the four sides, and forward; of length 1
  double pixels;      ///< of a length 1 at distance 1
  double near;
  double max_pixels;
  double outside_weight, back_weight;  ///< of errors outside the sides, and of those facing away
};

struct ViewsView {
  ViewFrustum first;        ///< here, since most goals have one and all nodes look at it
  const ViewFrustum* more;  ///< [count - 1]
  std::uint32_t count;
  bool repeats;  ///< the cut of `previous`, without the views
  double hysteresis;
  /// As CutView::expanded, of the cut before, and of this one; or null. Both may be in memory of
  /// the host.
  const std::uint32_t* previous;
  std::uint32_t* state;

  WY_HD const ViewFrustum& At(std::uint32_t view) const {
    return view == 0 ? first : more[view - 1];
  }
};

/// Of a mesh that is handed out. Its vertices are wedges if the mesh has some. kResult may write to
/// memory of the host. @shape sizes as of MeshView
struct EmitView {
  std::uint32_t* uses;  ///< kEmit: of each vertex or wedge: the vertex of the mesh; then its number
  FloatPoint* positions;
  std::uint32_t* corners;
  std::uint32_t* sources;  ///< vertices of the input
  float* attributes;       ///< [vertices][channels]
  std::uint32_t* groups;   ///< or null
  std::uint32_t* ids;      ///< nodes, of the wedges' tree if there are some; or null
};

/// The nodes that are vertices of a result, of the wedges' tree if the model has one. They are in a
/// hash table, so that a small result of a large model does not look at all nodes; for a large
/// result a slot is a node.
struct UsesView {
  std::uint32_t* nodes;      ///< [slot_count], if it is hashed; kNone: free
  std::uint32_t* first_use;  ///< [slot_count], the first corner that is this node
  std::uint32_t* numbers;    ///< [slot_count], of the vertex
  std::uint32_t slot_count;  ///< a power of two, if it is hashed
  bool is_hashed;
  std::uint32_t capacity;  ///< vertices that the lists of EmitView have room for
  std::uint32_t* slots;    ///< [survivors][3], of corners; kNone first: it is not kept
  std::uint32_t* points;   ///< [survivors][3], nodes of the points' tree; null without wedges
  std::uint32_t* kept;     ///< [triangles], survivors
  std::uint32_t* firsts;   ///< [capacity], the first corners of vertices
};

struct ResultView {
  ViewsView views;
  UsesView uses;
  bool begins;  ///< whether what should be clear is not: bits of expanded nodes, CutView::table
};

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_JOB_RESULT_VIEWS_H_
