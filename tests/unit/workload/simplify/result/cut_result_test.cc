// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/result/cut_result.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <numbers>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "core/workload/simplify/model/model.h"
#include "tests/support/simplify/attributed_mesh.h"
#include "tests/support/simplify/counting_backend.h"
#include "tests/support/simplify/simplify_driver.h"
#include "tests/support/simplify/test_runner.h"

namespace warpyard::simplify {
namespace {

using test_support::CountingBackend;
using test_support::FloatMesh;
using test_support::Made;
using test_support::Reach;
using test_support::TestRunner;

/// An eye that looks at the origin. @shape turn: 1 is a whole one
View ViewFrom(double turn, double pixels) {
  const double angle = 2 * std::numbers::pi * turn;
  View view;
  view.eye = {4 * std::sin(angle), 0, 4 * std::cos(angle)};
  view.forward = -1.0 * view.eye;
  view.near = 0.01;
  view.max_pixels = pixels;
  return view;
}

SimplifyOptions CutOf() {
  SimplifyOptions options;
  options.finish = Finish::kCut;
  return options;
}
SimplifyOptions CutTo(std::uint64_t triangles) {
  SimplifyOptions options = CutOf();
  options.triangles = triangles;
  return options;
}
SimplifyOptions MaxError(double error) {
  SimplifyOptions options = CutOf();
  options.max_error = error;
  return options;
}
SimplifyOptions Level(std::uint32_t level) {
  SimplifyOptions options = CutOf();
  options.level = level;
  return options;
}
SimplifyOptions Views(ViewGoal goal) {
  SimplifyOptions options = CutOf();
  options.views = std::move(goal);
  return options;
}

std::vector<SimplifyOptions> AllGoals() {
  return {CutTo(1),
          CutTo(300),
          CutTo(3000),
          MaxError(0.1),
          MaxError(0.003),
          MaxError(100),
          Level(0),
          Level(3),
          Level(kDeepest),
          Views({{ViewFrom(0, 1)}}),
          Views({{ViewFrom(0.1, 20)}, 1.25, {}, true}),
          Views({{ViewFrom(0, 2), ViewFrom(0.3, 4), ViewFrom(0.6, 8)}, 1.25, {}, true}),
          Views({{ViewFrom(0, 1e6)}, 1.25, {}, true})};
}

void ExpectEqual(const SimplifiedMesh& a, const SimplifiedMesh& b) {
  EXPECT_EQ(a.positions, b.positions);
  EXPECT_EQ(a.triangles, b.triangles);
  EXPECT_EQ(a.sources, b.sources);
  EXPECT_EQ(a.attributes, b.attributes);
  EXPECT_EQ(a.groups, b.groups);
  EXPECT_EQ(a.state, b.state);
  EXPECT_EQ(a.ids, b.ids);
  EXPECT_EQ(a.statistics.max_error, b.statistics.max_error);
}

/// A model on a backend that counts copies.
struct Setting {
  CountingBackend backend;
  TestRunner runner;
  procedure::CancelToken token;
  std::unique_ptr<Model> model;

  Setting(Reach reach, const ModelInput& input) : backend(reach) {
    PhaseTimes phases;
    auto opened = Model::Open(backend, runner, input, token, phases);
    EXPECT_TRUE(opened.ok()) << opened.status();
    model = *std::move(opened);
  }
  SimplifiedMesh Result(const SimplifyOptions& options) {
    auto result = model->Simplify(runner, options, token);
    EXPECT_TRUE(result.ok()) << result.status();
    return result.ok() ? *std::move(result) : SimplifiedMesh{};
  }
  /// Copies and events of a job.
  std::pair<std::size_t, std::size_t> CostOf(const SimplifyOptions& options) {
    const std::size_t copies = backend.Copies(), events = runner.events;
    Result(options);
    return {backend.Copies() - copies, runner.events - events};
  }
};

test_support::Attributed Parts() {
  test_support::Attributed mesh = test_support::Split(
      Made("terrain-10k"), [](const test_support::Point& at) { return at[0] > 0.5f ? 1u : 0u; },
      test_support::LinearAt, 2);
  mesh.sends_groups = true;
  return mesh;
}

TEST(CutResult, IsTheSameWhereTheDeviceReachesTheHostOrNot) {
  const FloatMesh sphere = Made("noisy-sphere-20k");
  test_support::Attributed parts = Parts();
  for (const ModelInput& input : {sphere.Input(), parts.Input()}) {
    Setting direct(Reach::kHostToo, input), copied(Reach::kDeviceOnly, input);
    copied.runner.calls_finish = false;
    for (const SimplifyOptions& options : AllGoals()) {
      const SimplifiedMesh result = direct.Result(options);
      EXPECT_FALSE(result.triangles.empty());
      ExpectEqual(result, copied.Result(options));
      ExpectEqual(result, direct.Result(options));
      if (result.state.empty()) continue;
      // From the state before, whole and as a delta.
      SimplifyOptions next = options;
      next.views->previous = result.state;
      next.views->views.front() = ViewFrom(0.02, next.views->views.front().max_pixels);
      for (const bool returns_delta : {false, true}) {
        next.views->returns_delta = returns_delta;
        ExpectEqual(direct.Result(next), copied.Result(next));
      }
    }
  }
}

TEST(CutResult, TakesOneEventAndNoCopies) {
  const FloatMesh mesh = Made("noisy-sphere-20k");
  Setting setting(Reach::kHostToo, mesh.Input());
  const std::pair<std::size_t, std::size_t> one_event = {0, 1};
  for (const SimplifyOptions& options : AllGoals()) {
    const bool has_search = options.triangles == 1, is_large = options.level == kDeepest;
    const bool has_many_views = options.views.has_value() && options.views->views.size() > 1;
    if (has_search || is_large || has_many_views) continue;
    setting.Result(options);
    EXPECT_EQ(setting.CostOf(options), one_event);
  }
  SimplifyOptions options = Views({{ViewFrom(0, 4)}, 1.25, {}, true});
  options.views->previous = setting.Result(options).state;
  EXPECT_EQ(setting.CostOf(options), one_event);
  options.views->returns_delta = true;
  EXPECT_EQ(setting.CostOf(options), std::pair(std::size_t{0}, std::size_t{2}));
}

TEST(CutResult, CopiesLargeLists) {
  const FloatMesh mesh = Made("noisy-sphere-100k");
  Setting setting(Reach::kHostToo, mesh.Input());
  setting.Result(Level(kDeepest));
  EXPECT_EQ(setting.CostOf(Level(kDeepest)), std::pair(std::size_t{3}, std::size_t{1}))
      << "positions, triangles and sources";
}

/// Cuts of a model with hints of a test.
struct HintedCuts {
  Setting& setting;
  TaskMemory tasks;
  ResultArrays arrays;
  ModelMemo memo;

  explicit HintedCuts(Setting& its_setting) : setting(its_setting) {}
  SimplifiedMesh Result(const SimplifyOptions& options) {
    TaskRun run(setting.backend, setting.runner, setting.token, tasks);
    CutResult cuts(run, setting.model->Arrays(), arrays, memo);
    SimplifiedMesh result;
    EXPECT_TRUE(cuts.Make(options, result).ok());
    EXPECT_TRUE(cuts.Read(result).ok());
    return result;
  }
  void LearnOfAll(const ResultSize& size) {
    // Large sizes are forgotten slowly.
    for (std::size_t kind = 0; kind < RoomHints::kKinds; ++kind) memo.rooms.Learn(kind, size);
  }
};

TEST(CutResult, RunsAgainWithTheRoomThatItNeeds) {
  const FloatMesh sphere = Made("noisy-sphere-20k");
  test_support::Attributed parts = Parts();
  // No two triangles have a common vertex, so the table of uses is full before the triangles are.
  std::vector<float> points;
  std::vector<std::uint32_t> corners;
  for (const std::uint32_t v : sphere.triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      const auto triangle = static_cast<float>(corners.size() / 3);
      points.push_back(sphere.positions[3 * v + k] + (k == 0 ? 3 * triangle : 0));
    }
    corners.push_back(static_cast<std::uint32_t>(corners.size()));
  }
  const FloatMesh soup(points, corners);
  for (const ModelInput& input : {sphere.Input(), parts.Input(), soup.Input()}) {
    for (const Reach reach : {Reach::kHostToo, Reach::kDeviceOnly}) {
      const SimplifyOptions all[] = {CutTo(3000), Level(5), Level(kDeepest),
                                     Views({{ViewFrom(0, 0.1)}})};
      Setting setting(reach, input);
      std::vector<SimplifiedMesh> expected;
      for (const SimplifyOptions& options : all) expected.push_back(setting.Result(options));
      for (const ResultSize& size : {ResultSize{1, 1}, ResultSize{1, 1u << 20},
                                     ResultSize{1u << 20, 1}, ResultSize{10'000, 700}}) {
        HintedCuts cuts(setting);
        cuts.LearnOfAll(size);
        for (std::size_t i = 0; i < std::size(all); ++i) {
          const SimplifiedMesh result = cuts.Result(all[i]);
          if (result.triangles.empty()) continue;  // then a model makes another cut
          ExpectEqual(result, expected[i]);
          ExpectEqual(result, cuts.Result(all[i]));
        }
      }
    }
  }
}

TEST(CutResult, FollowsAnEventThatFailed) {
  const FloatMesh mesh = Made("noisy-sphere-20k");
  Setting setting(Reach::kHostToo, mesh.Input()), expected(Reach::kHostToo, mesh.Input());
  for (const SimplifyOptions& options : AllGoals()) {
    const SimplifiedMesh result = expected.Result(options);
    setting.runner.fails = true;
    const auto failed = setting.model->Simplify(setting.runner, options, setting.token);
    EXPECT_EQ(failed.status().code(), absl::StatusCode::kCancelled);
    setting.runner.fails = false;
    ExpectEqual(setting.Result(options), result);
    ExpectEqual(setting.Result(options), result);
  }
}

TEST(CutResult, IsTheSameBesideOtherJobs) {
  const FloatMesh mesh = Made("noisy-sphere-20k");
  Setting setting(Reach::kHostToo, mesh.Input());
  const std::vector<SimplifyOptions> goals = AllGoals();
  std::vector<SimplifiedMesh> expected;
  {
    Setting alone(Reach::kHostToo, mesh.Input());
    for (const SimplifyOptions& options : goals) expected.push_back(alone.Result(options));
  }
  std::vector<std::thread> clients;
  for (std::size_t client = 0; client < 4; ++client) {
    clients.emplace_back([&, client] {
      for (std::size_t i = 0; i < 2 * goals.size(); ++i) {
        const std::size_t goal = (i + 3 * client) % goals.size();
        ExpectEqual(setting.Result(goals[goal]), expected[goal]);
      }
    });
  }
  for (std::thread& client : clients) client.join();
}

/// A square of 100 * 100 squares.
FloatMesh FlatGrid() {
  constexpr std::uint32_t kSide = 100;
  std::vector<float> points;
  std::vector<std::uint32_t> corners;
  for (std::uint32_t y = 0; y <= kSide; ++y) {
    for (std::uint32_t x = 0; x <= kSide; ++x) {
      for (const float p : {static_cast<float>(x), static_cast<float>(y), 0.0f})
        points.push_back(p);
      if (x == kSide || y == kSide) continue;
      const std::uint32_t a = y * (kSide + 1) + x, b = a + 1, c = b + kSide, d = c + 1;
      corners.insert(corners.end(), {a, b, c, b, d, c});
    }
  }
  return {points, corners};
}

TEST(CutResult, HasNearlyAsManyTrianglesAsItMayWhereSurfacesAreFlat) {
  for (const FloatMesh& mesh : {FlatGrid(), Made("cad-part-20k"), Made("cad-part-50k")}) {
    Setting setting(Reach::kHostToo, mesh.Input());
    for (const std::uint64_t percent : {95u, 70u, 40u, 3u}) {
      const std::uint64_t triangles = mesh.triangles.size() / 3 * percent / 100;
      const std::size_t got = setting.Result(CutTo(triangles)).triangles.size() / 3;
      EXPECT_LE(got, triangles);
      EXPECT_GE(got * 100, triangles * 98) << percent << " % of " << mesh.triangles.size() / 3;
    }
  }
}

TEST(CutResult, HasNearlyAsManyTrianglesAsItMay) {
  for (const char* name : {"noisy-sphere-20k", "many-parts-20k", "thin-sheets-10k"}) {
    const FloatMesh mesh = Made(name);
    Setting setting(Reach::kHostToo, mesh.Input());
    for (const std::uint64_t triangles : {5000u, 1000u, 200u}) {
      const std::size_t got = setting.Result(CutTo(triangles)).triangles.size() / 3;
      EXPECT_LE(got, triangles) << name;
      EXPECT_GE(got, triangles * 9 / 10) << name;
    }
  }
}

}  // namespace
}  // namespace warpyard::simplify
