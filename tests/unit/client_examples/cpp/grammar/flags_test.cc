// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/grammar/flags.h"

#include <gtest/gtest.h>

#include "absl/strings/str_split.h"

namespace warpyard::cli {
namespace {

DeriveArguments Parsed(const std::string& words) {
  DeriveArguments arguments;
  EXPECT_EQ(ParseDerive(absl::StrSplit(words, ' ', absl::SkipEmpty()), arguments), absl::OkStatus())
      << words;
  return arguments;
}

std::string Refusal(const std::string& words) {
  DeriveArguments arguments;
  const absl::Status status = ParseDerive(absl::StrSplit(words, ' ', absl::SkipEmpty()), arguments);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << words;
  return std::string(status.message());
}

TEST(ParseDerive, HasDefaults) {
  const DeriveArguments arguments = Parsed("a.wyg");
  EXPECT_EQ(arguments.file, "a.wyg");
  EXPECT_TRUE(arguments.request.statistics_only());
  EXPECT_EQ(arguments.lots.count, (std::array<std::uint32_t, 2>{1, 1}));
  EXPECT_FALSE(arguments.parcels.height);
  EXPECT_EQ(arguments.request.max_instances(), 0u);
}

TEST(ParseDerive, ReadsAllFlags) {
  const DeriveArguments arguments = Parsed(
      "a.wyg --lots 3x4 --lot-size 10x20.5x30 --gap 0 --seed 18446744073709551615 --attr "
      "floors=3 --attr=age=-1.5 --style old --on-limit coarse --max-instances 7 --max-depth "
      "9 --max-bytes 123 --deadline 1500 --out c.glb --expand --expand-max-bytes 99 "
      "--report r.csv --statistics s.json --view v.json --server h:1 --height 4 --degrees");
  EXPECT_EQ(arguments.lots.count, (std::array<std::uint32_t, 2>{3, 4}));
  EXPECT_EQ(arguments.lots.size, (std::array<float, 3>{10, 20.5F, 30}));
  EXPECT_EQ(arguments.lots.gap, 0);
  EXPECT_EQ(arguments.attributes,
            (std::vector<std::pair<std::string, float>>{{"floors", 3.F}, {"age", -1.5F}}));
  const v1::DeriveGrammarRequest& request = arguments.request;
  EXPECT_EQ(request.seed(), 18446744073709551615U);
  EXPECT_EQ(request.style(), "old");
  EXPECT_EQ(request.on_limit(), v1::ON_LIMIT_COARSE);
  EXPECT_EQ(request.max_instances(), 7u);
  EXPECT_EQ(request.max_depth(), 9u);
  EXPECT_EQ(request.max_bytes(), 123u);
  EXPECT_EQ(request.job().deadline().seconds(), 1);
  EXPECT_FALSE(request.statistics_only());
  EXPECT_TRUE(arguments.output.expand);
  EXPECT_EQ(arguments.output.expand_max_bytes, 99u);
  EXPECT_EQ(arguments.parcels.height, 4);
  EXPECT_EQ(arguments.parcels.unit, city_io::MapUnit::kDegrees);
}

TEST(ParseDerive, SaysWhatIsWrong) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "0 files"},
      {"a b", "2 files"},
      {"a --lots 3", "--lots: \"3\""},
      {"a --lots 3x0", "--lots"},
      {"a --lots 4000x4000", "at most 4194304"},
      {"a --lot-size 1x2x-3", "--lot-size"},
      {"a --lot-size 1x2xnan", "--lot-size"},
      {"a --gap inf", "--gap"},
      {"a --height 0", "--height"},
      {"a --attr floors", "--attr"},
      {"a --attr =3", "--attr"},
      {"a --attr floors=many", "--attr"},
      {"a --attr floors=3 --attr age=1 --attr=floors=3", "--attr: floors has two values"},
      {"a --seed -1", "--seed"},
      {"a --max-instances 0", "--max-instances: \"0\", expected a whole number more than 0"},
      {"a --max-depth 0", "--max-depth"},
      {"a --max-bytes 0", "--max-bytes"},
      {"a --max-depth 4294967296", "--max-depth"},
      {"a --out c.png", "c.png, expected a file that ends with .glb, .obj or .wyi"},
      {"a --out c.wyi --expand", "c.wyi has instances"},
      {"a --expand", "--expand: needs --out"},
      {"a --parcels p --lots 1x2", "--lots: parcels come from --parcels"},
  };
  for (const auto& [words, part] : cases) {
    EXPECT_NE(Refusal(words).find(part), std::string::npos) << words << ": " << Refusal(words);
  }
}

TEST(ParseCheck, TakesOneFile) {
  CheckArguments arguments;
  EXPECT_EQ(ParseCheck({"a.wyg", "--server", "h:1"}, arguments), absl::OkStatus());
  EXPECT_EQ(arguments.file, "a.wyg");
  EXPECT_FALSE(ParseCheck({}, arguments).ok());
  EXPECT_FALSE(ParseCheck({"a", "--seed", "1"}, arguments).ok());
}

TEST(GrammarHelp, ExplainsHolesAndAxes) {
  EXPECT_NE(GrammarHelp().find("outer rings count, and no holes"), std::string::npos);
  EXPECT_NE(GrammarHelp().find("z is south"), std::string::npos);
}

}  // namespace
}  // namespace warpyard::cli
