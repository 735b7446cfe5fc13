// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// bench.engine.collision.step: times steps of a real scene through the engine and prints JSON.
//
// It repeats the same two frames and gives the start positions each time, so that every repetition
// does the same work. Hashes of the results allow a comparison, bit for bit, of runs on different
// backends.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "benchmarks/support/command_line.h"
#include "benchmarks/support/engine_runs.h"
#include "client_examples/mesh_io/mesh_io.h"
#include "core/api/collision.h"
#include "core/engine/engine.h"

namespace warpyard {
namespace {

using collision_bench::OrExit;
using collision_bench::ValueOf;

constexpr char kUsage[] =
    "usage: collision_bench START END [--backend cpu|cuda|auto] [--threads N]\n"
    "         [--report collisions|earliest|candidates] [--root-finder conservative|cubic]\n"
    "         [--traversal clusters|independent] [--order sorted|any]\n"
    "         [--positions float32|float64|quantized16] [--start sent|kept]\n"
    "         [--tolerance T] [--repeat N] [--blocks N: of a CUDA device]\n"
    "         [--machine TEXT] [--commit TEXT]\n";

struct Arguments {
  std::vector<std::string> files;
  std::map<std::string, std::string> options{{"backend", "auto"},
                                             {"threads", "0"},
                                             {"report", "collisions"},
                                             {"root-finder", "conservative"},
                                             {"traversal", "clusters"},
                                             {"order", "sorted"},
                                             {"positions", "float64"},
                                             {"start", "sent"},
                                             {"tolerance", "1e-6"},
                                             {"repeat", "20"},
                                             {"blocks", "0"},
                                             {"machine", ""},
                                             {"commit", ""}};
  std::string command;
};

bool Parse(int argc, char** argv, Arguments& arguments) {
  arguments.command = "collision_bench";
  return collision_bench::ReadCommandLine(argc, argv, arguments.files, arguments.options,
                                          arguments.command) &&
         arguments.files.size() == 2;
}

/// The finaliser of splitmix64. Sums of it over a set do not depend on the order.
std::uint64_t Mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

std::uint64_t Bits(double time) {
  std::uint64_t bits;
  std::memcpy(&bits, &time, sizeof bits);
  return bits;
}

struct Hashes {
  std::uint64_t vertex_face = 0, edge_edge = 0, times = 0;
};

Hashes Hash(const ccd::CollisionResult& result) {
  Hashes hashes;
  for (const auto& c : result.vertex_face) {
    const std::uint64_t id = Mix(std::uint64_t{c.vertex} << 32 | c.face);
    hashes.vertex_face += id;
    hashes.times += Mix(id ^ Bits(c.time));
  }
  for (const auto& c : result.edge_edge) {
    const std::uint64_t id =
        Mix(Mix(std::uint64_t{c.a0} << 32 | c.a1) ^ (std::uint64_t{c.b0} << 32 | c.b1));
    hashes.edge_edge += id;
    hashes.times += Mix(id ^ Bits(c.time));
  }
  return hashes;
}

ccd::CollisionOptions Options(Arguments& arguments) {
  ccd::CollisionOptions options;
  options.report = ValueOf(collision_bench::kReports, arguments.options["report"]);
  options.root_finder = ValueOf(collision_bench::kRootFinders, arguments.options["root-finder"]);
  options.traversal = ValueOf(collision_bench::kTraversals, arguments.options["traversal"]);
  options.unsorted = arguments.options["order"] == "any";
  options.tolerance = std::atof(arguments.options["tolerance"].c_str());
  return options;
}

/// The positions of a frame, as a request holds them. Quantised positions are relative to the box
/// around the frame.
class Frame {
 public:
  Frame(const std::vector<double>& positions, const std::string& form) {
    if (form == "float32") {
      bytes_ = BytesOf(std::vector<float>(positions.begin(), positions.end()));
      view_.scalar_type = ccd::ScalarType::kFloat32;
    } else if (form == "quantized16") {
      bytes_ = BytesOf(Quantized(positions));
      view_.scalar_type = ccd::ScalarType::kQuantized16;
    } else {
      bytes_ = BytesOf(positions);
      view_.scalar_type = ccd::ScalarType::kFloat64;
    }
    view_.data = bytes_.data();
    view_.vertices = positions.size() / 3;
  }
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

  const ccd::PositionsView& View() const { return view_; }

 private:
  template <class T>
  static std::vector<char> BytesOf(const std::vector<T>& numbers) {
    const auto* first = reinterpret_cast<const char*>(numbers.data());
    return {first, first + numbers.size() * sizeof(T)};
  }

  std::vector<std::uint16_t> Quantized(const std::vector<double>& positions) {
    std::vector<std::uint16_t> places(positions.size());
    for (std::size_t axis = 0; axis < 3; ++axis) {
      double low = positions[axis], high = low;
      for (std::size_t i = axis; i < positions.size(); i += 3) {
        low = std::min(low, positions[i]);
        high = std::max(high, positions[i]);
      }
      view_.box.low[axis] = low;
      view_.box.high[axis] = high;
      const double scale = high > low ? 65535 / (high - low) : 0;
      for (std::size_t i = axis; i < positions.size(); i += 3) {
        places[i] = static_cast<std::uint16_t>(std::lround((positions[i] - low) * scale));
      }
    }
    return places;
  }

  std::vector<char> bytes_;
  ccd::PositionsView view_;
};

void PrintResult(Arguments& arguments, const Engine& engine, const ccd::CollisionResult& result) {
  const ccd::CollisionStatistics& s = result.statistics;
  const Hashes hashes = Hash(result);
  std::cout << absl::StrFormat(
      "  \"vertices\": %u, \"edges\": %u, \"triangles\": %u,\n"
      "  \"vertex_face_candidates\": %u, \"edge_edge_candidates\": %u,\n"
      "  \"vertex_face_collisions\": %u, \"edge_edge_collisions\": %u, \"capped_pairs\": %u,\n"
      "  \"earliest_time\": %s,\n"
      "  \"hash\": {\"vertex_face\": \"%016x\", \"edge_edge\": \"%016x\", \"times\": \"%016x\"},\n",
      s.vertices, s.edges, s.triangles, s.vertex_face_candidates, s.edge_edge_candidates,
      s.vertex_face_collisions, s.edge_edge_collisions, s.capped_pairs,
      result.earliest_time ? absl::StrFormat("%.17g", *result.earliest_time) : "null",
      hashes.vertex_face, hashes.edge_edge, hashes.times);
  std::cout << "  \"backend\": \"" << engine.BackendDescription() << "\", \"machine\": \""
            << arguments.options["machine"] << "\", \"commit\": \"" << arguments.options["commit"]
            << "\",\n  \"command\": \"" << arguments.command << "\"\n}\n";
}

int Main(int argc, char** argv) {
  Arguments arguments;
  if (!Parse(argc, argv, arguments)) {
    std::cerr << kUsage;
    return 2;
  }
  EngineOptions engine_options;
  engine_options.backend = ValueOf(collision_bench::kBackends, arguments.options["backend"]);
  engine_options.threads = std::atoi(arguments.options["threads"].c_str());
  engine_options.most_blocks =
      static_cast<unsigned>(std::atoi(arguments.options["blocks"].c_str()));
  const mesh_io::Mesh start = OrExit(mesh_io::ReadMesh(arguments.files[0]));
  const mesh_io::Mesh end = OrExit(mesh_io::ReadMesh(arguments.files[1]));
  const auto engine = OrExit(Engine::Create(engine_options));
  collision::SceneDescription description;
  const std::string& form = arguments.options["positions"];
  const Frame first(start.positions, form), last(end.positions, form);
  description.positions = first.View();
  description.triangles = start.triangles;
  const ResidentId scene = OrExit(collision_bench::OpenAndWait(*engine, description)).id;
  // Either the step sends both ends, or an untimed step back leaves the start.
  const bool sends_start = arguments.options["start"] == "sent";
  collision_bench::SceneStep step{scene, {last.View(), first.View(), Options(arguments)}};
  const collision_bench::SceneStep back{scene, {first.View(), last.View(), step.step.options}};
  if (!sends_start) step.step.start.reset();
  const int repeat = std::atoi(arguments.options["repeat"].c_str());
  ccd::CollisionResult result = OrExit(collision_bench::StepAndWait(*engine, step));  // lists grow
  collision_bench::StepSamples samples;
  for (int i = 0; i < repeat; ++i) {
    if (!sends_start) OrExit(collision_bench::StepAndWait(*engine, back));
    result = OrExit(samples.Run(*engine, step));
  }
  std::cout << "{\n  \"benchmark\": \"bench.engine.collision.step\", \"repeat\": " << repeat
            << ", \"blocks\": " << engine_options.most_blocks
            << ",\n  \"milliseconds\": " << samples.ToJson() << ",\n";
  PrintResult(arguments, *engine, result);
  return 0;
}

}  // namespace
}  // namespace warpyard

int main(int argc, char** argv) { return warpyard::Main(argc, argv); }
