// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// [Steinberger Figure 10.10]: the time of each frame of a flight through a city, by all that is
// near, by what the camera sees, and by what changes from frame to frame.
#ifndef WARPYARD_BENCHMARKS_GRAMMAR_FIGURE_H_
#define WARPYARD_BENCHMARKS_GRAMMAR_FIGURE_H_

#include <cstdint>
#include <iostream>
#include <string>

#include "absl/status/status.h"
#include "benchmarks/grammar/session.h"

namespace warpyard::grammar_bench {

struct FigureOptions {
  std::string folder;  ///< of the grammars
  std::uint64_t max_bytes = 0;
};

/// Writes the series as an array. @errors those of the derivations, and INTERNAL: two methods do
/// not show the same buildings
absl::Status WriteSeries(const FigureOptions& options, Session& session, std::ostream& out);

}  // namespace warpyard::grammar_bench

#endif  // WARPYARD_BENCHMARKS_GRAMMAR_FIGURE_H_
