// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// bench.simplification.engine: builds models and simplifies them, through the engine.
//
//   simplify_bench MESH... [--backend cpu|cuda] [--threads N] [--repeat N] [--parts 0.1,0.01]
//     [--levels L,L] [--pixels P,P] [--clients N,N] [--seconds S] [--machine TEXT] [--commit TEXT]
//
// A mesh is a file or a name of benchmarks/meshes. The program writes JSON. For each mesh it
// measures the build, cuts and collapses to each part of the triangles, cuts at levels, and cuts
// for views. Each time has its median, least and greatest value over all runs, and is that of a
// whole job. Phases are those that the job reports. The time of the device is the sum of what
// workers spent in procedures, divided by the number of workers. One client asks for views first;
// then each number of clients at once, where a client asks again when it has its answer.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <future>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "benchmarks/meshes/procedural_mesh.h"
#include "benchmarks/simplification/view_clients.h"
#include "benchmarks/support/device_work.h"
#include "benchmarks/support/job_times.h"
#include "client_examples/mesh_io/mesh_io.h"
#include "core/api/simplify.h"
#include "core/base/macros.h"

namespace warpyard {
namespace {

struct Command {
  std::vector<std::string> meshes;
  EngineOptions engine;
  int repeat = 5;
  std::vector<double> parts = {0.1, 0.01};
  std::vector<double> levels, pixels, clients;
  double seconds = 1;  ///< of a measurement with clients
  std::string machine, commit, text;
};

bool ReadList(const std::string& text, std::vector<double>& list) {
  list.clear();
  for (const auto word : absl::StrSplit(text, ',', absl::SkipEmpty())) {
    if (!absl::SimpleAtod(word, &list.emplace_back()) || !(list.back() > 0)) return false;
  }
  return true;
}

bool ReadFlag(const std::string& flag, const std::string& value, Command& command) {
  if (flag == "--backend") {
    command.engine.backend = value == "cuda" ? BackendChoice::kCuda : BackendChoice::kCpu;
    return value == "cuda" || value == "cpu";
  }
  if (flag == "--threads") return absl::SimpleAtoi(value, &command.engine.threads);
  if (flag == "--repeat") return absl::SimpleAtoi(value, &command.repeat) && command.repeat > 0;
  if (flag == "--machine") return command.machine = value, true;
  if (flag == "--commit") return command.commit = value, true;
  if (flag == "--seconds") return absl::SimpleAtod(value, &command.seconds);
  if (flag == "--levels") return ReadList(value, command.levels);
  if (flag == "--pixels") return ReadList(value, command.pixels);
  if (flag == "--clients") return ReadList(value, command.clients);
  return flag == "--parts" && ReadList(value, command.parts);
}

bool ReadCommand(int argc, char** argv, Command& command) {
  command.engine.backend = BackendChoice::kCpu;
  for (int i = 1; i < argc; ++i) {
    absl::StrAppend(&command.text, i == 1 ? "" : " ", argv[i]);
    const std::string word = argv[i];
    if (!absl::StartsWith(word, "--")) {
      command.meshes.push_back(word);
      continue;
    }
    if (i + 1 == argc || !ReadFlag(word, argv[++i], command)) return false;
    absl::StrAppend(&command.text, " ", argv[i]);
  }
  return !command.meshes.empty();
}

using bench::AddPhases;
using bench::Await;
using bench::Json;
using bench::Times;

struct Wanted {
  std::string goal;  ///< as JSON
  simplify::ResultDescription result;
};

/// What is asked for of a mesh of so many triangles.
std::vector<Wanted> AllWanted(const Command& command, std::uint64_t triangles, const Eyes& eyes) {
  std::vector<Wanted> all;
  for (const double part : command.parts) {
    for (const auto finish : {simplify::Finish::kCut, simplify::Finish::kCollapse}) {
      Wanted wanted;
      wanted.result.options.triangles =
          static_cast<std::uint64_t>(part * static_cast<double>(triangles));
      wanted.result.options.finish = finish;
      wanted.goal =
          absl::StrFormat("\"target\": %d, \"finish\": \"%s\"", *wanted.result.options.triangles,
                          finish == simplify::Finish::kCut ? "cut" : "collapse");
      all.push_back(std::move(wanted));
    }
  }
  for (const double level : command.levels) {
    Wanted wanted;
    wanted.result.options.level = static_cast<std::uint32_t>(level);
    wanted.result.options.finish = simplify::Finish::kCut;
    wanted.goal = absl::StrFormat("\"level\": %g, \"finish\": \"cut\"", level);
    all.push_back(std::move(wanted));
  }
  for (const double pixels : command.pixels) {
    all.push_back({absl::StrFormat("\"view_pixels\": %g, \"finish\": \"cut\"", pixels),
                   eyes.Seen(0, pixels)});
  }
  return all;
}

absl::StatusOr<std::string> Simplified(Engine& engine, ResidentId model, const Wanted& wanted,
                                       int repeat) {
  Times times;
  simplify::SimplifiedMesh last;
  const DeviceWork work(engine);
  for (int i = 0; i <= repeat; ++i) {
    const absl::Time begin = absl::Now();
    WY_ASSIGN_OR_RETURN(last, Await<simplify::SimplifiedMesh>([&](auto done) {
                          simplify::Simplify(engine, model, wanted.result, {}, std::move(done));
                        }));
    if (i != 0) AddPhases(last.statistics.phases, begin, times);  // the first one takes memory
  }
  return absl::StrFormat(
      "{%s, \"triangles\": %d, \"vertices\": %d, \"passes\": %d, \"cut\": %d, \"milliseconds\": "
      "%s,\n     \"device_milliseconds\": %s}",
      wanted.goal, last.triangles.size() / 3, last.positions.size() / 3, last.statistics.passes,
      last.statistics.cut_triangles, Json(times), work.Json(repeat + 1));
}

absl::StatusOr<meshes::TriangleMesh> Load(const std::string& name) {
  auto made = meshes::MakeMesh(name);
  if (made.ok()) return made;
  WY_ASSIGN_OR_RETURN(const mesh_io::Mesh file, mesh_io::ReadMesh(name));
  meshes::TriangleMesh mesh;
  mesh.positions = file.positions;
  mesh.triangles = file.triangles;
  return mesh;
}

absl::StatusOr<std::string> Measure(Engine& engine, const std::string& name,
                                    const Command& command) {
  WY_ASSIGN_OR_RETURN(const meshes::TriangleMesh mesh, Load(name));
  const std::vector<float> positions(mesh.positions.begin(), mesh.positions.end());
  const simplify::ModelDescription input{
      {geometry::ScalarType::kFloat32, positions.data(), positions.size() / 3}, mesh.triangles};
  Times build;
  const DeviceWork work(engine);
  simplify::ModelInfo model;
  for (int i = 0; i <= command.repeat; ++i) {
    if (i != 0) WY_RETURN_IF_ERROR(engine.Close(model.id));
    const absl::Time begin = absl::Now();
    WY_ASSIGN_OR_RETURN(model, Await<simplify::ModelInfo>([&](auto done) {
                          simplify::OpenModel(engine, input, {}, std::move(done));
                        }));
    if (i != 0) AddPhases(model.phases, begin, build);
  }
  const std::string build_work = work.Json(command.repeat + 1);
  const Eyes eyes(positions);
  std::vector<std::string> results, views;
  for (const Wanted& wanted : AllWanted(command, mesh.triangles.size() / 3, eyes)) {
    WY_ASSIGN_OR_RETURN(std::string result, Simplified(engine, model.id, wanted, command.repeat));
    results.push_back(std::move(result));
  }
  for (const double pixels : command.pixels) {
    for (const double clients : command.clients) {
      const ViewLoad load{model.id, pixels, static_cast<std::size_t>(clients),
                          absl::Seconds(command.seconds)};
      WY_ASSIGN_OR_RETURN(std::string result, RunViewClients(engine, eyes, load));
      views.push_back(std::move(result));
    }
  }
  WY_RETURN_IF_ERROR(engine.Close(model.id));
  return absl::StrFormat(
      "{\"mesh\": \"%s\", \"triangles\": %d, \"bytes_per_triangle\": %.1f, \"build_milliseconds\": "
      "%s,\n   \"build_device_milliseconds\": %s,\n   \"results\": [\n    %s]%s%s%s}",
      name, mesh.triangles.size() / 3,
      static_cast<double>(model.bytes) / static_cast<double>(model.triangles), Json(build),
      build_work, absl::StrJoin(results, ",\n    "),
      views.empty() ? "" : ",\n   \"view_clients\": [\n    ", absl::StrJoin(views, ",\n    "),
      views.empty() ? "" : "]");
}

absl::Status Run(const Command& command) {
  WY_ASSIGN_OR_RETURN(const std::unique_ptr<Engine> engine, Engine::Create(command.engine));
  std::cout << "{\"benchmark\": \"bench.simplification.engine\",\n \"machine\": \""
            << command.machine << "\", \"commit\": \"" << command.commit
            << "\",\n \"command\": \"simplify_bench " << command.text << "\",\n \"meshes\": [\n  ";
  for (std::size_t i = 0; i < command.meshes.size(); ++i) {
    WY_ASSIGN_OR_RETURN(const std::string cell, Measure(*engine, command.meshes[i], command));
    std::cout << (i == 0 ? "" : ",\n  ") << cell << std::flush;
  }
  std::cout << "]}\n";
  return absl::OkStatus();
}

}  // namespace
}  // namespace warpyard

int main(int argc, char** argv) {
  warpyard::Command command;
  if (!warpyard::ReadCommand(argc, argv, command)) {
    std::cerr << "usage: simplify_bench MESH... [--backend cpu|cuda] [--threads N] [--repeat N] "
                 "[--parts 0.1,0.01] [--levels L,L] [--pixels P,P] [--clients N,N] [--seconds S] "
                 "[--machine TEXT] [--commit TEXT]\n";
    return 2;
  }
  const absl::Status status = warpyard::Run(command);
  if (status.ok()) return 0;
  std::cerr << status << "\n";
  return 1;
}
