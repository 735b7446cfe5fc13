// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/model/build_bytes.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/workload/simplify/model/build_model.h"
#include "tests/support/simplify/simplify_driver.h"

namespace warpyard::simplify {
namespace {

using test_support::FloatMesh;
using test_support::Made;
using test_support::SimplifyDriver;

/// The mesh with vertices of its own for each triangle, as formats without indices have.
FloatMesh Unwelded(const FloatMesh& mesh) {
  std::vector<float> positions;
  std::vector<std::uint32_t> corners;
  for (const std::uint32_t corner : mesh.triangles) {
    for (int k = 0; k < 3; ++k) positions.push_back(mesh.positions[3 * corner + k]);
    corners.push_back(static_cast<std::uint32_t>(corners.size()));
  }
  return {positions, corners};
}

/// Bytes that the build had at most, where the backend has `limit`; 0: the model does not fit.
std::uint64_t BytesWithin(const FloatMesh& mesh, std::uint64_t limit) {
  SimplifyDriver driver(1, limit);
  TaskMemory memory;
  TaskRun run = driver.Tasks(memory);
  const auto built = BuildModel(run, mesh.Input());
  return built.ok() ? built->facts.build_bytes : 0;
}

TEST(BuildBytes, SufficeForTheBuild) {
  const FloatMesh welded = Made("torus-knot-20k");
  for (const FloatMesh& mesh : {welded, Unwelded(welded)}) {
    const std::uint64_t bytes = BytesWithin(mesh, 1 << 30);
    EXPECT_GT(bytes, 0u);
    // Blocks of the backend are larger than arrays, and tasks have some memory, too.
    EXPECT_EQ(BytesWithin(mesh, bytes + (1 << 20)), bytes);
    EXPECT_EQ(BytesWithin(mesh, bytes - 1), 0u);
  }
}

TEST(BuildBytes, DependOnTheDifferentPositions) {
  const FloatMesh welded = Made("noisy-sphere-20k");
  const std::uint64_t triangles = welded.triangles.size() / 3;
  const std::uint64_t bytes = BytesWithin(welded, 1 << 30);
  EXPECT_LE(bytes, 300 * triangles);
  EXPECT_GT(bytes, 200 * triangles);
  const std::uint64_t unwelded = BytesWithin(Unwelded(welded), 1 << 30);
  EXPECT_GT(unwelded, bytes);
  EXPECT_LE(unwelded, 350 * triangles);
}

}  // namespace
}  // namespace warpyard::simplify
