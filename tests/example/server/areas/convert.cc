// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/example/server/areas/convert.h"

#include "core/base/macros.h"
#include "server/convert/job.h"
#include "server/convert/mesh.h"

namespace warpyard::server {

absl::StatusOr<areas::MeshInput> ToMeshInput(const example::v1::OpenMeshRequest& request) {
  WY_ASSIGN_OR_RETURN(const MeshView mesh, ToMesh(request.mesh()));
  return areas::MeshInput{mesh.positions, mesh.triangles};
}

absl::StatusOr<std::vector<double>> ToLimits(const example::v1::CountAreasRequest& request) {
  std::vector<double> limits(request.limits().begin(), request.limits().end());
  WY_RETURN_IF_ERROR(areas::CheckLimits(limits));
  return limits;
}

void ToProto(const areas::AreasResult& result, example::v1::CountAreasResponse* out) {
  out->mutable_counts()->Assign(result.counts.begin(), result.counts.end());
  out->set_total_area(result.total_area);
  ToProto(result.phases, out->mutable_phases());
}

}  // namespace warpyard::server
