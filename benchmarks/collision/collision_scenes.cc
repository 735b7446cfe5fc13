// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// bench.engine.collision.scenes: times steps of many scenes through the engine, by traversal and
// report, and computes the bytes that they must move; prints JSON.
//
// Generated scenes go through consecutive frames, as in the tables of the thesis [SilvaThesis
// §4.2]: only end positions are sent. Scenes of two files repeat the same step.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "benchmarks/scenes/moving_scene.h"
#include "benchmarks/support/bytes_moved.h"
#include "benchmarks/support/command_line.h"
#include "benchmarks/support/engine_runs.h"
#include "client_examples/mesh_io/mesh_io.h"
#include "core/api/collision.h"
#include "core/engine/engine.h"

namespace warpyard::collision_bench {
namespace {

constexpr char kUsage[] =
    "usage: collision_scenes SCENE... [--backend cpu|cuda|auto] [--threads N]\n"
    "         [--traversals clusters,independent] [--reports collisions,earliest]\n"
    "         [--root-finder conservative|cubic] [--tolerance T] [--steps N] [--budget SECONDS]\n"
    "         [--memory-gb-s X] [--link-gb-s X] [--machine TEXT] [--commit TEXT]\n"
    "SCENE: cloth-ball-like, funnel-like, bart-N, cloth-N (N triangles: 64, 100k, 10m), or\n"
    "       NAME=START,END (two mesh files)\n"
    "A cell ends after N steps, or after its budget with 3 steps at least. Without --memory-gb-s\n"
    "and --link-gb-s, CUDA is taken for an H200 on PCIe 5 (4800 and 64); CPU memory is measured.\n";

constexpr int kLeastSteps = 3;

struct Arguments {
  std::vector<std::string> scenes;
  std::map<std::string, std::string> options{{"backend", "auto"},
                                             {"threads", "0"},
                                             {"traversals", "clusters,independent"},
                                             {"reports", "collisions,earliest"},
                                             {"root-finder", "conservative"},
                                             {"tolerance", "1e-6"},
                                             {"steps", "10"},
                                             {"budget", "10"},
                                             {"memory-gb-s", "0"},
                                             {"link-gb-s", "0"},
                                             {"machine", ""},
                                             {"commit", ""}};
  std::string command = "collision_scenes";

  double Number(const std::string& option) const { return std::atof(options.at(option).c_str()); }
  std::vector<std::string> List(const std::string& option) const {
    return absl::StrSplit(options.at(option), ',');
  }
};

bool Parse(int argc, char** argv, Arguments& arguments) {
  return ReadCommandLine(argc, argv, arguments.scenes, arguments.options, arguments.command) &&
         !arguments.scenes.empty();
}

/// A scene with its frames in the form that the engine takes.
struct Input {
  std::string name;
  std::string source;
  std::vector<std::uint32_t> triangles;
  std::vector<std::uint32_t> vertex_groups;
  std::vector<std::vector<float>> frames;          // consecutive
  std::vector<std::vector<double>> double_frames;  // or two frames for one step

  ccd::PositionsView Frame(std::size_t i) const {
    if (frames.empty()) {
      return {ccd::ScalarType::kFloat64, double_frames[i].data(), double_frames[i].size() / 3};
    }
    return {ccd::ScalarType::kFloat32, frames[i].data(), frames[i].size() / 3};
  }
  std::size_t Frames() const { return std::max(frames.size(), double_frames.size()); }

  /// The first step warms up and is not counted.
  SceneStep Step(std::size_t step, ResidentId scene, const ccd::CollisionOptions& options) const {
    if (Frames() == 2) return {scene, {Frame(1), Frame(0), options}};
    SceneStep next{scene, {Frame(step + 1), std::nullopt, options}};
    if (step == 0) next.step.start = Frame(0);
    return next;
  }
};

Input ReadInput(const std::string& name, const std::string& files) {
  const std::vector<std::string> paths = absl::StrSplit(files, ',');
  if (paths.size() != 2) {
    std::cerr << name << ": expected NAME=START,END\n";
    std::exit(2);
  }
  mesh_io::Mesh start = OrExit(mesh_io::ReadMesh(paths[0]));
  mesh_io::Mesh end = OrExit(mesh_io::ReadMesh(paths[1]));
  Input input{name, "files", std::move(start.triangles), {}, {}, {}};
  if (start.positions_are_float && end.positions_are_float) {
    input.frames.emplace_back(start.positions.begin(), start.positions.end());
    input.frames.emplace_back(end.positions.begin(), end.positions.end());
  } else {
    input.double_frames = {std::move(start.positions), std::move(end.positions)};
  }
  return input;
}

Input MakeInput(const std::string& scene, int steps) {
  const std::size_t equals = scene.find('=');
  if (equals != std::string::npos) {
    return ReadInput(scene.substr(0, equals), scene.substr(equals + 1));
  }
  scenes::MovingScene made = OrExit(scenes::MakeScene(scene, steps + 2));
  return {scene,
          "generated",
          std::move(made.triangles),
          std::move(made.vertex_groups),
          std::move(made.frames),
          {}};
}

/// Bytes that `threads` threads copy in a nanosecond (read and written), the best of five passes.
double MeasureMemory(unsigned threads) {
  constexpr std::size_t kBytes = std::size_t{64} << 20;
  std::vector<std::vector<char>> from(threads, std::vector<char>(kBytes, 1)), to = from;
  double best = 0;
  for (int pass = 0; pass < 5; ++pass) {
    const absl::Time begin = absl::Now();
    std::vector<std::thread> copies;
    for (unsigned i = 0; i < threads; ++i) {
      copies.emplace_back([&, i] { std::memcpy(to[i].data(), from[i].data(), kBytes); });
    }
    for (std::thread& copy : copies) copy.join();
    best = std::max(best, 2.0 * kBytes * threads / absl::ToDoubleNanoseconds(absl::Now() - begin));
  }
  return best;
}

/// Bytes per nanosecond of the device's memory, and of the link to it.
struct Bandwidth {
  double memory;
  double link;
};

Bandwidth BandwidthOf(const Arguments& arguments, const std::string& description) {
  constexpr Bandwidth kH200{4800, 64};
  Bandwidth bandwidth{arguments.Number("memory-gb-s"), arguments.Number("link-gb-s")};
  Bandwidth otherwise = kH200;
  if (description.rfind("cpu", 0) == 0 && (bandwidth.memory == 0 || bandwidth.link == 0)) {
    const int threads = std::atoi(arguments.options.at("threads").c_str());
    const unsigned used =
        threads > 0 ? static_cast<unsigned>(threads) : std::thread::hardware_concurrency();
    otherwise = {MeasureMemory(used), MeasureMemory(1)};
  }
  if (bandwidth.memory == 0) bandwidth.memory = otherwise.memory;
  if (bandwidth.link == 0) bandwidth.link = otherwise.link;
  return bandwidth;
}

/// The counts of the steps of a cell: one list of values for each count.
class Counts {
 public:
  void Add(const ccd::CollisionResult& result) {
    const ccd::CollisionStatistics& s = result.statistics;
    values_["vertex_face_candidates"].push_back(static_cast<double>(s.vertex_face_candidates));
    values_["edge_edge_candidates"].push_back(static_cast<double>(s.edge_edge_candidates));
    values_["vertex_face_collisions"].push_back(static_cast<double>(s.vertex_face_collisions));
    values_["edge_edge_collisions"].push_back(static_cast<double>(s.edge_edge_collisions));
    values_["capped_pairs"].push_back(static_cast<double>(s.capped_pairs));
  }

  std::string ToJson() const {
    std::string json = "{";
    for (const auto& [name, values] : values_) {
      absl::StrAppend(&json, json.size() == 1 ? "" : ", ", "\"", name, "\": ", Spread(values));
    }
    return json + "}";
  }

 private:
  std::map<std::string, std::vector<double>> values_;
};

/// The bytes of the last step, with the median times of all steps.
std::string RooflineJson(const ccd::CollisionResult& result, const Input& input,
                         const StepSamples& samples, const Bandwidth& bandwidth) {
  const std::uint64_t position_bytes = input.frames.empty() ? 24 : 12;
  std::string json = "{";
  double least_ms = 0, gathered_ms = 0;
  for (const PhaseBytes& bytes : BytesMoved({result.statistics, position_bytes,
                                             result.vertex_face.size(), result.edge_edge.size()})) {
    const double speed = (bytes.over_link ? bandwidth.link : bandwidth.memory) * 1e6;
    const double least = static_cast<double>(bytes.least) / speed;
    const double gathered = static_cast<double>(bytes.gathered) / speed;
    least_ms += least;
    gathered_ms += gathered;
    absl::StrAppendFormat(&json,
                          "\"%s\": {\"least_bytes\": %u, \"gathered_bytes\": %u, \"least_ms\": "
                          "%.4g, \"gathered_ms\": %.4g, \"measured_ms\": %.4g}, ",
                          bytes.phase, bytes.least, bytes.gathered, least, gathered,
                          samples.Median(bytes.phase));
  }
  absl::StrAppendFormat(&json,
                        "\"step\": {\"least_ms\": %.4g, \"gathered_ms\": %.4g, \"measured_ms\": "
                        "%.4g, \"times_least\": %.4g}}",
                        least_ms, gathered_ms, samples.Median("step"),
                        samples.Median("step") / least_ms);
  return json;
}

/// Runs the benchmark and writes a cell for each scene, traversal and report.
class Bench {
 public:
  explicit Bench(const Arguments& arguments) : arguments_(arguments) {
    EngineOptions options = EngineOptionsOf(arguments.options);
    options.job_time_limit = absl::Minutes(20);
    engine_ = OrExit(Engine::Create(options));
    bandwidth_ = BandwidthOf(arguments, engine_->BackendDescription());
  }

  void Run() {
    std::cout << "{\"benchmark\": \"bench.engine.collision.scenes\",\n"
              << " \"backend\": \"" << engine_->BackendDescription() << "\", \"machine\": \""
              << arguments_.options.at("machine") << "\", \"commit\": \""
              << arguments_.options.at("commit") << "\",\n \"command\": \"" << arguments_.command
              << "\",\n"
              << absl::StrFormat(" \"memory_gb_per_s\": %.4g, \"link_gb_per_s\": %.4g,\n",
                                 bandwidth_.memory, bandwidth_.link)
              << " \"cells\": [";
    for (const std::string& scene : arguments_.scenes) {
      const Input input = MakeInput(scene, static_cast<int>(arguments_.Number("steps")));
      for (const std::string& traversal : arguments_.List("traversals")) {
        RunTraversal(input, traversal);
      }
    }
    std::cout << "\n]}\n";
  }

 private:
  void RunTraversal(const Input& input, const std::string& traversal) {
    collision::SceneDescription description;
    description.positions = input.Frame(0);
    description.triangles = input.triangles;
    description.vertex_groups = input.vertex_groups;
    if (!input.vertex_groups.empty()) description.group_rule = ccd::GroupRule::kDifferent;
    const absl::Time begin = absl::Now();
    const absl::StatusOr<collision::SceneInfo> scene = OpenAndWait(*engine_, description);
    const double open_ms = absl::ToDoubleMilliseconds(absl::Now() - begin);
    for (const std::string& report : arguments_.List("reports")) {
      std::cerr << input.name << ", " << traversal << ", " << report << "\n";
      std::cout << separator_
                << absl::StrFormat(
                       "\n  {\"scene\": \"%s\", \"source\": \"%s\", \"traversal\": "
                       "\"%s\", \"report\": \"%s\", \"open_ms\": %.4g",
                       input.name, input.source, traversal, report, open_ms);
      separator_ = ",";
      const absl::Status status =
          scene.ok() ? RunCell(input, scene->id, traversal, report) : scene.status();
      if (!status.ok()) std::cout << ",\n   \"error\": \"" << status.message() << "\"";
      std::cout << "}" << std::flush;
    }
    if (scene.ok()) static_cast<void>(engine_->Close(scene->id));
  }

  absl::Status RunCell(const Input& input, ResidentId scene, const std::string& traversal,
                       const std::string& report) {
    ccd::CollisionOptions options;
    options.traversal = ValueOf(kTraversals, traversal);
    options.report = ValueOf(kReports, report);
    options.root_finder = ValueOf(kRootFinders, arguments_.options.at("root-finder"));
    options.tolerance = arguments_.Number("tolerance");
    const int steps = static_cast<int>(arguments_.Number("steps"));
    const absl::Duration budget = absl::Seconds(arguments_.Number("budget"));
    StepSamples warm_up, samples;
    Counts counts;
    absl::StatusOr<ccd::CollisionResult> result =
        warm_up.Run(*engine_, input.Step(0, scene, options));
    const absl::Time begin = absl::Now();
    int step = 1;
    for (; result.ok() && step <= steps; ++step) {
      if (step > kLeastSteps && absl::Now() - begin > budget) break;
      result = samples.Run(*engine_, input.Step(static_cast<std::size_t>(step), scene, options));
      if (result.ok()) counts.Add(*result);
    }
    if (!result.ok()) return result.status();
    const ccd::CollisionStatistics& s = result->statistics;
    const std::uint64_t memory = engine_->Statistics().memory_used_bytes;
    std::cout << absl::StrFormat(
                     ",\n   \"vertices\": %u, \"edges\": %u, \"triangles\": %u, \"steps\": %d,\n"
                     "   \"first_step_ms\": %.4g, \"triangles_per_second\": %.4g,\n"
                     "   \"memory_bytes\": %u, \"bytes_per_triangle\": %.4g,\n",
                     s.vertices, s.edges, s.triangles, step - 1, warm_up.Median("step"),
                     s.triangles / samples.Median("step") * 1e3, memory,
                     static_cast<double>(memory) / s.triangles)
              << "   \"milliseconds\": " << samples.ToJson()
              << ",\n   \"counts\": " << counts.ToJson()
              << ",\n   \"roofline\": " << RooflineJson(*result, input, samples, bandwidth_);
    return absl::OkStatus();
  }

  const Arguments& arguments_;
  std::unique_ptr<Engine> engine_;
  Bandwidth bandwidth_{};
  const char* separator_ = "";
};

int Main(int argc, char** argv) { return RunBench<Bench, Arguments>(argc, argv, kUsage); }

}  // namespace
}  // namespace warpyard::collision_bench

int main(int argc, char** argv) { return warpyard::collision_bench::Main(argc, argv); }
