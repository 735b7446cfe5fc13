// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Clients that look at one model: each asks for the cut of its next view when it has the last one.
#ifndef WARPYARD_BENCHMARKS_SIMPLIFICATION_VIEW_CLIENTS_H_
#define WARPYARD_BENCHMARKS_SIMPLIFICATION_VIEW_CLIENTS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/api/simplify.h"
#include "core/engine/engine.h"

namespace warpyard {

/// Eyes on a circle around a mesh, which look at its middle from two sides of its box away.
class Eyes {
 public:
  explicit Eyes(const std::vector<float>& positions);

  /// The cut with errors of so many pixels for one eye. @shape turn: 1 is once around
  simplify::ResultDescription Seen(double turn, double pixels) const;

 private:
  geometry::Vector3d middle_{0, 0, 0};
  double side_ = 1;  ///< the largest one of the box
};

struct ViewLoad {
  ResidentId model;
  double pixels;
  std::size_t clients;
  absl::Duration duration;
};

/// Views a second and their latencies, as JSON. @errors those of Simplify
absl::StatusOr<std::string> RunViewClients(Engine& engine, const Eyes& eyes, const ViewLoad& load);

}  // namespace warpyard

#endif  // WARPYARD_BENCHMARKS_SIMPLIFICATION_VIEW_CLIENTS_H_
