// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Makes the caller's result from the counters and lists of a finished step.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_SCENE_STEP_RESULT_READER_H_
#define WARPYARD_CORE_WORKLOAD_CCD_SCENE_STEP_RESULT_READER_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "core/device/backend.h"
#include "core/procedure/event_runner.h"
#include "core/workload/ccd/contacts/result_lists.h"
#include "core/workload/ccd/job/collision_job.h"
#include "core/workload/ccd/scene/step/host_lists.h"

namespace warpyard::ccd {

/// @scope one caller at a time
class ResultReader {
 public:
  /// @shape lists: where steps may have written their lists
  ResultReader(device::Backend& backend, HostLists& lists) : backend_(backend), lists_(lists) {}

  /// @shape edge_vertices: of the scene, as of Topology
  void Open(std::vector<std::uint32_t> edge_vertices) { edge_vertices_ = std::move(edge_vertices); }

  /// Fills a result, except for its hierarchy, traversal, phases and geometry.
  /// @shape unsorted: CollisionOptions::unsorted @errors RESOURCE_EXHAUSTED (memory of the host)
  absl::Status Read(const CollisionJob& job, const StepCounters& counters, bool unsorted,
                    CollisionResult& result);

  /// Adds the geometry of all collisions of a result.
  /// @errors RESOURCE_EXHAUSTED (memory of the host), CANCELLED
  absl::Status AddGeometry(const CollisionJob& job, const procedure::CancelToken& token,
                           CollisionResult& result) const;

 private:
  absl::Status ReadCollisions(const StepView& step, const StepCounters& counters,
                              CollisionResult& result);
  absl::Status ReadCandidates(const StepView& step, const StepCounters& counters,
                              CollisionResult& result) const;

  device::Backend& backend_;
  HostLists& lists_;
  std::vector<std::uint32_t> edge_vertices_;  // names edges by their vertices
  SortBuffers sort_buffers_;
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_SCENE_STEP_RESULT_READER_H_
