// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/support/command_line.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace warpyard::client_support {
namespace {

using Words = std::vector<std::string>;

struct Values {
  std::string server = "here:1";
  std::string out;
  std::size_t colour = 9;
  bool quiet = false;
};

std::vector<Flag> Table(Values& values) {
  return {
      ServerFlag(values.server),
      TextFlag("--out", "FILE", "where the result goes", values.out),
      ChoiceFlag("--colour",
                 "a choice of three words with so much to say about each of them that "
                 "one line is too short for it",
                 {"red", "green", "blue"}, [&](std::size_t choice) { values.colour = choice; }),
      {"--quiet", "", "says nothing", "", [&](const std::string&) { return values.quiet = true; }},
  };
}

std::string Problem(const Words& words) {
  Values values;
  return std::string(ParseFlags(Table(values), words).status().message());
}

TEST(CommandLine, TakesFlagsInBothFormsAmongOtherWords) {
  Values values;
  const auto others = ParseFlags(
      Table(values), {"a", "--server", "[::1]:2", "--colour=blue", "b", "--quiet", "--out", "-1"});
  ASSERT_TRUE(others.ok()) << others.status();
  EXPECT_EQ(*others, (Words{"a", "b"}));
  EXPECT_EQ(values.server, "[::1]:2");
  EXPECT_EQ(values.colour, 2u);
  EXPECT_EQ(values.out, "-1");
  EXPECT_TRUE(values.quiet);
}

TEST(CommandLine, TellsItsThreeErrorsApartAndNamesTheFlag) {
  EXPECT_EQ(Problem({"--frob", "1"}), "--frob: no such flag; --help lists all of them");
  EXPECT_EQ(Problem({"-x"}), "-x: no such flag; --help lists all of them");
  EXPECT_EQ(Problem({"--out"}), "--out: its value is missing, expected FILE");
  EXPECT_EQ(Problem({"--out", "--quiet"}), "--out: its value is missing, expected FILE");
  EXPECT_EQ(Problem({"--colour", "pink"}), "--colour: \"pink\", expected red, green or blue");
  EXPECT_EQ(Problem({"--colour="}), "--colour: \"\", expected red, green or blue");
  EXPECT_EQ(Problem({"--server", "\n"}), "--server: \"\\n\", expected HOST:PORT");
  EXPECT_EQ(Problem({"--quiet=1"}), "--quiet: takes no value");
}

TEST(CommandLine, ExplainsEveryFlag) {
  Values values;
  const std::string help = FlagsHelp(Table(values));
  for (const char* part : {"--server HOST:PORT", "(default here:1)", "--out FILE            where",
                           "--colour red|green|blue\n", "--quiet", "--help"}) {
    EXPECT_NE(help.find(part), std::string::npos) << part << " is not in:\n" << help;
  }
  for (const absl::string_view line : absl::StrSplit(help, '\n')) EXPECT_LE(line.size(), 88u);
}

TEST(CommandLine, KnowsWhoWantsHelp) {
  EXPECT_TRUE(WantsHelp({"x", "--help"}));
  EXPECT_TRUE(WantsHelp({"-h"}));
  EXPECT_FALSE(WantsHelp({"help", "--helper"}));
}

TEST(Switch, SetsItsFlagWithoutAValue) {
  bool is_on = false;
  const std::vector<Flag> flags = {Switch("--fast", "goes fast", is_on)};
  EXPECT_TRUE(ParseFlags(flags, {}).ok());
  EXPECT_FALSE(is_on);
  EXPECT_FALSE(ParseFlags(flags, {"--fast=yes"}).ok());
  EXPECT_TRUE(ParseFlags(flags, {"--fast"}).ok());
  EXPECT_TRUE(is_on);
}

}  // namespace
}  // namespace warpyard::client_support
