// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// bench.engine.collision.megakernel: the time of a collision step through the resident megakernel,
// compared with the same procedures as plain launches, in one run on one machine. Prints JSON.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <future>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "benchmarks/collision/plain_launches.cuh"
#include "client_examples/mesh_io/mesh_io.h"
#include "core/api/collision.h"
#include "core/device/cuda_backend.h"
#include "core/engine/engine.h"
#include "core/workload/ccd/collision_program.h"
#include "core/workload/ccd/scene/scene.h"

namespace warpyard::bench {
namespace {

constexpr char kUsage[] =
    "usage: collision_megakernel_bench START END [--repeat N] [--tolerance T] [--machine TEXT]\n"
    "         [--commit TEXT]\n";

/// Steps by the two traversals that are measured: none of their procedures is spawned, so each
/// stage is one launch.
using PlainProgram = ccd::CollisionProgramOf<
    ccd::BuildTasks<ccd::MakeKeysTask, ccd::ArrangeClustersTask, ccd::LinkHierarchyTask>,
    ccd::Traversals<ccd::ClusterTraversal, ccd::IndependentTraversal>>;
using ccd::CollisionResult;
using Samples = std::map<std::string, std::vector<double>>;

template <class T>
T Take(absl::StatusOr<T> result) {
  if (!result.ok()) {
    std::cerr << result.status() << "\n";
    std::exit(1);
  }
  return *std::move(result);
}

ccd::PositionsView View(const mesh_io::Mesh& mesh) {
  return {ccd::ScalarType::kFloat64, mesh.positions.data(), mesh.positions.size() / 3};
}

struct Scenes {
  mesh_io::Mesh start, end;
  int repeat;
};

/// Runs `step` once, then `repeat` times, and records the time of each phase.
CollisionResult Sample(int repeat, const std::function<CollisionResult()>& step, Samples& samples) {
  CollisionResult result = step();  // makes room for lists
  for (int i = 0; i < repeat; ++i) {
    const absl::Time begin = absl::Now();
    result = step();
    samples["step"].push_back(absl::ToDoubleMilliseconds(absl::Now() - begin));
    double device = 0;
    for (const auto& [phase, duration] : result.statistics.phases) {
      const double milliseconds = absl::ToDoubleMilliseconds(duration);
      samples[std::string(phase)].push_back(milliseconds);
      if (phase == "refit" || phase == "broad" || phase == "narrow") device += milliseconds;
    }
    samples["device"].push_back(device);
  }
  return result;
}

/// Records the time of each stage of another runner's runs.
class StageSampler final : public ccd::CollisionRunner {
 public:
  StageSampler(ccd::CollisionRunner& runner, Samples& samples)
      : runner_(runner), samples_(samples) {}

  absl::StatusOr<procedure::StageTimes> Run(const ccd::CollisionJob& job,
                                            const procedure::CancelToken& token) override {
    auto times = runner_.Run(job, token);
    if (!times.ok() || job.task != ccd::CollisionTask::kStep) return times;
    for (std::uint32_t stage = 0; stage < PlainProgram::StageCount(job); ++stage) {
      const std::uint32_t id = PlainProgram::Plan<PlanScope>(job, stage).procedure;
      const char* const name = PlainProgram::Procedures::kNames[id];
      samples_[absl::StrFormat("stage %2u %s", stage, name)].push_back(
          static_cast<double>(times->Between(stage, stage + 1)) * 1e-6);
    }
    return times;
  }

  std::uint32_t Workers() const override { return runner_.Workers(); }

 private:
  ccd::CollisionRunner& runner_;
  Samples& samples_;
};

CollisionResult RunPlain(const Scenes& scenes, const ccd::CollisionOptions& options,
                         Samples& samples) {
  auto backend = Take(device::CudaBackend::Create(0, 0));
  PlainLaunches<PlainProgram> plain;
  StageSampler runner(plain, samples);
  ccd::SceneInput input;
  input.positions = View(scenes.start);
  input.triangles = scenes.start.triangles;
  PhaseTimes phases;
  const procedure::CancelToken token;
  auto scene = Take(ccd::Scene::Open(*backend, runner, input, token, phases));
  return Sample(
      scenes.repeat,
      [&] {
        return Take(
            scene->Step(runner, {View(scenes.end), View(scenes.start)}, options, token).RunNow());
      },
      samples);
}

CollisionResult RunResident(const Scenes& scenes, const ccd::CollisionOptions& options,
                            Samples& samples) {
  EngineOptions engine_options;
  engine_options.backend = BackendChoice::kCuda;
  auto engine = Take(Engine::Create(engine_options));
  collision::SceneDescription description;
  description.positions = View(scenes.start);
  description.triangles = scenes.start.triangles;
  std::promise<absl::StatusOr<collision::SceneInfo>> opened;
  collision::OpenScene(*engine, description, {},
                       [&](auto info) { opened.set_value(std::move(info)); });
  const ResidentId id = Take(opened.get_future().get()).id;
  return Sample(
      scenes.repeat,
      [&] {
        std::promise<absl::StatusOr<CollisionResult>> promise;
        collision::Step(*engine, id, {View(scenes.end), View(scenes.start), options}, {},
                        [&](auto result) { promise.set_value(std::move(result)); });
        return Take(promise.get_future().get());
      },
      samples);
}

double Median(std::vector<double>& values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void Print(const char* name, Samples& samples) {
  std::cout << "     \"" << name << "_milliseconds\": {";
  const char* separator = "";
  for (auto& [phase, values] : samples) {
    const double median = Median(values);
    std::cout << separator
              << absl::StrFormat("\"%s\": {\"median\": %.4f, \"min\": %.4f, \"max\": %.4f}", phase,
                                 median, values.front(), values.back());
    separator = ",\n      ";
  }
  std::cout << "},\n";
}

/// Whether both results are equal.
bool Agree(const CollisionResult& a, const CollisionResult& b) {
  return a.earliest_time == b.earliest_time && a.vertex_face.size() == b.vertex_face.size() &&
         a.edge_edge.size() == b.edge_edge.size();
}

int Main(int argc, char** argv) {
  std::map<std::string, std::string> arguments{
      {"repeat", "20"}, {"tolerance", "1e-6"}, {"machine", ""}, {"commit", ""}};
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.rfind("--", 0) != 0) {
      files.push_back(word);
    } else if (arguments.count(word.substr(2)) == 0 || i + 1 == argc) {
      std::cerr << kUsage;
      return 2;
    } else {
      arguments[word.substr(2)] = argv[++i];
    }
  }
  if (files.size() != 2) {
    std::cerr << kUsage;
    return 2;
  }
  const Scenes scenes{Take(mesh_io::ReadMesh(files[0])), Take(mesh_io::ReadMesh(files[1])),
                      std::atoi(arguments["repeat"].c_str())};
  std::cout << "{\"benchmark\": \"bench.engine.collision.megakernel\", \"repeat\": "
            << scenes.repeat << ", \"tolerance\": " << arguments["tolerance"] << ",\n \"scene\": \""
            << files[0].substr(files[0].rfind('/') + 1) << "\", \"machine\": \""
            << arguments["machine"] << "\", \"commit\": \"" << arguments["commit"]
            << "\",\n \"cells\": [";
  const char* separator = "\n";
  bool agree = true;
  for (const auto traversal : {ccd::Traversal::kClusters, ccd::Traversal::kIndependent}) {
    for (const auto report : {ccd::Report::kCollisions, ccd::Report::kEarliest}) {
      ccd::CollisionOptions options;
      options.report = report;
      options.traversal = traversal;
      options.tolerance = std::atof(arguments["tolerance"].c_str());
      Samples plain, resident;
      const bool same =
          Agree(RunPlain(scenes, options, plain), RunResident(scenes, options, resident));
      agree = agree && same;
      std::cout << separator << "    {\"traversal\": \""
                << (traversal == ccd::Traversal::kClusters ? "clusters" : "independent")
                << "\", \"report\": \""
                << (report == ccd::Report::kEarliest ? "earliest" : "collisions") << "\",\n";
      Print("plain", plain);
      Print("resident", resident);
      std::cout << absl::StrFormat("     \"device_ratio\": %.3f, \"agree\": %s}",
                                   Median(resident["device"]) / Median(plain["device"]),
                                   same ? "true" : "false");
      separator = ",\n";
    }
  }
  std::cout << "]}\n";
  return agree ? 0 : 1;
}

}  // namespace
}  // namespace warpyard::bench

int main(int argc, char** argv) { return warpyard::bench::Main(argc, argv); }
