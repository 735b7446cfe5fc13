// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/grammar/outputs.h"

#include <gtest/gtest.h>

#include "client_examples/city_io/output/instance_file.h"
#include "client_examples/cpp/grammar/flags.h"
#include "client_examples/mesh_io/files.h"
#include "nlohmann/json.hpp"
#include "tests/unit/client_examples/city_io/sample_city.h"

namespace warpyard::cli {
namespace {

std::string Written(const std::string& name, bool expand) {
  const city_io::SampleCity sample;
  OutputArguments output;
  output.city = ::testing::TempDir() + name;
  output.expand = expand;
  EXPECT_EQ(WriteCity(output, sample.city()), absl::OkStatus());
  return *mesh_io::ReadFile(output.city);
}

TEST(WriteCity, ChoosesTheFormatByName) {
  EXPECT_EQ(Written("chosen.obj", false).substr(0, 2), "o ");
  const std::string instanced = Written("chosen.glb", false), plain = Written("chosen.glb", true);
  EXPECT_NE(instanced.find("EXT_mesh_gpu_instancing"), std::string::npos);
  EXPECT_EQ(plain.find("EXT_mesh_gpu_instancing"), std::string::npos);
  const city_io::SampleCity sample;
  EXPECT_EQ(Written("chosen.wyi", false).size(),
            city_io::InstanceFileHead(sample.names).size() + 64 * sample.instances.size());
}

TEST(WriteCity, LeavesNoFileOfACityThatIsTooLarge) {
  const city_io::SampleCity sample;
  OutputArguments output;
  output.city = ::testing::TempDir() + "too_large.glb";
  output.expand = true;
  output.expand_max_bytes = 1000;
  const absl::Status status = WriteCity(output, sample.city());
  EXPECT_NE(status.message().find("too_large.glb: expanded"), std::string::npos) << status;
  EXPECT_NE(status.message().find("budget of 1000"), std::string::npos) << status;
  EXPECT_FALSE(mesh_io::ReadFile(output.city).ok());
}

TEST(StatisticsJson, NamesRulesAndAddsReports) {
  v1::CompileGrammarResponse grammar;
  grammar.add_rules("Lot");
  grammar.add_reports("gfa");
  grammar.add_reports("trees");
  v1::DeriveStatistics statistics;
  statistics.set_nodes(7);
  statistics.set_terminals(9);
  statistics.set_checksum(0xAB);
  statistics.add_rules()->set_symbols(7);
  for (const double value : {1.5, 10., 2.5, 20.}) statistics.add_reports(value);
  v1::PhaseDuration& phase = *statistics.add_phases();
  phase.set_phase("derive");
  phase.mutable_duration()->set_nanos(1'500'000);
  const auto json = nlohmann::json::parse(StatisticsJson(grammar, statistics));
  EXPECT_EQ(json["nodes"], 7);
  EXPECT_EQ(json["terminals"], 9);
  EXPECT_EQ(json["checksum"], "00000000000000ab");
  EXPECT_EQ(json["rules"][0]["name"], "Lot");
  EXPECT_EQ(json["rules"][0]["symbols"], 7);
  EXPECT_EQ(json["reports"]["gfa"], 4);
  EXPECT_EQ(json["reports"]["trees"], 30);
  EXPECT_EQ(json["phases_ms"]["derive"], 1.5);
}

TEST(NotesOf, TellOfRulesThatLeftSomethingOut) {
  v1::CompileGrammarResponse grammar;
  v1::DeriveStatistics statistics;
  for (const char* const name : {"A", "B", "C"}) {
    grammar.add_rules(name);
    statistics.add_rules();
  }
  EXPECT_TRUE(NotesOf(grammar, statistics).empty());
  statistics.mutable_rules(0)->set_dropped(2);
  statistics.mutable_rules(2)->set_clamped(1);
  const std::vector<std::string> notes = NotesOf(grammar, statistics);
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(notes[0].find("rule 'A': 2 dropped: scopes"), 0u) << notes[0];
  EXPECT_EQ(notes[1].find("rule 'C': 1 replaced: bad sizes"), 0u) << notes[1];
}

TEST(TextOf, TellsOfCoarseAndHiddenPartsOnlyWhereThereAreSome) {
  v1::DeriveStatistics statistics;
  statistics.set_terminals(3);
  statistics.set_buildings(1);
  EXPECT_EQ(TextOf(statistics), "3 instances of 1 building, 0 triangles, 0 rules executed");
  statistics.set_coarse(2);
  statistics.set_culled(4);
  EXPECT_EQ(TextOf(statistics),
            "3 instances of 1 building, 0 triangles, 0 rules executed, 2 coarse, 4 buildings "
            "outside the view");
  statistics.set_occluded(3);
  EXPECT_EQ(TextOf(statistics),
            "3 instances of 1 building, 0 triangles, 0 rules executed, 2 coarse, 1 building "
            "outside the view, 3 buildings behind others");
}

}  // namespace
}  // namespace warpyard::cli
