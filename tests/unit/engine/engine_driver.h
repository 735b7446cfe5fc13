// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// An engine for tests: calls that wait, and results as pairs of ids.
#ifndef WARPYARD_TESTS_UNIT_ENGINE_ENGINE_DRIVER_H_
#define WARPYARD_TESTS_UNIT_ENGINE_ENGINE_DRIVER_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/api/collision.h"
#include "core/engine/engine.h"
#include "tests/support/motion.h"
#include "tests/support/oracles/brute_force.h"

namespace warpyard::test_support {

/// A completion and the value that it receives.
template <class T>
class Completion {
 public:
  std::function<void(absl::StatusOr<T>)> Callback() {
    return [promise = promise_](absl::StatusOr<T> value) { promise->set_value(std::move(value)); };
  }

  /// The job's views must outlive it, so a job that never ends must end the process.
  absl::StatusOr<T> Await() {
    if (future_.wait_for(std::chrono::seconds(100)) != std::future_status::ready) {
      ADD_FAILURE() << "a job did not end";
      std::abort();
    }
    return future_.get();
  }

 private:
  std::shared_ptr<std::promise<absl::StatusOr<T>>> promise_ =
      std::make_shared<std::promise<absl::StatusOr<T>>>();
  std::future<absl::StatusOr<T>> future_ = promise_->get_future();
};

/// Positions in the form that the engine takes, with either scalar type.
class Positions {
 public:
  Positions(const std::vector<double>& values, ccd::ScalarType type)
      : type_(type), doubles_(values), floats_(values.begin(), values.end()) {}

  ccd::PositionsView View() const {
    const void* data = doubles_.data();
    if (type_ == ccd::ScalarType::kFloat32) data = floats_.data();
    return {type_, data, doubles_.size() / 3};
  }

 private:
  ccd::ScalarType type_;
  std::vector<double> doubles_;
  std::vector<float> floats_;
};

/// The mesh with coordinates rounded to floats.
inline Motion RoundedToFloat(Motion motion) {
  for (auto* frame : {&motion.start, &motion.end}) {
    for (double& value : *frame) value = static_cast<double>(static_cast<float>(value));
  }
  return motion;
}

class EngineDriver {
 public:
  explicit EngineDriver(int threads, BackendChoice backend = BackendChoice::kCpu) {
    EngineOptions options;
    options.threads = threads;
    options.backend = backend;
    options.synthetic_jobs = true;
    Create(options);
  }
  explicit EngineDriver(const EngineOptions& options) { Create(options); }

  /// False if the backend does not exist here.
  bool ok() const { return engine_ != nullptr; }
  const absl::Status& status() const { return status_; }
  Engine& engine() { return *engine_; }

  absl::StatusOr<collision::SceneInfo> Open(const Motion& motion,
                                            ccd::ScalarType type = ccd::ScalarType::kFloat64,
                                            ccd::GroupRule rule = ccd::GroupRule::kAll) {
    const Positions rest(motion.start, type);
    Completion<collision::SceneInfo> completion;
    collision::OpenScene(*engine_,
                         {rest.View(), motion.triangles, motion.vertex_groups, rule, {}, build}, {},
                         completion.Callback());
    return completion.Await();
  }

  absl::StatusOr<ccd::CollisionResult> Step(ResidentId scene, const std::vector<double>& end,
                                            const ccd::CollisionOptions& options = {},
                                            ccd::ScalarType type = ccd::ScalarType::kFloat64) {
    const Positions positions(end, type);
    Completion<ccd::CollisionResult> completion;
    collision::Step(*engine_, scene, {positions.View(), std::nullopt, options}, {},
                    completion.Callback());
    return completion.Await();
  }

  /// One step in a scene of its own.
  absl::StatusOr<ccd::CollisionResult> Detect(const Motion& motion,
                                              const ccd::CollisionOptions& options,
                                              ccd::ScalarType type = ccd::ScalarType::kFloat64,
                                              ccd::GroupRule rule = ccd::GroupRule::kAll) {
    const absl::StatusOr<collision::SceneInfo> scene = Open(motion, type, rule);
    if (!scene.ok()) return scene.status();
    auto result = Step(scene->id, motion.end, options, type);
    const absl::Status closed = engine_->Close(scene->id);
    return closed.ok() ? std::move(result) : closed;
  }

  /// Of the scenes that it opens.
  ccd::HierarchyBuild build = ccd::HierarchyBuild::kMorton;

 private:
  void Create(const EngineOptions& options) {
    auto engine = Engine::Create(options);
    status_ = engine.status();
    if (engine.ok()) engine_ = *std::move(engine);
  }

  absl::Status status_;
  std::unique_ptr<Engine> engine_;
};

/// The engine's lists as ids, in its order.
inline std::vector<IdPair> VertexFacePairs(const ccd::CollisionResult& result) {
  std::vector<IdPair> pairs;
  pairs.reserve(result.vertex_face.size());
  for (const auto& pair : result.vertex_face) pairs.push_back({pair.vertex, pair.face});
  return pairs;
}

/// Names edges by their ids. @shape `edges`: UniqueEdges of the mesh
class EdgeIds {
 public:
  explicit EdgeIds(std::vector<IdPair> edges) : edges_(std::move(edges)) {
    for (std::uint32_t e = 0; e < edges_.size(); ++e) {
      while (first_.size() <= edges_[e][1]) first_.push_back(e);
    }
    first_.push_back(static_cast<std::uint32_t>(edges_.size()));
  }

  const IdPair& Vertices(std::uint32_t edge) const { return edges_[edge]; }

  std::vector<IdPair> Pairs(const ccd::CollisionResult& result) const {
    std::vector<IdPair> pairs;
    pairs.reserve(result.edge_edge.size());
    for (const auto& pair : result.edge_edge) {
      pairs.push_back({Id(pair.a0, pair.a1), Id(pair.b0, pair.b1)});
    }
    return pairs;
  }

 private:
  std::uint32_t Id(std::uint32_t smaller, std::uint32_t larger) const {
    const auto begin = edges_.begin() + first_[larger], end = edges_.begin() + first_[larger + 1];
    return static_cast<std::uint32_t>(std::find(begin, end, IdPair{smaller, larger}) -
                                      edges_.begin());
  }

  std::vector<IdPair> edges_;
  std::vector<std::uint32_t> first_;  // first edge of each larger vertex
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_UNIT_ENGINE_ENGINE_DRIVER_H_
