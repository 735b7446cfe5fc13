// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/simplify/remote/level_parts.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace warpyard::cli {
namespace {

v1::SimplifyLevelPart Header(std::uint32_t level) {
  v1::SimplifyLevelPart part;
  part.set_level(level);
  part.mutable_header()->mutable_statistics()->set_passes(7);
  part.mutable_header()->add_origin(2.5);
  part.mutable_header()->add_attributes()->set_name("normals");
  return part;
}

v1::SimplifyLevelPart Values(std::uint32_t attribute, const std::string& values) {
  v1::SimplifyLevelPart part;
  part.mutable_attribute_values()->set_attribute(attribute);
  part.mutable_attribute_values()->set_values(values);
  return part;
}

TEST(AddPart, AppendsThePartsOfEachList) {
  std::vector<v1::SimplifyResponse> levels;
  ASSERT_EQ(AddPart(Header(0), levels), absl::OkStatus());
  for (const std::string text : {"ab", "c"}) {
    v1::SimplifyLevelPart positions, triangles, sources, groups;
    positions.set_positions("p" + text);
    triangles.set_triangles("t" + text);
    sources.set_source_vertices("s" + text);
    groups.set_vertex_groups("g" + text);
    for (const auto& part : {positions, triangles, sources, groups, Values(0, "v" + text)}) {
      ASSERT_EQ(AddPart(part, levels), absl::OkStatus());
    }
  }
  ASSERT_EQ(AddPart(Header(1), levels), absl::OkStatus());
  ASSERT_EQ(levels.size(), 2u);
  const v1::SimplifyResponse& level = levels[0];
  EXPECT_EQ(level.mesh().positions().data(), "pabpc");
  EXPECT_EQ(level.mesh().positions().scalar_type(), v1::SCALAR_TYPE_FLOAT32);
  EXPECT_EQ(level.mesh().triangles(), "tabtc");
  EXPECT_EQ(level.source_vertices(), "sabsc");
  EXPECT_EQ(level.mesh().vertex_groups(), "gabgc");
  EXPECT_EQ(level.attributes(0).name(), "normals");
  EXPECT_EQ(level.attributes(0).values(), "vabvc");
  EXPECT_EQ(level.statistics().passes(), 7u);
  EXPECT_EQ(level.origin(0), 2.5);
  EXPECT_EQ(levels[1].mesh().positions().data(), "");
}

TEST(AddPart, RefusesPartsOutOfTheirOrder) {
  std::vector<v1::SimplifyResponse> levels;
  const absl::Status no_header =
      absl::InternalError("the server sent an unexpected part of level 0");
  EXPECT_EQ(AddPart(Values(0, "v"), levels), no_header);
  ASSERT_EQ(AddPart(Header(0), levels), absl::OkStatus());
  EXPECT_EQ(AddPart(Header(0), levels), no_header);
  EXPECT_EQ(AddPart(Values(1, "v"), levels), no_header);
  EXPECT_EQ(AddPart({}, levels), no_header);
  EXPECT_FALSE(AddPart(Header(2), levels).ok());
}

}  // namespace
}  // namespace warpyard::cli
