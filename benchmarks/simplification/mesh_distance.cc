// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Measures a simplified mesh against its original; prints JSON, or writes it to a file.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/simplification/mesh_report.h"
#include "benchmarks/support/command_line.h"
#include "client_examples/mesh_io/mesh_io.h"

namespace warpyard::simplification_bench {
namespace {

constexpr char kUsage[] =
    "usage: mesh_distance ORIGINAL SIMPLIFIED [--samples N] [--seed N] [--threads N]\n"
    "         [--json FILE]\n"
    "Distances are in percent of the diagonal of ORIGINAL's box; benchmarks/README.md explains "
    "the\n"
    "numbers. 300000 samples on each surface, unless --samples says otherwise.\n";

int Fail(const absl::Status& status) {
  std::cerr << "mesh_distance: " << status.message() << "\n";
  return 1;
}

int Main(int argc, char** argv) {
  std::vector<std::string> paths;
  std::map<std::string, std::string> options{
      {"samples", "300000"}, {"seed", "1"}, {"threads", "0"}, {"json", ""}};
  std::string command = "mesh_distance";
  DistanceOptions distance;
  if (!collision_bench::ReadCommandLine(argc, argv, paths, options, command) || paths.size() != 2 ||
      !absl::SimpleAtoi(options["samples"], &distance.samples) || distance.samples == 0 ||
      !absl::SimpleAtoi(options["seed"], &distance.seed) ||
      !absl::SimpleAtoi(options["threads"], &distance.threads)) {
    std::cerr << kUsage;
    return 2;
  }
  std::vector<mesh_io::Mesh> meshes;
  for (const std::string& path : paths) {
    absl::StatusOr<mesh_io::Mesh> mesh = mesh_io::ReadMesh(path);
    if (!mesh.ok()) return Fail(mesh.status());
    meshes.push_back(*std::move(mesh));
  }
  const absl::StatusOr<MeshReport> report =
      MeasureMesh({meshes[0].positions, meshes[0].triangles},
                  {meshes[1].positions, meshes[1].triangles}, distance);
  if (!report.ok()) return Fail(report.status());
  const std::string json =
      absl::StrCat("{\"command\": \"", command, "\", ", report->ToJsonMembers(), "}\n");
  if (options["json"].empty()) {
    std::cout << json;
    return 0;
  }
  std::ofstream file(options["json"]);
  file << json;
  file.close();
  return file ? 0 : Fail(absl::UnavailableError(absl::StrCat(options["json"], ": not written")));
}

}  // namespace
}  // namespace warpyard::simplification_bench

int main(int argc, char** argv) { return warpyard::simplification_bench::Main(argc, argv); }
