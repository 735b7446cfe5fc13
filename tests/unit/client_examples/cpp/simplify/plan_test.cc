// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/simplify/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/unit/client_examples/cpp/simplify/samples.h"

namespace warpyard::cli {
namespace {

using mesh_io::Model;
using mesh_io::Primitive;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

SimplifyArguments Arguments(const std::string& out, std::uint64_t triangles) {
  SimplifyArguments arguments;
  arguments.files = {"in.glb", out};
  arguments.request.set_triangles(triangles);
  return arguments;
}

/// The square of samples.h, split into n strips of two triangles.
Primitive Strips(std::size_t n) {
  Primitive strips = SquareAt(0);
  for (std::size_t i = 1; i < n; ++i) {
    for (const std::uint32_t corner : {0u, 1u, 2u, 0u, 2u, 3u}) {
      strips.triangles.push_back(corner);
    }
  }
  return strips;
}

/// A mesh of 20 triangles that the scene has three times, one of 10, and one that it has not.
Model Scene() {
  Model model;
  model.meshes = {{"tree", {Strips(10)}}, {"", {Strips(5)}}, {"spare", {Strips(5)}}};
  model.instances = {{0, ScaleBy(1, 1, 1)},
                     {0, ScaleBy(4, 1, 1)},
                     {0, ScaleBy(2, 2, 2)},
                     {1, ScaleBy(0.5, 0.5, 0.5)}};
  return model;
}

TEST(PlanFile, SharesTheGoalAmongMeshes) {
  const auto plan = PlanFile(Scene(), Arguments("out.glb", 20));
  ASSERT_TRUE(plan.ok()) << plan.status();
  ASSERT_EQ(plan->jobs.size(), 3u) << "the file keeps meshes that the scene does not have";
  EXPECT_EQ(plan->jobs[0].goal.triangles(), 10u);
  EXPECT_EQ(plan->jobs[1].goal.triangles(), 5u);
  EXPECT_EQ(plan->jobs[0].label, "mesh \"tree\"");
  EXPECT_EQ(plan->jobs[1].label, "mesh 1");
  EXPECT_THAT(plan->notes, IsEmpty());
}

TEST(PlanFile, CountsInstancesWhereTheFormatHasNone) {
  const auto plan = PlanFile(Scene(), Arguments("out.ply", 35));
  ASSERT_TRUE(plan.ok()) << plan.status();
  ASSERT_EQ(plan->jobs.size(), 2u);
  EXPECT_EQ(plan->jobs[0].copies, 3u);
  EXPECT_EQ(plan->jobs[0].goal.triangles(), 10u);
  EXPECT_EQ(plan->jobs[1].goal.triangles(), 5u);
}

TEST(PlanFile, TakesDistancesInTheScene) {
  SimplifyArguments arguments = Arguments("out.glb", 1);
  arguments.request.set_max_error(2);
  const auto plan = PlanFile(Scene(), arguments);
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(plan->jobs[0].goal.max_error(), 0.5) << "the largest scale counts";
  EXPECT_EQ(plan->jobs[0].scale, 4);
  EXPECT_EQ(plan->jobs[1].goal.max_error(), 4);
  EXPECT_EQ(plan->jobs[2].goal.max_error(), 2) << "it is not in the scene";
}

TEST(PlanFile, CountsBytesAsTheServiceDoes) {
  SimplifyArguments arguments = Arguments("out.glb", 1);
  arguments.request.set_max_bytes(10'000);
  Model model = ModelOf({SquareAt(0), SquareAt(1)});
  model.meshes.push_back(model.meshes[0]);
  const auto plan = PlanFile(model, arguments);
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(plan->jobs[0].goal.max_bytes(), 8 * 4 * (3 + 1 + 2) + 12 * 4u);
}

TEST(PlanFile, KeepsWhatCannotBeSimplified) {
  Model model = ModelOf({SquareAt(0), SquareAt(1)});
  model.meshes[0].primitives[0].pinned_by = "EXT_x";
  model.meshes[0].other_primitives = 2;
  model.meshes.push_back({"", {SquareAt(0)}});
  model.meshes[1].primitives[0].positions.assign(12, 7);
  auto plan = PlanFile(model, Arguments("out.glb", 5));
  ASSERT_TRUE(plan.ok()) << plan.status();
  ASSERT_EQ(plan->jobs.size(), 1u);
  EXPECT_EQ(plan->jobs[0].parts.size(), 1u);
  EXPECT_EQ(plan->jobs[0].goal.triangles(), 1u);
  EXPECT_EQ(plan->kept.triangles, 4u);
  EXPECT_EQ(plan->kept.vertices, 8u);
  EXPECT_THAT(plan->notes,
              ElementsAre("mesh \"m\": primitives of points or lines (2) stay as they are",
                          HasSubstr("EXT_x may refer to single vertices, so the primitive stays"),
                          "mesh 1 stays as it is: it has no triangle with three different "
                          "positions"));
  plan = PlanFile(model, Arguments("out.obj", 4));
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_THAT(plan->notes[0], HasSubstr("(2) are left out, as the format has none"));
  EXPECT_EQ(plan->notes.back(),
            "--triangles: 4, but 4 stay as they are, and each of 1 meshes has at least one");
}

TEST(PlanFile, RefusesAFileWithoutAnythingToSimplify) {
  Model model = ModelOf({SquareAt(0)});
  model.meshes[0].primitives[0].pinned_by = "EXT_x";
  const absl::Status status = PlanFile(model, Arguments("out.glb", 5)).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("no mesh that can be simplified: EXT_x may refer"));
  EXPECT_EQ(PlanFile(Model(), Arguments("out.glb", 5)).status().message(),
            "it has no mesh that can be simplified");
}

TEST(PlanFile, SendsBordersAndWeights) {
  SimplifyArguments arguments = Arguments("out.glb", 1);
  arguments.borders = v1::BORDERS_LOCKED;
  arguments.weights = {{"uvs", 2.f}};
  const auto plan = PlanFile(ModelOf({SquareAt(0)}), arguments);
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(plan->jobs[0].open.borders(), v1::BORDERS_LOCKED);
  EXPECT_EQ(plan->jobs[0].open.attributes(0).weight(), 2);
}

TEST(PlanFile, SaysWhichWeightsHaveNoEffect) {
  SimplifyArguments arguments = Arguments("out.glb", 1);
  arguments.weights = {{"normals", 0.5f}, {"uvs", 2.f}};
  const auto plan = PlanFile(ModelOf({SquareAt(0)}), arguments);
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_THAT(plan->notes, ElementsAre("--weight: no mesh has normals that are simplified with it, "
                                       "so normals=0.5 has no effect"));
  const auto bare = PlanFile(*DropAttributes(ModelOf({SquareAt(0)})), arguments);
  ASSERT_TRUE(bare.ok()) << bare.status();
  EXPECT_EQ(bare->notes.size(), 2u);
}

TEST(DropAttributes, JoinsPrimitivesAndKeepsPositions) {
  const auto model = DropAttributes(ModelOf({SquareAt(0), ColouredSquareAt(1)}));
  ASSERT_TRUE(model.ok());
  ASSERT_EQ(model->meshes.size(), 1u);
  ASSERT_EQ(model->meshes[0].primitives.size(), 1u);
  const Primitive& only = model->meshes[0].primitives[0];
  EXPECT_EQ(only.Vertices(), 8u);
  EXPECT_EQ(only.triangles, (std::vector<std::uint32_t>{0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7}));
  EXPECT_FALSE(only.positions_are_float);
  EXPECT_TRUE(only.uvs.empty() && only.colours.values.empty() && only.normals.values.empty());
  EXPECT_FALSE(DropAttributes(Model()).ok());
}

}  // namespace
}  // namespace warpyard::cli
