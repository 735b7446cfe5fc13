// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Opens and steps scenes on CPU threads. The program of its workers has intervals as work items.
#ifndef WARPYARD_RESEARCH_INTERVAL_ITEMS_TESTS_INTERVAL_DRIVER_H_
#define WARPYARD_RESEARCH_INTERVAL_ITEMS_TESTS_INTERVAL_DRIVER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "core/device/cpu_backend.h"
#include "core/model/combined_program.h"
#include "core/model/cpu/cpu_workers.h"
#include "core/workload/ccd/scene/scene.h"
#include "research/interval_items/interval_program.h"
#include "research/interval_items/interval_runner.h"
#include "tests/support/motion.h"

namespace warpyard::test_support {

class IntervalDriver {
 public:
  /// @shape memory_limit: bytes, 0: none
  explicit IntervalDriver(int threads, std::size_t memory_limit = 0)
      : backend_(threads, memory_limit),
        workers_(threads),
        bound_(workers_, policy::EventAttributes{}),
        runner_(backend_, bound_) {}

  absl::StatusOr<std::unique_ptr<ccd::Scene>> Open(const Motion& motion) {
    ccd::SceneInput input;
    input.positions = ViewOf(motion.start);
    input.triangles = motion.triangles;
    input.vertex_groups = motion.vertex_groups;
    PhaseTimes phases;
    return ccd::Scene::Open(backend_, runner_, input, procedure::CancelToken(), phases);
  }

  /// Steps from the start to the end of a motion.
  absl::StatusOr<ccd::CollisionResult> Step(ccd::Scene& scene, const Motion& motion,
                                            const ccd::CollisionOptions& options,
                                            const procedure::CancelToken& token = {}) {
    return scene.Step(runner_, {ViewOf(motion.end), ViewOf(motion.start)}, options, token).RunNow();
  }

  /// See IntervalRunner.
  void SetIntervals(std::uint32_t intervals) { runner_.intervals = intervals; }
  std::uint64_t ContinuedWalks() const { return runner_.ContinuedWalks(); }

  std::size_t MemoryUsed() const { return backend_.MemoryUsed(); }

 private:
  using Program = model::CombinedProgram<interval_items::IntervalProgram>;

  static ccd::PositionsView ViewOf(const std::vector<double>& values) {
    return {ccd::ScalarType::kFloat64, values.data(), values.size() / 3};
  }

  device::CpuBackend backend_;
  model::CpuWorkers<Program> workers_;
  model::BoundRunner<Program, interval_items::IntervalProgram> bound_;
  interval_items::IntervalRunner runner_;
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_RESEARCH_INTERVAL_ITEMS_TESTS_INTERVAL_DRIVER_H_
