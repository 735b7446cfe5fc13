// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/simplify/report.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "nlohmann/json.hpp"

namespace warpyard::cli {
namespace {

using nlohmann::json;

MeshOutcome Outcome(std::uint32_t input, std::uint64_t triangles, v1::Shortfall shortfall) {
  MeshOutcome outcome{"mesh \"a\"", triangles, triangles / 2, 1, 0.5, {}};
  outcome.statistics.set_input_triangles(input);
  outcome.statistics.set_shortfall(shortfall);
  outcome.statistics.set_passes(3);
  v1::PhaseDuration& phase = *outcome.statistics.add_phases();
  phase.set_phase("cut");
  phase.mutable_duration()->set_seconds(1);
  phase.mutable_duration()->set_nanos(500'000);
  return outcome;
}

TEST(FileReport, TellsOfOneMesh) {
  FileReport report{"out.glb", {Outcome(100, 10, v1::SHORTFALL_NONE)}, {}, {}};
  EXPECT_EQ(TextOf(report), "10 of 100 triangles, 5 vertices");
  report.meshes[0].statistics.set_shortfall(v1::SHORTFALL_TIME);
  EXPECT_EQ(TextOf(report), "10 of 100 triangles, 5 vertices; the goal was not reached: time");
  const json statistics = json::parse(StatisticsJson(report));
  EXPECT_EQ(statistics["input_triangles"], 100);
  EXPECT_EQ(statistics["triangles"], 10);
  EXPECT_EQ(statistics["vertices"], 5);
  EXPECT_EQ(statistics["shortfall"], "time");
  EXPECT_EQ(statistics["max_error"], 0.5);
  EXPECT_EQ(statistics["phases_ms"]["cut"], 1000.5);
  EXPECT_FALSE(statistics.contains("meshes"));
  EXPECT_FALSE(statistics.contains("kept_triangles"));
  EXPECT_FALSE(statistics.contains("verification"));
}

TEST(FileReport, SumsOverMeshesAndCopies) {
  FileReport report{"out.ply",
                    {Outcome(100, 10, v1::SHORTFALL_NONE), Outcome(50, 20, v1::SHORTFALL_TOPOLOGY)},
                    {7, 9},
                    {}};
  report.meshes[0].copies = 3;
  report.meshes[0].error = 0.75;
  EXPECT_EQ(TextOf(report),
            "57 of 357 triangles, 34 vertices; the goal was not reached: topology (1 of 2 meshes)");
  const json statistics = json::parse(StatisticsJson(report));
  EXPECT_EQ(statistics["kept_triangles"], 7);
  EXPECT_EQ(statistics["max_error"], 0.75);
  EXPECT_EQ(statistics["meshes"][1]["max_error"], 0.5);
  EXPECT_EQ(statistics["passes"], 6);
  EXPECT_EQ(statistics["phases_ms"]["cut"], 2001);
  EXPECT_EQ(statistics["meshes"].size(), 2u);
  EXPECT_EQ(statistics["meshes"][0]["mesh"], "mesh \"a\"");
  EXPECT_EQ(statistics["meshes"][0]["copies"], 3);
  EXPECT_EQ(statistics["meshes"][1]["shortfall"], "topology");
}

TEST(FileReport, ListsLevelsOfDetail) {
  FileReport report{"out_0.glb", {Outcome(100, 10, v1::SHORTFALL_NONE)}, {}, {}};
  report.verification.emplace();
  report.verification->distance.diagonal = 2;
  report.verification->distance.from_original = {0.1, 0.5};
  report.verification->distance.from_simplified = {0.3, 0.4};
  report.verification->result.border_edges = 4;
  report.verification->result.zero_area = 1;
  const json levels = json::parse(StatisticsJson(std::vector<FileReport>(2, report)));
  ASSERT_EQ(levels["lods"].size(), 2u);
  EXPECT_EQ(levels["lods"][0]["file"], "out_0.glb");
  EXPECT_EQ(levels["lods"][1]["triangles"], 10);
  const json& verification = levels["lods"][0]["verification"];
  EXPECT_EQ(verification["rms"], 0.2);
  EXPECT_EQ(verification["max"], 0.5);
  EXPECT_EQ(verification["max_percent"], 25);
  EXPECT_EQ(verification["samples"], kVerifySamples);
  EXPECT_EQ(verification["border_edges"], 4);
  EXPECT_EQ(verification["degenerate_triangles"], 1);
}

}  // namespace
}  // namespace warpyard::cli
