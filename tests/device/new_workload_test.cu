// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The example of docs/new-workload.md on a CUDA device: the same program gives the same bits.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/device/cuda_backend.h"
#include "core/engine/cuda/cuda_devices.cuh"
#include "core/model/combined_program.h"
#include "tests/example/areas_oracle.h"
#include "tests/example/core/api/areas.h"
#include "tests/example/core/engine/example_engine.h"
#include "tests/example/core/workload/areas/areas_program.h"
#include "tests/unit/engine/engine_driver.h"

namespace warpyard::test_support {
namespace {

/// Only this program, since a kernel with all workloads takes long to compile.
using Program = model::CombinedProgram<areas::AreasProgram>;

/// Opens a mesh on an engine and counts once.
absl::StatusOr<areas::AreasResult> CountOn(Engine& engine, const AreasMeshData& mesh,
                                           const std::vector<double>& limits) {
  const areas::MeshInput input = {
      {geometry::ScalarType::kFloat64, mesh.positions.data(), mesh.positions.size() / 3},
      mesh.triangles};
  Completion<areas::MeshInfo> opened;
  areas::OpenMesh(engine, input, {}, opened.Callback());
  WY_ASSIGN_OR_RETURN(const areas::MeshInfo info, opened.Await());
  Completion<areas::AreasResult> counted;
  areas::Count(engine, info.id, limits, {}, counted.Callback());
  absl::StatusOr<areas::AreasResult> result = counted.Await();
  WY_RETURN_IF_ERROR(engine.Close(info.id));
  return result;
}

TEST(NewWorkloadOnDevice, GivesTheBitsOfCpuThreads) {
  if (device::CudaBackend::Count() == 0) GTEST_SKIP() << "no CUDA device";
  EngineOptions options;
  options.threads = 2;
  auto devices = MakeCudaDevicesOf<Program>(options);
  ASSERT_TRUE(devices.ok()) << devices.status();
  const std::unique_ptr<Engine> cuda = MakeEngine(*std::move(devices), options);
  const std::unique_ptr<Engine> cpu = example::MakeCpuEngine(options);
  const std::vector<double> limits = {0.1, 0.4, 0.9, 1.5, 100};
  for (const std::uint32_t triangles : {1u, 31u, 257u, 5000u, 1'000'000u}) {
    const AreasMeshData mesh = RandomAreasMesh(triangles, triangles);
    const auto on_cuda = CountOn(*cuda, mesh, limits);
    const auto on_cpu = CountOn(*cpu, mesh, limits);
    ASSERT_TRUE(on_cuda.ok() && on_cpu.ok()) << on_cuda.status() << on_cpu.status();
    EXPECT_EQ(on_cuda->counts, AreasOf(mesh, limits).counts) << triangles;
    EXPECT_EQ(on_cuda->counts, on_cpu->counts) << triangles;
    EXPECT_EQ(on_cuda->total_area, on_cpu->total_area) << triangles;
  }
}

}  // namespace
}  // namespace warpyard::test_support
