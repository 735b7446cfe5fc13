// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A model on CPU threads for tests, and what each result of one promises.
#ifndef WARPYARD_TESTS_UNIT_WORKLOAD_SIMPLIFY_MODEL_OPENED_MODEL_H_
#define WARPYARD_TESTS_UNIT_WORKLOAD_SIMPLIFY_MODEL_OPENED_MODEL_H_

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "client_examples/mesh_measure/mesh_topology.h"
#include "core/workload/simplify/model/model.h"
#include "tests/support/simplify/simplify_driver.h"

namespace warpyard::simplify {

inline std::vector<double> Doubles(std::span<const float> floats) {
  return {floats.begin(), floats.end()};
}
inline mesh_measure::MeshTopology TopologyOf(std::span<const float> positions,
                                             std::span<const std::uint32_t> triangles) {
  return *mesh_measure::CountTopology({Doubles(positions), triangles});
}

inline SimplifyOptions Triangles(std::uint64_t triangles, Finish finish = Finish::kCollapse) {
  SimplifyOptions options;
  options.triangles = triangles;
  options.finish = finish;
  return options;
}

/// What each result promises, whatever the input. @shape input: what the result is of
inline void ExpectSound(const SimplifiedMesh& mesh, const test_support::FloatMesh& input) {
  const std::size_t vertices = mesh.positions.size() / 3;
  ASSERT_EQ(mesh.sources.size(), vertices);
  for (const float x : mesh.positions) ASSERT_TRUE(std::isfinite(x));
  for (const std::uint32_t v : mesh.triangles) ASSERT_LT(v, vertices);
  for (const std::uint32_t v : mesh.sources) ASSERT_LT(v, input.positions.size() / 3);
  const mesh_measure::MeshTopology topology = TopologyOf(mesh.positions, mesh.triangles);
  EXPECT_EQ(topology.repeated_corners, 0u);
  EXPECT_EQ(topology.duplicates, 0u);
  EXPECT_EQ(topology.fins, 0u);
  EXPECT_EQ(topology.unused_vertices, 0u);
}

/// A model that is open, and results of it.
class ModelTest : public ::testing::Test {
 protected:
  void Open(const test_support::FloatMesh& mesh) { Open(mesh.Input()); }
  void Open(const ModelInput& input) {
    auto opened = driver_.Open(input);
    ASSERT_TRUE(opened.ok()) << opened.status();
    model_ = *std::move(opened);
  }
  SimplifiedMesh Simplified(const SimplifyOptions& options) {
    auto mesh = driver_.Simplify(*model_, options);
    EXPECT_TRUE(mesh.ok()) << mesh.status();
    return mesh.ok() ? *std::move(mesh) : SimplifiedMesh{};
  }

  test_support::SimplifyDriver driver_{2};
  std::unique_ptr<Model> model_;
};

}  // namespace warpyard::simplify

#endif  // WARPYARD_TESTS_UNIT_WORKLOAD_SIMPLIFY_MODEL_OPENED_MODEL_H_
