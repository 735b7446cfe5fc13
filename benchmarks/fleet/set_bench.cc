// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// bench.engine.set: many worlds with one mesh, all of which step at once: from positions in the
// host's memory to results there. Contenders in the same run: one step of a set, and as many scenes
// whose steps are submitted together. Prints JSON: times and worlds a second by number of worlds.
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <future>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "benchmarks/scenes/moving_scene.h"
#include "benchmarks/support/command_line.h"
#include "benchmarks/support/engine_runs.h"
#include "benchmarks/support/samples.h"
#include "core/api/collision.h"
#include "core/api/scene_set.h"
#include "core/engine/engine.h"

namespace warpyard::collision_bench {
namespace {

constexpr char kUsage[] =
    "usage: set_bench SCENE... [--backend cpu|cuda|auto] [--threads N] [--worlds 1,64,1024]\n"
    "         [--report earliest|collisions] [--seconds S] [--machine TEXT] [--commit TEXT]\n"
    "SCENE: a generated one: cloth-1k, cloth-10k, ...\n";

/// Consecutive frames of a scene, which its steps go through in turn.
constexpr int kFrames = 8;

struct Arguments {
  std::vector<std::string> scenes;
  std::map<std::string, std::string> options{
      {"backend", "auto"}, {"threads", "0"}, {"worlds", "1,64,1024"}, {"report", "earliest"},
      {"seconds", "2"},    {"machine", ""},  {"commit", ""}};
  std::string command = "set_bench";
  std::vector<std::uint32_t> worlds;
  double seconds = 0;  ///< of a measurement
};

/// Returns false for a wrong command line.
bool Parse(int argc, char** argv, Arguments& arguments) {
  if (!ReadCommandLine(argc, argv, arguments.scenes, arguments.options, arguments.command)) {
    return false;
  }
  return ReadCounts(arguments.options.at("worlds"), arguments.worlds) &&
         absl::SimpleAtod(arguments.options.at("seconds"), &arguments.seconds) &&
         arguments.seconds > 0 && arguments.seconds <= 3600 && !arguments.scenes.empty();
}

ccd::PositionsView View(const std::vector<float>& frame) {
  return {ccd::ScalarType::kFloat32, frame.data(), frame.size() / 3};
}

collision::SceneDescription MeshOf(const scenes::MovingScene& scene) {
  collision::SceneDescription mesh;
  mesh.positions = View(scene.frames[0]);
  mesh.triangles = scene.triangles;
  mesh.vertex_groups = scene.vertex_groups;
  if (!scene.vertex_groups.empty()) mesh.group_rule = ccd::GroupRule::kDifferent;
  return mesh;
}

/// Calls with a promise, and waits for its value.
template <class T, class Call>
T Await(Call call) {
  std::promise<absl::StatusOr<T>> promise;
  call([&](absl::StatusOr<T> value) { promise.set_value(std::move(value)); });
  return OrExit(promise.get_future().get());
}

/// All worlds as one set.
class OneSet {
 public:
  static constexpr const char* kName = "set";

  OneSet(Engine& engine, const scenes::MovingScene& scene, std::uint32_t worlds) : engine_(engine) {
    for (const std::vector<float>& frame : scene.frames) {
      std::vector<float>& all = frames_.emplace_back();
      all.reserve(frame.size() * worlds);
      for (std::uint32_t w = 0; w < worlds; ++w) all.insert(all.end(), frame.begin(), frame.end());
    }
    const collision::SetDescription set{MeshOf(scene), worlds};
    id_ = Await<collision::SetInfo>([&](collision::OpenSetDone done) {
            collision::OpenSet(engine_, set, LendingThread(), std::move(done));
          }).id;
  }
  ~OneSet() { engine_.Close(id_).IgnoreError(); }

  void Step(std::size_t frame, bool from_there, ccd::Report report) {
    collision::SetStepDescription step{{View(frames_[frame])}, {}};
    if (from_there) step.step.start = View(frames_[frame]);
    step.options.report = report;
    Await<ccd::SetResult>([&](collision::SetStepDone done) {
      collision::StepSet(engine_, id_, step, LendingThread(), std::move(done));
    });
  }

 private:
  Engine& engine_;
  ResidentId id_{};
  std::vector<std::vector<float>> frames_;  // of all worlds
};

/// Each world as a scene of its own.
class ManyScenes {
 public:
  static constexpr const char* kName = "scenes";

  ManyScenes(Engine& engine, const scenes::MovingScene& scene, std::uint32_t worlds)
      : engine_(engine), scene_(scene) {
    for (std::uint32_t w = 0; w < worlds; ++w) {
      ids_.push_back(OrExit(OpenAndWait(engine_, MeshOf(scene))).id);
    }
  }
  ~ManyScenes() {
    for (const ResidentId id : ids_) engine_.Close(id).IgnoreError();
  }

  void Step(std::size_t frame, bool from_there, ccd::Report report) {
    collision::StepDescription step{View(scene_.frames[frame]), std::nullopt, {}};
    if (from_there) step.start = View(scene_.frames[frame]);
    step.options.report = report;
    std::promise<absl::Status> all;
    std::atomic<std::size_t> left = ids_.size();
    std::atomic<bool> failed = false;
    for (const ResidentId id : ids_) {
      collision::Step(engine_, id, step, JobOptions(), [&](const auto& result) {
        if (!result.ok() && !failed.exchange(true)) std::cerr << result.status() << "\n";
        if (left.fetch_sub(1) == 1) all.set_value(absl::OkStatus());
      });
    }
    all.get_future().wait();
    if (failed) std::exit(1);
  }

 private:
  Engine& engine_;
  const scenes::MovingScene& scene_;
  std::vector<ResidentId> ids_;
};

class Bench {
 public:
  explicit Bench(const Arguments& arguments)
      : arguments_(arguments), report_(ValueOf(kReports, arguments.options.at("report"))) {
    EngineOptions options = EngineOptionsOf(arguments.options);
    options.max_pending_jobs = 1 << 20;
    options.max_residents = 1 << 20;
    engine_ = OrExit(Engine::Create(options));
  }

  void Run() {
    const auto& options = arguments_.options;
    std::cout << absl::StreamFormat(
        "{\"benchmark\": \"bench.engine.set\",\n \"backend\": \"%s\", \"machine\": \"%s\", "
        "\"commit\": \"%s\",\n \"command\": \"%s\",\n \"cells\": [",
        engine_->BackendDescription(), options.at("machine"), options.at("commit"),
        arguments_.command);
    for (const std::string& name : arguments_.scenes) {
      const scenes::MovingScene scene = OrExit(scenes::MakeScene(name, kFrames));
      for (const std::uint32_t worlds : arguments_.worlds) {
        RunCell<OneSet>(name, scene, worlds);
        RunCell<ManyScenes>(name, scene, worlds);
      }
    }
    std::cout << "\n]}\n";
  }

 private:
  template <class Contender>
  void RunCell(const std::string& name, const scenes::MovingScene& scene, std::uint32_t worlds) {
    std::cerr << name << ", " << worlds << " worlds, " << Contender::kName << "\n";
    Contender contender(*engine_, scene, worlds);
    const std::size_t memory = engine_->Statistics().memory_used_bytes;
    std::vector<double> times_ms;
    std::size_t step = 0;
    const auto run_for = [&](absl::Duration duration) {
      times_ms.clear();
      const absl::Time end = absl::Now() + duration;
      do {
        const std::size_t frame = ++step % scene.frames.size();
        const absl::Time begin = absl::Now();
        contender.Step(frame, frame == 0, report_);
        // The step to the first frame moves nothing.
        if (frame != 0) times_ms.push_back(absl::ToDoubleMilliseconds(absl::Now() - begin));
      } while (absl::Now() < end || times_ms.empty());
    };
    run_for(absl::Seconds(arguments_.seconds / 4));  // to warm up
    run_for(absl::Seconds(arguments_.seconds));
    const double median = bench::Median(times_ms), count = worlds;
    const double triangles = static_cast<double>(scene.triangles.size() / 3);
    std::cout << separator_
              << absl::StrFormat(
                     "\n  {\"scene\": \"%s\", \"worlds\": %d, \"as\": \"%s\", \"step_ms\": "
                     "{\"median\": %.5g, \"p99\": %.5g}, \"worlds_per_second\": %.5g, "
                     "\"triangles_per_second\": %.4g, \"memory_mib\": %.4g}",
                     name, worlds, Contender::kName, median, bench::Quantile(times_ms, 0.99),
                     1e3 * count / median, 1e3 * count * triangles / median,
                     static_cast<double>(memory) / (1 << 20))
              << std::flush;
    separator_ = ",";
  }

  const Arguments& arguments_;
  const ccd::Report report_;
  std::unique_ptr<Engine> engine_;
  const char* separator_ = "";
};

}  // namespace
}  // namespace warpyard::collision_bench

int main(int argc, char** argv) {
  namespace bench = warpyard::collision_bench;
  return bench::RunBench<bench::Bench, bench::Arguments>(argc, argv, bench::kUsage);
}
