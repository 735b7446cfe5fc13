// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/demo/demo_options.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace warpyard::demo {
namespace {

TEST(DemoOptions, HaveDefaults) {
  const auto options = ParseDemoOptions({});
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->server.address, "127.0.0.1:7843");
  EXPECT_EQ(options->steps, 20);
  EXPECT_TRUE(options->start.empty());
  EXPECT_FALSE(options->help);
}

TEST(DemoOptions, TakeFlagsInBothForms) {
  const auto options = ParseDemoOptions({"--server", "[::1]:1", "--steps=3", "--seed", "9"});
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->server.address, "[::1]:1");
  EXPECT_EQ(options->steps, 3);
  EXPECT_EQ(options->seed, 9u);
  const auto files = ParseDemoOptions({"a.ply", "--server=b:1", "c.obj"});
  ASSERT_TRUE(files.ok());
  EXPECT_EQ(files->start, "a.ply");
  EXPECT_EQ(files->end, "c.obj");
  EXPECT_TRUE(ParseDemoOptions({"x", "--help"})->help);
}

TEST(DemoOptions, WriteFramesOfTheSimulation) {
  const auto options = ParseDemoOptions({"--write", "a.ply", "b.ply", "--steps", "3"});
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_TRUE(options->write);
  EXPECT_EQ(options->steps, 3);
  EXPECT_EQ(options->start, "a.ply");
  EXPECT_EQ(options->end, "b.ply");
}

TEST(DemoOptions, RefuseWhatMakesNoSense) {
  const std::vector<std::vector<std::string>> wrong = {
      {"--steps"},
      {"--steps", "0"},
      {"--steps", "many"},
      {"--steps=1000000"},
      {"--seed", "-1"},
      {"--server", "nohost"},
      {"--bogus", "1"},
      {"one.ply"},
      {"a", "b", "c"},
      {"a", "b", "--seed=1"},
      {"-"},
      {"--write"},
      {"--write", "a.ply"},
  };
  for (const std::vector<std::string>& words : wrong) {
    EXPECT_FALSE(ParseDemoOptions(words).ok()) << words[0];
  }
}

}  // namespace
}  // namespace warpyard::demo
