// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Mesh simplification on a CUDA device: the same program gives the same bytes as CPU threads.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "benchmarks/meshes/procedural_mesh.h"
#include "core/engine/engine.h"
#include "core/workload/simplify/model/model.h"
#include "core/workload/simplify/simplify_program.h"
#include "tests/support/simplify/simplify_driver.h"
#include "tests/unit/engine/engine_driver.h"

namespace warpyard::test_support {
namespace {

using simplify::Finish;
using simplify::SimplifiedMesh;
using simplify::SimplifyOptions;

SimplifyOptions Triangles(std::uint64_t triangles, Finish finish) {
  SimplifyOptions options;
  options.triangles = triangles;
  options.finish = finish;
  return options;
}

/// Opens a model on an engine and simplifies it, in one job.
absl::StatusOr<std::vector<SimplifiedMesh>> SimplifyOn(
    Engine& engine, const FloatMesh& mesh, const std::vector<SimplifyOptions>& options) {
  std::vector<SimplifiedMesh> results;
  Completion<int> completion;
  const auto done = completion.Callback();
  engine.Run(
      {},
      [&](JobContext& context) -> absl::Status {
        JobContext::Runner<simplify::SimplifyJob> runner(context);
        PhaseTimes phases;
        WY_ASSIGN_OR_RETURN(const auto model,
                            simplify::Model::Open(context.backend(), runner, mesh.Input(),
                                                  context.token(), phases));
        for (const SimplifyOptions& each : options) {
          WY_ASSIGN_OR_RETURN(SimplifiedMesh result,
                              model->Simplify(runner, each, context.token()));
          results.push_back(std::move(result));
        }
        return absl::OkStatus();
      },
      [done](const absl::Status& status) {
        if (status.ok()) return done(0);
        done(status);
      });
  WY_RETURN_IF_ERROR(completion.Await().status());
  return results;
}

TEST(SimplifyOnDevice, GivesTheBytesOfCpuThreads) {
  EngineOptions options;
  options.backend = BackendChoice::kCuda;
  auto engine = Engine::Create(options);
  if (!engine.ok()) GTEST_SKIP() << engine.status();
  const std::unique_ptr<Engine> cuda = *std::move(engine);
  for (const char* name : {"noisy-sphere-3k", "torus-knot-20k", "terrain-50k", "cad-part-50k",
                           "many-parts-20k", "thin-sheets-10k", "noisy-sphere-300k"}) {
    SCOPED_TRACE(name);
    const FloatMesh mesh = Made(name);
    const std::uint64_t all = mesh.triangles.size() / 3;
    const std::vector<SimplifyOptions> wanted = {Triangles(all / 10, Finish::kCut),
                                                 Triangles(all / 10, Finish::kCollapse),
                                                 Triangles(all / 50, Finish::kCollapse)};
    const auto on_cuda = SimplifyOn(*cuda, mesh, wanted);
    ASSERT_TRUE(on_cuda.ok()) << on_cuda.status();
    SimplifyDriver cpu(4);
    const auto model = cpu.Open(mesh.Input());
    ASSERT_TRUE(model.ok());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const auto on_cpu = cpu.Simplify(**model, wanted[i]);
      ASSERT_TRUE(on_cpu.ok());
      EXPECT_EQ((*on_cuda)[i].positions, on_cpu->positions) << i;
      EXPECT_EQ((*on_cuda)[i].triangles, on_cpu->triangles) << i;
      EXPECT_EQ((*on_cuda)[i].sources, on_cpu->sources) << i;
    }
  }
}

}  // namespace
}  // namespace warpyard::test_support
