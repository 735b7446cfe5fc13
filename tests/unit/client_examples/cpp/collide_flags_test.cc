// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/collide_flags.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace warpyard::cli {
namespace {

using Words = std::vector<std::string>;

std::string Problem(const Words& words) {
  CollideArguments arguments;
  return std::string(ParseCollide(words, arguments).message());
}

TEST(CollideFlags, SetTheFieldsOfTheStep) {
  CollideArguments arguments;
  const Words words = {"a.ply",
                       "b.ply",
                       "--report",
                       "earliest",
                       "--root-finder=cubic",
                       "--tolerance",
                       "1e-9",
                       "--min-separation",
                       "0.5",
                       "--max-time",
                       "0.25",
                       "--geometry",
                       "on",
                       "--priority",
                       "urgent",
                       "--out",
                       "x",
                       "--server",
                       "h:1"};
  ASSERT_EQ(ParseCollide(words, arguments), absl::OkStatus());
  EXPECT_EQ(arguments.files, (Words{"a.ply", "b.ply"}));
  EXPECT_EQ(arguments.server.address, "h:1");
  EXPECT_EQ(arguments.out, "x");
  const v1::CollisionOptions& collision = arguments.step.collision();
  EXPECT_EQ(collision.report(), v1::REPORT_EARLIEST);
  EXPECT_EQ(collision.root_finder(), v1::ROOT_FINDER_CUBIC);
  EXPECT_EQ(collision.tolerance(), 1e-9);
  EXPECT_EQ(collision.min_separation(), 0.5);
  EXPECT_EQ(collision.max_time(), 0.25);
  EXPECT_TRUE(collision.with_geometry());
  EXPECT_EQ(arguments.step.job().priority(), v1::PRIORITY_URGENT);
}

TEST(CollideFlags, SetHowCollisionsAreFound) {
  CollideArguments arguments;
  const Words words = {"a",        "b",        "--traversal", "work-queue",
                       "--volume", "oriented", "--build",     "top-down"};
  ASSERT_EQ(ParseCollide(words, arguments), absl::OkStatus());
  EXPECT_EQ(arguments.step.collision().traversal(), v1::TRAVERSAL_WORK_QUEUE);
  EXPECT_EQ(arguments.step.collision().bounding_volume(), v1::BOUNDING_VOLUME_ORIENTED_BOXES);
  EXPECT_EQ(arguments.open.hierarchy_build(), v1::HIERARCHY_BUILD_TOP_DOWN);
  ASSERT_TRUE(ParseCollide({"a", "b", "--volume", "boxes"}, arguments).ok());
  EXPECT_EQ(arguments.step.collision().bounding_volume(), v1::BOUNDING_VOLUME_AXIS_ALIGNED_BOXES);
}

TEST(CollideFlags, TakeFractionsOfAMillisecond) {
  CollideArguments arguments;
  ASSERT_TRUE(ParseCollide({"a", "b", "--deadline", "0.5"}, arguments).ok());
  EXPECT_EQ(arguments.deadline_ms, 0.5);
}

TEST(CollideFlags, SayWhatWasExpected) {
  EXPECT_EQ(Problem({"a", "b", "--report", "all"}),
            "--report: \"all\", expected collisions, earliest or candidates");
  EXPECT_EQ(Problem({"a", "b", "--report", "unspecified"}),
            "--report: \"unspecified\", expected collisions, earliest or candidates");
  EXPECT_EQ(Problem({"a", "b", "--tolerance", "small"}),
            "--tolerance: \"small\", expected a number");
  EXPECT_EQ(Problem({"a", "b", "--traversal", "fast"}),
            "--traversal: \"fast\", expected clusters, independent, work-queue, compaction, "
            "balancing, stealing or front");
  EXPECT_EQ(Problem({"a", "b", "--volume", "spheres"}),
            "--volume: \"spheres\", expected boxes or oriented");
  EXPECT_EQ(Problem({"a", "b", "--build", "slow"}),
            "--build: \"slow\", expected morton or top-down");
  EXPECT_EQ(Problem({"a", "b", "--tolerance"}),
            "--tolerance: its value is missing, expected a number");
  for (const char* wrong : {"0", "-1", "nan", "1e10"}) {
    EXPECT_EQ(Problem({"a", "b", "--deadline", wrong}),
              std::string("--deadline: \"") + wrong +
                  "\", expected milliseconds, more than 0 and at most 1e+09");
  }
  EXPECT_EQ(Problem({"a"}), "collide: 1 files, expected two, START and END");
}

TEST(CollideFlags, HaveAHelpForEach) {
  CollideArguments arguments;
  const std::string help = CollideHelp();
  for (const client_support::Flag& flag : CollideFlags(arguments)) {
    EXPECT_FALSE(flag.help.empty()) << flag.name;
    EXPECT_NE(help.find(flag.name + " " + flag.value), std::string::npos) << flag.name;
  }
}

}  // namespace
}  // namespace warpyard::cli
