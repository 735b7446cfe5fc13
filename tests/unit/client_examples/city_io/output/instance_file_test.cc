// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/city_io/output/instance_file.h"

#include <gtest/gtest.h>

#include <cstring>

#include "client_examples/mesh_io/gltf/data/json.h"
#include "tests/unit/client_examples/city_io/sample_city.h"

namespace warpyard::city_io {
namespace {

TEST(InstanceFileHead, SaysWhereInstancesBegin) {
  const std::string head = InstanceFileHead(SampleCity().names);
  EXPECT_EQ(head.size() % sizeof(Instance), 0u);
  EXPECT_EQ(head.substr(0, 4), "wyi1");
  std::uint32_t bytes = 0;
  std::memcpy(&bytes, head.data() + 4, 4);
  EXPECT_EQ(8 + bytes, head.size());
  const mesh_io::Json json = *mesh_io::ParseJson(head.substr(8));
  EXPECT_EQ(json["meshes"].size(), 6u);
  EXPECT_EQ(json["meshes"][2]["name"], "cyl");
  EXPECT_EQ(json["materials"], mesh_io::Json::array({"", "glass", "roof"}));
}

}  // namespace
}  // namespace warpyard::city_io
