// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What the workers of an engine did, by procedure.
#ifndef WARPYARD_BENCHMARKS_SUPPORT_DEVICE_WORK_H_
#define WARPYARD_BENCHMARKS_SUPPORT_DEVICE_WORK_H_

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/engine/engine.h"

namespace warpyard {

/// Times that all workers of all devices spent in procedures since it was made.
class DeviceWork {
 public:
  explicit DeviceWork(Engine& engine) : engine_(engine), before_(Now()) {}

  /// Milliseconds of a run, if all workers had been busy, in all procedures and in those with the
  /// greatest times, as JSON.
  std::string Json(int runs) const {
    std::vector<std::pair<double, std::string>> times;
    double sum = 0;
    for (const auto& [name, busy] : Now()) {
      const auto before = before_.find(name);
      const double ms = (busy - (before == before_.end() ? 0 : before->second)) / runs;
      sum += ms;
      times.emplace_back(ms, name);
    }
    std::sort(times.rbegin(), times.rend());
    std::string json = absl::StrFormat("{\"all\": %.4g", sum);
    for (std::size_t i = 0; i < std::min(kListed, times.size()) && times[i].first > 0; ++i) {
      absl::StrAppendFormat(&json, ", \"%s\": %.4g", times[i].second, times[i].first);
    }
    return json + "}";
  }

  /// What workers have executed since the engine began, as JSON: elements of each procedure, the
  /// mean time of one, and the longest round.
  static std::string RoundsJson(const Engine& engine) {
    absl::SleepFor(absl::Milliseconds(20));  // the sums are up to 10 ms old
    std::string json;
    for (const auto& device : engine.Statistics().devices) {
      for (const auto& procedure : device.procedures) {
        if (procedure.executed_items == 0) continue;
        const auto elements = static_cast<double>(procedure.executed_items);
        absl::StrAppendFormat(
            &json, "%s\"%s\": {\"elements\": %d, \"mean_us\": %.4g, \"longest_us\": %.4g}",
            json.empty() ? "" : ", ", procedure.name, procedure.executed_items,
            absl::ToDoubleMicroseconds(procedure.busy) / elements,
            absl::ToDoubleMicroseconds(procedure.longest_round));
      }
    }
    return "{" + json + "}";
  }

 private:
  static constexpr std::size_t kListed = 6;

  /// @units milliseconds of all workers
  std::map<std::string, double> Now() const {
    absl::SleepFor(absl::Milliseconds(20));  // the sums are up to 10 ms old
    std::map<std::string, double> times;
    for (const auto& device : engine_.Statistics().devices) {
      for (const auto& procedure : device.procedures) {
        times[std::string(procedure.name)] +=
            absl::ToDoubleMilliseconds(procedure.busy) / static_cast<double>(device.workers);
      }
    }
    return times;
  }

  Engine& engine_;
  std::map<std::string, double> before_;
};

}  // namespace warpyard

#endif  // WARPYARD_BENCHMARKS_SUPPORT_DEVICE_WORK_H_
