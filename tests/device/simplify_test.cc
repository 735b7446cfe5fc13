// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Mesh simplification on a CUDA device: the same program gives the same bytes as CPU threads.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "benchmarks/meshes/adversarial_mesh.h"
#include "benchmarks/meshes/procedural_mesh.h"
#include "core/engine/engine.h"
#include "core/workload/simplify/model/model.h"
#include "core/workload/simplify/simplify_program.h"
#include "tests/support/simplify/attributed_mesh.h"
#include "tests/support/simplify/simplify_driver.h"
#include "tests/unit/engine/engine_driver.h"

namespace warpyard::test_support {
namespace {

using simplify::Finish;
using simplify::LevelOptions;
using simplify::SimplifiedMesh;
using simplify::SimplifyOptions;

SimplifyOptions Triangles(std::uint64_t triangles, Finish finish) {
  SimplifyOptions options;
  options.triangles = triangles;
  options.finish = finish;
  return options;
}

/// Opens a model on an engine and calls `use(model, runner, token)`, in one job.
template <class Use>
absl::Status RunOn(Engine& engine, const simplify::ModelInput& mesh, const Use& use) {
  Completion<int> completion;
  const auto done = completion.Callback();
  engine.Run(
      {},
      [&](JobContext& context) -> absl::Status {
        JobContext::Runner<simplify::SimplifyJob> runner(context);
        PhaseTimes phases;
        WY_ASSIGN_OR_RETURN(const auto model, simplify::Model::Open(context.backend(), runner, mesh,
                                                                    context.token(), phases));
        return use(*model, runner, context.token());
      },
      [done](const absl::Status& status) {
        if (status.ok()) return done(0);
        done(status);
      });
  return completion.Await().status();
}

absl::StatusOr<std::vector<SimplifiedMesh>> SimplifyOn(
    Engine& engine, const simplify::ModelInput& mesh, const std::vector<SimplifyOptions>& options) {
  std::vector<SimplifiedMesh> results;
  WY_RETURN_IF_ERROR(
      RunOn(engine, mesh, [&](auto& model, auto& runner, const auto& token) -> absl::Status {
        for (const SimplifyOptions& each : options) {
          WY_ASSIGN_OR_RETURN(SimplifiedMesh result, model.Simplify(runner, each, token));
          results.push_back(std::move(result));
        }
        return absl::OkStatus();
      }));
  return results;
}

void ExpectEqual(const SimplifiedMesh& a, const SimplifiedMesh& b, std::size_t i) {
  EXPECT_EQ(a.positions, b.positions) << i;
  EXPECT_EQ(a.triangles, b.triangles) << i;
  EXPECT_EQ(a.sources, b.sources) << i;
  EXPECT_EQ(a.attributes, b.attributes) << i;
  EXPECT_EQ(a.groups, b.groups) << i;
  EXPECT_EQ(a.state, b.state) << i;
  EXPECT_EQ(a.ids, b.ids) << i;
  EXPECT_EQ(a.statistics.max_error, b.statistics.max_error) << i;
}

class SimplifyOnDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    EngineOptions options;
    options.backend = BackendChoice::kCuda;
    auto engine = Engine::Create(options);
    if (!engine.ok()) GTEST_SKIP() << engine.status();
    cuda_ = *std::move(engine);
  }

  /// Expects the same results of both backends.
  void Compare(const simplify::ModelInput& mesh, const std::vector<SimplifyOptions>& wanted) {
    const auto on_cuda = SimplifyOn(*cuda_, mesh, wanted);
    ASSERT_TRUE(on_cuda.ok()) << on_cuda.status();
    SimplifyDriver cpu(4);
    const auto model = cpu.Open(mesh);
    ASSERT_TRUE(model.ok());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const auto on_cpu = cpu.Simplify(**model, wanted[i]);
      ASSERT_TRUE(on_cpu.ok());
      ExpectEqual((*on_cuda)[i], *on_cpu, i);
    }
  }

  std::unique_ptr<Engine> cuda_;
};

TEST_F(SimplifyOnDevice, GivesTheBytesOfCpuThreads) {
  for (const char* name : {"noisy-sphere-3k", "torus-knot-20k", "terrain-50k", "cad-part-50k",
                           "many-parts-20k", "thin-sheets-10k", "noisy-sphere-300k"}) {
    SCOPED_TRACE(name);
    const FloatMesh mesh = Made(name);
    const std::uint64_t all = mesh.triangles.size() / 3;
    Compare(mesh.Input(),
            {Triangles(all / 10, Finish::kCut), Triangles(all / 10, Finish::kCollapse),
             Triangles(all / 50, Finish::kCollapse)});
  }
}

TEST_F(SimplifyOnDevice, TakesAdversarialMeshesAsCpuThreadsDo) {
  std::size_t compared = 0;
  for (std::uint64_t seed = 0; seed < 2 * meshes::kAdversarialKinds; ++seed) {
    const FloatMesh mesh = FloatsOf(meshes::MakeAdversarialMesh(seed));
    SCOPED_TRACE(seed);
    const std::uint64_t goal = std::max<std::uint64_t>(1, mesh.triangles.size() / 3 / 4);
    const std::vector<SimplifyOptions> wanted = {Triangles(goal, Finish::kCut),
                                                 Triangles(goal, Finish::kCollapse)};
    SimplifyDriver cpu(1);
    const absl::Status expected = cpu.Open(mesh.Input()).status();
    if (expected.ok()) {
      Compare(mesh.Input(), wanted);
      ++compared;
    } else {
      EXPECT_EQ(SimplifyOn(*cuda_, mesh.Input(), wanted).status(), expected);
    }
  }
  EXPECT_GT(compared, 30u);
}

TEST_F(SimplifyOnDevice, FreesBordersAsCpuThreadsDo) {
  for (const char* name : {"terrain-50k", "thin-sheets-10k"}) {
    SCOPED_TRACE(name);
    const FloatMesh mesh = Made(name);
    simplify::ModelInput input = mesh.Input();
    input.borders = simplify::Borders::kFree;
    const std::uint64_t all = mesh.triangles.size() / 3;
    Compare(input, {Triangles(all / 10, Finish::kCut), Triangles(all / 10, Finish::kCollapse)});
  }
}

TEST_F(SimplifyOnDevice, KeepsAttributesAsCpuThreadsDo) {
  for (const char* name : {"noisy-sphere-5k", "torus-knot-50k", "terrain-50k"}) {
    SCOPED_TRACE(name);
    Attributed mesh = Split(Made(name), Octant, LinearAt, 2);
    mesh.sends_groups = true;
    std::vector<std::uint8_t> locked(mesh.groups.size());
    for (std::size_t v = 0; v < locked.size(); v += 97) locked[v] = 1;
    simplify::ModelInput input = mesh.Input();
    input.locked = locked;
    input.borders = simplify::Borders::kLocked;
    const std::uint64_t all = mesh.mesh.triangles.size() / 3;
    Compare(input, {Triangles(all / 10, Finish::kCut), Triangles(all / 10, Finish::kCollapse),
                    Triangles(all / 50, Finish::kCollapse)});
  }
}

TEST_F(SimplifyOnDevice, MakesChainsOfLevelsAsCpuThreadsDo) {
  const FloatMesh mesh = Made("noisy-sphere-50k");
  const auto levels_of = [](std::vector<SimplifiedMesh>& meshes, const LevelOptions& goals) {
    LevelOptions levels = goals;
    levels.take = [&meshes](SimplifiedMesh level) {
      meshes.push_back(std::move(level));
      return absl::OkStatus();
    };
    return levels;
  };
  for (const Finish finish : {Finish::kCut, Finish::kCollapse}) {
    for (const LevelOptions& goals :
         {LevelOptions{.triangles = {10'000, 2000, 300}, .finish = finish},
          LevelOptions{.max_errors = {0.002, 0.008, 0.03}, .finish = finish}}) {
      std::vector<SimplifiedMesh> on_cuda, on_cpu;
      const absl::Status status =
          RunOn(*cuda_, mesh.Input(), [&](auto& model, auto& runner, const auto& token) {
            return model.SimplifyLevels(runner, levels_of(on_cuda, goals), token);
          });
      ASSERT_TRUE(status.ok()) << status;
      SimplifyDriver cpu(4);
      const auto model = cpu.Open(mesh.Input());
      ASSERT_TRUE(model.ok());
      ASSERT_TRUE(cpu.SimplifyLevels(**model, levels_of(on_cpu, goals)).ok());
      ASSERT_EQ(on_cuda.size(), 3u);
      ASSERT_EQ(on_cpu.size(), 3u);
      for (std::size_t i = 0; i < on_cpu.size(); ++i) ExpectEqual(on_cuda[i], on_cpu[i], i);
    }
  }
}

TEST_F(SimplifyOnDevice, CutsForViewsAsCpuThreadsDo) {
  const FloatMesh mesh = Made("noisy-sphere-100k");
  simplify::View view;
  view.eye = {0.5, 1, 4};
  view.forward = {-0.5, -1, -4};
  view.near = 0.01;
  view.back_facing_weight = 0.25;
  SimplifyOptions options;
  options.finish = Finish::kCut;
  options.views = {{view}, 1.25, {}, true};
  SimplifyOptions wide = options;
  wide.views->views[0].max_pixels = 8;
  Compare(mesh.Input(), {options, wide});
}

TEST_F(SimplifyOnDevice, GivesTheBytesOfCpuThreadsAgainAndAgain) {
  const FloatMesh mesh = Made("noisy-sphere-100k");
  SimplifyOptions level, error, view;
  level.finish = error.finish = view.finish = Finish::kCut;
  level.level = 4;
  error.max_error = 0.02;
  simplify::View eye;
  eye.eye = {0.5, 1, 4};
  eye.forward = {-0.5, -1, -4};
  eye.near = 0.01;
  eye.max_pixels = 16;
  view.views = {{eye}, 1.25, {}, true};
  SimplifyOptions views = view, away = view;
  views.views->views.push_back(eye);
  views.views->views.back().eye = {-3, 0, 0};
  views.views->views.back().forward = {1, 0, 0};
  away.views->views[0].forward = eye.eye;
  // The second ones find memory and hints of the first ones, and mixed kinds find those of others.
  std::vector<SimplifyOptions> wanted;
  for (int i = 0; i < 3; ++i) {
    wanted.insert(wanted.end(), {view, level, views, error, Triangles(500, Finish::kCut), away});
  }
  Compare(mesh.Input(), wanted);
}

}  // namespace
}  // namespace warpyard::test_support
