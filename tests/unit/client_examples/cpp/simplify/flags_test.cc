// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/simplify/flags.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace warpyard::cli {
namespace {

using Words = std::vector<std::string>;

v1::SimplifyRequest RequestOf(const Words& words) {
  SimplifyArguments arguments;
  EXPECT_EQ(ParseSimplify(words, arguments), absl::OkStatus());
  return arguments.request;
}

std::string ProblemOf(const Words& words) {
  SimplifyArguments arguments;
  return std::string(ParseSimplify(words, arguments).message());
}

TEST(SimplifyFlags, SetEachGoal) {
  EXPECT_EQ(RequestOf({"a", "b", "--triangles", "5000000000"}).triangles(), 5'000'000'000u);
  EXPECT_EQ(RequestOf({"a", "b", "--ratio", "0.25"}).ratio(), 0.25);
  EXPECT_EQ(RequestOf({"a", "b", "--error", "1e-3"}).max_error(), 1e-3);
  EXPECT_EQ(RequestOf({"a", "b", "--level=7"}).level(), 7u);
  EXPECT_EQ(RequestOf({"a", "b", "--max-bytes", "1000"}).max_bytes(), 1000u);
  EXPECT_TRUE(RequestOf({"a", "b", "--level", "0"}).has_level());
}

TEST(SimplifyFlags, SetHowTheGoalIsReached) {
  SimplifyArguments arguments;
  const Words words = {"in.glb", "out.ply",       "--ratio",    "0.5",      "--finish",
                       "cut",    "--best-effort", "--deadline", "1500.5",   "--attributes",
                       "drop",   "--statistics",  "s.json",     "--server", "h:1"};
  ASSERT_EQ(ParseSimplify(words, arguments), absl::OkStatus());
  EXPECT_EQ(arguments.files, (Words{"in.glb", "out.ply"}));
  EXPECT_EQ(arguments.server.address, "h:1");
  EXPECT_EQ(arguments.statistics, "s.json");
  EXPECT_TRUE(arguments.drop_attributes);
  EXPECT_EQ(arguments.request.finish(), v1::FINISH_CUT);
  EXPECT_TRUE(arguments.request.best_effort());
  EXPECT_EQ(arguments.request.job().deadline().seconds(), 1);
  EXPECT_EQ(arguments.request.job().deadline().nanos(), 500'500'000);
}

TEST(SimplifyFlags, SetWhatBecomesOfAttributesAndBorders) {
  SimplifyArguments arguments;
  const Words words = {
      "a",     "b",        "--level",   "3",         "--weight", "normals=0.5",    "--weight",
      "uvs=0", "--weight", "normals=2", "--meshopt", "--verify", "--lock-borders", "--keep-upload"};
  ASSERT_EQ(ParseSimplify(words, arguments), absl::OkStatus());
  EXPECT_EQ(arguments.weights, (AttributeWeights{{"normals", 2.f}, {"uvs", 0.f}}));
  EXPECT_EQ(arguments.borders, v1::BORDERS_LOCKED);
  EXPECT_TRUE(arguments.meshopt_compression);
  EXPECT_TRUE(arguments.verify);
  EXPECT_TRUE(arguments.keep_upload);
  EXPECT_EQ(arguments.lods, 0u);
}

TEST(SimplifyFlags, HaveAGoalForLevelsOfDetail) {
  SimplifyArguments arguments;
  ASSERT_EQ(ParseSimplify({"a", "b", "--lods", "4"}, arguments), absl::OkStatus());
  EXPECT_EQ(arguments.lods, 4u);
  EXPECT_EQ(arguments.request.ratio(), 0.5);
  EXPECT_EQ(RequestOf({"a", "b", "--lods", "4", "--triangles", "9"}).triangles(), 9u);
}

TEST(SimplifyFlags, HaveTheDefaultsOfTheContract) {
  SimplifyArguments arguments;
  ASSERT_EQ(ParseSimplify({"a", "b", "--level", "3"}, arguments), absl::OkStatus());
  EXPECT_FALSE(arguments.drop_attributes);
  EXPECT_FALSE(arguments.request.has_job());
  EXPECT_EQ(arguments.borders, v1::BORDERS_UNSPECIFIED);
  EXPECT_TRUE(arguments.weights.empty());
  EXPECT_EQ(arguments.request.finish(), v1::FINISH_UNSPECIFIED);
}

TEST(SimplifyFlags, SayWhatWasExpected) {
  EXPECT_EQ(ProblemOf({"a", "--level", "1"}), "simplify: 1 files, expected two, IN and OUT");
  const std::string one =
      " goals, expected one of --triangles, --ratio, --error, --level, --max-bytes and --view";
  EXPECT_EQ(ProblemOf({"a", "b"}), "simplify: 0" + one);
  EXPECT_EQ(ProblemOf({"a", "b", "--level", "1", "--ratio", "1"}), "simplify: 2" + one);
  EXPECT_EQ(ProblemOf({"a", "b", "--triangles", "1.5"}),
            "--triangles: \"1.5\", expected a whole number");
  EXPECT_EQ(ProblemOf({"a", "b", "--max-bytes", "-1"}),
            "--max-bytes: \"-1\", expected a whole number");
  EXPECT_EQ(ProblemOf({"a", "b", "--level", "x"}), "--level: \"x\", expected a whole number");
  EXPECT_EQ(ProblemOf({"a", "b", "--ratio", "half"}), "--ratio: \"half\", expected a number");
  EXPECT_EQ(ProblemOf({"a", "b", "--finish", "fast"}),
            "--finish: \"fast\", expected collapse or cut");
  EXPECT_EQ(ProblemOf({"a", "b", "--attributes", "some"}),
            "--attributes: \"some\", expected keep or drop");
  EXPECT_EQ(ProblemOf({"a", "b", "--level", "1", "--best-effort"}),
            "--best-effort: needs --deadline");
  const std::string weight = "expected normals=W, uvs=W or colours=W with a number W";
  EXPECT_EQ(ProblemOf({"a", "b", "--weight", "uvs"}), "--weight: \"uvs\", " + weight);
  EXPECT_EQ(ProblemOf({"a", "b", "--weight", "uvs=x"}), "--weight: \"uvs=x\", " + weight);
  EXPECT_EQ(ProblemOf({"a", "b", "--weight", "joints=1"}), "--weight: \"joints=1\", " + weight);
  EXPECT_EQ(ProblemOf({"a", "b", "--lods", "0"}),
            "--lods: \"0\", expected a whole number from 1 to 16");
  EXPECT_EQ(ProblemOf({"a", "b", "--lods", "2", "--level", "1", "--ratio", "1"}),
            "simplify: 2" + one);
}

TEST(SimplifyFlags, HaveAHelpForEachOfThem) {
  SimplifyArguments arguments;
  const std::string help = SimplifyHelp();
  for (const client_support::Flag& flag : SimplifyFlags(arguments)) {
    EXPECT_FALSE(flag.help.empty()) << flag.name;
    EXPECT_NE(help.find(flag.name), std::string::npos) << flag.name;
  }
}

}  // namespace
}  // namespace warpyard::cli
