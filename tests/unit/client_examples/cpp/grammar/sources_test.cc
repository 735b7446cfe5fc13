// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/grammar/sources.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace warpyard::cli {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

TEST(ImportsOf, SkipsCommentsAndTexts) {
  EXPECT_EQ(ImportsOf("import \"a.wyg\"; import\n\"b.wyg\"; import \"a.wyg\";"),
            (Names{"a.wyg", "b.wyg"}));
  EXPECT_EQ(ImportsOf("// import \"a\"\n/* import \"b\" */ import /* */ \"c\";"), (Names{"c"}));
  EXPECT_EQ(ImportsOf("imports \"a\"; \"import\" \"b\"; import = \"c\";"), Names{});
  EXPECT_EQ(ImportsOf("import \"no end\n\"; import \"\"; import"), Names{});
}

class ReadSourcesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "parts");
  }
  std::string Write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  static Names NamesIn(const v1::CompileGrammarRequest& request) {
    Names names;
    for (const v1::GrammarFile& file : request.files()) names.push_back(file.name());
    return names;
  }

  fs::path folder_ = fs::path(::testing::TempDir()) / "grammar_sources";
};

TEST_F(ReadSourcesTest, ReadsWhatFilesImport) {
  const std::string main = Write("main.wyg", "import \"parts/a.wyg\"; import \"gone.wyg\";");
  Write("parts/a.wyg", "import \"b.wyg\";");
  Write("b.wyg", "import \"main.wyg\"; import \"parts/a.wyg\";");
  Write("other.wyg", "");
  const auto request = ReadSources(main);
  ASSERT_TRUE(request.ok()) << request.status();
  EXPECT_EQ(NamesIn(*request), (Names{"main.wyg", "parts/a.wyg", "b.wyg"}));
  EXPECT_EQ(request->files(1).text(), "import \"b.wyg\";");
}

TEST_F(ReadSourcesTest, StaysInTheFolder) {
  Write("b.wyg", "secret");
  for (const char* const name : {"../b.wyg", "/etc/passwd"}) {
    const auto request =
        ReadSources(Write("parts/main.wyg", std::string("import \"") + name + "\";"));
    EXPECT_EQ(request.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_NE(request.status().message().find(name), std::string::npos);
  }
}

TEST_F(ReadSourcesTest, NamesFilesThatCannotBeRead) {
  EXPECT_EQ(ReadSources((folder_ / "gone.wyg").string()).status().code(),
            absl::StatusCode::kNotFound);
  const auto request = ReadSources(Write("main.wyg", "import \"parts\";"));
  EXPECT_EQ(request.status().code(), absl::StatusCode::kInvalidArgument);
  const auto binary = ReadSources(Write("binary.wyg", std::string("wyg\xFF 1;", 7)));
  EXPECT_EQ(binary.status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(TextOf, MarksTheColumn) {
  v1::GrammarDiagnostic diagnostic;
  diagnostic.set_code("E104");
  diagnostic.set_file("a.wyg");
  diagnostic.set_line(3);
  diagnostic.set_column(5);
  diagnostic.set_message("unknown operator");
  diagnostic.set_source("abc spilt");
  EXPECT_EQ(TextOf(diagnostic, "city"),
            "city/a.wyg:3:5: E104 unknown operator\n  abc spilt\n      ^\n");
  EXPECT_TRUE(IsError(diagnostic));
  diagnostic.set_column(5000);
  diagnostic.set_code("W301");
  EXPECT_EQ(TextOf(diagnostic, ""),
            "a.wyg:3:5000: W301 unknown operator\n  abc spilt\n           ^\n");
  EXPECT_FALSE(IsError(diagnostic));
}

}  // namespace
}  // namespace warpyard::cli
