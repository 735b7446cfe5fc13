// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What keeps a device busy beside collision steps.
#ifndef WARPYARD_BENCHMARKS_COLLISION_BACKGROUND_LOAD_H_
#define WARPYARD_BENCHMARKS_COLLISION_BACKGROUND_LOAD_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/engine/engine.h"

namespace warpyard::collision_bench {

/// Lanes of jobs, each of which starts a job at a time.
struct BackgroundLoad {
  /// Starts a job; its completion gets how much it made.
  using Lane = std::function<void(std::function<void(std::uint64_t)>)>;

  std::vector<Lane> lanes;
  std::string json;  ///< what it is, as a member of an object
  const char* unit;  ///< of what jobs make
};

/// @shape mesh: of benchmarks/meshes, to simplify; grammar: a file, to derive on 1,024 parcels;
/// both
///     empty: packages of so many FMA instructions
struct LoadChoice {
  std::string mesh;
  std::string grammar;
  std::uint32_t package_fma;
};

/// Opens what the jobs need. Ends the process on an error.
BackgroundLoad MakeLoad(Engine& engine, const LoadChoice& choice);

}  // namespace warpyard::collision_bench

#endif  // WARPYARD_BENCHMARKS_COLLISION_BACKGROUND_LOAD_H_
