// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Translates for the host: an event's attributes, its end, and the workers' counters.
#ifndef WARPYARD_CORE_MODEL_EVENT_EVENT_END_H_
#define WARPYARD_CORE_MODEL_EVENT_EVENT_END_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/model/execution_model.h"
#include "core/model/worker/workspace.h"
#include "core/policy/policy.h"
#include "core/procedure/event_runner.h"

namespace warpyard::model {

/// @shape times of `attributes` in those of the device already
inline policy::EventView ViewOf(const policy::EventAttributes& attributes, std::uint64_t now_ns) {
  policy::EventView view;
  view.deadline_ns = attributes.deadline_ns;
  view.arrival_ns = view.served_ns = now_ns;
  view.expected_ns = attributes.expected_ns;
  view.priority = attributes.priority;
  view.tenant = attributes.tenant % policy::kMaxTenants;
  return view;
}

/// How an event ended: its stage times, and its cancel and error words.
/// @shape begin_ns: [stages + 1]
/// @errors CANCELLED, RESOURCE_EXHAUSTED, ABORTED
template <class Program>
absl::StatusOr<procedure::StageTimes> ReadEnd(const typename Program::Job& job,
                                              const std::uint64_t* begin_ns, std::uint32_t cancel,
                                              std::uint32_t error) {
  switch (static_cast<procedure::EventError>(error)) {
    case procedure::EventError::kNone:
      break;
    case procedure::EventError::kNoRoom:
      return absl::ResourceExhaustedError(
          "the job spawned more elements than the queues have room for");
    case procedure::EventError::kProcedure:
      return absl::AbortedError("a procedure of the job failed");
  }
  if (cancel != 0) return absl::CancelledError("cancelled while running");
  const std::uint32_t stages = Program::StageCount(job);
  return procedure::StageTimes{.begin_ns = {begin_ns, begin_ns + stages + 1}};
}

inline ProcedureCounters ReadSums(const ProcedureSums& sums) {
  return {sums.executed, sums.spawned, sums.busy_ns, sums.min_ns == 0 ? 0 : ~sums.min_ns,
          sums.max_ns};
}

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_EVENT_EVENT_END_H_
