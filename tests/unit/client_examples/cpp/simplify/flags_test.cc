// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/simplify/flags.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"

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

TEST(SimplifyFlags, FreeBordersOrLockThem) {
  SimplifyArguments arguments;
  ASSERT_EQ(ParseSimplify({"a", "b", "--level", "3", "--free-borders"}, arguments),
            absl::OkStatus());
  EXPECT_EQ(arguments.borders, v1::BORDERS_FREE);
  RequestOf({"a", "b", "--level", "3", "--lock-borders", "--lock-borders"});
  const std::string both = "--free-borders: set beside --lock-borders";
  EXPECT_EQ(ProblemOf({"a", "b", "--level", "3", "--free-borders", "--lock-borders"}), both);
  EXPECT_EQ(ProblemOf({"a", "b", "--level", "3", "--lock-borders", "--free-borders"}), both);
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
  EXPECT_EQ(ProblemOf({"a", "b", "--finish", "fast"}),
            "--finish: \"fast\", expected collapse or cut");
  EXPECT_EQ(ProblemOf({"a", "b", "--attributes", "some"}),
            "--attributes: \"some\", expected keep or drop");
  EXPECT_EQ(ProblemOf({"a", "b", "--level", "1", "--best-effort"}),
            "--best-effort: needs --deadline");
  EXPECT_EQ(ProblemOf({"a", "b", "--lods", "0"}),
            "--lods: \"0\", expected a whole number from 1 to 16");
  EXPECT_EQ(ProblemOf({"a", "b", "--lods", "2", "--level", "1", "--ratio", "1"}),
            "simplify: 2" + one);
}

/// Expects that each of some values is wrong for a flag, and that the message names both.
void ExpectRefused(const std::string& flag, const Words& values, const std::string& expected) {
  for (const std::string& value : values) {
    EXPECT_EQ(ProblemOf({"a", "b", flag, value}),
              absl::StrCat(flag, ": \"", value, "\", expected ", expected));
  }
}

TEST(SimplifyFlags, RefuseNumbersOutOfRange) {
  ExpectRefused("--triangles", {"0", "-1", "1.5", "many", "18446744073709551616"},
                "a whole number of at least 1");
  ExpectRefused("--ratio", {"0", "-0.5", "1.001", "2", "nan", "half"},
                "a number of more than 0 and at most 1");
  ExpectRefused("--error", {"-1", "-1e-9", "inf", "nan", "small"}, "a finite number of at least 0");
  ExpectRefused("--level", {"22", "-1", "4294967296", "x"}, "a whole number from 0 to 21");
  ExpectRefused("--max-bytes", {"47", "-1", "0"}, "a whole number of at least 48");
  ExpectRefused("--weight",
                {"uvs", "uvs=x", "joints=1", "uvs=-1", "normals=1000.1", "colours=nan", "uvs=inf"},
                "normals=W, uvs=W or colours=W with a number W from 0 to 1000");
}

TEST(SimplifyFlags, TakeTheEndsOfTheRanges) {
  EXPECT_EQ(RequestOf({"a", "b", "--triangles", "1"}).triangles(), 1u);
  EXPECT_EQ(RequestOf({"a", "b", "--ratio", "1"}).ratio(), 1);
  EXPECT_GT(RequestOf({"a", "b", "--ratio", "1e-300"}).ratio(), 0);
  EXPECT_TRUE(RequestOf({"a", "b", "--error", "0"}).has_max_error());
  EXPECT_EQ(RequestOf({"a", "b", "--level", "21"}).level(), 21u);
  EXPECT_EQ(RequestOf({"a", "b", "--max-bytes", "48"}).max_bytes(), 48u);
  RequestOf({"a", "b", "--level", "1", "--weight", "uvs=1000", "--weight", "normals=0"});
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
