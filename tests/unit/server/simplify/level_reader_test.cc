// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/simplify/level_reader.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::server {
namespace {

using ::testing::ElementsAre;

v1::SimplifyResponse SomeLevel() {
  v1::SimplifyResponse level;
  level.mutable_mesh()->mutable_positions()->set_data(std::string(36, 'p'));
  level.mutable_mesh()->set_triangles(std::string(12, 't'));
  level.set_source_vertices(std::string(12, 's'));
  for (const double x : {1.0, 2.0, 3.0}) level.add_origin(x);
  level.mutable_statistics()->set_passes(5);
  return level;
}

/// What each message has: the name of its field, and the bytes.
std::vector<std::string> PartsOf(LevelReader reader, std::size_t most_bytes) {
  std::vector<std::string> parts;
  while (!reader.done()) {
    const v1::SimplifyLevelPart part = reader.Next(most_bytes);
    EXPECT_EQ(part.level(), 7u);
    const std::string bytes = part.positions() + part.triangles() + part.source_vertices() +
                              part.vertex_groups() + part.attribute_values().values();
    EXPECT_LE(bytes.size(), most_bytes);
    parts.push_back(part.has_header() ? "header" : bytes);
  }
  return parts;
}

TEST(LevelReader, GivesTheHeaderAndThenEachList) {
  EXPECT_THAT(
      PartsOf({7, SomeLevel()}, 100),
      ElementsAre("header", std::string(36, 'p'), std::string(12, 't'), std::string(12, 's')));
}

TEST(LevelReader, DividesLists) {
  v1::SimplifyResponse level = SomeLevel();
  level.mutable_mesh()->set_vertex_groups("groups-------");
  for (const char* values : {"first", "", "third"}) level.add_attributes()->set_values(values);
  EXPECT_THAT(PartsOf({7, level}, 12),
              ElementsAre("header", std::string(12, 'p'), std::string(12, 'p'),
                          std::string(12, 'p'), std::string(12, 't'), std::string(12, 's'),
                          "groups------", "-", "first", "third"));
}

TEST(LevelReader, TellsSizesAndStatisticsFirst) {
  v1::SimplifyResponse level = SomeLevel();
  level.mutable_mesh()->set_vertex_groups("groups");
  v1::VertexAttribute& attribute = *level.add_attributes();
  attribute.set_name("uv");
  attribute.set_components(2);
  attribute.set_weight(0.5f);
  attribute.set_values("values");
  LevelReader reader(0, level);
  const v1::LevelHeader header = reader.Next(1).header();
  EXPECT_EQ(header.vertices(), 3u);
  EXPECT_EQ(header.triangles(), 1u);
  EXPECT_TRUE(header.has_groups());
  EXPECT_THAT(header.origin(), ElementsAre(1, 2, 3));
  EXPECT_EQ(header.statistics().passes(), 5u);
  ASSERT_EQ(header.attributes_size(), 1);
  attribute.clear_values();
  EXPECT_EQ(header.attributes(0).SerializeAsString(), attribute.SerializeAsString());
}

TEST(LevelReader, GivesOnlyTheHeaderOfAnEmptyLevel) {
  EXPECT_THAT(PartsOf({7, v1::SimplifyResponse()}, 100), ElementsAre("header"));
}

}  // namespace
}  // namespace warpyard::server
