// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The product beside its peers: simplifies on an engine of one CPU thread.
#ifndef WARPYARD_BENCHMARKS_SIMPLIFICATION_ENGINE_METHODS_H_
#define WARPYARD_BENCHMARKS_SIMPLIFICATION_ENGINE_METHODS_H_

#include <cstdint>
#include <memory>
#include <span>

#include "absl/status/statusor.h"
#include "core/api/simplify.h"
#include "core/engine/engine.h"

namespace warpyard::simplification_bench {

/// A model on an engine. @scope one caller at a time
class EngineModel {
 public:
  /// @shape positions: [vertices][3]; both outlive the model
  static absl::StatusOr<std::unique_ptr<EngineModel>> Open(
      std::span<const float> positions, std::span<const std::uint32_t> triangles);

  /// @units milliseconds
  double build_milliseconds() const { return build_milliseconds_; }

  absl::StatusOr<simplify::SimplifiedMesh> Simplify(std::uint64_t triangles,
                                                    simplify::Finish finish);

 private:
  explicit EngineModel(std::unique_ptr<Engine> engine) : engine_(std::move(engine)) {}

  std::unique_ptr<Engine> engine_;
  ResidentId model_{};
  double build_milliseconds_ = 0;
};

}  // namespace warpyard::simplification_bench

#endif  // WARPYARD_BENCHMARKS_SIMPLIFICATION_ENGINE_METHODS_H_
