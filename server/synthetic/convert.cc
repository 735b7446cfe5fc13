// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/synthetic/convert.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/base/macros.h"
#include "core/base/status_facts.h"
#include "server/convert/job.h"

namespace warpyard::server {
namespace {

absl::StatusOr<synthetic::SyntheticKind> ToKind(v1::LoadKind kind) {
  switch (kind) {
    case v1::LOAD_KIND_UNSPECIFIED:
    case v1::LOAD_KIND_FLAT:
      return synthetic::SyntheticKind::kFlat;
    case v1::LOAD_KIND_FLAT_WARPS:
      return synthetic::SyntheticKind::kFlatWarps;
    case v1::LOAD_KIND_RECURSIVE_ITEMS:
      return synthetic::SyntheticKind::kRecursiveItems;
    case v1::LOAD_KIND_RECURSIVE_SETS:
      return synthetic::SyntheticKind::kRecursiveSets;
    case v1::LOAD_KIND_RECURSIVE_PACKAGES_64:
      return synthetic::SyntheticKind::kRecursivePackages64;
    case v1::LOAD_KIND_RECURSIVE_PACKAGES:
      return synthetic::SyntheticKind::kRecursivePackages;
    case v1::LOAD_KIND_TREE:
      return synthetic::SyntheticKind::kTree;
    case v1::LOAD_KIND_PRIORITISED:
      return synthetic::SyntheticKind::kPrioritised;
    default:
      return InvalidField("kind", absl::StrCat("unknown value ", static_cast<int>(kind)));
  }
}

absl::StatusOr<synthetic::WorkKind> ToWorkKind(v1::LoadWorkKind kind) {
  switch (kind) {
    case v1::LOAD_WORK_KIND_UNSPECIFIED:
    case v1::LOAD_WORK_KIND_NONE:
      return synthetic::WorkKind::kNone;
    case v1::LOAD_WORK_KIND_FMA:
      return synthetic::WorkKind::kFma;
    case v1::LOAD_WORK_KIND_MEMORY:
      return synthetic::WorkKind::kMemory;
    case v1::LOAD_WORK_KIND_SPIN:
      return synthetic::WorkKind::kSpin;
    default:
      return InvalidField("work.kind", absl::StrCat("unknown value ", static_cast<int>(kind)));
  }
}

}  // namespace

absl::StatusOr<synthetic::SyntheticJob> ToLoad(const v1::RunLoadRequest& request) {
  synthetic::SyntheticJob job;
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
  job.counting = request.uncounted() ? synthetic::Counting::kOff : synthetic::Counting::kElements;
  WY_RETURN_IF_ERROR(synthetic::CheckJob(job));
  return job;
}

void ToProto(const synthetic::SyntheticResult& result, v1::RunLoadResponse* out) {
  out->set_executed_elements(result.executed);
  out->set_checksum(result.checksum);
  const double seconds = absl::ToDoubleSeconds(result.run);
  out->set_elements_per_second(seconds > 0 ? static_cast<double>(result.executed) / seconds : 0);
  ToProto(PhasesOf(result), out->mutable_phases());
}

}  // namespace warpyard::server
