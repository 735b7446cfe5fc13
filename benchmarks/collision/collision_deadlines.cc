// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// bench.engine.collision.deadlines: whether steps with a deadline meet it while other jobs keep the
// device busy. It runs the same step at a fixed rate, alone and beside jobs without a deadline:
// packages of multiply-adds, simplification of two meshes, or derivation of two cities.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <future>
#include <iostream>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "benchmarks/collision/background_load.h"
#include "benchmarks/support/command_line.h"
#include "benchmarks/support/device_work.h"
#include "benchmarks/support/engine_runs.h"
#include "client_examples/mesh_io/mesh_io.h"
#include "core/api/collision.h"
#include "core/api/synthetic.h"
#include "core/engine/engine.h"

namespace warpyard {
namespace {

using collision_bench::Background;
using collision_bench::BackgroundLoad;
using collision_bench::OrExit;
using collision_bench::ValueOf;

constexpr char kUsage[] =
    "usage: collision_deadlines START END [--backend cpu|cuda|auto] [--threads N]\n"
    "         [--report collisions|earliest] [--steps N] [--period-ms P] [--deadline-ms D]\n"
    "         [--tolerance T] [--package-fma N] [--simplify MESH | --derive GRAMMAR: instead of\n"
    "         packages] [--hold-part N: see PolicyOptions]\n"
    "         [--machine TEXT] [--commit TEXT]\n";

struct Plan {
  collision_bench::SceneStep step;
  int steps;
  absl::Duration period, deadline;
};

struct Outcome {
  std::vector<double> milliseconds;  ///< times of steps that met their deadline
  int met = 0;
  PhaseTimes slowest;  ///< phases of the slowest of them
};

/// Sends the step at its rate. A step that still runs when the next one is due delays it.
Outcome RunSteps(Engine& engine, const Plan& plan) {
  Outcome outcome;
  double slowest = 0;
  absl::Time due = absl::Now();
  for (int i = 0; i < plan.steps; ++i, due += plan.period) {
    while (absl::Now() < due) std::this_thread::yield();
    const absl::Time begin = absl::Now();
    JobOptions job;
    job.deadline = begin + plan.deadline;
    PhaseTimes phases;
    std::promise<absl::Status> promise;
    collision::Step(engine, plan.step.scene, plan.step.step, job, [&](auto result) {
      if (result.ok()) phases = PhasesOf(*result);
      promise.set_value(result.status());
    });
    const absl::Status status = promise.get_future().get();
    const absl::Duration took = absl::Now() - begin;
    if (!status.ok() && !absl::IsDeadlineExceeded(status)) {
      std::cerr << status << "\n";
      std::exit(1);
    }
    if (!status.ok() || took > plan.deadline) continue;
    ++outcome.met;
    const double milliseconds = absl::ToDoubleMilliseconds(took);
    if (outcome.slowest.empty() || milliseconds > slowest) {
      slowest = milliseconds;
      outcome.slowest = phases;
    }
    outcome.milliseconds.push_back(milliseconds);
  }
  return outcome;
}

/// @shape rate: gets what the background did a second
Outcome RunStepsBeside(Engine& engine, const Plan& plan, const BackgroundLoad& load, double& rate) {
  const Background background(load);
  absl::SleepFor(absl::Milliseconds(200));
  const absl::Time begin = absl::Now();
  const std::uint64_t before = background.Executed();
  Outcome beside = RunSteps(engine, plan);
  rate = static_cast<double>(background.Executed() - before) /
         absl::ToDoubleSeconds(absl::Now() - begin);
  return beside;
}

std::string ToJson(const Outcome& outcome, const Plan& plan) {
  if (outcome.milliseconds.empty()) return "{\"met_percent\": 0}";
  std::vector<double> sorted = outcome.milliseconds;
  std::sort(sorted.begin(), sorted.end());
  std::string slowest;
  for (const auto& [phase, duration] : outcome.slowest) {
    absl::StrAppendFormat(&slowest, "%s\"%s\": %.4f", slowest.empty() ? "" : ", ", phase,
                          absl::ToDoubleMilliseconds(duration));
  }
  return absl::StrFormat(
      "{\"met_percent\": %.3f, \"p90\": %.4f, \"p99\": %.4f, \"milliseconds\": %s, \"slowest\": "
      "{%s}}",
      100.0 * outcome.met / plan.steps, sorted[sorted.size() * 9 / 10],
      sorted[sorted.size() * 99 / 100], collision_bench::Spread(sorted), slowest);
}

int Main(int argc, char** argv) {
  std::map<std::string, std::string> options{
      {"backend", "auto"}, {"threads", "0"},      {"report", "earliest"}, {"steps", "500"},
      {"period-ms", "5"},  {"deadline-ms", "5"},  {"machine", ""},        {"package-fma", "8000"},
      {"commit", ""},      {"tolerance", "1e-6"}, {"simplify", ""},       {"derive", ""},
      {"hold-part", ""}};
  std::vector<std::string> files;
  std::string command = "collision_deadlines";
  if (!collision_bench::ReadCommandLine(argc, argv, files, options, command) || files.size() != 2) {
    std::cerr << kUsage;
    return 2;
  }
  const mesh_io::Mesh start = OrExit(mesh_io::ReadMesh(files[0]));
  const mesh_io::Mesh end = OrExit(mesh_io::ReadMesh(files[1]));
  const auto view = [](const mesh_io::Mesh& mesh) {
    return ccd::PositionsView{ccd::ScalarType::kFloat64, mesh.positions.data(),
                              mesh.positions.size() / 3};
  };
  EngineOptions engine_options;
  engine_options.backend = ValueOf(collision_bench::kBackends, options["backend"]);
  engine_options.threads = std::atoi(options["threads"].c_str());
  engine_options.synthetic_jobs = true;
  if (!options["hold-part"].empty()) {
    engine_options.policy.hold_part =
        static_cast<std::uint32_t>(std::atoi(options["hold-part"].c_str()));
  }
  engine_options.admission = false;  // every step is to be seen, also those that are late
  const auto engine = OrExit(Engine::Create(engine_options));
  collision::SceneDescription scene;
  scene.positions = view(start);
  scene.triangles = start.triangles;
  Plan plan{{OrExit(collision_bench::OpenAndWait(*engine, scene)).id, {view(end), view(start), {}}},
            std::atoi(options["steps"].c_str()),
            absl::Milliseconds(std::atof(options["period-ms"].c_str())),
            absl::Milliseconds(std::atof(options["deadline-ms"].c_str()))};
  plan.step.step.options.report = ValueOf(collision_bench::kReports, options["report"]);
  plan.step.step.options.tolerance = std::atof(options["tolerance"].c_str());
  plan.step.step.options.unsorted = true;
  OrExit(collision_bench::StepAndWait(*engine, plan.step));  // makes room for lists
  const Outcome alone = RunSteps(*engine, plan);
  const BackgroundLoad load = collision_bench::MakeLoad(
      *engine, {options["simplify"], options["derive"],
                static_cast<std::uint32_t>(std::atoi(options["package-fma"].c_str()))});
  double rate = 0;
  const Outcome beside = RunStepsBeside(*engine, plan, load, rate);
  std::cout << absl::StrFormat(
      "{\"benchmark\": \"bench.engine.collision.deadlines\", \"scene\": \"%s\", \"report\": "
      "\"%s\", \"tolerance\": %s,\n"
      " \"steps\": %d, \"period_ms\": %s, \"deadline_ms\": %s, %s,\n"
      " \"alone\": %s,\n \"beside\": %s,\n \"background_%s_per_s\": %.6g,\n"
      " \"procedures\": %s,\n"
      " \"backend\": \"%s\", \"machine\": \"%s\", \"commit\": \"%s\", \"command\": \"%s\"}\n",
      files[0].substr(files[0].rfind('/') + 1), options["report"], options["tolerance"], plan.steps,
      options["period-ms"], options["deadline-ms"], load.json, ToJson(alone, plan),
      ToJson(beside, plan), load.unit, rate, DeviceWork::RoundsJson(*engine),
      engine->BackendDescription(), options["machine"], options["commit"], command);
  return 0;
}

}  // namespace
}  // namespace warpyard

int main(int argc, char** argv) { return warpyard::Main(argc, argv); }
