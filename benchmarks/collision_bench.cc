// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// bench.engine.collision.step: times steps of a real scene through the engine and prints JSON.
//
// The same two frames again and again, start positions given, so that every repetition does the
// same work. Hashes of the results let runs on different backends be compared bit for bit.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <future>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "client_examples/mesh_io/mesh_io.h"
#include "core/engine.h"

namespace warpyard {
namespace {

constexpr char kUsage[] =
    "usage: collision_bench START END [--backend cpu|cuda|auto] [--threads N]\n"
    "         [--report collisions|earliest|candidates] [--root-finder conservative|cubic]\n"
    "         [--traversal clusters|independent] [--order sorted|any]\n"
    "         [--positions float32|float64|quantized16] [--tolerance T] [--repeat N]\n"
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
                                             {"tolerance", "1e-6"},
                                             {"repeat", "20"},
                                             {"machine", ""},
                                             {"commit", ""}};
  std::string command;
};

bool Parse(int argc, char** argv, Arguments& arguments) {
  arguments.command = "collision_bench";
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.rfind("--", 0) != 0) {
      arguments.files.push_back(word);
      absl::StrAppend(&arguments.command, " ", word.substr(word.find_last_of('/') + 1));
      continue;
    }
    const auto option = arguments.options.find(word.substr(2));
    if (option == arguments.options.end() || i + 1 == argc) return false;
    option->second = argv[++i];
    if (option->first != "machine" && option->first != "commit") {
      absl::StrAppend(&arguments.command, " ", word, " ", option->second);
    }
  }
  return arguments.files.size() == 2;
}

/// The finaliser of splitmix64; sums of it over a set do not depend on order.
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
  const std::string& report = arguments.options["report"];
  options.report = report == "earliest"     ? ccd::Report::kEarliest
                   : report == "candidates" ? ccd::Report::kCandidates
                                            : ccd::Report::kCollisions;
  options.root_finder = arguments.options["root-finder"] == "cubic"
                            ? ccd::RootFinder::kCubic
                            : ccd::RootFinder::kConservative;
  const std::string& traversal = arguments.options["traversal"];
  options.traversal =
      traversal == "independent" ? ccd::Traversal::kIndependent : ccd::Traversal::kClusters;
  options.unsorted = arguments.options["order"] == "any";
  options.tolerance = std::atof(arguments.options["tolerance"].c_str());
  return options;
}

template <class T>
T Await(std::future<absl::StatusOr<T>> future) {
  absl::StatusOr<T> result = future.get();
  if (!result.ok()) {
    std::cerr << result.status() << "\n";
    std::exit(1);
  }
  return *std::move(result);
}

/// A frame as it is sent. Quantised places are in the box around the frame.
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

SceneInfo Open(Engine& engine, const mesh_io::Mesh& mesh, const Frame& rest) {
  std::promise<absl::StatusOr<SceneInfo>> promise;
  SceneDescription scene;
  scene.positions = rest.View();
  scene.triangles = mesh.triangles;
  engine.OpenScene(scene, {}, [&](auto info) { promise.set_value(std::move(info)); });
  return Await(promise.get_future());
}

ccd::CollisionResult Step(Engine& engine, SceneId scene, const Frame& start, const Frame& end,
                          const ccd::CollisionOptions& options) {
  std::promise<absl::StatusOr<ccd::CollisionResult>> promise;
  engine.Step({scene, end.View(), start.View(), options}, {},
              [&](auto result) { promise.set_value(std::move(result)); });
  return Await(promise.get_future());
}

/// Median, least and largest of the samples of each phase.
void PrintTimes(std::map<std::string, std::vector<double>>& samples) {
  std::cout << "  \"milliseconds\": {";
  const char* separator = "";
  for (auto& [phase, values] : samples) {
    std::sort(values.begin(), values.end());
    std::cout << separator
              << absl::StrFormat("\"%s\": {\"median\": %.4f, \"min\": %.4f, \"max\": %.4f}", phase,
                                 values[values.size() / 2], values.front(), values.back());
    separator = ", ";
  }
  std::cout << "},\n";
}

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
  const std::string& backend = arguments.options["backend"];
  engine_options.backend = backend == "cpu"    ? BackendChoice::kCpu
                           : backend == "cuda" ? BackendChoice::kCuda
                                               : BackendChoice::kAuto;
  engine_options.threads = std::atoi(arguments.options["threads"].c_str());
  const auto start = mesh_io::ReadMesh(arguments.files[0]);
  const auto end = mesh_io::ReadMesh(arguments.files[1]);
  auto engine = Engine::Create(engine_options);
  for (const absl::Status& status : {start.status(), end.status(), engine.status()}) {
    if (status.ok()) continue;
    std::cerr << status << "\n";
    return 1;
  }
  const std::string& form = arguments.options["positions"];
  const Frame first(start->positions, form), last(end->positions, form);
  const SceneInfo scene = Open(**engine, *start, first);
  const ccd::CollisionOptions options = Options(arguments);
  const int repeat = std::atoi(arguments.options["repeat"].c_str());
  ccd::CollisionResult result = Step(**engine, scene.id, first, last, options);  // lists grow
  std::map<std::string, std::vector<double>> samples;
  for (int i = 0; i < repeat; ++i) {
    const absl::Time begin = absl::Now();
    result = Step(**engine, scene.id, first, last, options);
    samples["step"].push_back(absl::ToDoubleMilliseconds(absl::Now() - begin));
    for (const auto& [phase, duration] : result.statistics.phases) {
      samples[std::string(phase)].push_back(absl::ToDoubleMilliseconds(duration));
    }
  }
  std::cout << "{\n  \"benchmark\": \"bench.engine.collision.step\", \"repeat\": " << repeat
            << ",\n";
  PrintTimes(samples);
  PrintResult(arguments, **engine, result);
  return 0;
}

}  // namespace
}  // namespace warpyard

int main(int argc, char** argv) { return warpyard::Main(argc, argv); }
