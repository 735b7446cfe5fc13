// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Simplifies meshes on CPU threads, for tests.
#ifndef WARPYARD_TESTS_SUPPORT_SIMPLIFY_SIMPLIFY_DRIVER_H_
#define WARPYARD_TESTS_SUPPORT_SIMPLIFY_SIMPLIFY_DRIVER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/meshes/procedural_mesh.h"
#include "core/device/cpu_backend.h"
#include "core/model/cpu/cpu_workers.h"
#include "core/workload/simplify/model/model.h"
#include "core/workload/simplify/simplify_program.h"
#include "tests/support/simplify/reference_tree.h"

namespace warpyard::test_support {

/// Runs events on workers of this process.
class WorkersRunner final : public simplify::SimplifyRunner {
 public:
  explicit WorkersRunner(int threads) : workers_(threads) {}
  bool CallsFinish() const override { return workers_.CallsFinish(); }
  absl::StatusOr<procedure::StageTimes> Run(const simplify::SimplifyJob& job,
                                            const procedure::CancelToken& token) override {
    return workers_.Run(job, policy::EventAttributes{}, token);
  }

 private:
  model::CpuWorkers<simplify::SimplifyProgram> workers_;
};

/// A mesh as the product takes it. @shape positions: exact floats
struct FloatMesh {
  std::vector<float> positions;
  std::vector<std::uint32_t> triangles;

  explicit FloatMesh(const SimpleMesh& mesh) {
    for (const Vector3d& p : mesh.positions) {
      for (const double x : {p.x, p.y, p.z}) positions.push_back(static_cast<float>(x));
    }
    for (const Triangle& t : mesh.triangles) triangles.insert(triangles.end(), t.begin(), t.end());
  }
  FloatMesh(std::vector<float> points, std::vector<std::uint32_t> corners)
      : positions(std::move(points)), triangles(std::move(corners)) {}

  simplify::ModelInput Input() const {
    return {{geometry::ScalarType::kFloat32, positions.data(), positions.size() / 3}, triangles};
  }
  SimpleMesh Exact() const {
    SimpleMesh mesh;
    for (std::size_t i = 0; i < positions.size(); i += 3) {
      mesh.positions.push_back({positions[i], positions[i + 1], positions[i + 2]});
    }
    for (std::size_t i = 0; i < triangles.size(); i += 3) {
      mesh.triangles.push_back({triangles[i], triangles[i + 1], triangles[i + 2]});
    }
    return mesh;
  }
};

inline FloatMesh FloatsOf(const meshes::TriangleMesh& mesh) {
  return {std::vector<float>(mesh.positions.begin(), mesh.positions.end()), mesh.triangles};
}
/// @shape name: as of meshes::MakeMesh
inline FloatMesh Made(const std::string& name) { return FloatsOf(*meshes::MakeMesh(name)); }

class SimplifyDriver {
 public:
  /// @shape memory_limit: bytes, 0: none
  explicit SimplifyDriver(int threads, std::size_t memory_limit = 0)
      : backend_(threads, memory_limit), runner_(threads) {}

  absl::StatusOr<std::unique_ptr<simplify::Model>> Open(const simplify::ModelInput& input) {
    PhaseTimes phases;
    return simplify::Model::Open(backend_, runner_, input, token_, phases);
  }
  absl::StatusOr<simplify::SimplifiedMesh> Simplify(const simplify::Model& model,
                                                    const simplify::SimplifyOptions& options) {
    return model.Simplify(runner_, options, token_);
  }
  absl::Status SimplifyLevels(const simplify::Model& model, const simplify::LevelOptions& levels) {
    return model.SimplifyLevels(runner_, levels, token_);
  }
  simplify::TaskRun Tasks(simplify::TaskMemory& memory) {
    return {backend_, runner_, token_, memory};
  }
  device::Backend& backend() { return backend_; }
  procedure::CancelToken& token() { return token_; }

 private:
  device::CpuBackend backend_;
  WorkersRunner runner_;
  procedure::CancelToken token_;
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_SIMPLIFY_SIMPLIFY_DRIVER_H_
