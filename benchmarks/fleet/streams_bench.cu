// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// bench.engine.fleet.streams: runs the steps of fleet_bench without the engine. Each scene has its
// own thread and its own CUDA stream. Each stage of a step is one kernel on that stream. With
// --urgent-hz one more scene has a stream of the highest priority; all other streams have the
// lowest. Prints JSON.
#include <cuda_runtime.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "benchmarks/collision/plain_launches.cuh"
#include "benchmarks/fleet/urgent_times.h"
#include "benchmarks/scenes/moving_scene.h"
#include "benchmarks/support/command_line.h"
#include "benchmarks/support/engine_runs.h"
#include "benchmarks/support/samples.h"
#include "core/device/cuda_backend.h"
#include "core/workload/ccd/collision_program.h"
#include "core/workload/ccd/scene/scene.h"

namespace warpyard::collision_bench {
namespace {

constexpr char kUsage[] =
    "usage: streams_bench SCENE... [--in-flight 1,4,16,64] [--seconds S] [--urgent-hz F]\n"
    "         [--wait spin|block] [--machine TEXT] [--commit TEXT]\n";

constexpr int kFrames = 8;

/// Steps by clusters: none of their procedures is spawned, so each stage is one launch.
using PlainProgram =
    ccd::CollisionProgramOf<ccd::BuildTasks<ccd::MakeKeysTask, ccd::ArrangeClustersTask>,
                            ccd::Traversals<ccd::ClusterTraversal>>;

/// A scene with a stream. @scope one thread
class StreamScene {
 public:
  StreamScene(device::CudaBackend& backend, const scenes::MovingScene& scene, int priority)
      : scene_(scene), launches_(priority, false) {
    ccd::SceneInput input;
    input.positions = Frame(0);
    input.triangles = scene.triangles;
    PhaseTimes phases;
    opened_ = OrExit(ccd::Scene::Open(backend, launches_, input, token_, phases));
    options_.report = ccd::Report::kEarliest;
    Step();  // makes room for lists
  }

  void Step() {
    ++step_;
    ccd::StepInput input{Frame(step_), std::nullopt, {}};
    if (step_ % scene_.frames.size() == 0) input.start = Frame(step_);
    static_cast<void>(OrExit(opened_->Step(launches_, input, options_, token_).RunNow()));
  }

 private:
  ccd::PositionsView Frame(std::size_t i) const {
    const std::vector<float>& frame = scene_.frames[i % scene_.frames.size()];
    return {ccd::ScalarType::kFloat32, frame.data(), frame.size() / 3};
  }

  const scenes::MovingScene& scene_;
  bench::PlainLaunches<PlainProgram> launches_;
  const procedure::CancelToken token_;
  std::unique_ptr<ccd::Scene> opened_;
  ccd::CollisionOptions options_;
  std::size_t step_ = 0;
};

struct Options {
  std::vector<std::size_t> in_flight;
  double seconds = 2;
  double urgent_hz = 0;  ///< 0: no scene is urgent
};

std::string RunCell(device::CudaBackend& backend, const std::string& name, std::size_t count,
                    const Options& options) {
  const scenes::MovingScene scene = OrExit(scenes::MakeScene(name, kFrames));
  int lowest = 0, highest = 0;
  bench::Require(cudaDeviceGetStreamPriorityRange(&lowest, &highest));
  std::vector<std::unique_ptr<StreamScene>> clients;
  for (std::size_t i = 0; i < count; ++i) {
    clients.push_back(std::make_unique<StreamScene>(backend, scene, lowest));
  }
  std::unique_ptr<StreamScene> first;
  if (options.urgent_hz != 0) first = std::make_unique<StreamScene>(backend, scene, highest);
  std::atomic<bool> stops = false;
  std::vector<std::vector<double>> latencies(count);
  std::vector<std::thread> threads;
  const absl::Time begin = absl::Now();
  for (std::size_t i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      ExitIfError(backend.Use());
      while (!stops) {
        const absl::Time sent = absl::Now();
        clients[i]->Step();
        latencies[i].push_back(absl::ToDoubleMilliseconds(absl::Now() - sent));
      }
    });
  }
  std::string urgent;
  const absl::Duration time = absl::Seconds(options.seconds);
  if (first != nullptr) {
    urgent = UrgentTimes(options.urgent_hz, time, [&](absl::Time) {
               first->Step();
               return true;
             }).Json();
  } else {
    absl::SleepFor(time);
  }
  stops = true;
  for (std::thread& thread : threads) thread.join();
  const double elapsed = absl::ToDoubleSeconds(absl::Now() - begin);
  std::vector<double> all;
  for (const auto& own : latencies) all.insert(all.end(), own.begin(), own.end());
  return absl::StrFormat(
      "{\"scene\": \"%s\", \"in_flight\": %d, \"steps_per_second\": %.5g, \"latency_ms\": "
      "{\"median\": %.4g, \"p99\": %.4g}%s}",
      name, count, static_cast<double>(all.size()) / elapsed, bench::Median(all),
      bench::Quantile(all, 0.99), urgent);
}

int Main(int argc, char** argv) {
  std::map<std::string, std::string> words{
      {"in-flight", "1,4,16,64"}, {"seconds", "2"}, {"urgent-hz", "0"},
      {"wait", "spin"},           {"machine", ""},  {"commit", ""}};
  std::vector<std::string> scenes;
  std::string command = "streams_bench";
  Options options;
  const bool good = ReadCommandLine(argc, argv, scenes, words, command) && !scenes.empty() &&
                    ReadCounts(words["in-flight"], options.in_flight) &&
                    absl::SimpleAtod(words["seconds"], &options.seconds) && options.seconds > 0 &&
                    absl::SimpleAtod(words["urgent-hz"], &options.urgent_hz) &&
                    options.urgent_hz >= 0 && (words["wait"] == "spin" || words["wait"] == "block");
  if (!good) {
    std::cerr << kUsage;
    return 2;
  }
  const auto backend = OrExit(device::CudaBackend::Create(0, 0));  // CUDA's first call
  bench::Require(cudaSetDeviceFlags(words["wait"] == "spin" ? cudaDeviceScheduleSpin
                                                            : cudaDeviceScheduleBlockingSync));
  std::cout << "{\"benchmark\": \"bench.engine.fleet.streams\",\n \"backend\": \""
            << backend->Description() << "\", \"machine\": \"" << words["machine"]
            << "\", \"commit\": \"" << words["commit"] << "\",\n \"command\": \"" << command
            << "\",\n \"cells\": [";
  const char* separator = "";
  for (const std::string& name : scenes) {
    for (const std::size_t count : options.in_flight) {
      std::cerr << name << ", " << count << " streams\n";
      std::cout << separator << "\n  " << RunCell(*backend, name, count, options) << std::flush;
      separator = ",";
    }
  }
  std::cout << "\n]}\n";
  return 0;
}

}  // namespace
}  // namespace warpyard::collision_bench

int main(int argc, char** argv) { return warpyard::collision_bench::Main(argc, argv); }
