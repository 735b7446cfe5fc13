// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// bench.simplification.peers: simplifies meshes with the distribution's meshoptimizer, on one
// thread, and measures time and quality; prints JSON. Time is that of the thread's processor, so
// that other processes of the machine do not count.
#include <meshoptimizer.h>
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "benchmarks/meshes/procedural_mesh.h"
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
struct Method {
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

constexpr Method kMethods[] = {{"meshopt_simplify", Simplify},
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
      for (const absl::string_view ratio : absl::StrSplit(arguments_.options.at("ratios"), ',')) {
        for (const Method& method : kMethods) PrintRow(input, method, ratio);
      }
    }
    std::cout << "\n ]\n}\n";
  }

 private:
  void PrintRow(const Input& input, const Method& method, absl::string_view ratio) {
    double percent = 0;
    if (!absl::SimpleAtod(ratio, &percent)) Fail("--ratios is a list of numbers");
    const std::size_t triangles = input.mesh.triangles.size() / 3;
    const auto target = static_cast<std::size_t>(static_cast<double>(triangles) * percent / 100);
    double least = std::numeric_limits<double>::infinity();
    mesh_io::Mesh result = input.mesh;
    for (int run = 0; run < repeat_; ++run) {
      const double begin = ThreadMilliseconds();
      result.triangles = method.simplify(input, 3 * target);
      least = std::min(least, ThreadMilliseconds() - begin);
    }
    std::cout << absl::StrFormat(
        "%s\n  {\"mesh\": \"%s\", \"method\": \"%s\", \"version\": \"%d.%d\", "
        "\"ratio_percent\": %g, \"target\": %d, \"milliseconds\": %.6g, "
        "\"mtriangles_per_second\": %.4g, ",
        first_ ? "" : ",", input.name, method.name, MESHOPTIMIZER_VERSION / 1000,
        MESHOPTIMIZER_VERSION % 1000 / 10, percent, target, least,
        static_cast<double>(triangles) / least * 1e-3);
    first_ = false;
    const absl::StatusOr<MeshReport> report =
        MeasureMesh({input.mesh.positions, input.mesh.triangles},
                    {result.positions, result.triangles}, distance_);
    // A peer may leave nothing; then there is nothing to measure.
    std::cout << (report.ok() ? report->ToJsonMembers()
                              : absl::StrCat("\"original_triangles\": ", triangles,
                                             ", \"triangles\": ", result.triangles.size() / 3))
              << "}" << std::flush;
    Write(result, absl::StrCat(input.name, ".", method.name, ".", ratio));
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
