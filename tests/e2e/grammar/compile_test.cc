// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// CompileGrammar: grammars of several files, and texts that are none.

#include <string>
#include <vector>

#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/grammar/grammar_server.h"

namespace warpyard::test_support {
namespace {

using ::testing::HasSubstr;

TEST(CompileGrammar, ReadsImports) {
  GrammarServer server;
  v1::CompileGrammarRequest request =
      TextRequest("wyg 1;\nimport \"walls.wyg\";\nstart Lot;\nrule Lot = Wall;\n");
  v1::CompileGrammarResponse response;
  ASSERT_TRUE(server.Compile(request, &response).ok());
  EXPECT_EQ(response.grammar(), "");
  ASSERT_GE(response.diagnostics_size(), 1);
  EXPECT_THAT(response.diagnostics(0).message(), HasSubstr("walls.wyg"));
  v1::GrammarFile& walls = *request.add_files();
  walls.set_name("walls.wyg");
  walls.set_text("wyg 1;\nrule Wall = bxo;\n");
  response.Clear();
  ASSERT_TRUE(server.Compile(request, &response).ok());
  ASSERT_EQ(response.diagnostics_size(), 1);
  EXPECT_EQ(response.diagnostics(0).file(), "walls.wyg");
  EXPECT_EQ(response.diagnostics(0).line(), 2u);
  walls.set_text("wyg 1;\nrule Wall = box;\n");
  response.Clear();
  ASSERT_TRUE(server.Compile(request, &response).ok());
  EXPECT_EQ(server.Derive(DeriveRequest(response.grammar(), 1)).statistics.terminals(), 1u);
}

TEST(CompileGrammar, EndsAtItsDeadline) {
  GrammarServer server;
  // 5,000 uses of arguments for each of 4,000 rules: about a second.
  std::string text = "wyg 1;\nstart R0;\nfn f(x) = x + x + x + x + x + x + x + x;\n";
  for (int i = 0; i < 4000; ++i) {
    text += "rule R" + std::to_string(i) + " = yaw(f(f(f(f(1)))) + f(f(f(f(2)))));\n";
  }
  v1::CompileGrammarRequest request = TextRequest(text);
  request.mutable_job()->mutable_deadline()->set_nanos(100'000'000);
  v1::CompileGrammarResponse response;
  EXPECT_EQ(server.Compile(request, &response).error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
  EXPECT_TRUE(server.test().server().WaitUntilIdle(absl::Seconds(10)));
}

TEST(CompileGrammar, AnswersAnyTextWithReadableDiagnostics) {
  GrammarServer server;
  std::string umlauts;
  for (int i = 0; i < 200; ++i) umlauts += "\xc3\xbc";
  const std::vector<std::string> texts = {
      "",
      umlauts,
      "wyg 1; start A; rule A = inst(" + umlauts + ");",
      "wyg 1; import \"" + umlauts + "\"; start A; rule A = box(x" + umlauts + ");",
      "wyg 1; start A; mesh m(\"" + umlauts + "\"); rule A = \"" + umlauts,
      "wyg 1; start A; rule A = " + std::string(10'000, '[') + ";",
      "wyg 1; start A; rule A = " + std::string(10'000, '{') + ";",
      "wyg 1; start A; rule A = size(" + std::string(10'000, '(') + ");",
      "wyg 1; start A; rule A = size(" + std::string(10'000, '-') + "1, 1, 1) box;",
      std::string("wyg 1;\0 start A;", 16),
      "wyg 1; start " + std::string(100'000, 'a') + ";"};
  for (const std::string& text : texts) {
    // A response whose strings are not UTF-8 would not be read.
    const v1::CompileGrammarResponse response = server.Compiled(text);
    EXPECT_EQ(response.grammar(), "");
    EXPECT_THAT(response.diagnostics_size(), ::testing::AllOf(::testing::Ge(1), ::testing::Le(40)))
        << text.substr(0, 60);
    EXPECT_LT(response.ByteSizeLong(), 40'000u) << text.substr(0, 60);
  }
}

}  // namespace
}  // namespace warpyard::test_support
