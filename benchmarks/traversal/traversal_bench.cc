// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// bench.ccd.traversal.step: times steps of a real scene with any traversal and prints JSON.
//
// The motion from one frame to the other is divided into steps that follow each other as in a
// simulation. With one step, the same step is repeated. The first round does not count, because
// lists grow in it and fronts begin.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "benchmarks/support/command_line.h"
#include "benchmarks/traversal/machine.h"
#include "client_examples/mesh_io/mesh_io.h"
#include "core/device/cpu_backend.h"
#include "core/model/cpu/cpu_workers.h"
#include "core/workload/ccd/scene/scene.h"

namespace warpyard::bench {
namespace {

constexpr char kUsage[] =
    "usage: traversal_bench START END [--traversal NAME] [--backend cpu|cuda] [--threads N]\n"
    "         [--volume boxes|oriented_boxes] [--report collisions|earliest|candidates]\n"
    "         [--build morton|top_down] [--steps N] [--repeat N]\n"
    "         [--workers N] [--worker-pairs N] [--spill-from N] [--batch N]\n"
    "         [--front-reference N] [--front-growth X] [--front-factor X]\n"
    "         [--tolerance T] [--machine TEXT] [--commit TEXT]\n"
    "  NAME: clusters, independent, work_queue, compaction, balancing, stealing, front\n";

struct Arguments {
  std::vector<std::string> files;
  std::map<std::string, std::string> options{{"traversal", "stealing"},
                                             {"volume", "boxes"},
                                             {"build", "morton"},
                                             {"backend", "cpu"},
                                             {"threads", "2"},
                                             {"report", "collisions"},
                                             {"steps", "1"},
                                             {"repeat", "5"},
                                             {"workers", "0"},
                                             {"worker-pairs", "16384"},
                                             {"spill-from", "0"},
                                             {"batch", "0"},
                                             {"front-reference", "16"},
                                             {"front-growth", "1.001"},
                                             {"front-factor", "2"},
                                             {"tolerance", "1e-6"},
                                             {"machine", ""},
                                             {"commit", ""}};
  std::string command = "traversal_bench";

  std::uint32_t Number(const std::string& name) {
    return static_cast<std::uint32_t>(std::atoi(options[name].c_str()));
  }
};

bool Parse(int argc, char** argv, Arguments& arguments) {
  return collision_bench::ReadCommandLine(argc, argv, arguments.files, arguments.options,
                                          arguments.command) &&
         arguments.files.size() == 2;
}

/// Whether all names are known.
bool ReadOptions(Arguments& arguments, ccd::CollisionOptions& options) {
  const std::string& report = arguments.options["report"];
  options.report = report == "earliest"     ? ccd::Report::kEarliest
                   : report == "candidates" ? ccd::Report::kCandidates
                                            : ccd::Report::kCollisions;
  const std::string& volume = arguments.options["volume"];
  if (volume == "oriented_boxes") {
    options.bounding_volume = ccd::BoundingVolume::kOrientedBoxes;
  } else if (volume != "boxes") {
    return false;
  }
  options.tolerance = std::atof(arguments.options["tolerance"].c_str());
  ccd::TraversalTuning& tuning = options.tuning;
  tuning.workers = arguments.Number("workers");
  tuning.worker_pairs = arguments.Number("worker-pairs");
  tuning.spill_from = arguments.Number("spill-from");
  tuning.batch = arguments.Number("batch");
  tuning.front_reference = arguments.Number("front-reference");
  tuning.front_growth = std::atof(arguments.options["front-growth"].c_str());
  tuning.front_factor = std::atof(arguments.options["front-factor"].c_str());
  for (std::uint32_t i = 0; i < std::size(ccd::kTraversalNames); ++i) {
    if (arguments.options["traversal"] != ccd::kTraversalNames[i]) continue;
    options.traversal = static_cast<ccd::Traversal>(i);
    return true;
  }
  return false;
}

absl::StatusOr<std::unique_ptr<TraversalMachine>> CreateMachine(Arguments& arguments) {
  if (arguments.options["backend"] == "cuda") return CreateCudaTraversalMachine();
  const auto threads = static_cast<int>(arguments.Number("threads"));
  return std::make_unique<TraversalMachine>(
      std::make_unique<device::CpuBackend>(threads, 0),
      std::make_unique<model::CpuWorkers<TraversalMachine::Program>>(threads));
}

ccd::PositionsView View(const std::vector<double>& positions) {
  return {ccd::ScalarType::kFloat64, positions.data(), positions.size() / 3};
}

/// Positions on the straight line between two frames. @shape at in [0, 1]
std::vector<double> Between(const mesh_io::Mesh& start, const mesh_io::Mesh& end, double at) {
  std::vector<double> positions(start.positions.size());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    positions[i] = (1 - at) * start.positions[i] + at * end.positions[i];
  }
  return positions;
}

/// Times and counts of all steps except those of the first round.
struct Samples {
  std::map<std::string, std::vector<double>> milliseconds;
  std::map<std::string, std::vector<double>> counts;
  ccd::CollisionResult last;

  void Add(absl::Duration step, ccd::CollisionResult result) {
    milliseconds["step"].push_back(absl::ToDoubleMilliseconds(step));
    for (const auto& [phase, duration] : result.statistics.phases) {
      milliseconds[std::string(phase)].push_back(absl::ToDoubleMilliseconds(duration));
    }
    const ccd::TraversalStatistics& traversal = result.statistics.traversal;
    counts["visited_pairs"].push_back(static_cast<double>(traversal.visited_pairs));
    counts["triangle_pairs"].push_back(static_cast<double>(traversal.triangle_pairs));
    counts["front_pairs"].push_back(static_cast<double>(traversal.front_pairs));
    counts["steals"].push_back(static_cast<double>(traversal.steals));
    counts["rounds"].push_back(static_cast<double>(traversal.rounds));
    counts["hierarchy_size"].push_back(result.statistics.hierarchy.size);
    counts["from_front"].push_back(traversal.from_front ? 1 : 0);
    last = std::move(result);
  }
};

/// Median, least, largest and mean of each series.
void Print(const char* name, std::map<std::string, std::vector<double>>& series) {
  std::cout << "  \"" << name << "\": {";
  const char* separator = "\n    ";
  for (auto& [key, values] : series) {
    std::sort(values.begin(), values.end());
    double sum = 0;
    for (const double value : values) sum += value;
    std::cout << separator
              << absl::StrFormat(
                     "\"%s\": {\"median\": %.10g, \"min\": %.10g, \"max\": %.10g, "
                     "\"mean\": %.10g}",
                     key, values[values.size() / 2], values.front(), values.back(),
                     sum / static_cast<double>(values.size()));
    separator = ",\n    ";
  }
  std::cout << "},\n";
}

absl::Status Run(Arguments& arguments, const ccd::CollisionOptions& options) {
  WY_ASSIGN_OR_RETURN(const mesh_io::Mesh start, mesh_io::ReadMesh(arguments.files[0]));
  WY_ASSIGN_OR_RETURN(const mesh_io::Mesh end, mesh_io::ReadMesh(arguments.files[1]));
  WY_ASSIGN_OR_RETURN(const auto machine, CreateMachine(arguments));
  model::BoundRunner<TraversalMachine::Program, ccd::CollisionProgram> runner(*machine->model, {});
  const procedure::CancelToken token;
  PhaseTimes phases;
  ccd::SceneInput input;
  input.positions = View(start.positions);
  input.triangles = start.triangles;
  if (arguments.options["build"] == "top_down") input.build = ccd::HierarchyBuild::kTopDown;
  WY_ASSIGN_OR_RETURN(const auto scene,
                      ccd::Scene::Open(*machine->backend, runner, input, token, phases));
  const double build_ms = absl::ToDoubleMilliseconds(phases.back().duration);
  const std::uint32_t steps = std::max(1u, arguments.Number("steps"));
  std::vector<std::vector<double>> frames;
  for (std::uint32_t step = 0; step <= steps; ++step) {
    frames.push_back(Between(start, end, static_cast<double>(step) / steps));
  }
  Samples samples;
  for (std::uint32_t round = 0; round <= arguments.Number("repeat"); ++round) {
    for (std::uint32_t step = 0; step < steps; ++step) {
      const absl::Time begin = absl::Now();
      WY_ASSIGN_OR_RETURN(
          ccd::CollisionResult result,
          scene->Step(runner, {View(frames[step + 1]), View(frames[step])}, options, token)
              .RunNow());
      if (round != 0) samples.Add(absl::Now() - begin, std::move(result));
    }
  }
  const ccd::CollisionStatistics& last = samples.last.statistics;
  std::cout << "{\n  \"benchmark\": \"bench.ccd.traversal.step\", \"traversal\": \""
            << arguments.options["traversal"] << "\", \"volume\": \"" << arguments.options["volume"]
            << "\", \"build\": \"" << arguments.options["build"] << "\", \"build_ms\": " << build_ms
            << ", \"tolerance\": " << arguments.options["tolerance"] << ", \"steps\": " << steps
            << ", \"repeat\": " << arguments.Number("repeat") << ",\n";
  Print("milliseconds", samples.milliseconds);
  Print("counts", samples.counts);
  std::cout << absl::StrFormat(
      "  \"last\": {\"vertex_face_candidates\": %u, \"edge_edge_candidates\": %u, "
      "\"vertex_face_collisions\": %u, \"edge_edge_collisions\": %u},\n",
      last.vertex_face_candidates, last.edge_edge_candidates, last.vertex_face_collisions,
      last.edge_edge_collisions);
  std::cout << "  \"backend\": \"" << machine->backend->Description() << "\", \"machine\": \""
            << arguments.options["machine"] << "\", \"commit\": \"" << arguments.options["commit"]
            << "\",\n  \"command\": \"" << arguments.command << "\"\n}\n";
  return absl::OkStatus();
}

int Main(int argc, char** argv) {
  Arguments arguments;
  ccd::CollisionOptions options;
  if (!Parse(argc, argv, arguments) || !ReadOptions(arguments, options) ||
      arguments.Number("repeat") == 0) {
    std::cerr << kUsage;
    return 2;
  }
  const absl::Status status = Run(arguments, options);
  if (status.ok()) return 0;
  std::cerr << status << "\n";
  return 1;
}

}  // namespace
}  // namespace warpyard::bench

int main(int argc, char** argv) { return warpyard::bench::Main(argc, argv); }
