// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/result/measure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "client_examples/mesh_measure/surface_distance.h"
#include "tests/support/simplify/simplify_driver.h"

namespace warpyard::simplify {
namespace {

using test_support::FloatMesh;
using test_support::Made;
using test_support::SimplifyDriver;

/// The distance of a model from any other mesh.
absl::StatusOr<SurfaceDistance> Measure(SimplifyDriver& driver, const FloatMesh& mesh,
                                        const FloatMesh& other, std::uint32_t samples) {
  auto model = driver.Open(mesh.Input());
  if (!model.ok()) return model.status();
  SimplifiedMesh result;
  result.positions.assign(other.positions.begin(), other.positions.end());
  result.triangles.assign(other.triangles.begin(), other.triangles.end());
  TaskMemory memory;
  TaskRun run = driver.Tasks(memory);
  return MeasureDistance(run, (*model)->Arrays(), result, samples);
}

TEST(MeasureDistance, AgreesWithAnOracle) {
  for (const char* name : {"noisy-sphere-20k", "torus-knot-20k", "terrain-10k", "many-parts-20k"}) {
    SCOPED_TRACE(name);
    SimplifyDriver driver(2);
    const FloatMesh mesh = Made(name);
    auto model = driver.Open(mesh.Input());
    ASSERT_TRUE(model.ok());
    SimplifyOptions options;
    options.triangles = mesh.triangles.size() / 30;
    options.distance_samples = 50'000;
    const auto result = driver.Simplify(**model, options);
    ASSERT_TRUE(result.ok()) << result.status();
    ASSERT_TRUE(result->statistics.distance.has_value());
    const SurfaceDistance& measured = *result->statistics.distance;
    const std::vector<double> before(mesh.positions.begin(), mesh.positions.end());
    const std::vector<double> after(result->positions.begin(), result->positions.end());
    mesh_measure::DistanceOptions all;
    all.samples = 50'000;
    const auto oracle =
        mesh_measure::MeasureDistance({before, mesh.triangles}, {after, result->triangles}, all);
    ASSERT_TRUE(oracle.ok());
    EXPECT_NEAR(measured.from_model.rms, oracle->from_original.rms,
                0.03 * oracle->from_original.rms);
    EXPECT_NEAR(measured.from_result.rms, oracle->from_simplified.rms,
                0.03 * oracle->from_simplified.rms);
    // The oracle looks at all vertices, too.
    EXPECT_LE(measured.from_model.max, 1.01 * oracle->from_original.max);
    EXPECT_GT(measured.from_model.max, 0.5 * oracle->from_original.max);
    EXPECT_EQ(measured.samples, 50'000u);
  }
}

TEST(MeasureDistance, IsExactBetweenParallelSquares) {
  const FloatMesh low({0, 0, 5, 4, 0, 5, 4, 4, 5, 0, 4, 5}, {0, 1, 2, 0, 2, 3});
  const FloatMesh high({0, 0, 8, 4, 0, 8, 4, 4, 8, 0, 4, 8}, {0, 1, 2, 0, 2, 3});
  SimplifyDriver driver(2);
  const auto distance = Measure(driver, low, high, 1000);
  ASSERT_TRUE(distance.ok()) << distance.status();
  for (const OneWayDistance& way : {distance->from_model, distance->from_result}) {
    EXPECT_NEAR(way.rms, 3, 1e-5);
    EXPECT_NEAR(way.max, 3, 1e-5);
  }
  const auto none = Measure(driver, low, low, 1000);
  EXPECT_NEAR(none->from_model.max, 0, 1e-6);
}

TEST(MeasureDistance, SeesWhatOnlyOneSurfaceHas) {
  // The second mesh has a further square far away.
  const FloatMesh one({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, {0, 1, 2, 0, 2, 3});
  const FloatMesh two({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 10, 1, 0, 10, 1, 1, 10, 0, 1, 10},
                      {0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7});
  SimplifyDriver driver(1);
  const auto distance = Measure(driver, one, two, 1000);
  ASSERT_TRUE(distance.ok()) << distance.status();
  EXPECT_NEAR(distance->from_model.max, 0, 1e-5);
  EXPECT_NEAR(distance->from_result.max, 10, 1e-4);
  EXPECT_NEAR(distance->from_result.rms, 10 * std::sqrt(0.5), 1e-2);
}

TEST(MeasureDistance, DoesNotDependOnThreads) {
  const FloatMesh mesh = Made("noisy-sphere-5k"), other = Made("noisy-sphere-3k");
  SimplifyDriver one(1), four(4);
  const auto a = Measure(one, mesh, other, 10'000), b = Measure(four, mesh, other, 10'000);
  EXPECT_EQ(a->from_model.rms, b->from_model.rms);
  EXPECT_EQ(a->from_result.max, b->from_result.max);
}

TEST(MeasureDistance, HasALimitOfParts) {
  std::vector<float> positions;
  std::vector<std::uint32_t> triangles;
  for (std::uint32_t i = 0; i <= kMostParts; ++i) {
    const auto x = static_cast<float>(2 * (i % 128)), y = static_cast<float>(2 * (i / 128));
    positions.insert(positions.end(), {x, y, 0, x + 1, y, 0, x, y + 1, 0});
    for (std::uint32_t k = 0; k < 3; ++k) triangles.push_back(3 * i + k);
  }
  const FloatMesh parts(std::move(positions), std::move(triangles));
  SimplifyDriver driver(2);
  const auto distance = Measure(driver, parts, parts, 10);
  EXPECT_EQ(distance.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(distance.status().message(),
            "distance_samples: a mesh has 16385 parts, and at most 16384 can be measured");
}

}  // namespace
}  // namespace warpyard::simplify
