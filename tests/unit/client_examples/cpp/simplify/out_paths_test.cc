// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/simplify/out_paths.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace warpyard::cli {
namespace {

SimplifyArguments Arguments(const std::string& in, const std::string& out, std::size_t lods = 0) {
  SimplifyArguments arguments;
  arguments.files = {::testing::TempDir() + in, ::testing::TempDir() + out};
  arguments.lods = lods;
  return arguments;
}

std::string ProblemOf(const SimplifyArguments& arguments) {
  return std::string(CheckOutPaths(arguments).message());
}

TEST(OutPaths, AreThoseOfTheLevels) {
  EXPECT_EQ(OutPaths(Arguments("a.obj", "b.glb")),
            (std::vector<std::string>{::testing::TempDir() + "b.glb"}));
  EXPECT_EQ(OutPaths(Arguments("a.obj", "b.glb", 2)),
            (std::vector<std::string>{::testing::TempDir() + "b_0.glb",
                                      ::testing::TempDir() + "b_1.glb"}));
}

TEST(CheckOutPaths, FindsAnEndingWithoutAFormat) {
  EXPECT_EQ(CheckOutPaths(Arguments("a.obj", "b.PLY")), absl::OkStatus());
  const std::string problem = ": the name ends with none of .ply, .obj, .stl and .glb";
  EXPECT_EQ(ProblemOf(Arguments("a.obj", "b.xyz")), ::testing::TempDir() + "b.xyz" + problem);
  EXPECT_EQ(ProblemOf(Arguments("a.obj", "b", 3)), ::testing::TempDir() + "b_0" + problem);
}

TEST(CheckOutPaths, FindsAFolderThatDoesNotExist) {
  const std::string problem = ": cannot write: No such file or directory";
  EXPECT_EQ(ProblemOf(Arguments("a.obj", "no/such/b.ply")),
            ::testing::TempDir() + "no/such/b.ply" + problem);
  EXPECT_EQ(ProblemOf(Arguments("a.obj", "no/such/b.ply", 2)),
            ::testing::TempDir() + "no/such/b_0.ply" + problem);
  SimplifyArguments arguments = Arguments("a.obj", "b.ply");
  arguments.statistics = ::testing::TempDir() + "no/s.json";
  EXPECT_EQ(ProblemOf(arguments), arguments.statistics + problem);
  arguments.statistics = ::testing::TempDir() + "s.json";
  EXPECT_EQ(CheckOutPaths(arguments), absl::OkStatus());
}

TEST(CheckOutPaths, ReplacesOnlyWhatIsNamedAsOut) {
  EXPECT_EQ(CheckOutPaths(Arguments("a.obj", "a.obj")), absl::OkStatus());
  EXPECT_EQ(ProblemOf(Arguments("a_1.obj", "a.obj", 2)),
            "--lods: " + ::testing::TempDir() + "a_1.obj would be replaced by a level");
  for (const std::string mesh : {"a.obj", "b.ply"}) {
    SimplifyArguments arguments = Arguments("a.obj", "b.ply");
    arguments.statistics = ::testing::TempDir() + "./" + mesh;
    EXPECT_EQ(ProblemOf(arguments),
              "--statistics: " + arguments.statistics + " is the file of a mesh, too");
  }
}

}  // namespace
}  // namespace warpyard::cli
