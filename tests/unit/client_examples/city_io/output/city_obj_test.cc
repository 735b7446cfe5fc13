// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/city_io/output/city_obj.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "client_examples/mesh_io/files.h"
#include "client_examples/mesh_io/mesh_io.h"
#include "tests/unit/client_examples/city_io/sample_city.h"

namespace warpyard::city_io {
namespace {

TEST(WriteCityObj, WritesWhatOthersRead) {
  const SampleCity sample;
  std::ostringstream out;
  ASSERT_EQ(WriteCityObj(sample.city(), out), absl::OkStatus());
  const std::string path = ::testing::TempDir() + "city.obj";
  ASSERT_EQ(mesh_io::WriteFile(path, out.str()), absl::OkStatus());
  const auto mesh = mesh_io::ReadMesh(path);
  ASSERT_TRUE(mesh.ok()) << mesh.status();
  EXPECT_EQ(mesh->triangles.size() / 3, TrianglesOf(sample.city()));
}

TEST(WriteCityObj, NamesBuildingsAndMaterials) {
  SampleCity sample;
  sample.names.materials[0] = "dark oak#";
  sample.instances = {InstanceOf(kTriangle, 7, {1, 2, 3}, {2, 2, 0})};
  sample.instances[0].color = 0xFF0000FF;
  std::ostringstream out;
  ASSERT_EQ(WriteCityObj(sample.city(), out), absl::OkStatus());
  EXPECT_EQ(out.str(),
            "o building_7\nusemtl dark_oak_\nv 1 2 3 1 0 0\nv 3 2 3 1 0 0\nv 3 4 3 1 0 0\n"
            "f 1 2 3\n");
}

TEST(WriteCityObj, RefusesLargeCities) {
  SampleCity sample;
  sample.instances.assign(kMostObjTriangles / 12 + 1, InstanceOf(kBox, 0, {}, {1, 1, 1}));
  std::ostringstream out;
  const absl::Status status = WriteCityObj(sample.city(), out);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(status.message().find("at most 1000000"), std::string::npos);
}

}  // namespace
}  // namespace warpyard::city_io
