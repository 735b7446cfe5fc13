// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The job type of simplification events: what an event does, and the memory that it works on.
//
// A model goes through three tasks: it is built once; a cut chooses a coarser mesh of its tree;
// collapses of edges make that better. Each takes some events, and the host allocates between them
// what the sizes of the last one ask for. [docs/adr/0035-mesh-simplification.md]
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_JOB_SIMPLIFY_JOB_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_JOB_SIMPLIFY_JOB_H_

#include <cstdint>
#include <type_traits>

#include "core/base/macros.h"
#include "core/workload/simplify/job/counters.h"
#include "core/workload/simplify/job/model_view.h"
#include "core/workload/simplify/job/result_views.h"
#include "core/workload/simplify/quadric.h"

namespace warpyard::simplify {

enum class SimplifyTask : std::uint32_t {
  kWeld,      ///< joins equal positions, drops triangles with a repeated corner
  kEdges,     ///< triangles around leaves, depths of edges, borders
  kJoin,      ///< components of one depth
  kNodes,     ///< quadrics, places and errors of all nodes; keys of the triangles
  kSelect,    ///< finds the error that leaves so many triangles
  kCut,       ///< the mesh at an error, from which collapses begin
  kResult,    ///< a cut as it is handed out, for any goal
  kExpand,    ///< finds edges of more than two triangles in a cut
  kCollapse,  ///< one pass of collapses
  kCompact,   ///< closes gaps among the vertices of a mesh
  kEmit,      ///< gives the vertices that are left their numbers
  kLink,      ///< makes a model fit for samples and searches
  kMeasure,   ///< distances from samples of a model to another one
};

/// Lists of what is around each of some things: those of thing i are items[offsets[i]] to
/// items[offsets[i + 1] - 1], ascending.
struct ListsView {
  std::uint32_t* counts;   ///< [things]; all 0 except while the lists are made
  std::uint32_t* offsets;  ///< [things + 1]
  std::uint32_t* items;
};

/// Sums of spans of indices, for prefix sums; see scan.h.
struct ScanView {
  std::uint64_t* sums;  ///< of each span, then of all spans before it
  std::uint32_t* done;  ///< see IsLast
  std::uint64_t* total;
};

/// What a node has of its leaves, relative. @shape count: 1 for a leaf
struct NodeLeaves {
  double count;
  Vector3d sum, low, high;
};

/// How equal vertices become one leaf.
struct WeldView {
  std::uint32_t* table;  ///< [table_mask + 1], a hash table of vertices
  std::uint32_t table_mask;
  std::uint32_t* slots;   ///< [vertices], in the table; then [leaves], their vertices
  std::uint32_t* leaves;  ///< [vertices], the leaf of a welded vertex
};

/// The mesh as the client sent it, and how its vertices are welded.
struct InputView {
  std::uint32_t vertices, triangles;
  const FloatPoint* positions;  ///< [vertices]
  std::uint32_t* indices;       ///< [triangles][3]; kWeld replaces them by welded ones
  std::uint32_t* locks;         ///< [vertices], not 0: it stays where it is; or null
  bool locks_borders;
  bool frees_borders;  ///< they have no planes
  bool finds_box;      ///< kWeld: that of the positions, and whether they are finite
  std::uint32_t seed;  ///< of hashes
  WeldView points;
  /// These are null for a model without wedges.
  const float* attributes;       ///< [vertices][channels]
  std::uint32_t* wedge_indices;  ///< [triangles][3], from kWeld on: first vertices of wedges
  WeldView wedges;
};

/// A graph whose edges are those of the triangles, the tree of its components, and the components
/// of the depths so far, each named by its least leaf.
struct ComponentsView {
  const std::uint32_t* corners;  ///< [triangles][3], leaves
  std::uint32_t* parents;        ///< [nodes]
  std::uint32_t* least;          ///< [leaves], towards the least leaf of the component
  std::uint32_t* roots;          ///< [root_count], the least leaves before this depth, ascending
  std::uint32_t* next;           ///< [root_count], after it
  std::uint32_t* node_of;        ///< [leaves], the node of a component
  std::uint32_t* made;  ///< [leaves], the node of this depth; kNone: not known, kGrown: it comes
  std::uint32_t root_count, first_node;
};

/// @shape pointers: null where a task does not need them
struct BuildView {
  InputView input;
  std::uint32_t* edges;  ///< [triangles]; see EdgeWord
  ListsView around;      ///< triangles around leaves; later children of nodes
  ComponentsView points, wedges;
  bool joins_wedges;  ///< kJoin: those are joined; the points of the depth are already
  std::uint32_t depth;
  /// The wedges that become parts of greater ones in an inner node.
  ListsView merged;
  NodeLeaves* below;                        ///< [nodes]
  std::uint32_t depth_begins[kDepths + 1];  ///< first nodes of depths 21, 20, ...; then all nodes
};

/// Which nodes stand for all that is below them.
enum class CutRule : std::uint32_t {
  kError,     ///< those with at most this error
  kDistance,  ///< those with at most this distance
  kLevel,     ///< those before a number, which are those of some depths
  kExpanded,  ///< those that are not expanded
};

/// How the nodes of a result get their numbers.
struct NumberingView {
  std::uint32_t* first_use;  ///< [nodes], the first corner of the result that is this node
  std::uint32_t* numbers;    ///< [3 * capacity], of the vertex whose first use a corner is
};

/// A hash table of mapped triangles, by their nodes.
struct CutTableView {
  std::uint32_t* triangles;  ///< [mask + 1]
  std::int32_t* surplus;     ///< [mask + 1], of one orientation over the other
  std::uint32_t mask;
  std::uint32_t seed;
};

struct CutView {
  CutRule rule;
  float error;               ///< or distance; less than 0: the welded mesh
  std::uint32_t level_end;   ///< the first node that does not stand
  bool selects;              ///< kResult: the error is that of the rank; see CutErrorOf
  std::uint32_t rank;        ///< kSelect: keys that may be greater
  std::uint32_t capacity;    ///< triangles that the lists have room for
  bool clears;               ///< whether it forgets what was expanded
  std::uint32_t* expanded;   ///< [words], a bit for each inner node: it does not stand; or null
  std::uint32_t* survivors;  ///< [capacity], triangles
  std::uint32_t* mapped;     ///< [capacity][3], nodes; kNone first: two of them are one
  CutTableView table;
  std::uint32_t* slots;  ///< [capacity], in the table
  NumberingView points, wedges;
};

/// A mesh that is the result of a cut, and of collapses.
struct MeshView {
  std::uint32_t vertices, triangles;
  std::uint32_t* corners;  ///< [triangles][3]
  std::uint32_t* nodes;    ///< [vertices], of the tree
  Vector3d* positions;     ///< [vertices], relative
  Quadric* quadrics;       ///< [vertices]
  std::uint32_t wedges;
  std::uint32_t* wedge_corners;  ///< [triangles][3], wedges
  std::uint32_t* wedge_nodes;    ///< [wedges], of the tree; kNone: it is joined of several ones
  std::uint32_t* wedge_sources;  ///< [wedges], vertices of the input
  float* fields;                 ///< [wedges][FieldWords(channels)]
};

struct CollapseView {
  std::uint32_t target;        ///< triangles
  float part;                  ///< of the edges: the cheapest ones are considered
  double bound;                ///< the greatest mean squared distance to planes, relative
  ListsView around;            ///< triangles around vertices
  std::uint32_t* flags;        ///< [vertices]; see VertexFlags
  std::uint32_t* edges;        ///< [2 * 3 * triangles], neighbours of vertices; see NeighboursOf
  float* costs;                ///< the same
  std::uint32_t* edge_count;   ///< [vertices], of neighbours
  std::uint64_t* best;         ///< [vertices], the cheapest edge that may collapse
  std::uint64_t* cheapest;     ///< [triangles], of its corners
  std::uint32_t* chosen;       ///< [vertices], the place of its chosen edge, or kNone
  std::uint32_t* moved;        ///< [vertices], where a vertex went
  std::uint32_t* next;         ///< [triangles][3], the corners after the pass
  std::uint32_t* wedge_moved;  ///< [wedges], of which one a wedge became part
  std::uint32_t* wedge_next;   ///< [triangles][3]
};

/// A model as a tree of its triangles. Each triangle belongs to the leaf of its first corner.
struct SearchView {
  /// As in ModelView.
  Frame frame;
  std::uint32_t leaves, nodes, triangles;
  const std::uint32_t* corners;
  const std::uint32_t* parents;
  const FloatPoint* places;
  std::uint32_t* first_child;     ///< [nodes + 1]; at the end: the first root
  std::uint32_t* sibling;         ///< [nodes], the next child of the same parent, or the next root
  std::uint32_t* first_triangle;  ///< [leaves]
  std::uint32_t* next_triangle;   ///< [triangles]
  /// Bits of the radius of a sphere around the place that has all triangles below, relative.
  std::uint32_t* reach;  ///< [nodes]
  std::uint64_t* areas;  ///< [triangles], of all triangles before one and of itself; see AreaOf
};

struct MeasureView {
  SearchView from, to;  ///< kLink: only `from`
  std::uint32_t samples;
  float* squares;  ///< [samples], squared distances relative to `to`
};

struct SimplifyJob {
  SimplifyTask task;
  ModelView model;
  /// Each order to a device has room for a whole job, so tasks that have nothing in common share
  /// it.
  union {
    BuildView build;
    MeasureView measure;
    CollapseView collapse;
    ResultView result;
  };
  CutView cut;
  MeshView mesh;
  MeshView compacted;  ///< kCompact: the new lists of vertices and wedges
  EmitView emit;
  ScanView scan;
  Counters* counters;
  std::uint32_t* bins;      ///< [kBins]; all 0 between events
  Counters* host_counters;  ///< in memory of the host, for the end of the event; or null
};
static_assert(std::is_trivially_copyable_v<SimplifyJob>);

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_JOB_SIMPLIFY_JOB_H_
