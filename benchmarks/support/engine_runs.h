// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Shared parts of the collision benchmarks: names of options, blocking calls of the engine, and
// times by phase.
#ifndef WARPYARD_BENCHMARKS_SUPPORT_ENGINE_RUNS_H_
#define WARPYARD_BENCHMARKS_SUPPORT_ENGINE_RUNS_H_

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <future>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "core/api/collision.h"
#include "core/engine/engine.h"

namespace warpyard::collision_bench {

/// A value of an option and its name in command lines and results.
template <class T>
struct Named {
  const char* name;
  T value;
};

inline constexpr Named<ccd::Report> kReports[] = {{"collisions", ccd::Report::kCollisions},
                                                  {"earliest", ccd::Report::kEarliest},
                                                  {"candidates", ccd::Report::kCandidates}};
inline constexpr Named<ccd::RootFinder> kRootFinders[] = {
    {"conservative", ccd::RootFinder::kConservative}, {"cubic", ccd::RootFinder::kCubic}};
inline constexpr Named<ccd::Traversal> kTraversals[] = {
    {"clusters", ccd::Traversal::kClusters}, {"independent", ccd::Traversal::kIndependent}};
inline constexpr Named<BackendChoice> kBackends[] = {
    {"auto", BackendChoice::kAuto}, {"cpu", BackendChoice::kCpu}, {"cuda", BackendChoice::kCuda}};

/// The value with this name; ends the process if there is none.
template <class T, std::size_t kCount>
T ValueOf(const Named<T> (&values)[kCount], const std::string& name) {
  std::string expected;
  for (const Named<T>& value : values) {
    if (value.name == name) return value.value;
    absl::StrAppend(&expected, expected.empty() ? "" : ", ", value.name);
  }
  std::cerr << name << ": expected one of " << expected << "\n";
  std::exit(2);
}

/// Ends the process with an error.
inline void ExitIfError(const absl::Status& status) {
  if (status.ok()) return;
  std::cerr << status << "\n";
  std::exit(1);
}

/// The value; if there is none, ends the process with the error.
template <class T>
T OrExit(absl::StatusOr<T> value) {
  ExitIfError(value.status());
  return *std::move(value);
}

/// Options of an engine from those of a command line.
/// @shape options: has "backend" and "threads", and perhaps "batching": on or off
inline EngineOptions EngineOptionsOf(const std::map<std::string, std::string>& options) {
  EngineOptions engine;
  engine.backend = ValueOf(kBackends, options.at("backend"));
  engine.threads = std::atoi(options.at("threads").c_str());
  const auto batching = options.find("batching");
  engine.batching = batching == options.end() || batching->second == "on";
  return engine;
}

/// The caller waits for each job, so its thread may as well run the job.
inline JobOptions LendingThread() {
  JobOptions job;
  job.lend_thread = true;
  return job;
}

inline absl::StatusOr<collision::SceneInfo> OpenAndWait(Engine& engine,
                                                        const collision::SceneDescription& scene) {
  std::promise<absl::StatusOr<collision::SceneInfo>> promise;
  collision::OpenScene(engine, scene, LendingThread(),
                       [&](auto info) { promise.set_value(std::move(info)); });
  return promise.get_future().get();
}

/// A step and its scene.
struct SceneStep {
  ResidentId scene;
  collision::StepDescription step;
};

inline absl::StatusOr<ccd::CollisionResult> StepAndWait(Engine& engine, const SceneStep& step) {
  std::promise<absl::StatusOr<ccd::CollisionResult>> promise;
  collision::Step(engine, step.scene, step.step, LendingThread(),
                  [&](auto result) { promise.set_value(std::move(result)); });
  return promise.get_future().get();
}

/// Median, least and largest of a measure, as JSON.
inline std::string Spread(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return absl::StrFormat("{\"median\": %.6g, \"min\": %.6g, \"max\": %.6g}",
                         values[values.size() / 2], values.front(), values.back());
}

/// Times of several steps, by phase.
class StepSamples {
 public:
  /// Runs a step and records its times; "step" is the time from the call to the result.
  absl::StatusOr<ccd::CollisionResult> Run(Engine& engine, const SceneStep& step) {
    const absl::Time begin = absl::Now();
    absl::StatusOr<ccd::CollisionResult> result = StepAndWait(engine, step);
    if (!result.ok()) return result;
    samples_["step"].push_back(absl::ToDoubleMilliseconds(absl::Now() - begin));
    for (const auto& [phase, duration] : result->statistics.phases) {
      samples_[std::string(phase)].push_back(absl::ToDoubleMilliseconds(duration));
    }
    return result;
  }

  double Median(const std::string& phase) const {
    std::vector<double> values = samples_.at(phase);
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
  }

  /// @units milliseconds
  std::string ToJson() const {
    std::string json = "{";
    for (const auto& [phase, values] : samples_) {
      absl::StrAppend(&json, json.size() == 1 ? "" : ", ", "\"", phase, "\": ", Spread(values));
    }
    return json + "}";
  }

 private:
  std::map<std::string, std::vector<double>> samples_;
};

}  // namespace warpyard::collision_bench

#endif  // WARPYARD_BENCHMARKS_SUPPORT_ENGINE_RUNS_H_
