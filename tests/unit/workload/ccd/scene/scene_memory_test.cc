// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/scene/scene_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/engine/engine.h"
#include "core/workload/ccd/scene/rigid_bodies.h"
#include "tests/support/mesh_fixtures.h"
#include "tests/unit/engine/engine_driver.h"

namespace warpyard::test_support {
namespace {

using ::testing::HasSubstr;

EngineOptions WithLimit(std::uint64_t bytes) {
  EngineOptions options;
  options.backend = BackendChoice::kCpu;
  options.threads = 1;
  options.memory_limit_bytes = static_cast<std::size_t>(bytes);
  return options;
}

ccd::SceneSize SizeOf(const Motion& motion, std::uint64_t edges) {
  return {motion.Vertices(), edges, motion.Triangles(), !motion.vertex_groups.empty(),
          ccd::CountBodies(motion.vertex_groups) != 0};
}

std::uint64_t Used(EngineDriver& driver) { return driver.engine().Statistics().memory_used_bytes; }

TEST(SceneMemory, IsWhatAnOpenSceneTakesToTheByte) {
  Motion without_groups = TriangleSoup(3, {40, 0.1, 0.01});
  without_groups.vertex_groups.clear();
  for (const Motion& motion :
       {FoldingCloth(1, 30, 40), TriangleSoup(2, {700, 0.05, 0.01}), TriangleSoup(4, {1, 1, 1}),
        TriangleSoup(5, {8, 0.1, 0.1}), TriangleSoup(6, {9, 0.1, 0.1}), without_groups}) {
    EngineDriver driver(WithLimit(0));
    const auto scene = driver.Open(motion);
    ASSERT_TRUE(scene.ok()) << scene.status();
    const ccd::SceneBytes bytes = ccd::BytesOf(SizeOf(motion, scene->edges));
    EXPECT_EQ(Used(driver), bytes.scene);
    ccd::CollisionOptions options;
    ASSERT_TRUE(driver.Step(scene->id, motion.start, options).ok());
    EXPECT_EQ(Used(driver), bytes.scene + bytes.lists);
    options.traversal = ccd::Traversal::kIndependent;
    for (int step = 0; step < 2; ++step) {
      ASSERT_TRUE(driver.Step(scene->id, motion.start, options).ok());
      EXPECT_EQ(Used(driver), bytes.scene + bytes.lists + bytes.hierarchy);
    }
  }
}

TEST(SceneMemory, OfStaticTrianglesHasClustersOfTheirOwn) {
  const Motion motion = TriangleSoup(7, {31, 0.1, 0.1});
  for (const std::uint32_t never_move : {1u, 7u, 8u, 30u}) {
    EngineDriver driver(WithLimit(0));
    const Positions rest(motion.start, ccd::ScalarType::kFloat64);
    collision::SceneDescription scene = {rest.View(), motion.triangles, motion.vertex_groups};
    scene.static_vertices = 3 * never_move;
    Completion<collision::SceneInfo> opened;
    collision::OpenScene(driver.engine(), scene, {}, opened.Callback());
    const auto info = opened.Await();
    ASSERT_TRUE(info.ok()) << info.status();
    ccd::SceneSize size = SizeOf(motion, info->edges);
    size.static_triangles = never_move;
    EXPECT_EQ(Used(driver), ccd::BytesOf(size).scene) << never_move;
  }
}

// docs/operations.md states this.
TEST(SceneMemory, IsLessThanHalfAKilobyteATriangle) {
  const ccd::SceneBytes cloth = ccd::BytesOf({5'002'501, 15'000'000, 10'000'000, false, false});
  EXPECT_EQ(cloth.scene / 10'000'000, 255u);
  EXPECT_EQ(cloth.lists / 10'000'000, 224u);
  EXPECT_EQ(cloth.hierarchy / 10'000'000, 96u);
}

TEST(SceneMemory, DecidesToTheByteWhetherASceneIsOpened) {
  const Motion motion = FoldingCloth(1, 30, 40);
  const ccd::SceneBytes bytes = ccd::BytesOf(SizeOf(motion, 29 * 40 + 30 * 39 + 29 * 39));
  const std::uint64_t needed = bytes.scene + bytes.lists;
  {
    EngineDriver driver(WithLimit(needed));
    const auto scene = driver.Open(motion);
    ASSERT_TRUE(scene.ok()) << scene.status();
    EXPECT_TRUE(driver.Step(scene->id, motion.start).ok());
    const absl::Status second = driver.Open(motion).status();
    EXPECT_TRUE(absl::IsResourceExhausted(second));
    EXPECT_THAT(std::string(second.message()), HasSubstr(absl::StrCat(needed, " are in use")));
  }
  EngineDriver driver(WithLimit(needed - 1));
  const absl::Status refused = driver.Open(motion).status();
  EXPECT_TRUE(absl::IsResourceExhausted(refused)) << refused;
  EXPECT_EQ(std::string(refused.message()),
            absl::StrCat("the scene has 1200 vertices and 2262 triangles and needs ", needed,
                         " bytes of device memory more; 0 are in use, limit ", needed - 1,
                         " (--memory-limit-mib)"));
  EXPECT_EQ(Used(driver), 0u);
}

TEST(SceneMemory, IsCheckedBeforeEdgesAreCounted) {
  Motion motion = TriangleSoup(1, {1, 1, 1});
  for (int i = 1; i < 100'000; ++i) motion.triangles.insert(motion.triangles.end(), {0, 1, 2});
  EngineDriver driver(WithLimit(std::uint64_t{1} << 20));
  const absl::Status refused = driver.Open(motion).status();
  EXPECT_TRUE(absl::IsResourceExhausted(refused)) << refused;
  const std::uint64_t least =
      ccd::BytesOf(SizeOf(motion, 0)).scene + ccd::BytesOf(SizeOf(motion, 0)).lists;
  EXPECT_THAT(std::string(refused.message()),
              HasSubstr(absl::StrCat("100000 triangles and needs ", least, " bytes")));
}

TEST(SceneMemory, OfAHierarchyThatFindsNoRoomFailsOnlyThatStep) {
  const Motion motion = FoldingCloth(1, 30, 40);
  const ccd::SceneBytes bytes = ccd::BytesOf(SizeOf(motion, 29 * 40 + 30 * 39 + 29 * 39));
  EngineDriver driver(WithLimit(bytes.scene + bytes.lists + bytes.hierarchy / 2));
  const auto scene = driver.Open(motion);
  ASSERT_TRUE(scene.ok()) << scene.status();
  ccd::CollisionOptions by_leaves;
  by_leaves.traversal = ccd::Traversal::kIndependent;
  const absl::Status refused = driver.Step(scene->id, motion.start, by_leaves).status();
  EXPECT_TRUE(absl::IsResourceExhausted(refused)) << refused;
  EXPECT_TRUE(driver.Step(scene->id, motion.start).ok());
}

}  // namespace
}  // namespace warpyard::test_support
