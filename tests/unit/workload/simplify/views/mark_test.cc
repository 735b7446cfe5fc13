// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/views/mark.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <numbers>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "client_examples/mesh_measure/mesh_topology.h"
#include "tests/support/simplify/attributed_mesh.h"
#include "tests/support/simplify/simplify_driver.h"

namespace warpyard::simplify {
namespace {

using test_support::Attributed;
using test_support::Made;
using test_support::SimplifyDriver;

/// An eye that looks at the origin. @shape angle: degrees around the upright axis
View LookFrom(double angle, double distance, double pixels) {
  const double radians = angle * std::numbers::pi / 180;
  View view;
  view.eye = {distance * std::sin(radians), 0, distance * std::cos(radians)};
  view.forward = -1.0 * view.eye;
  view.near = 0.01;
  view.max_pixels = pixels;
  return view;
}

/// A mesh by the ids of its vertices, as a client keeps it.
struct KeptMesh {
  std::map<std::uint32_t, std::array<float, 3>> vertices;
  std::multiset<std::array<std::uint32_t, 3>> triangles;

  static std::array<std::uint32_t, 3> Triple(std::span<const std::uint32_t> ids, std::size_t i) {
    return {ids[i], ids[i + 1], ids[i + 2]};
  }
  void Apply(const SimplifiedMesh& mesh) {
    for (const std::uint32_t id : mesh.delta->removed_vertices) EXPECT_EQ(vertices.erase(id), 1u);
    const auto& removed = mesh.delta->removed_triangles;
    for (std::size_t i = 0; i < removed.size(); i += 3) {
      EXPECT_EQ(triangles.erase(Triple(removed, i)), 1u);
    }
    Add(mesh, mesh.triangles);
  }
  /// @shape corners: ids
  void Add(const SimplifiedMesh& mesh, std::span<const std::uint32_t> corners) {
    for (std::size_t v = 0; v < mesh.ids.size(); ++v) {
      const float* const at = &mesh.positions[3 * v];
      vertices.insert_or_assign(mesh.ids[v], std::array{at[0], at[1], at[2]});
    }
    for (std::size_t i = 0; i < corners.size(); i += 3) triangles.insert(Triple(corners, i));
  }
};

class ViewsTest : public ::testing::Test {
 protected:
  void Open(const std::string& name) {
    mesh_ = std::make_unique<test_support::FloatMesh>(Made(name));
    auto opened = driver_.Open(mesh_->Input());
    ASSERT_TRUE(opened.ok()) << opened.status();
    model_ = *std::move(opened);
  }
  SimplifiedMesh Cut(const ViewGoal& goal) {
    SimplifyOptions options;
    options.finish = Finish::kCut;
    options.views = goal;
    auto mesh = driver_.Simplify(*model_, options);
    EXPECT_TRUE(mesh.ok()) << mesh.status();
    return mesh.ok() ? *std::move(mesh) : SimplifiedMesh{};
  }
  SimplifiedMesh Cut(const View& view) { return Cut({{view}, 1.25, {}, true}); }
  static std::size_t Triangles(const SimplifiedMesh& mesh) { return mesh.triangles.size() / 3; }
  static bool IsExpanded(const SimplifiedMesh& mesh, std::size_t inner) {
    return (mesh.state[inner / 32] >> inner % 32 & 1u) != 0;
  }

  /// Applies deltas of an eye that moves, one for each error in pixels, and compares the whole cut.
  /// @shape saves: the least factor of triangles that need not be sent; 0: any
  void ExpectDeltasToAddUp(const std::vector<double>& pixels, std::size_t saves) {
    KeptMesh kept;
    ResultList<std::uint32_t> state;
    std::size_t sent = 0, whole = 0;
    for (std::size_t step = 0; step < pixels.size(); ++step) {
      const auto along = static_cast<double>(step);
      const View view = LookFrom(2 * along, 4 - 0.05 * along, pixels[step]);
      const SimplifiedMesh delta = Cut({{view}, 1.25, state, true, true});
      const SimplifiedMesh all = Cut({{view}, 1.25, state, true, false});
      ASSERT_TRUE(delta.delta.has_value());
      EXPECT_FALSE(all.delta.has_value());
      EXPECT_EQ(delta.state, all.state);
      kept.Apply(delta);
      KeptMesh expected;
      std::vector<std::uint32_t> corners;
      for (const std::uint32_t corner : all.triangles) corners.push_back(all.ids[corner]);
      expected.Add(all, corners);
      EXPECT_EQ(kept.vertices, expected.vertices) << step;
      EXPECT_EQ(kept.triangles, expected.triangles) << step;
      sent += step > 0 ? Triangles(delta) : 0;
      whole += step > 0 ? Triangles(all) : 0;
      state = all.state;
    }
    EXPECT_LE(saves * sent, whole);
  }

  SimplifyDriver driver_{2};
  std::unique_ptr<test_support::FloatMesh> mesh_;
  std::unique_ptr<Model> model_;
};

TEST_F(ViewsTest, BoundsHaveAllThatIsBelow) {
  Open("noisy-sphere-5k");
  const ModelView& model = model_->View();
  const auto at = [&](std::uint32_t node) { return model.frame.Normal(model.places[node]); };
  for (std::uint32_t t = 0; t < model.triangles; ++t) {
    const std::uint32_t* const corners = model.corners + 3 * std::size_t{t};
    const Vector3d cross = Cross(at(corners[1]) - at(corners[0]), at(corners[2]) - at(corners[0]));
    const Vector3d normal = (1 / LengthOf(cross)) * cross;
    for (int k = 0; k < 3; ++k) {
      for (std::uint32_t node = corners[k]; node != kNone; node = model.parents[node]) {
        EXPECT_LE(LengthOf(at(node) - at(corners[k])), model.bounds.radii[node] + 1e-9);
        if (model.bounds.cones[node] == Cone::kAll) continue;
        const Cone cone = Cone::Of(model.bounds.cones[node]);
        EXPECT_GE(Dot(normal, cone.axis), cone.angle.cosine - 1e-6);
      }
    }
  }
}

TEST_F(ViewsTest, ExpandsWhatIsTooLargeOnTheScreen) {
  Open("noisy-sphere-20k");
  const View view = LookFrom(30, 4, 2);
  const SimplifiedMesh mesh = Cut(view);
  const ModelView& model = model_->View();
  // Pixels in the plainest way, in scene units. The whole ball is in view.
  const double scale = view.height / (2 * std::tan(30 * std::numbers::pi / 180));
  std::size_t expanded = 0;
  for (std::uint32_t node = model.leaves; node < model.nodes; ++node) {
    const FloatPoint p = model.places[node];
    const double distance = std::hypot(p.x - view.eye.x, p.y - view.eye.y, p.z - view.eye.z);
    const double apart = distance - model.bounds.radii[node] * model.frame.extent;
    const double pixels =
        model.distances[node] * model.frame.extent * scale / std::max(apart, view.near);
    const bool is_expanded = IsExpanded(mesh, node - model.leaves);
    expanded += is_expanded ? 1 : 0;
    if (std::abs(pixels - 2) < 1e-6) continue;
    EXPECT_EQ(is_expanded, pixels > 2) << node;
  }
  EXPECT_GT(expanded, 100u);
  EXPECT_LT(Triangles(mesh), model.triangles / 2);
  const std::vector<double> positions(mesh.positions.begin(), mesh.positions.end());
  const auto topology = mesh_measure::CountTopology({positions, mesh.triangles});
  EXPECT_TRUE(topology->Closed());
}

TEST_F(ViewsTest, HasMoreTrianglesNearerAndForSmallerErrors) {
  Open("noisy-sphere-20k");
  const std::size_t far = Triangles(Cut(LookFrom(0, 20, 1)));
  const std::size_t near = Triangles(Cut(LookFrom(0, 3, 1)));
  EXPECT_LT(far, near / 2);
  EXPECT_LT(Triangles(Cut(LookFrom(0, 3, 4))), near / 2);
  // All views get what they need.
  const SimplifiedMesh both = Cut({{LookFrom(0, 3, 1), LookFrom(180, 3, 1)}, 1, {}, true});
  EXPECT_GT(Triangles(both), near);
}

TEST_F(ViewsTest, CaresLessForWhatIsNotSeen) {
  Open("noisy-sphere-20k");
  View view = LookFrom(0, 4, 0.5);
  const std::size_t all = Triangles(Cut(view));
  view.back_facing_weight = 0;
  const std::size_t front = Triangles(Cut(view));
  EXPECT_LT(front, 9 * all / 10);
  EXPECT_GT(front, all / 3);
  view.forward = view.eye;  // away from the ball
  EXPECT_LT(Triangles(Cut(view)), 100u);
  view.back_facing_weight = view.outside_weight = 1;
  EXPECT_EQ(Triangles(Cut(view)), all);
}

TEST_F(ViewsTest, StaysAsItWasForASmallStep) {
  Open("noisy-sphere-20k");
  const SimplifiedMesh first = Cut(LookFrom(0, 4, 1));
  const auto changes = [&](const SimplifiedMesh& next) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < first.state.size(); ++i) {
      count += static_cast<std::size_t>(__builtin_popcount(first.state[i] ^ next.state[i]));
    }
    return count;
  };
  const View step = LookFrom(1, 4.05, 1);
  const SimplifiedMesh without = Cut(step);
  const SimplifiedMesh with = Cut({{step}, 1.25, first.state, true});
  EXPECT_GT(changes(without), 0u);
  EXPECT_LT(changes(with), changes(without) / 4 + 1);
  const SimplifiedMesh same = Cut({{LookFrom(0, 4, 1)}, 1.25, first.state, true});
  EXPECT_EQ(same.triangles, first.triangles);
  EXPECT_EQ(same.state, first.state);
}

TEST_F(ViewsTest, GivesDeltasThatMoveVerticesAtSeams) {
  Attributed terrain = test_support::Split(
      Made("terrain-10k"), [](const test_support::Point& at) { return at[0] > 0.5f ? 1u : 0u; },
      test_support::LinearAt, 2);
  terrain.sends_groups = true;
  model_ = *driver_.Open(terrain.Input());
  ExpectDeltasToAddUp({1, 4, 16, 64, 200, 30, 2}, 0);
}

TEST_F(ViewsTest, GivesDeltasThatAddUpToTheWholeCut) {
  Open("noisy-sphere-20k");
  ExpectDeltasToAddUp(std::vector<double>(12, 1), 10);
}

TEST_F(ViewsTest, KeepsLockedVerticesOutOfSight) {
  mesh_ = std::make_unique<test_support::FloatMesh>(Made("terrain-5k"));
  ModelInput input = mesh_->Input();
  input.borders = Borders::kLocked;
  model_ = *driver_.Open(input);
  View away = LookFrom(0, 4, 100);
  away.forward = away.eye;
  EXPECT_GT(Triangles(Cut(away)), 100u);
}

TEST_F(ViewsTest, NamesWhatIsWrong) {
  Open("noisy-sphere-5k");
  const auto error_of = [&](const ViewGoal& goal, Finish finish = Finish::kCut) {
    SimplifyOptions options;
    options.finish = finish;
    options.views = goal;
    const auto mesh = driver_.Simplify(*model_, options);
    EXPECT_EQ(mesh.status().code(), absl::StatusCode::kInvalidArgument);
    return std::string(mesh.status().message());
  };
  const View good = LookFrom(0, 4, 1);
  EXPECT_EQ(error_of({}), "views: 0 of them, expected 1 to 16");
  EXPECT_EQ(error_of({{good}, 0.5}), "hysteresis: 0.5, expected 1 to 4");
  EXPECT_EQ(error_of({{good}}, Finish::kCollapse), "finish: views have cuts only, expected a cut");
  View bad = good;
  bad.near = 0;
  EXPECT_EQ(error_of({{good, bad}}).substr(0, 17), "views[1].near: 0,");
  bad = good;
  bad.up = bad.forward;
  EXPECT_EQ(error_of({{bad}}), "views[0].up: parallel to forward, or one of them is 0");
  bad = good;
  bad.eye.x = std::nan("");
  EXPECT_EQ(error_of({{bad}}).substr(0, 18), "views[0].eye: nan,");
  EXPECT_EQ(error_of({{good}, 1, {1, 2, 3}}).substr(0, 25), "previous_state: 12 bytes,");
}

}  // namespace
}  // namespace warpyard::simplify
