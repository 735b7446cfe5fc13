// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/example/core/api/areas.h"

#include <memory>
#include <utility>

#include "absl/time/clock.h"
#include "core/api/typed_jobs.h"
#include "core/base/macros.h"

namespace warpyard::areas {

JobId OpenMesh(Engine& engine, const MeshInput& mesh, const JobOptions& job, OpenDone done) {
  auto info = std::make_shared<MeshInfo>();
  return engine.OpenResident(
      job,
      [mesh, info](JobContext& context) -> absl::StatusOr<std::unique_ptr<Resident>> {
        const absl::Time begin = absl::Now();
        WY_ASSIGN_OR_RETURN(std::unique_ptr<AreasMesh> opened,
                            AreasMesh::Open(context.backend(), mesh));
        info->triangles = opened->triangles();
        info->phases = {{"queue", context.waited()}, {"copy_in", absl::Now() - begin}};
        return std::make_unique<api::TypedResident<AreasMesh>>(std::move(opened));
      },
      api::OpenCompletion(info, std::move(done)));
}

JobId Count(Engine& engine, ResidentId mesh, std::vector<double> limits, const JobOptions& job,
            CountDone done) {
  auto result = std::make_shared<AreasResult>();
  return engine.Run(
      mesh, job,
      [limits = std::move(limits), result](JobContext& context,
                                           Resident& resident) -> absl::Status {
        WY_RETURN_IF_ERROR(CheckLimits(limits));
        WY_ASSIGN_OR_RETURN(AreasMesh* const opened, api::OpenedAs<AreasMesh>(resident, "mesh"));
        JobContext::Runner<AreasJob> runner(context);
        WY_ASSIGN_OR_RETURN(*result, opened->Count(runner, limits, context.token()));
        result->phases.insert(result->phases.begin(), {"queue", context.waited()});
        return absl::OkStatus();
      },
      api::Completion(result, std::move(done)));
}

}  // namespace warpyard::areas
