// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// warpyard-demo: streams a simulated cloth, or the user's two frames, through a collision service.

#include <unistd.h>

#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "client_examples/demo/cloth_simulation.h"
#include "client_examples/demo/demo_options.h"
#include "client_examples/demo/report.h"
#include "client_examples/demo/step_stream.h"
#include "client_examples/mesh_io/mesh_io.h"

namespace warpyard::demo {
namespace {

constexpr int kExitFailed = 1;
constexpr int kExitUsage = 2;

int Fail(const absl::Status& status, int exit_status) {
  std::fprintf(stderr, "warpyard-demo: %s\n", std::string(status.message()).c_str());
  return exit_status;
}

// A mesh that moves: its first frame, and its positions after each further step.
class Scene {
 public:
  virtual ~Scene() = default;
  virtual v1::CollisionOptions Options() const { return {}; }
  virtual v1::TriangleMesh Mesh() const = 0;
  virtual int Steps() const = 0;
  virtual v1::Positions NextPositions() = 0;
};

class SimulatedScene : public Scene {
 public:
  explicit SimulatedScene(const DemoOptions& options)
      : steps_(options.steps), cloth_({.seed = options.seed}) {}

  v1::TriangleMesh Mesh() const override {
    v1::TriangleMesh mesh;
    *mesh.mutable_positions() = PackPositions(cloth_.Positions());
    mesh.set_triangles(PackIndices(cloth_.Triangles()));
    mesh.set_vertex_groups(PackIndices(cloth_.VertexGroups()));
    return mesh;
  }

  v1::CollisionOptions Options() const override {
    // Cloth at rest lies so close to the facets of the ball that, with the default tolerance, some
    // pairs would count as touching from the start. A nanometre is well below their distances.
    v1::CollisionOptions options;
    options.set_tolerance(1e-9);
    return options;
  }

  int Steps() const override { return steps_; }

  v1::Positions NextPositions() override {
    cloth_.Advance();
    return PackPositions(cloth_.Positions());
  }

 private:
  int steps_;
  ClothSimulation cloth_;
};

class SceneFromFiles : public Scene {
 public:
  static absl::StatusOr<std::unique_ptr<Scene>> Read(const DemoOptions& options) {
    absl::StatusOr<mesh_io::Mesh> start = mesh_io::ReadMesh(options.start);
    if (!start.ok()) return start.status();
    absl::StatusOr<mesh_io::Mesh> end = mesh_io::ReadMesh(options.end);
    if (!end.ok()) return end.status();
    if (absl::Status same = mesh_io::CheckFrames({options.start, options.end}, *start, *end);
        !same.ok()) {
      return same;
    }
    return std::make_unique<SceneFromFiles>(*std::move(start), *std::move(end));
  }

  SceneFromFiles(mesh_io::Mesh start, mesh_io::Mesh end)
      : start_(std::move(start)), end_(std::move(end)) {}

  v1::TriangleMesh Mesh() const override {
    v1::TriangleMesh mesh;
    *mesh.mutable_positions() = Pack(start_);
    mesh.set_triangles(PackIndices(start_.triangles));
    return mesh;
  }

  int Steps() const override { return 1; }

  v1::Positions NextPositions() override { return Pack(end_); }

 private:
  // Floats take half the bytes and lose nothing.
  static v1::Positions Pack(const mesh_io::Mesh& mesh) {
    if (!mesh.positions_are_float) return PackPositions(mesh.positions);
    return PackPositions(std::vector<float>(mesh.positions.begin(), mesh.positions.end()));
  }

  mesh_io::Mesh start_;
  mesh_io::Mesh end_;
};

absl::StatusOr<std::unique_ptr<Scene>> MakeScene(const DemoOptions& options) {
  if (!options.start.empty()) return SceneFromFiles::Read(options);
  return std::make_unique<SimulatedScene>(options);
}

absl::StatusOr<std::vector<StepSummary>> StreamScene(const client_support::Endpoint& server,
                                                     Scene& scene) {
  const v1::TriangleMesh mesh = scene.Mesh();
  const absl::StatusOr<std::unique_ptr<StepStream>> stream =
      StepStream::Open(server, mesh, scene.Options());
  if (!stream.ok()) return stream.status();
  std::printf("%s triangles, %d %s, server %s\n",
              WithThousands(mesh.triangles().size() / 12).c_str(), scene.Steps(),
              scene.Steps() == 1 ? "step" : "steps", server.address.c_str());
  std::fflush(stdout);
  Progress progress(stderr, isatty(STDERR_FILENO) != 0, scene.Steps());
  std::vector<StepSummary> summaries;
  for (int step = 0; step < scene.Steps(); ++step) {
    progress.Show(step);
    const absl::StatusOr<StepSummary> summary = (*stream)->Step(scene.NextPositions());
    if (!summary.ok()) {
      progress.Clear();
      return absl::Status(summary.status().code(),
                          absl::StrCat("step ", step + 1, ": ", summary.status().message()));
    }
    summaries.push_back(*summary);
  }
  progress.Show(scene.Steps());
  progress.Clear();
  if (absl::Status status = (*stream)->Close(); !status.ok()) return status;
  return summaries;
}

// Writes the simulated mesh before and after the last step.
absl::Status WriteFrames(const DemoOptions& options) {
  ClothSimulation cloth({.seed = options.seed});
  for (int step = 1; step < options.steps; ++step) cloth.Advance();
  mesh_io::Mesh mesh;
  mesh.positions_are_float = true;
  mesh.triangles = cloth.Triangles();
  for (const std::string& path : {options.start, options.end}) {
    const std::vector<float> positions = cloth.Positions();
    mesh.positions.assign(positions.begin(), positions.end());
    if (absl::Status status = mesh_io::WritePly(path, mesh); !status.ok()) return status;
    cloth.Advance();
  }
  return absl::OkStatus();
}

int Run(const std::vector<std::string>& words) {
  const absl::StatusOr<DemoOptions> options = ParseDemoOptions(words);
  if (!options.ok()) {
    Fail(options.status(), kExitUsage);
    std::fputs("warpyard-demo --help explains the flags\n", stderr);
    return kExitUsage;
  }
  if (options->help) {
    std::fputs(DemoHelp().c_str(), stdout);
    return 0;
  }
  if (options->write) {
    const absl::Status written = WriteFrames(*options);
    return written.ok() ? 0 : Fail(written, kExitUsage);
  }
  const absl::StatusOr<std::unique_ptr<Scene>> scene = MakeScene(*options);
  if (!scene.ok()) return Fail(scene.status(), kExitUsage);
  const absl::StatusOr<std::vector<StepSummary>> steps = StreamScene(options->server, **scene);
  if (!steps.ok()) return Fail(steps.status(), kExitFailed);
  std::fputs(FormatTable(*steps).c_str(), stdout);
  return 0;
}

}  // namespace
}  // namespace warpyard::demo

int main(int argc, char** argv) { return warpyard::demo::Run({argv + 1, argv + argc}); }
