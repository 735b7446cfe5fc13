// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/scene/step/host_lists.h"

#include <algorithm>
#include <utility>

#include "core/workload/ccd/contacts/contact_sort.h"
#include "core/workload/ccd/scene/step/host_room.h"

namespace warpyard::ccd {

void HostLists::Place(bool finishes, StepView& step) {
  Drop();
  if (counters_.empty() || !backend_.Reaches(counters_.data())) {
    counters_ = memory::HostVector<StepCounters>(
        1, memory::HostAllocator<StepCounters>(backend_.HostMemory()));
  }
  const bool counts = finishes && backend_.Reaches(counters_.data());
  step.host_counters = counts ? counters_.data() : nullptr;
  if (!counts || step.asked.report != Report::kCollisions || !last_) return;
  const auto [last_faces, last_edges] = *last_;
  if (step.asked.sorted && last_faces + last_edges >= kLeastSorted) return;
  const auto room = [](std::uint64_t most, std::uint64_t length) {
    return std::min(most, 2 * length + kLeastRoom);
  };
  StepListsView& lists = step.lists;
  const std::array<std::uint64_t, 2> rooms = {room(lists.vertex_face.capacity, last_faces),
                                              room(lists.edge_edge.capacity, last_edges)};
  if (!MakeRoom(rooms)) return Drop();
  are_used_ = true;
  lists.vertex_face.items = vertex_face_.data();
  lists.vertex_face.capacity = rooms[0];
  lists.edge_edge.items = edge_edge_.data();
  lists.edge_edge.capacity = rooms[1];
}

bool HostLists::MakeRoom(const std::array<std::uint64_t, 2>& rooms) {
  return MakeHostRoom(backend_, rooms[0], kHostBytesOf<VertexFaceCollision>, vertex_face_).ok() &&
         MakeHostRoom(backend_, rooms[1], kHostBytesOf<EdgeEdgeCollision>, edge_edge_).ok() &&
         backend_.Reaches(vertex_face_.data()) && backend_.Reaches(edge_edge_.data());
}

void HostLists::Drop() {
  are_used_ = false;
  vertex_face_ = {};
  edge_edge_ = {};
}

void HostLists::Learn(const StepView& step, const StepCounters& counters, bool fits) {
  if (step.asked.report != Report::kCollisions) return;
  last_.reset();
  if (fits) last_ = {counters.listed_contacts[0], counters.listed_contacts[1]};
}

absl::Status HostLists::ReadCounters(const StepView& step, StepCounters& counters) const {
  if (step.host_counters == nullptr) {
    return backend_.CopyOut(&counters, step.counters, sizeof counters);
  }
  counters = *step.host_counters;
  return absl::OkStatus();
}

bool HostLists::TakeLists(const StepCounters& counters, CollisionResult& result) {
  if (!are_used_) return false;
  result.vertex_face = std::move(vertex_face_);
  result.edge_edge = std::move(edge_edge_);
  result.vertex_face.resize(counters.listed_contacts[0]);
  result.edge_edge.resize(counters.listed_contacts[1]);
  return true;
}

}  // namespace warpyard::ccd
