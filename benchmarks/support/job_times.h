// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Runs jobs of an engine, and collects the times of their phases.
#ifndef WARPYARD_BENCHMARKS_SUPPORT_JOB_TIMES_H_
#define WARPYARD_BENCHMARKS_SUPPORT_JOB_TIMES_H_

#include <algorithm>
#include <future>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "core/base/phase_times.h"

namespace warpyard::bench {

/// Runs a job and waits. @shape start: gets the completion
template <class T, class Start>
absl::StatusOr<T> Await(Start&& start) {
  std::promise<absl::StatusOr<T>> promise;
  start([&](absl::StatusOr<T> result) { promise.set_value(std::move(result)); });
  return promise.get_future().get();
}

/// Times by name. @units milliseconds
using Times = std::map<std::string, std::vector<double>>;

/// Adds the times of a job that began then and ends now.
inline void AddPhases(const PhaseTimes& phases, absl::Time begin, Times& times) {
  times["job"].push_back(absl::ToDoubleMilliseconds(absl::Now() - begin));
  for (const PhaseTime& phase : phases) {
    times[std::string(phase.phase)].push_back(absl::ToDoubleMilliseconds(phase.duration));
  }
}

/// The times as an object. @shape median, least and greatest of each name
inline std::string Json(Times& times) {
  std::vector<std::string> parts;
  for (auto& [name, values] : times) {
    std::sort(values.begin(), values.end());
    parts.push_back(absl::StrFormat("\"%s\": {\"median\": %.6g, \"min\": %.6g, \"max\": %.6g}",
                                    name, values[values.size() / 2], values.front(),
                                    values.back()));
  }
  return absl::StrCat("{", absl::StrJoin(parts, ", "), "}");
}

}  // namespace warpyard::bench

#endif  // WARPYARD_BENCHMARKS_SUPPORT_JOB_TIMES_H_
