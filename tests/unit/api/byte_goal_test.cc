// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/api/byte_goal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "core/base/status_facts.h"

namespace warpyard::simplify {
namespace {

SimplifiedMesh MeshOf(std::uint64_t vertices, std::uint64_t triangles) {
  SimplifiedMesh mesh;
  mesh.positions.resize(3 * vertices);
  mesh.triangles.resize(3 * triangles);
  mesh.statistics.phases = {{"cut", absl::Seconds(1)}, {"copy_out", absl::Seconds(2)}};
  return mesh;
}

/// Simplifies a model whose results have a given ratio of vertices to triangles.
class FakeModel {
 public:
  FakeModel(double vertices_a_triangle, std::uint64_t least, std::uint64_t most)
      : vertices_a_triangle_(vertices_a_triangle), least_(least), most_(most) {}

  absl::StatusOr<SimplifiedMesh> operator()(std::uint64_t triangles) {
    asked.push_back(triangles);
    const std::uint64_t count = std::min(std::max(triangles, least_), most_);
    SimplifiedMesh mesh = MeshOf(
        static_cast<std::uint64_t>(vertices_a_triangle_ * static_cast<double>(count)), count);
    if (count > triangles) mesh.statistics.shortfall = shortfall;
    return mesh;
  }

  std::vector<std::uint64_t> asked;
  Shortfall shortfall = Shortfall::kTopology;

 private:
  const double vertices_a_triangle_;
  const std::uint64_t least_, most_;
};

absl::StatusOr<SimplifiedMesh> ToBytes(std::uint64_t max_bytes, FakeModel& model) {
  return SimplifyToBytes(max_bytes, [&model](std::uint64_t t) { return model(t); });
}

TEST(ByteGoal, CountsThreeFloatsAVertexAndThreeIndicesATriangle) {
  EXPECT_EQ(MeshBytes(MeshOf(3, 1)), kLeastBytes);
  EXPECT_EQ(MeshBytes(MeshOf(10, 16)), 12u * 26);
}

TEST(ByteGoal, TakesTheLargestClosedMeshThatFits) {
  for (std::uint64_t triangles = 2; triangles <= 1000; triangles += 2) {
    const std::uint64_t bytes = MeshBytes(MeshOf(triangles / 2 + 2, triangles));
    EXPECT_EQ(TrianglesOfBytes(bytes), triangles);
    EXPECT_LT(TrianglesOfBytes(bytes - 1), triangles);
  }
  for (const std::uint64_t bytes : {0u, 12u, 24u, 41u, 42u, 48u})
    EXPECT_EQ(TrianglesOfBytes(bytes), 1u);
  EXPECT_GT(TrianglesOfBytes(~std::uint64_t{0}), std::uint64_t{1} << 59);
}

TEST(ByteGoal, NeedsOneTryForAClosedMesh) {
  FakeModel model(0.5, 4, 100'000);
  const auto mesh = ToBytes(9'000, model);
  ASSERT_TRUE(mesh.ok());
  EXPECT_EQ(model.asked.size(), 1u);
  EXPECT_LE(MeshBytes(*mesh), 9'000u);
  EXPECT_GT(MeshBytes(*mesh), 8'900u);
}

TEST(ByteGoal, AsksForFewerWhereThereAreMoreVertices) {
  for (const double vertices_a_triangle : {0.51, 0.7, 1.0, 3.0}) {
    FakeModel model(vertices_a_triangle, 1, 1'000'000);
    const auto mesh = ToBytes(100'000, model);
    ASSERT_TRUE(mesh.ok());
    EXPECT_EQ(model.asked.size(), 2u);
    EXPECT_LE(MeshBytes(*mesh), 100'000u);
    EXPECT_GT(MeshBytes(*mesh), 90'000u);
    EXPECT_EQ(mesh->statistics.shortfall, Shortfall::kNone);
    ASSERT_EQ(mesh->statistics.phases.size(), 2u);
    EXPECT_EQ(mesh->statistics.phases[1].duration, absl::Seconds(4));
  }
}

TEST(ByteGoal, ScalesWhatTheModelHasWhereThatIsLessThanAsked) {
  FakeModel model(3, 1, 100);  // 4,800 bytes
  const auto mesh = ToBytes(4'700, model);
  ASSERT_TRUE(mesh.ok());
  EXPECT_EQ(model.asked.size(), 2u);
  EXPECT_LE(MeshBytes(*mesh), 4'700u);
}

TEST(ByteGoal, ReachesTheLeastOfBytes) {
  FakeModel model(3, 1, 1'000);
  const auto mesh = ToBytes(kLeastBytes, model);
  ASSERT_TRUE(mesh.ok());
  EXPECT_EQ(MeshBytes(*mesh), kLeastBytes);
}

TEST(ByteGoal, ReturnsTheSmallestWhereNoneFits) {
  FakeModel model(0.5, 500, 1'000);
  const auto mesh = ToBytes(1'000, model);
  ASSERT_TRUE(mesh.ok());
  EXPECT_LE(model.asked.size(), 8u);
  EXPECT_EQ(mesh->triangles.size(), 3u * 500);
  EXPECT_EQ(mesh->statistics.shortfall, Shortfall::kTopology);
  EXPECT_EQ(mesh->statistics.phases[0].duration,
            absl::Seconds(static_cast<double>(model.asked.size())));
}

TEST(ByteGoal, DoesNotTryAgainWithoutTime) {
  FakeModel model(0.5, 500, 1'000);
  model.shortfall = Shortfall::kTime;
  const auto mesh = ToBytes(1'000, model);
  ASSERT_TRUE(mesh.ok());
  EXPECT_EQ(model.asked.size(), 1u);
  EXPECT_EQ(mesh->statistics.shortfall, Shortfall::kTime);
}

TEST(ByteGoal, TellsErrors) {
  FakeModel model(0.5, 1, 10);
  const auto refused = ToBytes(kLeastBytes - 1, model);
  EXPECT_EQ(refused.status(), InvalidField("max_bytes", "47, expected at least 48"));
  EXPECT_TRUE(model.asked.empty());
  const auto failed = SimplifyToBytes(100, [](std::uint64_t) -> absl::StatusOr<SimplifiedMesh> {
    return absl::CancelledError("x");
  });
  EXPECT_EQ(failed.status(), absl::CancelledError("x"));
}

}  // namespace
}  // namespace warpyard::simplify
