// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Lists of collisions as root finding leaves them, in memory of the host, for tests of the sort
// stages.
#ifndef WARPYARD_TESTS_UNIT_WORKLOAD_CCD_CONTACTS_CONTACT_LISTS_H_
#define WARPYARD_TESTS_UNIT_WORKLOAD_CCD_CONTACTS_CONTACT_LISTS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "core/exec/thread_scope.h"
#include "core/workload/ccd/collision_types.h"
#include "core/workload/ccd/contacts/contact_sort.h"
#include "core/workload/ccd/contacts/result_lists.h"
#include "core/workload/ccd/job/collision_job.h"
#include "core/workload/ccd/job/contact_rows.h"
#include "tests/support/mesh_fixtures.h"

namespace warpyard::test_support {

class ContactLists {
 public:
  using VertexFaces = decltype(ccd::CollisionResult::vertex_face);
  using EdgeEdges = decltype(ccd::CollisionResult::edge_edge);

  explicit ContactLists(std::uint32_t vertices) : vertices_(vertices) {
    words_.assign(ccd::ContactRows::WordsOf(vertices) + 1, kGarbage);
  }
  ContactLists(const ContactLists&) = delete;
  ContactLists& operator=(const ContactLists&) = delete;

  /// Pairs must be different, as the pairs of a step are.
  void Add(const ccd::VertexFaceCollision& pair) { vertex_face.push_back(pair); }
  void Add(const ccd::EdgeEdgeCollision& pair) { edge_edge.push_back(pair); }

  /// Adds `count` vertex-face pairs of a vertex, and as many edge-edge pairs, each with its own
  /// time.
  void AddRow(std::uint32_t first_id, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      // The other ids come out of order and differ in all bits, so that comparisons must weigh high
      // bits first.
      const std::uint32_t other = i * 0x9e3779b1u;
      Add(ccd::VertexFaceCollision{first_id, other, Time()});
      Add(ccd::EdgeEdgeCollision{i % 3, first_id, other >> 16, other, Time()});
    }
  }

  void Shuffle(Random& random) {
    Shuffle(random, vertex_face);
    Shuffle(random, edge_edge);
  }

  /// Prepares the memory and counts rows, as the stages before do.
  void Start() {
    counters = {};
    counters.listed_contacts[0] = vertex_face.size();
    counters.listed_contacts[1] = edge_edge.size();
    for (auto& kind : dealt_) kind.clear();
    dealt_[0].resize(vertex_face.size() + 1);
    dealt_[1].resize(edge_edge.size() + 1);
    ccd::StepView& step = job.step;
    step.counters = &counters;
    step.lists.vertex_face = {vertex_face.data(), vertex_face.size(), &counters.listed_contacts[0]};
    step.lists.edge_edge = {edge_edge.data(), edge_edge.size(), &counters.listed_contacts[1]};
    step.lists.rows = ccd::ContactRows::In(words_.data(), vertices_);
    for (int kind = 0; kind < 2; ++kind) step.lists.rows.dealt[kind] = dealt_[kind].data();
    for (std::uint32_t v = 0; v < vertices_; ++v) step.lists.rows.Clear(v);
    for (const auto& pair : vertex_face) Count(step.lists.rows.RowOf(false, pair.vertex));
    for (const auto& pair : edge_edge) Count(step.lists.rows.RowOf(true, pair.a1));
  }

  /// Calls run.template operator()<Procedure>(count) for each stage in order.
  template <class Run>
  void Sort(Run run) {
    const auto count = static_cast<std::uint32_t>(vertex_face.size() + edge_edge.size());
    run.template operator()<ccd::PlaceRows>(job.step.lists.rows.Parts());
    run.template operator()<ccd::DealContacts>(count);
    run.template operator()<ccd::RankContacts>(count);
  }

  /// The expected lists.
  struct Expected {
    VertexFaces vertex_face;
    EdgeEdges edge_edge;
  };
  Expected SortedByTheHost() const {
    Expected sorted{vertex_face, edge_edge};
    ccd::SortBuffers buffers;
    ccd::SortCollisions(sorted.vertex_face, vertices_, buffers);
    ccd::SortCollisions(sorted.edge_edge, vertices_, buffers);
    return sorted;
  }

  /// The first difference from the expected lists, bit for bit; empty when there is none.
  std::string FindFault(const Expected& expected) const {
    if (words_.back() != kGarbage) return "a word behind the rows was written";
    const std::string fault = Compare(vertex_face, expected.vertex_face);
    return fault.empty() ? Compare(edge_edge, expected.edge_edge) : fault;
  }

  VertexFaces vertex_face;
  EdgeEdges edge_edge;
  ccd::StepCounters counters{};
  ccd::CollisionJob job{};

 private:
  static constexpr std::uint32_t kGarbage = 0xcdcdcdcd;

  double Time() { return 1.0 / (1.0 + times_++); }

  void Count(std::uint32_t row) { job.step.lists.rows.Count<exec::ThreadScope>(row); }

  template <class List>
  static void Shuffle(Random& random, List& list) {
    for (std::size_t i = list.size(); i > 1; --i) {
      std::swap(list[i - 1], list[random.Below(static_cast<std::uint32_t>(i))]);
    }
  }

  template <class List>
  static std::string Compare(const List& list, const List& expected) {
    using T = typename List::value_type;
    static_assert(sizeof(T) == 16 || sizeof(T) == 24, "no padding");
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (std::memcmp(&list[i], &expected[i], sizeof(T)) == 0) continue;
      return "place " + std::to_string(i) + " of " + std::to_string(expected.size()) +
             (sizeof(T) == 16 ? " vertices and faces" : " edges");
    }
    return list.size() == expected.size() ? "" : "a list has another length";
  }

  std::uint32_t vertices_, times_ = 0;
  std::vector<std::uint32_t> words_;
  std::vector<ccd::RowContact> dealt_[2];
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_UNIT_WORKLOAD_CCD_CONTACTS_CONTACT_LISTS_H_
