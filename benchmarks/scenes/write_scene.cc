// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Writes the frames of a generated scene as PLY files: NAME-000.ply, NAME-001.ply, ...
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>

#include "absl/strings/str_format.h"
#include "benchmarks/scenes/moving_scene.h"
#include "client_examples/mesh_io/mesh_io.h"

namespace warpyard::scenes {
namespace {

int Main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: write_scene SCENE FRAMES FOLDER\n"
                 "SCENE: cloth-ball-like, funnel-like, bart-N or cloth-N (N: 64, 100k, 10m)\n";
    return 2;
  }
  const absl::StatusOr<MovingScene> scene = MakeScene(argv[1], std::atoi(argv[2]));
  if (!scene.ok()) {
    std::cerr << scene.status() << "\n";
    return 1;
  }
  for (std::size_t frame = 0; frame < scene->frames.size(); ++frame) {
    mesh_io::Mesh mesh;
    mesh.positions.assign(scene->frames[frame].begin(), scene->frames[frame].end());
    mesh.positions_are_float = true;
    mesh.triangles = scene->triangles;
    const std::string path = absl::StrFormat("%s/%s-%03d.ply", argv[3], scene->name, frame);
    if (const absl::Status written = mesh_io::WritePly(path, mesh); !written.ok()) {
      std::cerr << written << "\n";
      return 1;
    }
    std::cout << path << "\n";
  }
  return 0;
}

}  // namespace
}  // namespace warpyard::scenes

int main(int argc, char** argv) { return warpyard::scenes::Main(argc, argv); }
