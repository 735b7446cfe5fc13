// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// bench.simplification.peers: simplifies meshes with the distribution's meshoptimizer, on one
// thread, and with the product on an engine of one thread; measures time and quality; prints JSON.
// A peer's time is that of the thread's processor, so that other processes of the machine do not
// count. The product's time is that of a whole job of a model that is open, by the clock; that of
// the first job with the goal is beside the least.
#include <meshoptimizer.h>
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "benchmarks/meshes/procedural_mesh.h"
#include "benchmarks/simplification/engine_methods.h"
#include "benchmarks/simplification/mesh_report.h"
#include "benchmarks/support/command_line.h"
#include "client_examples/mesh_io/mesh_io.h"

namespace warpyard::simplification_bench {
namespace {

constexpr char kUsage[] =
    "usage: simplification_peers MESH... [--ratios 50,10,1] [--repeat N] [--samples N]\n"
    "         [--write FOLDER] [--machine TEXT] [--commit TEXT]\n"
    "MESH: a mesh file, or noisy-sphere-N, torus-knot-N, terrain-N, cad-part-N, many-parts-N or\n"
    "      thin-sheets-N with at most N triangles (4096, 100k, 10m)\n"
    "Ratios are percent of the triangles. --write keeps the meshes as PLY files.\n";

struct Arguments {
  std::vector<std::string> meshes;
  std::map<std::string, std::string> options{{"ratios", "50,10,1"}, {"repeat", "5"},
                                             {"samples", "300000"}, {"write", ""},
                                             {"machine", ""},       {"commit", ""}};
  std::string command = "simplification_peers";
};

bool Parse(int argc, char** argv, Arguments& arguments) {
  return collision_bench::ReadCommandLine(argc, argv, arguments.meshes, arguments.options,
                                          arguments.command) &&
         !arguments.meshes.empty();
}

/// Ends the process with a message.
[[noreturn]] void Fail(absl::string_view message) {
  std::cerr << "simplification_peers: " << message << "\n";
  std::exit(1);
}

/// A mesh with its positions as the peers take them.
struct Input {
  std::string name;
  mesh_io::Mesh mesh;
  std::vector<float> positions;
};

Input Load(const std::string& word) {
  Input input;
  if (std::filesystem::exists(word)) {
    absl::StatusOr<mesh_io::Mesh> mesh = mesh_io::ReadMesh(word);
    if (!mesh.ok()) Fail(mesh.status().message());
    input.name = std::filesystem::path(word).stem().string();
    input.mesh = *std::move(mesh);
  } else {
    absl::StatusOr<meshes::TriangleMesh> mesh = meshes::MakeMesh(word);
    if (!mesh.ok()) Fail(mesh.status().message());
    input.name = word;
    input.mesh = {std::move(mesh->positions), true, std::move(mesh->triangles)};
  }
  input.positions.assign(input.mesh.positions.begin(), input.mesh.positions.end());
  return input;
}

/// @units milliseconds of this thread's processor time
double ThreadMilliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

/// A way of the peer: takes a mesh and the wanted number of indices, and returns indices.
struct PeerMethod {
  const char* name;
  std::vector<std::uint32_t> (*simplify)(const Input&, std::size_t target_indices);
};

/// Only the target limits both: the greatest error allows any.
constexpr float kAnyError = std::numeric_limits<float>::max();
constexpr std::size_t kStride = 3 * sizeof(float);

std::vector<std::uint32_t> Simplify(const Input& input, std::size_t target_indices) {
  const std::vector<std::uint32_t>& triangles = input.mesh.triangles;
  std::vector<std::uint32_t> result(triangles.size());
  result.resize(meshopt_simplify(result.data(), triangles.data(), triangles.size(),
                                 input.positions.data(), input.positions.size() / 3, kStride,
                                 target_indices, kAnyError, 0, nullptr));
  return result;
}

std::vector<std::uint32_t> SimplifySloppy(const Input& input, std::size_t target_indices) {
  const std::vector<std::uint32_t>& triangles = input.mesh.triangles;
  std::vector<std::uint32_t> result(triangles.size());
  result.resize(meshopt_simplifySloppy(result.data(), triangles.data(), triangles.size(),
                                       input.positions.data(), input.positions.size() / 3, kStride,
                                       target_indices, kAnyError, nullptr));
  return result;
}

constexpr PeerMethod kPeerMethods[] = {{"meshopt_simplify", Simplify},
                                       {"meshopt_simplifySloppy", SimplifySloppy}};

class PeerBench {
 public:
  explicit PeerBench(const Arguments& arguments)
      : arguments_(arguments), repeat_(std::atoi(arguments.options.at("repeat").c_str())) {
    if (!absl::SimpleAtoi(arguments.options.at("samples"), &distance_.samples) || repeat_ < 1) {
      Fail("--samples and --repeat are numbers above 0");
    }
  }

  void Run() {
    std::cout << absl::StrFormat(
        "{\n \"benchmark\": \"bench.simplification.peers\",\n \"machine\": \"%s\",\n"
        " \"commit\": \"%s\",\n \"commands\": [\"%s\"],\n"
        " \"time\": \"processor time of one thread, the least of %d runs\",\n"
        " \"samples\": %d,\n \"rows\": [",
        arguments_.options.at("machine"), arguments_.options.at("commit"), arguments_.command,
        repeat_, distance_.samples);
    for (const std::string& word : arguments_.meshes) {
      const Input input = Load(word);
      Write(input.mesh, input.name);
      absl::StatusOr<std::unique_ptr<EngineModel>> model =
          EngineModel::Open(input.positions, input.mesh.triangles);
      if (!model.ok()) Fail(model.status().message());
      for (const absl::string_view ratio : absl::StrSplit(arguments_.options.at("ratios"), ',')) {
        for (const PeerMethod& method : kPeerMethods) MeasurePeer(input, method, ratio);
        MeasureProduct(input, **model, simplify::Finish::kCut, ratio);
        MeasureProduct(input, **model, simplify::Finish::kCollapse, ratio);
      }
    }
    std::cout << "\n ]\n}\n";
  }

 private:
  /// A result, and the least time that it took.
  struct Outcome {
    std::string method, version;
    mesh_io::Mesh mesh;
    double milliseconds = std::numeric_limits<double>::infinity();
    std::string more = {};  ///< further members of the row
  };

  static std::size_t TargetOf(const Input& input, absl::string_view ratio) {
    double percent = 0;
    if (!absl::SimpleAtod(ratio, &percent)) Fail("--ratios is a list of numbers");
    return static_cast<std::size_t>(static_cast<double>(input.mesh.triangles.size() / 3) * percent /
                                    100);
  }

  void MeasurePeer(const Input& input, const PeerMethod& method, absl::string_view ratio) {
    Outcome outcome{
        method.name,
        absl::StrFormat("%d.%d", MESHOPTIMIZER_VERSION / 1000, MESHOPTIMIZER_VERSION % 1000 / 10),
        input.mesh};
    for (int run = 0; run < repeat_; ++run) {
      const double begin = ThreadMilliseconds();
      outcome.mesh.triangles = method.simplify(input, 3 * TargetOf(input, ratio));
      outcome.milliseconds = std::min(outcome.milliseconds, ThreadMilliseconds() - begin);
    }
    PrintRow(input, outcome, ratio);
  }

  void MeasureProduct(const Input& input, EngineModel& model, simplify::Finish finish,
                      absl::string_view ratio) {
    const bool cuts = finish == simplify::Finish::kCut;
    Outcome outcome{cuts ? "warpyard_cut" : "warpyard_collapse", "", {}};
    outcome.more = absl::StrFormat("\"build_milliseconds\": %.6g, ", model.build_milliseconds());
    for (int run = 0; run < repeat_; ++run) {
      const absl::Time begin = absl::Now();
      absl::StatusOr<simplify::SimplifiedMesh> mesh =
          model.Simplify(TargetOf(input, ratio), finish);
      if (!mesh.ok()) Fail(mesh.status().message());
      const double milliseconds = absl::ToDoubleMilliseconds(absl::Now() - begin);
      // A model remembers the error of a number of triangles: later cuts need no search.
      if (run == 0) {
        absl::StrAppend(&outcome.more,
                        absl::StrFormat("\"first_milliseconds\": %.6g, ", milliseconds));
      }
      outcome.milliseconds = std::min(outcome.milliseconds, milliseconds);
      outcome.mesh.positions.assign(mesh->positions.begin(), mesh->positions.end());
      outcome.mesh.triangles.assign(mesh->triangles.begin(), mesh->triangles.end());
    }
    PrintRow(input, outcome, ratio);
  }

  void PrintRow(const Input& input, const Outcome& outcome, absl::string_view ratio) {
    const std::size_t triangles = input.mesh.triangles.size() / 3;
    std::cout << absl::StrFormat(
        "%s\n  {\"mesh\": \"%s\", \"method\": \"%s\", \"version\": \"%s\", "
        "\"ratio_percent\": %s, \"target\": %d, \"milliseconds\": %.6g, "
        "\"mtriangles_per_second\": %.4g, %s",
        first_ ? "" : ",", input.name, outcome.method, outcome.version, ratio,
        TargetOf(input, ratio), outcome.milliseconds,
        static_cast<double>(triangles) / outcome.milliseconds * 1e-3, outcome.more);
    first_ = false;
    const absl::StatusOr<MeshReport> report =
        MeasureMesh({input.mesh.positions, input.mesh.triangles},
                    {outcome.mesh.positions, outcome.mesh.triangles}, distance_);
    // A peer may leave nothing; then there is nothing to measure.
    std::cout << (report.ok()
                      ? report->ToJsonMembers()
                      : absl::StrCat("\"original_triangles\": ", triangles,
                                     ", \"triangles\": ", outcome.mesh.triangles.size() / 3))
              << "}" << std::flush;
    Write(outcome.mesh, absl::StrCat(input.name, ".", outcome.method, ".", ratio));
  }

  void Write(const mesh_io::Mesh& mesh, const std::string& name) const {
    const std::string& folder = arguments_.options.at("write");
    if (folder.empty()) return;
    const absl::Status written = mesh_io::WritePly(absl::StrCat(folder, "/", name, ".ply"), mesh);
    if (!written.ok()) Fail(written.message());
  }

  Arguments arguments_;
  int repeat_;
  DistanceOptions distance_;
  bool first_ = true;
};

}  // namespace
}  // namespace warpyard::simplification_bench

int main(int argc, char** argv) {
  using namespace warpyard::simplification_bench;
  return warpyard::collision_bench::RunBench<PeerBench, Arguments>(argc, argv, kUsage);
}
