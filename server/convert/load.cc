// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/convert/load.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/base/macros.h"
#include "server/convert/job.h"

namespace warpyard::server {
namespace {

absl::StatusOr<load::LoadKind> ToKind(v1::LoadKind kind) {
  switch (kind) {
    case v1::LOAD_KIND_UNSPECIFIED:
    case v1::LOAD_KIND_FLAT:
      return load::LoadKind::kFlat;
    case v1::LOAD_KIND_RECURSIVE_ITEMS:
      return load::LoadKind::kRecursiveItems;
    case v1::LOAD_KIND_RECURSIVE_SETS:
      return load::LoadKind::kRecursiveSets;
    case v1::LOAD_KIND_RECURSIVE_PACKAGES_64:
      return load::LoadKind::kRecursivePackages64;
    case v1::LOAD_KIND_RECURSIVE_PACKAGES:
      return load::LoadKind::kRecursivePackages;
    case v1::LOAD_KIND_TREE:
      return load::LoadKind::kTree;
    case v1::LOAD_KIND_PRIORITISED:
      return load::LoadKind::kPrioritised;
    default:
      return absl::InvalidArgumentError(
          absl::StrCat("kind: unknown value ", static_cast<int>(kind)));
  }
}

absl::StatusOr<load::WorkKind> ToWorkKind(v1::LoadWorkKind kind) {
  switch (kind) {
    case v1::LOAD_WORK_KIND_UNSPECIFIED:
    case v1::LOAD_WORK_KIND_NONE:
      return load::WorkKind::kNone;
    case v1::LOAD_WORK_KIND_FMA:
      return load::WorkKind::kFma;
    case v1::LOAD_WORK_KIND_MEMORY:
      return load::WorkKind::kMemory;
    case v1::LOAD_WORK_KIND_SPIN:
      return load::WorkKind::kSpin;
    default:
      return absl::InvalidArgumentError(
          absl::StrCat("work.kind: unknown value ", static_cast<int>(kind)));
  }
}

}  // namespace

absl::StatusOr<load::LoadJob> ToLoad(const v1::RunLoadRequest& request) {
  load::LoadJob job;
  WY_ASSIGN_OR_RETURN(job.kind, ToKind(request.kind()));
  WY_ASSIGN_OR_RETURN(job.work.kind, ToWorkKind(request.work().kind()));
  job.seed = request.seed();
  job.stages = std::max(request.stages(), 1u);
  job.elements = request.elements();
  const v1::LoadGrowth& growth = request.growth();
  job.growth = {std::max(growth.depths(), 1u),
                {growth.first_child_permille(), growth.second_child_permille()},
                growth.decline_from(),
                growth.decline_permille(),
                growth.type_change_permille()};
  job.total = request.total();
  job.levels = request.levels();
  job.work.amount = request.work().amount();
  job.work.spread_permille = request.work().spread_permille();
  job.work.memory_words = request.work().memory_words();
  WY_RETURN_IF_ERROR(load::CheckLoad(job));
  return job;
}

ccd::PhaseTimes PhasesOf(const load::LoadResult& result) {
  return {{"queue", result.queue}, {"prepare", result.prepare}, {"run", result.run}};
}

void ToProto(const load::LoadResult& result, v1::RunLoadResponse* out) {
  out->set_executed_elements(result.executed);
  out->set_checksum(result.checksum);
  const double seconds = absl::ToDoubleSeconds(result.run);
  out->set_elements_per_second(seconds > 0 ? static_cast<double>(result.executed) / seconds : 0);
  ToProto(PhasesOf(result), out->mutable_phases());
}

}  // namespace warpyard::server
