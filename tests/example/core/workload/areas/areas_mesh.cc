// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/example/core/workload/areas/areas_mesh.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "core/base/exact_text.h"
#include "core/base/macros.h"
#include "core/device/host_copy.h"
#include "tests/example/core/workload/areas/areas_program.h"

namespace warpyard::areas {
namespace {

/// Indices of a stage have 32 bits, and so have numbers of corners.
constexpr std::size_t kMaxTriangles = std::size_t{1} << 30;

}  // namespace

absl::Status CheckLimits(std::span<const double> limits) {
  if (limits.size() > kMaxLimits) {
    return absl::InvalidArgumentError(
        absl::StrCat("limits: ", limits.size(), " numbers, at most ", kMaxLimits));
  }
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const double above = i == 0 ? 0 : limits[i - 1];
    if (std::isfinite(limits[i]) && limits[i] > above) continue;
    return absl::InvalidArgumentError(absl::StrCat("limits[", i, "]: ", ExactText(limits[i]),
                                                   ", expected finite and more than ",
                                                   ExactText(above)));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<AreasMesh>> AreasMesh::Open(device::Backend& backend,
                                                           const MeshInput& input) {
  std::unique_ptr<AreasMesh> mesh(new AreasMesh(backend));
  WY_RETURN_IF_ERROR(mesh->Allocate(input));
  WY_RETURN_IF_ERROR(mesh->Upload(input));
  return mesh;
}

absl::Status AreasMesh::Allocate(const MeshInput& input) {
  const std::size_t triangles = input.triangles.size() / 3;
  if (triangles > kMaxTriangles) {
    return absl::InvalidArgumentError(
        absl::StrCat("mesh.triangles: ", triangles, " triangles, at most ", kMaxTriangles));
  }
  job_.triangles = static_cast<std::uint32_t>(triangles);
  WY_RETURN_IF_ERROR(positions_.Reserve(backend_, input.positions.vertices));
  WY_RETURN_IF_ERROR(corners_.Reserve(backend_, input.triangles.size()));
  WY_RETURN_IF_ERROR(areas_.Reserve(backend_, triangles));
  WY_RETURN_IF_ERROR(counts_.Reserve(backend_, kMaxClasses));
  WY_RETURN_IF_ERROR(sums_.Reserve(backend_, job_.Spans()));
  job_.positions = positions_.data();
  job_.corners = corners_.data();
  job_.areas = areas_.data();
  job_.counts = counts_.data();
  job_.sums = sums_.data();
  return absl::OkStatus();
}

absl::Status AreasMesh::Upload(const MeshInput& input) {
  std::vector<geometry::Vector3d> positions(input.positions.vertices);
  for (std::size_t v = 0; v < positions.size(); ++v) {
    positions[v] = geometry::PositionAt(input.positions, v);
  }
  const device::HostCopy copies[] = {
      {positions_.data(), positions.data(), positions.size() * sizeof(geometry::Vector3d)},
      {corners_.data(), input.triangles.data(), input.triangles.size_bytes()}};
  return backend_.CopyAllIn(copies);
}

absl::StatusOr<AreasResult> AreasMesh::Count(AreasRunner& runner, std::span<const double> limits,
                                             const procedure::CancelToken& token) {
  AreasJob job = job_;
  job.limit_count = static_cast<std::uint32_t>(limits.size());
  std::copy(limits.begin(), limits.end(), job.limits);
  std::vector<std::uint32_t> counts(limits.size() + 1);
  const std::size_t counts_bytes = counts.size() * sizeof(std::uint32_t);
  WY_RETURN_IF_ERROR(backend_.CopyIn(job.counts, counts.data(), counts_bytes));
  WY_ASSIGN_OR_RETURN(const procedure::StageTimes times, runner.Run(job, token));
  const absl::Time ran = absl::Now();
  std::vector<double> sums(job.Spans());
  const device::HostCopy copies[] = {{counts.data(), job.counts, counts_bytes},
                                     {sums.data(), job.sums, sums.size() * sizeof(double)}};
  WY_RETURN_IF_ERROR(backend_.CopyAllOut(copies));
  AreasResult result;
  result.counts.assign(counts.begin(), counts.end());
  result.total_area = std::accumulate(sums.begin(), sums.end(), 0.0);
  result.phases = {{"run", absl::Nanoseconds(times.Between(0, AreasProgram::StageCount(job)))},
                   {"copy_out", absl::Now() - ran}};
  return result;
}

}  // namespace warpyard::areas
