// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/support/oracles/query_file.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <fstream>
#include <string>
#include <vector>

namespace warpyard::test_support {
namespace {

std::string WriteFile(const std::string& name, const std::string& contents) {
  const std::string path = ::testing::TempDir() + name;
  std::ofstream(path, std::ios::binary) << contents;
  return path;
}

std::string Rows(int count, const std::string& row) {
  std::string text;
  for (int i = 0; i < count; ++i) text += row + "\n";
  return text;
}

TEST(QueryFile, ReadsRationalsExactly) {
  const QueryFile file = {
      WriteFile("q.csv", Rows(8, "1,4,-6004799503160661,18014398509481984,6,4,1")),
      PairKind::kEdgeEdge};
  const auto queries = ReadQueries(file);
  ASSERT_TRUE(queries.ok()) << queries.status();
  ASSERT_EQ(queries->size(), 1u);
  EXPECT_TRUE(queries->front().touches);
  EXPECT_EQ(queries->front().query.end[3], (Vec3{0.25, -6004799503160661.0 * 0x1p-54, 1.5}));
}

TEST(QueryFile, RefusesWhatIsNoQuery) {
  const auto status = [](const std::string& text) {
    return ReadQueries({WriteFile("bad.csv", text), PairKind::kVertexFace}).status();
  };
  EXPECT_FALSE(status(Rows(8, "1,3,0,1,0,1,1")).ok()) << "a third is no double";
  EXPECT_FALSE(status(Rows(8, "1,0,0,1,0,1,1")).ok());
  EXPECT_FALSE(status(Rows(7, "1,1,0,1,0,1,1")).ok());
  EXPECT_FALSE(status(Rows(8, "1,1,0,1,0,1")).ok());
  EXPECT_FALSE(status(Rows(8, "1,1,0,1,x,1,1")).ok());
  EXPECT_FALSE(status(Rows(4, "1,1,0,1,0,1,1") + Rows(4, "1,1,0,1,0,1,0")).ok());
  EXPECT_FALSE(ReadQueries({"/nonexistent.csv", PairKind::kVertexFace}).ok());
}

TEST(QueryFile, ReadsPairsAndBooleans) {
  const auto pairs = ReadPairs(WriteFile("pairs.json", "[[1,22], [3, 4294967295]]\n"));
  ASSERT_TRUE(pairs.ok());
  EXPECT_EQ(*pairs, (std::vector<IdPair>{{1, 22}, {3, 4294967295}}));
  EXPECT_FALSE(ReadPairs(WriteFile("odd.json", "[[1,2],[3]]")).ok());
  EXPECT_FALSE(ReadPairs(WriteFile("large.json", "[[1,4294967296]]")).ok());
  const auto booleans = ReadBooleans(WriteFile("bools.json", "[true, false,true]"));
  ASSERT_TRUE(booleans.ok());
  EXPECT_EQ(*booleans, (std::vector<bool>{true, false, true}));
}

TEST(QueryFile, FindsTheSharedData) {
  const std::string folder = SharedDataFolder() + "/ccd/queries";
  const std::vector<QueryFile> files = FindQueryFiles(folder);
  if (files.empty()) GTEST_SKIP() << "no shared data in " << folder;
  std::size_t edge_files = 0;
  for (const QueryFile& file : files) edge_files += file.kind == PairKind::kEdgeEdge;
  EXPECT_GT(edge_files, 0u);
  EXPECT_LT(edge_files, files.size());
  const auto scene = ReadSharedScene("cloth-ball");
  if (!scene.ok()) GTEST_SKIP() << scene.status();
  EXPECT_EQ(scene->motion.Triangles(), 92'230u);
  EXPECT_EQ(scene->vertex_face.size(), 19'034u);
  EXPECT_EQ(scene->edge_edge.size(), 94'825u);
}

}  // namespace
}  // namespace warpyard::test_support
