// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The scenes of the benchmark of unary steps, as messages and as views.
#ifndef WARPYARD_BENCHMARKS_SERVER_STEP_INPUT_H_
#define WARPYARD_BENCHMARKS_SERVER_STEP_INPUT_H_

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_split.h"
#include "benchmarks/scenes/moving_scene.h"
#include "benchmarks/support/engine_runs.h"
#include "client_examples/mesh_io/mesh_io.h"
#include "core/api/collision.h"
#include "warpyard/v1/collision_service.pb.h"

namespace warpyard::collision_bench {

template <class T>
std::string BytesOf(const std::vector<T>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)};
}

/// A mesh with the two ends of a step.
struct Input {
  std::vector<std::uint32_t> triangles;
  std::vector<std::uint32_t> vertex_groups;
  std::vector<float> frames[2];

  v1::Positions Message(int frame) const {
    v1::Positions positions;
    positions.set_scalar_type(v1::SCALAR_TYPE_FLOAT32);
    positions.set_data(BytesOf(frames[frame]));
    return positions;
  }
  ccd::PositionsView View(int frame) const {
    return {ccd::ScalarType::kFloat32, frames[frame].data(), frames[frame].size() / 3};
  }
};

inline Input MakeInput(const std::string& scene) {
  const std::pair<std::string, std::string> parts = absl::StrSplit(scene, absl::MaxSplits('=', 1));
  if (parts.second.empty()) {
    scenes::MovingScene made = OrExit(scenes::MakeScene(scene, 2));
    return {std::move(made.triangles),
            std::move(made.vertex_groups),
            {std::move(made.frames[0]), std::move(made.frames[1])}};
  }
  const std::vector<std::string> files = absl::StrSplit(parts.second, ',');
  if (files.size() != 2) {
    std::cerr << scene << ": expected NAME=START,END\n";
    std::exit(2);
  }
  const mesh_io::Mesh start = OrExit(mesh_io::ReadMesh(files[0]));
  const mesh_io::Mesh end = OrExit(mesh_io::ReadMesh(files[1]));
  return {start.triangles,
          {},
          {{start.positions.begin(), start.positions.end()},
           {end.positions.begin(), end.positions.end()}}};
}

}  // namespace warpyard::collision_bench

#endif  // WARPYARD_BENCHMARKS_SERVER_STEP_INPUT_H_
