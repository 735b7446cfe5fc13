// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Scenes with many collisions, a step that takes long, and results to compare.
#ifndef WARPYARD_TESTS_UNIT_ENGINE_BUSY_SOUPS_H_
#define WARPYARD_TESTS_UNIT_ENGINE_BUSY_SOUPS_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/api/collision.h"
#include "core/engine/engine.h"
#include "tests/support/mesh_fixtures.h"
#include "tests/support/motion.h"
#include "tests/unit/engine/engine_driver.h"

namespace warpyard::test_support {

inline ccd::CollisionOptions Reporting(ccd::Report report) {
  ccd::CollisionOptions options;
  options.report = report;
  return options;
}

/// Times and ids of all collisions, to compare results.
inline std::vector<double> Fingerprint(const ccd::CollisionResult& result) {
  std::vector<double> numbers;
  for (const auto& pair : result.vertex_face) {
    numbers.insert(numbers.end(), {double(pair.vertex), double(pair.face), pair.time});
  }
  for (const auto& pair : result.edge_edge) {
    numbers.insert(numbers.end(),
                   {double(pair.a0), double(pair.a1), double(pair.b0), double(pair.b1), pair.time});
  }
  return numbers;
}

/// A soup with many collisions.
inline Motion BusySoup(std::uint64_t seed, std::uint32_t triangles = 300) {
  return TriangleSoup(seed, {triangles, 0.4, 0.4});
}

/// Nearly all features may meet nearly all others, so a step takes long.
inline Motion LongMotion() { return TriangleSoup(99, {1200, 1.5, 1.5}); }

/// A step that has both a start and an end.
inline absl::StatusOr<ccd::CollisionResult> StepOf(EngineDriver& driver, ResidentId scene,
                                                   const Motion& motion,
                                                   const ccd::CollisionOptions& options = {}) {
  const Positions start(motion.start, ccd::ScalarType::kFloat64);
  const Positions end(motion.end, ccd::ScalarType::kFloat64);
  Completion<ccd::CollisionResult> completion;
  collision::Step(driver.engine(), scene, {end.View(), start.View(), options}, {},
                  completion.Callback());
  return completion.Await();
}

/// A job that takes long, and can be cancelled.
class LongStep {
 public:
  explicit LongStep(EngineDriver& driver) : driver_(driver) {
    const auto scene = driver.Open(motion_);
    EXPECT_TRUE(scene.ok()) << scene.status();
    if (scene.ok()) scene_ = scene->id;
  }
  void Start(const JobOptions& options = {}) {
    id_ = collision::Step(driver_.engine(), scene_, {end_.View(), std::nullopt, {}}, options,
                          completion_.Callback());
  }
  void Cancel() { driver_.engine().Cancel(id_); }
  absl::Status End() { return completion_.Await().status(); }
  ResidentId scene() const { return scene_; }

 private:
  EngineDriver& driver_;
  const Motion motion_ = LongMotion();
  const Positions end_{motion_.end, ccd::ScalarType::kFloat64};
  ResidentId scene_;
  JobId id_;
  Completion<ccd::CollisionResult> completion_;
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_UNIT_ENGINE_BUSY_SOUPS_H_
