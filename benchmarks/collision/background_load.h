// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What keeps a device busy beside collision steps.
#ifndef WARPYARD_BENCHMARKS_COLLISION_BACKGROUND_LOAD_H_
#define WARPYARD_BENCHMARKS_COLLISION_BACKGROUND_LOAD_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
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

/// Runs jobs without a deadline, one of each lane at a time, until it is destroyed.
class Background {
 public:
  explicit Background(const BackgroundLoad& load) : load_(load) {
    for (const BackgroundLoad::Lane& lane : load_.lanes) Start(lane);
  }
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;
  ~Background() {
    stop_ = true;
    while (running_ != 0) absl::SleepFor(absl::Milliseconds(1));
  }

  /// What finished jobs have made since the start.
  std::uint64_t Executed() const { return executed_; }

 private:
  void Start(const BackgroundLoad::Lane& lane) {
    ++running_;
    lane([this, &lane](std::uint64_t made) {
      executed_ += made;
      if (!stop_) Start(lane);
      --running_;
    });
  }

  const BackgroundLoad& load_;
  std::atomic<bool> stop_{false};
  std::atomic<int> running_{0};
  std::atomic<std::uint64_t> executed_{0};
};

}  // namespace warpyard::collision_bench

#endif  // WARPYARD_BENCHMARKS_COLLISION_BACKGROUND_LOAD_H_
