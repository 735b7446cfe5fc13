// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/api/simplify.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "core/api/byte_goal.h"
#include "core/api/collision.h"
#include "core/base/status_facts.h"
#include "tests/support/serial_sorts.h"
#include "tests/support/sphere.h"

namespace warpyard::simplify {
namespace {

using test_support::Sphere;
using test_support::SphereMesh;

/// An engine on two threads, and calls that wait.
class SimplifyApi : public ::testing::Test {
 protected:
  template <class T>
  using Done = std::function<void(absl::StatusOr<T>)>;

  static std::unique_ptr<Engine> NewEngine() {
    EngineOptions options;
    options.backend = BackendChoice::kCpu;
    options.threads = 2;
    return *Engine::Create(options);
  }

  template <class T>
  absl::StatusOr<T> Await(const std::function<void(Done<T>)>& submit) {
    std::promise<absl::StatusOr<T>> promise;
    submit([&promise](absl::StatusOr<T> value) { promise.set_value(std::move(value)); });
    return promise.get_future().get();
  }

  absl::StatusOr<ModelInfo> Open(const SphereMesh& mesh) {
    return Await<ModelInfo>([&](Done<ModelInfo> done) {
      OpenModel(*engine_, {mesh.View(), mesh.triangles}, {}, std::move(done));
    });
  }

  absl::StatusOr<SimplifiedMesh> Run(ResidentId model, const ResultDescription& result,
                                     const JobOptions& job = {}) {
    return Await<SimplifiedMesh>([&](Done<SimplifiedMesh> done) {
      Simplify(*engine_, model, result, job, std::move(done));
    });
  }

  /// Makes a chain. @shape meshes: gets its levels
  absl::StatusOr<LevelsInfo> RunLevels(ResidentId model, LevelsDescription levels,
                                       std::vector<SimplifiedMesh>& meshes) {
    levels.options.take = [&meshes](SimplifiedMesh mesh) {
      meshes.push_back(std::move(mesh));
      return absl::OkStatus();
    };
    return Await<LevelsInfo>([&](Done<LevelsInfo> done) {
      SimplifyLevels(*engine_, model, levels, {}, std::move(done));
    });
  }

  const std::unique_ptr<Engine> engine_ = NewEngine();
};

std::vector<std::string> NamesOf(const PhaseTimes& phases) {
  std::vector<std::string> names;
  for (const PhaseTime& phase : phases) names.emplace_back(phase.phase);
  return names;
}

ResultDescription Triangles(std::uint64_t triangles) {
  ResultDescription result;
  result.options.triangles = triangles;
  return result;
}

TEST_F(SimplifyApi, TellsWhatAModelHas) {
  const SphereMesh mesh = Sphere(20, 40);
  const auto info = Open(mesh);
  ASSERT_TRUE(info.ok()) << info.status();
  EXPECT_EQ(info->vertices, mesh.positions.size() / 3);
  EXPECT_EQ(info->triangles, mesh.triangles.size() / 3);
  EXPECT_GT(info->nodes, info->vertices);
  EXPECT_GT(info->bytes, mesh.triangles.size() * 4);
  EXPECT_EQ(NamesOf(info->phases), (std::vector<std::string>{"queue", "build"}));
}

TEST_F(SimplifyApi, ReachesTriangles) {
  const auto info = Open(Sphere(40, 80));
  ASSERT_TRUE(info.ok());
  const auto mesh = Run(info->id, Triangles(500));
  ASSERT_TRUE(mesh.ok()) << mesh.status();
  EXPECT_LE(mesh->triangles.size(), 3u * 500);
  EXPECT_GT(mesh->triangles.size(), 3u * 400);
  EXPECT_EQ(NamesOf(PhasesOf(*mesh)),
            (std::vector<std::string>{"queue", "cut", "collapse", "copy_out"}));
}

TEST_F(SimplifyApi, ReachesBytesByBothFinishes) {
  const auto info = Open(Sphere(40, 80));
  ASSERT_TRUE(info.ok());
  for (const Finish finish : {Finish::kCut, Finish::kCollapse}) {
    for (const std::uint64_t bytes : {1'000u, 20'000u, 100'000'000u}) {
      ResultDescription result;
      result.max_bytes = bytes;
      result.options.finish = finish;
      const auto mesh = Run(info->id, result);
      ASSERT_TRUE(mesh.ok()) << mesh.status();
      EXPECT_LE(MeshBytes(*mesh), bytes);
      EXPECT_EQ(mesh->statistics.shortfall, Shortfall::kNone);
    }
  }
}

TEST_F(SimplifyApi, GivesTheWholeModelForAnyLargerGoal) {
  const SphereMesh sphere = Sphere(10, 20);
  const auto info = Open(sphere);
  ASSERT_TRUE(info.ok());
  // Three times this number, the size of a cut, has no room in 64 bits.
  for (const std::uint64_t goal : {std::uint64_t{10'000}, ~std::uint64_t{0} / 3 + 2}) {
    const auto mesh = Run(info->id, Triangles(goal));
    ASSERT_TRUE(mesh.ok());
    EXPECT_EQ(mesh->triangles.size(), sphere.triangles.size());
  }
}

TEST_F(SimplifyApi, MakesTheSameMeshesBesideEachOther) {
  const auto info = Open(Sphere(40, 80));
  ASSERT_TRUE(info.ok());
  constexpr std::uint64_t kGoals[] = {3000, 1500, 700, 300};
  std::vector<SimplifiedMesh> alone;
  for (const std::uint64_t goal : kGoals) {
    auto mesh = Run(info->id, Triangles(goal));
    ASSERT_TRUE(mesh.ok()) << mesh.status();
    alone.push_back(*std::move(mesh));
  }
  std::vector<std::promise<absl::StatusOr<SimplifiedMesh>>> promises(4 * std::size(kGoals));
  for (std::size_t i = 0; i < promises.size(); ++i) {
    Simplify(*engine_, info->id, Triangles(kGoals[i % std::size(kGoals)]), {},
             [&promise = promises[i]](absl::StatusOr<SimplifiedMesh> mesh) {
               promise.set_value(std::move(mesh));
             });
  }
  ASSERT_TRUE(engine_->Close(info->id).ok());  // what was accepted still finishes
  for (std::size_t i = 0; i < promises.size(); ++i) {
    const auto mesh = promises[i].get_future().get();
    ASSERT_TRUE(mesh.ok()) << mesh.status();
    const SimplifiedMesh& expected = alone[i % std::size(kGoals)];
    EXPECT_EQ(mesh->triangles, expected.triangles);
    EXPECT_EQ(mesh->positions, expected.positions);
  }
}

TEST_F(SimplifyApi, RunsJobsOfOneModelAtTheSameTime) {
  const auto info = Open(Sphere(20, 40));
  ASSERT_TRUE(info.ok());
  // Each of two jobs waits within its first level until the other one has come there.
  std::promise<void> arrived[2];
  LevelsDescription levels[2];
  std::future<absl::StatusOr<LevelsInfo>> made[2];
  for (int job = 0; job < 2; ++job) {
    levels[job].options.triangles = {200};
    levels[job].options.take = [&arrived, job,
                                other = arrived[1 - job].get_future().share()](SimplifiedMesh) {
      arrived[job].set_value();
      const bool came = other.wait_for(std::chrono::seconds(60)) == std::future_status::ready;
      return came ? absl::OkStatus() : absl::InternalError("the other job did not run");
    };
  }
  for (int job = 0; job < 2; ++job) {
    auto promise = std::make_shared<std::promise<absl::StatusOr<LevelsInfo>>>();
    made[job] = promise->get_future();
    SimplifyLevels(*engine_, info->id, levels[job], {}, [promise](absl::StatusOr<LevelsInfo> done) {
      promise->set_value(std::move(done));
    });
  }
  for (auto& future : made) EXPECT_TRUE(future.get().ok());
}

TEST_F(SimplifyApi, MakesLevels) {
  const auto info = Open(Sphere(40, 80));
  ASSERT_TRUE(info.ok());
  LevelsDescription levels;
  levels.options.triangles = {~std::uint64_t{0}, 2000, 500};
  std::vector<SimplifiedMesh> meshes;
  const auto made = RunLevels(info->id, levels, meshes);
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_EQ(made->levels, 3u);
  ASSERT_EQ(meshes.size(), 3u);
  EXPECT_EQ(meshes[0].triangles.size(), 3u * info->triangles);
  EXPECT_LE(meshes[2].triangles.size(), 3u * 500);
  const std::vector<std::string> all = {"queue", "cut", "collapse", "copy_out"};
  EXPECT_EQ(NamesOf(made->phases), all);
  EXPECT_EQ(NamesOf(meshes[0].statistics.phases), all);
  EXPECT_EQ(NamesOf(meshes[1].statistics.phases),
            (std::vector<std::string>{"collapse", "copy_out"}));
}

TEST_F(SimplifyApi, MakesLevelsByErrors) {
  const auto info = Open(Sphere(40, 80));
  ASSERT_TRUE(info.ok());
  LevelsDescription levels;
  levels.options.max_errors = {0.001, 0.01};
  std::vector<SimplifiedMesh> meshes;
  const auto made = RunLevels(info->id, levels, meshes);
  ASSERT_TRUE(made.ok()) << made.status();
  ASSERT_EQ(meshes.size(), 2u);
  EXPECT_LE(meshes[1].statistics.max_error, 0.0101);
  EXPECT_LT(meshes[1].triangles.size(), meshes[0].triangles.size());
}

TEST_F(SimplifyApi, KeepsLockedBordersAndNotFreeOnes) {
  SphereMesh mesh = Sphere(20, 40);
  mesh.triangles.resize(mesh.triangles.size() / 2);  // a part of it, with a border
  std::size_t triangles[3];
  for (const Borders borders : {Borders::kFree, Borders::kWeighted, Borders::kLocked}) {
    const auto info = Await<ModelInfo>([&](Done<ModelInfo> done) {
      ModelDescription model{mesh.View(), mesh.triangles};
      model.borders = borders;
      OpenModel(*engine_, model, {}, std::move(done));
    });
    ASSERT_TRUE(info.ok()) << info.status();
    ResultDescription result;
    result.options.max_error = 0.02;
    const auto coarser = Run(info->id, result);
    ASSERT_TRUE(coarser.ok()) << coarser.status();
    triangles[static_cast<std::size_t>(borders)] = coarser->triangles.size() / 3;
  }
  EXPECT_LT(triangles[static_cast<std::size_t>(Borders::kFree)],
            triangles[static_cast<std::size_t>(Borders::kWeighted)]);
  EXPECT_LT(triangles[static_cast<std::size_t>(Borders::kWeighted)],
            triangles[static_cast<std::size_t>(Borders::kLocked)]);
}

TEST_F(SimplifyApi, EndsCollapsesBeforeTheDeadline) {
  const auto info = Open(Sphere(40, 80));
  ASSERT_TRUE(info.ok());
  ResultDescription result = Triangles(100);
  result.best_effort = true;
  JobOptions job;
  job.deadline = absl::Now() + absl::Seconds(100);
  const auto mesh = Run(info->id, result, job);
  ASSERT_TRUE(mesh.ok());
  EXPECT_EQ(mesh->statistics.shortfall, Shortfall::kNone);
  result.options.finish_by = absl::InfinitePast();  // not used
  EXPECT_EQ(Run(info->id, result)->statistics.shortfall, Shortfall::kNone);
  result.best_effort = false;
  const auto late = Run(info->id, result);
  ASSERT_TRUE(late.ok());
  EXPECT_EQ(late->statistics.shortfall, Shortfall::kTime);
  EXPECT_GT(late->triangles.size(), 3u * 100);
}

TEST(FinishBy, LeavesTimeForTheCopies) {
  const absl::Time now = absl::UnixEpoch();
  EXPECT_EQ(FinishBy(now + absl::Milliseconds(800), now), now + absl::Milliseconds(700));
  EXPECT_EQ(FinishBy(now + absl::Milliseconds(4), now), now + absl::Milliseconds(2));
  EXPECT_EQ(FinishBy(now + absl::Seconds(60), now), now + absl::Seconds(59));
  EXPECT_EQ(FinishBy(absl::InfiniteFuture(), now), absl::InfiniteFuture());
}

TEST_F(SimplifyApi, RefusesAWrongGoalOrResident) {
  const SphereMesh sphere = Sphere(10, 20);
  const auto info = Open(sphere);
  ASSERT_TRUE(info.ok());
  ResultDescription result;
  EXPECT_EQ(Run(info->id, result).status().code(), absl::StatusCode::kInvalidArgument);
  for (const auto& set_other : {+[](SimplifyOptions& options) { options.triangles = 10; },
                                +[](SimplifyOptions& options) { options.max_error = 0.1; },
                                +[](SimplifyOptions& options) { options.level = 3; },
                                +[](SimplifyOptions& options) { options.views.emplace(); }}) {
    result = {};
    set_other(result.options);
    result.max_bytes = 100;
    EXPECT_EQ(Run(info->id, result).status(),
              InvalidField("goal",
                           "max_bytes is set beside triangles, max_error, level or views, "
                           "expected exactly one of them"));
  }
  const auto scene = Await<collision::SceneInfo>([&](Done<collision::SceneInfo> done) {
    collision::SceneDescription description;
    description.positions = sphere.View();
    description.triangles = sphere.triangles;
    collision::OpenScene(*engine_, description, {}, std::move(done));
  });
  ASSERT_TRUE(scene.ok());
  EXPECT_EQ(Run(scene->id, Triangles(10)).status(),
            absl::InvalidArgumentError("the resident is no model"));
}

}  // namespace
}  // namespace warpyard::simplify
