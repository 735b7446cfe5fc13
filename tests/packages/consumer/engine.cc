// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The engine as a library: a triangle falls through another one.
#include "core/engine/engine.h"

#include <cstdint>
#include <future>
#include <iostream>
#include <vector>

#include "core/api/collision.h"

int main() {
  auto engine = warpyard::Engine::Create({});
  if (!engine.ok()) {
    std::cerr << engine.status() << "\n";
    return 1;
  }
  const std::vector<double> start{0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, 1, 1.5, 1, 2, 1, 1.5, 2};
  const std::vector<double> end{0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, -1, 1.5, 1, 1, 1, 1.5, 1};
  const std::vector<std::uint32_t> triangles{0, 1, 2, 3, 4, 5};
  const auto view = [](const std::vector<double>& positions) {
    return warpyard::ccd::PositionsView{warpyard::ccd::ScalarType::kFloat64, positions.data(),
                                        positions.size() / 3};
  };
  warpyard::collision::SceneDescription scene;
  scene.positions = view(start);
  scene.triangles = triangles;
  std::promise<absl::StatusOr<warpyard::ccd::CollisionResult>> promise;
  warpyard::collision::Detect(**engine, scene, {view(end), {}, {}}, {},
                              [&](auto result) { promise.set_value(std::move(result)); });
  const auto result = promise.get_future().get();
  if (!result.ok()) {
    std::cerr << result.status() << "\n";
    return 1;
  }
  std::cout << "earliest " << *result->earliest_time << "\n";
}
