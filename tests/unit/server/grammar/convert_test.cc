// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/grammar/convert.h"

#include <string>
#include <utility>

#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::server {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

void AddFile(v1::CompileGrammarRequest& request, const std::string& name, const std::string& text) {
  v1::GrammarFile& file = *request.add_files();
  file.set_name(name);
  file.set_text(text);
}

std::string ErrorOf(v1::CompileGrammarRequest request) {
  const absl::Status status = ToFiles(request).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  return std::string(status.message());
}

TEST(ToFiles, KeepsTheirOrder) {
  v1::CompileGrammarRequest request;
  AddFile(request, "main.wyg", "rule A = box;");
  AddFile(request, std::string(255, 'n'), "");
  const auto files = ToFiles(request);
  ASSERT_TRUE(files.ok()) << files.status();
  ASSERT_EQ(files->size(), 2u);
  EXPECT_EQ((*files)[0].name, "main.wyg");
  EXPECT_EQ((*files)[0].text, "rule A = box;");
  EXPECT_EQ((*files)[1].text, "");
}

TEST(ToFiles, NamesTheFieldThatIsWrong) {
  v1::CompileGrammarRequest request;
  EXPECT_EQ(ErrorOf(request), "files: 0 files, expected 1 to 33");
  AddFile(request, "main", "");
  AddFile(request, "", "");
  EXPECT_EQ(ErrorOf(request), "files[1].name: missing");
  request.mutable_files(1)->set_name("a:b");
  EXPECT_EQ(ErrorOf(request), "files[1].name: \"a:b\", expected no colon");
  request.mutable_files(1)->set_name(std::string(256, 'n'));
  EXPECT_EQ(ErrorOf(request), "files[1].name: 256 bytes, expected at most 255");
  request.mutable_files(1)->set_name("main");
  EXPECT_THAT(ErrorOf(request), HasSubstr("files[1].name: \"main\" is the name of another file"));
}

TEST(ToFiles, LimitsTheirNumberAndTheirText) {
  v1::CompileGrammarRequest request;
  for (int i = 0; i < 33; ++i) AddFile(request, std::to_string(i), "");
  v1::CompileGrammarRequest copy = request;
  EXPECT_TRUE(ToFiles(copy).ok());
  AddFile(request, "33", "");
  EXPECT_EQ(ErrorOf(request), "files: 34 files, expected 1 to 33");
  v1::CompileGrammarRequest large;
  AddFile(large, "a", std::string(200'000, ' '));
  AddFile(large, "b", std::string(62'144, ' '));
  copy = large;
  EXPECT_TRUE(ToFiles(copy).ok());
  large.mutable_files(1)->mutable_text()->push_back(' ');
  EXPECT_EQ(ErrorOf(large), "files: their texts have 262145 bytes, expected at most 262144");
}

TEST(ToProto, TellsWhatAGrammarHas) {
  grammar::CompiledGrammar compiled;
  compiled.compiled = true;
  compiled.info.stages = {"mass"};
  compiled.info.rules = {"Lot", "Wall"};
  compiled.info.meshes = {{"box", "", 24, 12}, {"door", "door.glb", 100, 50}};
  compiled.info.materials = {"brick"};
  compiled.info.attributes = {{"floors", 3, 1, 40}};
  compiled.info.styles = {{"old", {{0, 2}}}};
  compiled.info.reports = {"area"};
  compiled.diagnostics = {{"W301", "main", 3, 7, "a wide split", "  split x"}};
  compiled.phases = {{"compile", absl::Milliseconds(1)}};
  v1::CompileGrammarResponse response;
  ToProto(compiled, &response);
  EXPECT_EQ(response.grammar(), "");
  EXPECT_THAT(response.rules(), ElementsAre("Lot", "Wall"));
  EXPECT_THAT(response.stages(), ElementsAre("mass"));
  EXPECT_THAT(response.materials(), ElementsAre("brick"));
  EXPECT_THAT(response.reports(), ElementsAre("area"));
  EXPECT_THAT(response.styles(), ElementsAre("old"));
  ASSERT_EQ(response.meshes_size(), 2);
  EXPECT_EQ(response.meshes(1).asset(), "door.glb");
  EXPECT_EQ(response.meshes(1).vertices(), 100u);
  EXPECT_EQ(response.meshes(1).triangles(), 50u);
  ASSERT_EQ(response.attributes_size(), 1);
  EXPECT_EQ(response.attributes(0).most(), 40);
  ASSERT_EQ(response.diagnostics_size(), 1);
  EXPECT_EQ(response.diagnostics(0).code(), "W301");
  EXPECT_EQ(response.diagnostics(0).line(), 3u);
  EXPECT_EQ(response.diagnostics(0).column(), 7u);
  EXPECT_EQ(response.diagnostics(0).source(), "  split x");
  EXPECT_EQ(response.phases(0).phase(), "compile");
}

TEST(ToProto, TellsOnlyDiagnosticsOfATextWithErrors) {
  grammar::CompiledGrammar compiled;
  compiled.info.rules = {"Lot"};
  compiled.diagnostics = {{"E101", "main", 1, 1, "no", ""}};
  v1::CompileGrammarResponse response;
  ToProto(compiled, &response);
  EXPECT_THAT(response.rules(), IsEmpty());
  EXPECT_EQ(response.diagnostics_size(), 1);
}

TEST(ToProto, TellsOnlyWholeCharacters) {
  // The texts in a message are cut by bytes.
  const std::pair<const char*, const char*> messages[] = {
      {"", ""},
      {"file 'wall'", "file 'wall'"},
      {"'\xc3\xbc\xe2\x82\xac\xf0\x9f\x8f\xa0'", "'\xc3\xbc\xe2\x82\xac\xf0\x9f\x8f\xa0'"},
      {"'\xc3'", "'?'"},
      {"'\xc3\xbc\xc3'", "'\xc3\xbc?'"},
      {"'\xe2\x82'", "'?'"},
      {"'\xf0\x9f\x8f'", "'?'"},
      {"\xf0", "?"},
      {"\xac'", "?'"},
  };
  for (const auto& [message, expected] : messages) {
    grammar::CompiledGrammar compiled;
    compiled.diagnostics.emplace_back().message = message;
    v1::CompileGrammarResponse response;
    ToProto(compiled, &response);
    EXPECT_EQ(response.diagnostics(0).message(), expected);
  }
}

TEST(ToProto, TellsTheStatistics) {
  grammar::DeriveStatistics statistics;
  statistics.nodes = 1;
  statistics.terminals = 2;
  statistics.coarse = 3;
  statistics.triangles = 4;
  statistics.buildings = 5;
  statistics.culled = 6;
  statistics.occluded = 3;
  statistics.checksum = 7;
  statistics.memory_bytes = 8;
  statistics.rules = {{1, 2, 3, 4}};
  statistics.reports = {1.5, 2.5};
  statistics.phases = {{"derive", absl::Seconds(2)}};
  v1::DeriveStatistics out;
  ToProto(statistics, &out);
  EXPECT_EQ(out.nodes(), 1u);
  EXPECT_EQ(out.terminals(), 2u);
  EXPECT_EQ(out.coarse(), 3u);
  EXPECT_EQ(out.triangles(), 4u);
  EXPECT_EQ(out.buildings(), 5u);
  EXPECT_EQ(out.culled(), 6u);
  EXPECT_EQ(out.occluded(), 3u);
  EXPECT_EQ(out.checksum(), 7u);
  EXPECT_EQ(out.memory_bytes(), 8u);
  ASSERT_EQ(out.rules_size(), 1);
  EXPECT_EQ(out.rules(0).symbols(), 1u);
  EXPECT_EQ(out.rules(0).terminals(), 2u);
  EXPECT_EQ(out.rules(0).dropped(), 3u);
  EXPECT_EQ(out.rules(0).clamped(), 4u);
  EXPECT_THAT(out.reports(), ElementsAre(1.5, 2.5));
  EXPECT_EQ(out.phases(0).duration().seconds(), 2);
}

}  // namespace
}  // namespace warpyard::server
