// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// bench.ccd.normal_cones: how much of the work of a step continuous normal cones could save, and
// how much their tests would have to examine; prints JSON. It counts on the host and times nothing.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "benchmarks/scenes/moving_scene.h"
#include "benchmarks/support/command_line.h"
#include "client_examples/mesh_io/mesh_io.h"
#include "core/base/macros.h"
#include "research/normal_cones/study.h"

namespace warpyard::normal_cones {
namespace {

constexpr char kUsage[] =
    "usage: normal_cone_study SCENE... [--frame N] [--near DISTANCE] [--machine TEXT]\n"
    "         [--commit TEXT]\n"
    "SCENE: as of collision_scenes, one body each: cloth-10k, funnel-like, NAME=START,END\n"
    "Of generated scenes the step that begins in frame N is taken.\n";

struct Arguments {
  std::vector<std::string> scenes;
  std::map<std::string, std::string> options{
      {"frame", "1"}, {"near", "1e-6"}, {"machine", ""}, {"commit", ""}};
  std::string command = "normal_cone_study";
};

struct Input {
  std::string name;
  std::vector<double> start, end;
  std::vector<std::uint32_t> triangles;
};

std::vector<double> ToDoubles(const std::vector<float>& frame) {
  return {frame.begin(), frame.end()};
}

absl::StatusOr<Input> ReadInput(const std::string& scene, int frame) {
  const std::pair<std::string, std::string> parts = absl::StrSplit(scene, absl::MaxSplits('=', 1));
  if (scene.find('=') == std::string::npos) {
    WY_ASSIGN_OR_RETURN(const scenes::MovingScene made, scenes::MakeScene(scene, frame + 2));
    const auto at = static_cast<std::size_t>(frame);
    return Input{scene, ToDoubles(made.frames[at]), ToDoubles(made.frames[at + 1]), made.triangles};
  }
  const std::vector<std::string> files = absl::StrSplit(parts.second, ',');
  if (files.size() != 2) return absl::InvalidArgumentError(scene + ": expected NAME=START,END");
  WY_ASSIGN_OR_RETURN(const mesh_io::Mesh start, mesh_io::ReadMesh(files[0]));
  WY_ASSIGN_OR_RETURN(const mesh_io::Mesh end, mesh_io::ReadMesh(files[1]));
  if (start.positions.size() != end.positions.size()) {
    return absl::InvalidArgumentError(scene + ": the files have different numbers of vertices");
  }
  return Input{parts.first, start.positions, end.positions, start.triangles};
}

std::string ToJson(const Work& work) {
  return absl::StrFormat(
      "{\"visits\": %u, \"leaf_pairs\": %u, \"candidates\": %u, \"near\": %u, "
      "\"survivors\": %u, \"apart_leaf_pairs\": %u, \"apart_candidates\": %u}",
      work.visits, work.leaf_pairs, work.candidates, work.near, work.survivors,
      work.apart_leaf_pairs, work.apart_candidates);
}

void Print(const char* name, const Savings& savings, const Work& all) {
  const auto percent = [&](std::uint64_t part) {
    return 100.0 * static_cast<double>(part) /
           static_cast<double>(std::max<std::uint64_t>(1, all.candidates));
  };
  std::cout << absl::StrFormat(
      ",\n   \"%s\": {\n    \"percent_by_cones\": %.4g, \"percent_proved\": %.4g, "
      "\"percent_net_of_near_pairs\": %.4g, \"percent_net\": %.4g,\n    \"by_cones\": %s,\n"
      "    \"proved\": %s,\n    \"net_of_near_pairs\": %u, \"net\": %u, \"patches\": %u, "
      "\"contours\": %u, \"simple\": %u, \"contour_pairs\": %u, \"near_contour_pairs\": %u}",
      name, percent(savings.by_cones.candidates), percent(savings.proved.candidates),
      percent(savings.net_of_near_pairs), percent(savings.net), ToJson(savings.by_cones),
      ToJson(savings.proved), savings.net_of_near_pairs, savings.net, savings.patches,
      savings.contours, savings.simple, savings.contour_pairs, savings.near_contour_pairs);
}

void Print(const StudyResult& result) {
  std::cout << ",\n   \"all\": " << ToJson(result.all);
  Print("by_nodes", result.by_nodes, result.all);
  Print("by_pairs", result.by_pairs, result.all);
  std::cout << ",\n   \"levels\": [";
  const char* separator = "";
  for (const Level& level : result.levels) {
    if (level.nodes == 0) continue;
    std::cout << separator
              << absl::StrFormat(
                     "\n    {\"most_triangles\": %u, \"nodes\": %u, \"connected\": %u, "
                     "\"cones\": %u, \"simple\": %u}",
                     level.most_triangles, level.nodes, level.connected, level.cones, level.simple);
    separator = ",";
  }
  std::cout << "]}" << std::flush;
}

absl::Status Run(const Arguments& arguments, int frame, float near) {
  std::cout << "{\"benchmark\": \"bench.ccd.normal_cones\",\n \"machine\": \""
            << arguments.options.at("machine") << "\", \"commit\": \""
            << arguments.options.at("commit") << "\",\n \"command\": \"" << arguments.command
            << "\",\n \"cells\": [";
  const char* separator = "";
  for (const std::string& scene : arguments.scenes) {
    WY_ASSIGN_OR_RETURN(const Input input, ReadInput(scene, frame));
    for (const Order order : {Order::kMorton, Order::kSurface}) {
      const OrderedMesh mesh = OrderMesh(input.start, input.end, input.triangles, order);
      for (const Leaves leaves : {Leaves::kClusters, Leaves::kTriangles}) {
        std::cout << separator
                  << absl::StrFormat(
                         "\n  {\"scene\": \"%s\", \"order\": \"%s\", \"leaves\": \"%s\", "
                         "\"vertices\": %u, \"triangles\": %u",
                         input.name, order == Order::kMorton ? "morton" : "surface",
                         leaves == Leaves::kClusters ? "clusters" : "triangles", mesh.start.size(),
                         mesh.triangles.size());
        Print(StudyStep(mesh, leaves, near));
        separator = ",";
      }
    }
  }
  std::cout << "\n]}\n";
  return absl::OkStatus();
}

int Main(int argc, char** argv) {
  Arguments arguments;
  const bool parsed = collision_bench::ReadCommandLine(argc, argv, arguments.scenes,
                                                       arguments.options, arguments.command);
  const int frame = std::atoi(arguments.options["frame"].c_str());
  const auto near = static_cast<float>(std::atof(arguments.options["near"].c_str()));
  if (!parsed || arguments.scenes.empty() || frame < 0 || !(near >= 0)) {
    std::cerr << kUsage;
    return 2;
  }
  const absl::Status status = Run(arguments, frame, near);
  if (status.ok()) return 0;
  std::cerr << status << "\n";
  return 1;
}

}  // namespace
}  // namespace warpyard::normal_cones

int main(int argc, char** argv) { return warpyard::normal_cones::Main(argc, argv); }
