// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/collision_batch/set_request.h"

#include <numeric>
#include <span>

#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "core/base/no_index.h"
#include "core/base/status_facts.h"
#include "core/workload/ccd/check_options.h"
#include "server/collision/convert.h"
#include "server/collision/pose.h"
#include "server/collision/scene_request.h"
#include "server/convert/mesh.h"

namespace warpyard::server {
namespace {

/// The worlds of the rows of a step: none for a row whose world is wrong. Nothing large is made for
/// a row before its positions are known to be there: a row can take one byte of a message.
absl::Status TakeWorlds(const v1::SetStep& request, std::uint32_t worlds, SetStepRequest& step) {
  if (static_cast<std::size_t>(request.worlds_size()) > worlds) {
    return InvalidField(
        "worlds", absl::StrCat(request.worlds_size(), " entries; the set has ", worlds, " worlds"));
  }
  std::uint32_t least = 0;
  for (int row = 0; row < request.worlds_size(); ++row) {
    const std::uint32_t world = request.worlds(row);
    const bool is_good = world >= least && world < worlds;
    step.rows.push_back(is_good ? world : kNoIndex);
    if (is_good) least = world + 1;
  }
  if (step.rows.empty()) {
    step.rows.resize(worlds);
    std::iota(step.rows.begin(), step.rows.end(), 0u);
  }
  step.refused.resize(step.rows.size());
  return absl::OkStatus();
}

/// Refuses the rows without a world, and takes the worlds of refused rows away.
void RefuseRows(const v1::SetStep& request, std::uint32_t worlds, SetStepRequest& step) {
  for (std::size_t row = 0; row < step.rows.size(); ++row) {
    if (step.rows[row] == kNoIndex) {
      step.refused[row] = InvalidField(absl::StrCat("worlds[", row, "]"),
                                       absl::StrCat(request.worlds(static_cast<int>(row)),
                                                    "; worlds ascend, and are less than ", worlds));
    } else if (!step.refused[row].ok()) {
      step.rows[row] = kNoIndex;
    }
  }
}

/// Where the rows of a step end and start. A row with a bad number is refused.
absl::Status TakeEnds(const v1::SetStep& request, const SetFacts& facts, SetStepRequest& step) {
  const RowsShape shape = {facts.vertices, step.rows.size()};
  ccd::SetStep& to = step.step.step;
  if (request.has_end_pose()) {
    WY_ASSIGN_OR_RETURN(to.end,
                        ToPoseRows(request.end_pose(), "end_pose", facts.bodies, step.refused));
  } else if (request.has_end()) {
    WY_ASSIGN_OR_RETURN(to.end, ToPositionRows(request.end(), "end", shape, step.refused));
  } else {
    return InvalidField("end", "missing; a step needs end or end_pose");
  }
  if (request.has_start_pose()) {
    WY_ASSIGN_OR_RETURN(to.start,
                        ToPoseRows(request.start_pose(), "start_pose", facts.bodies, step.refused));
  } else if (request.has_start()) {
    WY_ASSIGN_OR_RETURN(to.start, ToPositionRows(request.start(), "start", shape, step.refused));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<collision::SetDescription> ToSet(const v1::OpenScenesRequest& request,
                                                std::uint32_t most_worlds) {
  collision::SetDescription set;
  set.worlds = request.worlds();
  if (set.worlds == 0 || set.worlds > most_worlds) {
    return InvalidField(
        "worlds", absl::StrCat(set.worlds, ", expected 1 to ", most_worlds, " (--max-worlds)"));
  }
  const SceneRules rules = {request.group_rule(), GroupMatrixOf(request),
                            request.static_vertices()};
  WY_ASSIGN_OR_RETURN(set.mesh, ToScene(request.mesh(), rules));
  if (request.has_starts()) {
    WY_ASSIGN_OR_RETURN(
        set.starts, ToPositions(request.starts(), "starts", MovingVertices(set.mesh) * set.worlds));
  }
  return set;
}

absl::StatusOr<SetStepRequest> ToSetStep(const v1::SetStep& request, const CallFacts& call,
                                         ResidentTable& residents) {
  SetStepRequest checked;
  WY_ASSIGN_OR_RETURN(checked.set, residents.Find<SetFacts>(request.set(), call.caller.owner()));
  const SetFacts& facts = checked.set->facts;
  WY_ASSIGN_OR_RETURN(checked.step.options, ToCollisionOptions(request.collision()));
  const absl::Status options = ccd::CheckSetOptions(checked.step.options);
  if (!options.ok()) return InField("collision.", options);
  WY_RETURN_IF_ERROR(TakeWorlds(request, facts.worlds, checked));
  WY_RETURN_IF_ERROR(TakeEnds(request, facts, checked));
  RefuseRows(request, facts.worlds, checked);
  checked.step.step.rows = checked.rows;
  WY_ASSIGN_OR_RETURN(checked.job, ToJobOptions(request.job(), call));
  return checked;
}

}  // namespace warpyard::server
