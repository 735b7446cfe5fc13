// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/command.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "client_examples/mesh_io/files.h"
#include "nlohmann/json.hpp"
#include "tests/unit/client_examples/cpp/grammar/fake_grammar_service.h"

namespace warpyard::cli {
namespace {

/// Takes what goes to a stream.
class Captured {
 public:
  explicit Captured(std::ostream& stream) : stream_(stream), old_(stream.rdbuf(text_.rdbuf())) {}
  ~Captured() { stream_.rdbuf(old_); }
  std::string str() const { return text_.str(); }

 private:
  std::ostringstream text_;
  std::ostream& stream_;
  std::streambuf* old_;
};

class GrammarCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }

  std::string Path(const std::string& name) const { return (folder_ / name).string(); }

  std::string Grammar(const std::string& text) const {
    std::ofstream(folder_ / "city.wyg") << text;
    return Path("city.wyg");
  }

  /// Runs `warpyard grammar`; returns its exit status.
  int Run(std::vector<std::string> words) {
    words.insert(words.end(), {"--server", service_.address()});
    const Captured out(std::cout), err(std::cerr);
    const int status = RunGrammar(words);
    out_ = out.str();
    err_ = err.str();
    EXPECT_EQ(service_.open, 0) << "all grammars are closed";
    return status;
  }

  FakeGrammarService service_;
  std::filesystem::path folder_ = std::filesystem::path(::testing::TempDir()) / "grammar_command";
  std::string out_, err_;
};

TEST_F(GrammarCommand, ChecksAGrammar) {
  EXPECT_EQ(Run({"check", Grammar("good")}), 0);
  EXPECT_EQ(out_, Path("city.wyg") + ": 1 rule, no errors\n");
  EXPECT_EQ(Run({"check", Grammar("warned")}), 0);
  EXPECT_EQ(out_.find(Path("city.wyg") + ":1:1: W301 a message\n  warned\n  ^\n"), 0u) << out_;
  EXPECT_EQ(Run({"check", Grammar("bad")}), kExitRefused);
  EXPECT_EQ(out_, Path("city.wyg") + ":1:1: E104 a message\n  bad\n  ^\n");
}

TEST_F(GrammarCommand, DerivesACity) {
  const std::string city = Path("city.glb"), report = Path("report.csv");
  EXPECT_EQ(Run({"derive", Grammar("good"), "--lots", "2x1", "--out", city, "--report", report,
                 "--statistics", Path("s.json")}),
            0)
      << err_;
  EXPECT_EQ(out_, "18 instances of 0 buildings, 0 triangles, 5 rules executed\n");
  EXPECT_EQ(service_.derived.parcels_size(), 2);
  EXPECT_EQ(service_.derived.grammar(), "7");
  EXPECT_EQ(mesh_io::ReadFile(city)->substr(0, 4), "glTF");
  EXPECT_EQ(*mesh_io::ReadFile(report), "parcel,id,gfa\n0,0,2.5\n1,1,2.5\n");
  EXPECT_EQ(nlohmann::json::parse(*mesh_io::ReadFile(Path("s.json")))["terminals"], 18);
}

TEST_F(GrammarCommand, TellsOfMeshesWithoutFiles) {
  service_.asset = "gone.obj";
  EXPECT_EQ(Run({"check", Grammar("good")}), 0);
  EXPECT_NE(err_.find("warpyard: note: mesh "), std::string::npos) << err_;
  EXPECT_NE(err_.find("there is no file " + Path("gone.obj")), std::string::npos) << err_;
}

TEST_F(GrammarCommand, TellsOfDroppedScopes) {
  service_.dropped = 2;
  EXPECT_EQ(Run({"derive", Grammar("good")}), 0);
  EXPECT_EQ(err_.find("warpyard: note: rule 'Lot': 2 dropped: "), 0u) << err_;
}

TEST_F(GrammarCommand, NamesTheFeatureOfAnError) {
  const std::string map = Path("map.geojson");
  std::ofstream(map) << R"({"type": "Feature", "properties": {"height": 2, "odd": 1}, "geometry": )"
                     << R"({"type": "Polygon", "coordinates": [[[0, 0], [9, 0], [9, 9]]]}})";
  service_.error = {grpc::StatusCode::INVALID_ARGUMENT, "parcels[0].polygon: no area"};
  EXPECT_EQ(Run({"derive", Grammar("good"), "--parcels", map, "--metres"}), kExitRefused);
  EXPECT_EQ(err_, "warpyard: note: " + map +
                      ": properties that are no attributes of the grammar: odd\n"
                      "warpyard: " +
                      map + ": feature.geometry: no area\n");
}

TEST_F(GrammarCommand, AsksForStatisticsAloneWithoutAFile) {
  EXPECT_EQ(Run({"derive", Grammar("good")}), 0) << err_;
  EXPECT_TRUE(service_.derived.statistics_only());
}

TEST_F(GrammarCommand, SaysWhatTheServerSaid) {
  service_.error = {grpc::StatusCode::RESOURCE_EXHAUSTED, "max_instances: reached"};
  EXPECT_EQ(Run({"derive", Grammar("good"), "--out", Path("none.glb")}), kExitRefused);
  EXPECT_EQ(err_, "warpyard: max_instances: reached\n");
  EXPECT_FALSE(std::filesystem::exists(Path("none.glb")));
  EXPECT_EQ(Run({"derive", Grammar("bad"), "--out", Path("none.glb")}), kExitRefused);
  EXPECT_NE(err_.find("E104"), std::string::npos);
}

TEST_F(GrammarCommand, NoticesMissingParts) {
  service_.lost = 3;
  EXPECT_EQ(Run({"derive", Grammar("good"), "--out", Path("none.glb")}), kExitRefused);
  EXPECT_NE(err_.find("instance 3 came after 0"), std::string::npos) << err_;
}

TEST_F(GrammarCommand, RefusesWrongWordsInOneLine) {
  EXPECT_EQ(Run({"frob"}), kExitUsage);
  EXPECT_EQ(Run({"derive", Path("gone.wyg")}), kExitUsage);
  EXPECT_EQ(err_, "warpyard: " + Path("gone.wyg") + ": no such file\n");
  EXPECT_EQ(Run({"derive", Grammar("good"), "--parcels", Path("gone.geojson")}), kExitUsage);
  EXPECT_EQ(err_, "warpyard: " + Path("gone.geojson") + ": no such file\n");
  EXPECT_EQ(Run({"derive", Grammar("good"), "--out", Path("no/folder/c.glb")}), kExitUsage);
  EXPECT_NE(err_.find("c.glb: cannot write"), std::string::npos) << err_;
}

}  // namespace
}  // namespace warpyard::cli
