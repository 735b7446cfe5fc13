// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Scenes on CPU threads without an engine, so that tests can choose traversals and sizes.
#ifndef WARPYARD_TESTS_SUPPORT_WORKERS_RESEARCH_DRIVER_H_
#define WARPYARD_TESTS_SUPPORT_WORKERS_RESEARCH_DRIVER_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "core/base/macros.h"
#include "core/device/cpu_backend.h"
#include "core/model/combined_program.h"
#include "core/model/cpu/cpu_workers.h"
#include "core/workload/ccd/collision_program.h"
#include "core/workload/ccd/scene/scene.h"
#include "tests/support/motion.h"

namespace warpyard::test_support {

class ResearchDriver {
 public:
  /// @shape memory_limit: bytes, 0: none
  explicit ResearchDriver(int threads, std::size_t memory_limit = 0)
      : backend_(threads, memory_limit),
        workers_(threads),
        runner_(workers_, policy::EventAttributes{}) {}

  absl::StatusOr<std::unique_ptr<ccd::Scene>> Open(const Motion& motion,
                                                   ccd::GroupRule rule = ccd::GroupRule::kAll,
                                                   const std::vector<std::uint64_t>& matrix = {}) {
    PhaseTimes phases;
    return ccd::Scene::Open(
        backend_, runner_,
        {ViewOf(motion.start), motion.triangles, motion.vertex_groups, rule, matrix, build},
        procedure::CancelToken(), phases);
  }

  std::size_t MemoryUsed() const { return backend_.MemoryUsed(); }

  /// The build of scenes that are opened from now on.
  ccd::HierarchyBuild build = ccd::HierarchyBuild::kMorton;

  /// Steps from the start to the end of a motion.
  absl::StatusOr<ccd::CollisionResult> Step(ccd::Scene& scene, const Motion& motion,
                                            const ccd::CollisionOptions& options,
                                            const procedure::CancelToken& token = {}) {
    return Step(scene, {ViewOf(motion.end), ViewOf(motion.start)}, options, token);
  }

  absl::StatusOr<ccd::CollisionResult> Step(ccd::Scene& scene, const ccd::StepInput& input,
                                            const ccd::CollisionOptions& options,
                                            const procedure::CancelToken& token = {}) {
    return scene.Step(runner_, input, options, token).RunNow();
  }

  absl::StatusOr<ccd::CollisionResult> Detect(const Motion& motion,
                                              const ccd::CollisionOptions& options,
                                              ccd::GroupRule rule = ccd::GroupRule::kAll,
                                              const std::vector<std::uint64_t>& matrix = {}) {
    WY_ASSIGN_OR_RETURN(const std::unique_ptr<ccd::Scene> scene, Open(motion, rule, matrix));
    return Step(*scene, motion, options);
  }

 private:
  using Program = model::CombinedProgram<ccd::CollisionProgram>;

  static ccd::PositionsView ViewOf(const std::vector<double>& values) {
    return {ccd::ScalarType::kFloat64, values.data(), values.size() / 3};
  }

  device::CpuBackend backend_;
  model::CpuWorkers<Program> workers_;
  model::BoundRunner<Program, ccd::CollisionProgram> runner_;
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_WORKERS_RESEARCH_DRIVER_H_
