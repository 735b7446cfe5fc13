// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A small city for tests.
#ifndef WARPYARD_TESTS_UNIT_CLIENT_EXAMPLES_CITY_IO_SAMPLE_CITY_H_
#define WARPYARD_TESTS_UNIT_CLIENT_EXAMPLES_CITY_IO_SAMPLE_CITY_H_

#include <vector>

#include "client_examples/city_io/instance.h"
#include "client_examples/city_io/output/city.h"
#include "client_examples/city_io/unit_mesh.h"

namespace warpyard::city_io {

/// An instance at a place, without a rotation.
inline Instance InstanceOf(std::uint16_t mesh, std::uint32_t building, Vector position,
                           Vector size) {
  Instance instance{};
  instance.position = position;
  instance.rotation = {0, 0, 0, 1};
  instance.size = size;
  instance.mesh = mesh;
  instance.building = building;
  instance.color = kNoColor;
  return instance;
}

/// Two buildings of all meshes, with and without colours, flat and mirrored.
struct SampleCity {
  SampleCity() {
    for (const char* const name : {"box", "quad", "cyl", "prism", "tri", "tree"}) {
      names.meshes.push_back({name, ""});
    }
    names.materials = {"", "glass", "roof"};
    meshes = ReadMeshes(names.meshes, "")->meshes;
    for (std::uint32_t building = 0; building < 2; ++building) {
      for (std::uint16_t mesh = 0; mesh < 6; ++mesh) {
        const auto x = static_cast<float>(10 * building + mesh);
        instances.push_back(InstanceOf(mesh, building, {x, 1, 2}, {1, 2, 3}));
        instances.back().material = static_cast<std::uint16_t>(mesh % 3);
      }
      instances.push_back(InstanceOf(kQuad, building, {0, 5, 0}, {2, 2, 0}));
      instances.back().color = 0x800000FF;  // red, half of it
      instances.push_back(InstanceOf(kTriangle, building, {0, 6, 0}, {-2, 2, 0}));
      instances.push_back(InstanceOf(kBox, building, {0, 7, 0}, {-1, -2, 3}));
      instances.back().rotation = {0, 0.6F, 0, 0.8F};
    }
  }

  City city() const { return {names, meshes, instances}; }

  CityNames names;
  std::vector<UnitMesh> meshes;
  std::vector<Instance> instances;
};

}  // namespace warpyard::city_io

#endif  // WARPYARD_TESTS_UNIT_CLIENT_EXAMPLES_CITY_IO_SAMPLE_CITY_H_
