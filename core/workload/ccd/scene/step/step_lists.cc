// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/scene/step/step_lists.h"

#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "core/workload/ccd/scene/scene_memory.h"

namespace warpyard::ccd {
namespace {

/// Makes room for `needed` items, and points the list to it.
template <class T>
absl::Status ReserveList(device::Backend& backend, std::uint64_t needed, std::uint64_t* count,
                         memory::DeviceArray<T>& memory, DeviceList<T>& list) {
  if (needed > memory.size()) WY_RETURN_IF_ERROR(memory.Reserve(backend, WithSlack(needed)));
  list = {memory.data(), memory.size(), count};
  return absl::OkStatus();
}

}  // namespace

absl::Status StepLists::Reserve(const StepCounters& needed, std::uint32_t vertices,
                                StepView& step) {
  StepCounters* const counters = counters_.data();
  StepListsView& lists = step.lists;
  step.counters = counters;
  WY_RETURN_IF_ERROR(
      ReserveList(backend_, needed.meetings, &counters->meetings, meetings_, lists.meetings));
  for (std::size_t kind = 0; kind < 2; ++kind) {
    WY_RETURN_IF_ERROR(ReserveList(backend_, needed.survivors[kind], &counters->survivors[kind],
                                   survivors_[kind], lists.survivors[kind]));
  }
  WY_RETURN_IF_ERROR(ReserveList(backend_, needed.left, &counters->left, left_, lists.left));
  std::uint64_t* const counts = counters->listed_contacts;
  WY_RETURN_IF_ERROR(
      ReserveList(backend_, needed.listed_contacts[0], counts, vertex_face_, lists.vertex_face));
  WY_RETURN_IF_ERROR(
      ReserveList(backend_, needed.listed_contacts[1], counts + 1, edge_edge_, lists.edge_edge));
  return ReserveRows(vertices, step);
}

absl::Status StepLists::ReserveRows(std::uint32_t vertices, StepView& step) {
  StepListsView& lists = step.lists;
  lists.rows = {};
  if (!step.asked.sorted || vertices > ContactRows::kMostVertices) return absl::OkStatus();
  WY_RETURN_IF_ERROR(row_words_.Reserve(backend_, ContactRows::WordsOf(vertices)));
  lists.rows = ContactRows::In(row_words_.data(), vertices);
  // Root finding no longer needs the survivors when collisions are copied to their memory.
  const std::size_t listed[] = {vertex_face_.size(), edge_edge_.size()};
  for (std::size_t kind = 0; kind < 2; ++kind) {
    Array<PairIds>& memory = survivors_[kind];
    const std::size_t before = memory.size();
    const absl::Status reserved = memory.Reserve(backend_, kSurvivorsToDeal * listed[kind]);
    if (!reserved.ok()) {  // the host sorts instead, in its own memory
      WY_RETURN_IF_ERROR(memory.Reserve(backend_, before));
      lists.rows = {};
      if (!absl::IsResourceExhausted(reserved)) return reserved;
    }
    lists.survivors[kind].items = memory.data();
    lists.survivors[kind].capacity = memory.size();
    if (!reserved.ok()) return absl::OkStatus();
    lists.rows.dealt[kind] = reinterpret_cast<RowContact*>(memory.data());
  }
  return absl::OkStatus();
}

bool StepLists::Fit(const StepView& step, const StepCounters& counters) const {
  bool fit = counters.meetings <= meetings_.size() && counters.left <= left_.size() &&
             counters.listed_contacts[0] <= step.lists.vertex_face.capacity &&
             counters.listed_contacts[1] <= step.lists.edge_edge.capacity;
  for (std::size_t kind = 0; kind < 2; ++kind) {
    fit &= counters.survivors[kind] <= survivors_[kind].size();
  }
  return fit;
}

absl::Status CheckPairs(const StepCounters& counters) {
  if (counters.meetings > kMostPairs) {
    return absl::ResourceExhaustedError(
        absl::StrCat("the step has ", counters.meetings,
                     " pairs of clusters or triangles to examine; the limit is ", kMostPairs));
  }
  const std::uint64_t survivors = counters.survivors[0] + counters.survivors[1];
  if (survivors <= kMostPairs) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat("the step has ", survivors, " pairs to examine; the limit is ", kMostPairs));
}

}  // namespace warpyard::ccd
