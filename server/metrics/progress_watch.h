// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Sees from outside whether the workers of a device do anything.
#ifndef WARPYARD_SERVER_METRICS_PROGRESS_WATCH_H_
#define WARPYARD_SERVER_METRICS_PROGRESS_WATCH_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/time/time.h"
#include "core/engine/statistics.h"

namespace warpyard::server {

/// A worker that is stuck writes no heartbeat, but neither does one that executes a long element.
/// So the watch takes any change of a device's counters for a sign of life.
class ProgressWatch {
 public:
  /// Time since a change of the counters was seen; 0: no event runs there.
  absl::Duration AgeOf(const EngineStatistics::Device& device, absl::Time now);

 private:
  struct Seen {
    std::uint64_t work = 0;
    absl::Time changed;
  };
  std::map<std::string, Seen> devices_;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_METRICS_PROGRESS_WATCH_H_
