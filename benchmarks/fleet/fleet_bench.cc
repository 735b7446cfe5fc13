// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// bench.engine.fleet: many scenes of one size in flight, closed loop: each scene has one step in
// flight, and its completion sends the next one. Prints JSON: steps and triangles a second by the
// number of scenes, and the workers' time that a step takes.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <future>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "benchmarks/fleet/urgent_times.h"
#include "benchmarks/scenes/moving_scene.h"
#include "benchmarks/support/closed_loop.h"
#include "benchmarks/support/command_line.h"
#include "benchmarks/support/engine_runs.h"
#include "benchmarks/support/samples.h"
#include "core/api/collision.h"
#include "core/engine/engine.h"

namespace warpyard::collision_bench {
namespace {

constexpr char kUsage[] =
    "usage: fleet_bench SCENE... [--backend cpu|cuda|auto] [--threads N] [--in-flight 1,4,16,64]\n"
    "         [--report earliest|collisions] [--seconds S] [--batching on|off]\n"
    "         [--urgent-hz F: of one more scene, which has deadlines]\n"
    "         [--machine TEXT] [--commit TEXT]\n"
    "SCENE: a generated one: cloth-1k, cloth-10k, cloth-100k, ...\n";

/// Consecutive frames of a scene, which its steps go through in turn.
constexpr int kFrames = 8;

struct Arguments {
  std::vector<std::string> scenes;
  std::map<std::string, std::string> options{
      {"backend", "auto"},    {"threads", "0"}, {"in-flight", "1,4,16,64"},
      {"report", "earliest"}, {"seconds", "2"}, {"batching", "on"},
      {"urgent-hz", "0"},     {"machine", ""},  {"commit", ""}};
  std::string command = "fleet_bench";
  std::vector<std::size_t> in_flight;  ///< numbers of scenes
  double seconds = 0;                  ///< of a measurement
  double urgent_hz = 0;                ///< 0: no scene is urgent
};

/// Returns false for a wrong command line.
bool Parse(int argc, char** argv, Arguments& arguments) {
  if (!ReadCommandLine(argc, argv, arguments.scenes, arguments.options, arguments.command)) {
    return false;
  }
  return ReadCounts(arguments.options.at("in-flight"), arguments.in_flight) &&
         absl::SimpleAtod(arguments.options.at("urgent-hz"), &arguments.urgent_hz) &&
         arguments.urgent_hz >= 0 &&
         absl::SimpleAtod(arguments.options.at("seconds"), &arguments.seconds) &&
         arguments.seconds > 0 && arguments.seconds <= 3600 && !arguments.scenes.empty();
}

/// A scene. The completion of each of its steps sends the next one.
class Client {
 public:
  Client(Engine& engine, const scenes::MovingScene& scene, ccd::Report report)
      : engine_(engine), scene_(scene) {
    options_.report = report;
  }

  absl::Status Open() {
    collision::SceneDescription description;
    description.positions = Frame(0);
    description.triangles = scene_.triangles;
    description.vertex_groups = scene_.vertex_groups;
    if (!scene_.vertex_groups.empty()) description.group_rule = ccd::GroupRule::kDifferent;
    const absl::StatusOr<collision::SceneInfo> info = OpenAndWait(engine_, description);
    if (info.ok()) id_ = info->id;
    return info.status();
  }
  void Close() { static_cast<void>(engine_.Close(id_)); }

  /// Makes one step with a deadline. Returns whether it has a result.
  bool StepUntil(absl::Time deadline) {
    std::promise<bool> done;
    JobOptions job;
    job.deadline = deadline;
    collision::Step(engine_, id_, NextStep(), job,
                    [&](const auto& result) { done.set_value(result.ok()); });
    return done.get_future().get();
  }

  /// Sends a step, and the next one whenever a step is done, until Stop is called.
  void Start() {
    stopped_ = false;
    running_ = true;
    latencies_ms_.clear();
    phases_us_.clear();
    Send();
  }
  void Stop() { stopped_ = true; }
  bool Runs() const { return running_; }
  /// @scope after it has stopped
  const std::vector<double>& LatenciesMs() const { return latencies_ms_; }
  /// Of each phase, of all steps.
  const std::map<std::string, std::vector<double>>& PhasesUs() const { return phases_us_; }
  const absl::Status& status() const { return status_; }

 private:
  ccd::PositionsView Frame(std::size_t i) const {
    const std::vector<float>& frame = scene_.frames[i % scene_.frames.size()];
    return {ccd::ScalarType::kFloat32, frame.data(), frame.size() / 3};
  }

  collision::StepDescription NextStep() {
    ++step_;
    collision::StepDescription step{Frame(step_), std::nullopt, options_};
    if (step_ % scene_.frames.size() == 0) step.start = Frame(step_);
    return step;
  }

  void Send() {
    begin_ = absl::Now();
    collision::Step(engine_, id_, NextStep(), JobOptions(), [this](auto result) {
      latencies_ms_.push_back(absl::ToDoubleMilliseconds(absl::Now() - begin_));
      status_.Update(result.status());
      if (result.ok()) TakePhases(result->statistics.phases);
      if (stopped_ || !status_.ok()) {
        running_ = false;
      } else {
        Send();
      }
    });
  }

  void TakePhases(const PhaseTimes& phases) {
    for (const PhaseTime& phase : phases) {
      phases_us_[std::string(phase.phase)].push_back(absl::ToDoubleMicroseconds(phase.duration));
    }
  }

  Engine& engine_;
  const scenes::MovingScene& scene_;
  ccd::CollisionOptions options_;
  ResidentId id_{};
  std::size_t step_ = 0;
  absl::Time begin_;
  std::vector<double> latencies_ms_;
  std::map<std::string, std::vector<double>> phases_us_;
  absl::Status status_;
  std::atomic<bool> stopped_ = false;
  std::atomic<bool> running_ = false;
};

class Bench {
 public:
  explicit Bench(const Arguments& arguments) : arguments_(arguments) {
    engine_ = OrExit(Engine::Create(EngineOptionsOf(arguments.options)));
  }

  void Run() {
    std::cout << "{\"benchmark\": \"bench.engine.fleet\",\n \"backend\": \""
              << engine_->BackendDescription() << "\", \"machine\": \""
              << arguments_.options.at("machine") << "\", \"commit\": \""
              << arguments_.options.at("commit") << "\",\n \"command\": \"" << arguments_.command
              << "\",\n \"cells\": [";
    for (const std::string& name : arguments_.scenes) {
      const scenes::MovingScene scene = OrExit(scenes::MakeScene(name, kFrames));
      for (const std::size_t count : arguments_.in_flight) RunCell(name, scene, count);
    }
    std::cout << "\n]}\n";
  }

 private:
  /// What all workers did so far.
  struct Work {
    double busy_us = 0, looks = 0, claims = 0, misses = 0, elements = 0, given = 0;
    std::map<std::string, std::pair<double, double>> procedures;  // elements, microseconds

    Work Since(const Work& other) const {
      Work since{busy_us - other.busy_us,
                 looks - other.looks,
                 claims - other.claims,
                 misses - other.misses,
                 elements - other.elements,
                 given - other.given,
                 procedures};
      for (auto& [name, sums] : since.procedures) {
        const auto before = other.procedures.find(name);
        if (before == other.procedures.end()) continue;
        sums = {sums.first - before->second.first, sums.second - before->second.second};
      }
      return since;
    }
    /// Elements a step and microseconds an element, of each procedure that was executed.
    std::string ProceduresJson(double steps) const {
      std::string json;
      for (const auto& [name, sums] : procedures) {
        if (sums.first == 0) continue;
        absl::StrAppendFormat(&json, "%s\"%s\": {\"elements\": %.4g, \"us_each\": %.4g}",
                              json.empty() ? "" : ", ", name, sums.first / steps,
                              sums.second / sums.first);
      }
      return json;
    }
  };
  Work WorkNow() const {
    Work work;
    for (const auto& device : engine_->Statistics().devices) {
      work.busy_us += absl::ToDoubleMicroseconds(device.Busy());
      work.looks += static_cast<double>(device.draws.looks);
      work.claims += static_cast<double>(device.draws.claims);
      work.misses += static_cast<double>(device.draws.misses);
      work.given += static_cast<double>(device.spills);
      for (const auto& procedure : device.procedures) {
        const auto executed = static_cast<double>(procedure.executed_items);
        work.elements += executed;
        auto& sums = work.procedures[procedure.name];
        sums = {sums.first + executed, sums.second + absl::ToDoubleMicroseconds(procedure.busy)};
      }
    }
    return work;
  }
  std::uint64_t Workers() const {
    std::uint64_t sum = 0;
    for (const auto& device : engine_->Statistics().devices) sum += device.workers;
    return sum;
  }

  void RunCell(const std::string& name, const scenes::MovingScene& scene, std::size_t count) {
    std::cerr << name << ", " << count << " in flight\n";
    const ccd::Report report = ValueOf(kReports, arguments_.options.at("report"));
    std::vector<std::unique_ptr<Client>> clients;
    for (std::size_t i = 0; i < count; ++i) {
      clients.push_back(std::make_unique<Client>(*engine_, scene, report));
      collision_bench::ExitIfError(clients.back()->Open());
    }
    RunFor(clients, absl::Seconds(arguments_.seconds / 4));  // to warm up
    std::string urgent;
    if (arguments_.urgent_hz != 0) {
      urgent = RunBesideUrgent(clients, scene, report);
    } else {
      RunFor(clients, absl::Seconds(arguments_.seconds));
    }
    for (const auto& client : clients) client->Close();
    std::vector<double> latencies;
    std::map<std::string, std::vector<double>> phases;
    for (const auto& client : clients) {
      for (const auto& [phase, own] : client->PhasesUs()) {
        phases[phase].insert(phases[phase].end(), own.begin(), own.end());
      }
      collision_bench::ExitIfError(client->status());
      const std::vector<double>& own = client->LatenciesMs();
      latencies.insert(latencies.end(), own.begin(), own.end());
    }
    const auto steps = static_cast<double>(latencies.size());
    const double triangles = static_cast<double>(scene.triangles.size() / 3);
    std::cout << separator_
              << absl::StrFormat(
                     "\n  {\"scene\": \"%s\", \"in_flight\": %d, \"steps_per_second\": %.5g, "
                     "\"triangles_per_second\": %.4g, \"latency_ms\": {\"median\": %.4g, "
                     "\"p99\": %.4g}, \"device_us_per_step\": %.4g,\n   \"median_us\": {%s},\n   "
                     "\"per_step\": {\"elements\": "
                     "%.4g, \"looks\": %.4g, \"claims\": %.4g, \"missed_claims\": %.4g, "
                     "\"given\": %.4g},\n   \"procedures\": {%s}%s}",
                     name, count, steps / elapsed_s_, steps * triangles / elapsed_s_,
                     bench::Median(latencies), bench::Quantile(latencies, 0.99),
                     work_.busy_us / static_cast<double>(Workers()) / steps, MediansJson(phases),
                     work_.elements / steps, work_.looks / steps, work_.claims / steps,
                     work_.misses / steps, work_.given / steps, work_.ProceduresJson(steps), urgent)
              << std::flush;
    separator_ = ",";
  }

  static std::string MediansJson(const std::map<std::string, std::vector<double>>& phases) {
    std::string json;
    for (const auto& [phase, times] : phases) {
      absl::StrAppendFormat(&json, "%s\"%s\": %.4g", json.empty() ? "" : ", ", phase,
                            bench::Median(times));
    }
    return json;
  }

  void RunFor(const std::vector<std::unique_ptr<Client>>& clients, absl::Duration duration) {
    const Work before = WorkNow();
    elapsed_s_ = absl::ToDoubleSeconds(RunClosedLoop(clients, duration));
    absl::SleepFor(absl::Milliseconds(20));  // the workers' sums are up to 10 ms old
    work_ = WorkNow().Since(before);
  }

  /// Returns the times of the urgent scene as JSON. What the workers do counts its steps, too.
  std::string RunBesideUrgent(const std::vector<std::unique_ptr<Client>>& clients,
                              const scenes::MovingScene& scene, ccd::Report report) {
    Client first(*engine_, scene, report);
    ExitIfError(first.Open());
    static_cast<void>(first.StepUntil(absl::InfiniteFuture()));  // to warm up
    std::string times;
    std::thread urgent([&] {
      times = UrgentTimes(arguments_.urgent_hz, absl::Seconds(arguments_.seconds),
                          [&](absl::Time deadline) { return first.StepUntil(deadline); })
                  .Json();
    });
    RunFor(clients, absl::Seconds(arguments_.seconds));
    urgent.join();
    first.Close();
    return times;
  }

  const Arguments& arguments_;
  std::unique_ptr<Engine> engine_;
  double elapsed_s_ = 1;
  Work work_;
  const char* separator_ = "";
};

}  // namespace
}  // namespace warpyard::collision_bench

int main(int argc, char** argv) {
  using namespace warpyard::collision_bench;
  return RunBench<Bench, Arguments>(argc, argv, kUsage);
}
