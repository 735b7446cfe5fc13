// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// docs/grammar.md and docs/grammar-results.md, the reference of the language: their examples are
// derived, and they name all that the language has.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/workload/grammar/code/functions.h"
#include "core/workload/grammar/code/names.h"
#include "core/workload/grammar/language/operators.h"
#include "tests/support/grammar/derive_driver.h"

namespace warpyard {
namespace {

using test_support::Derived;
using test_support::DeriveDriver;
using test_support::Lots;

std::string TextOfFile(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::filesystem::path Sources() { return WARPYARD_SOURCES; }

/// Both pages.
const std::string& Page() {
  static const auto* const kPage =
      new std::string(TextOfFile(Sources() / "docs" / "grammar.md") +
                      TextOfFile(Sources() / "docs" / "grammar-results.md"));
  return *kPage;
}

/// The fenced blocks of the page in the language.
std::vector<std::string> Examples() {
  constexpr std::string_view kBegin = "\n```wyg\n", kEnd = "\n```\n";
  std::vector<std::string> examples;
  for (std::size_t at = 0; (at = Page().find(kBegin, at)) != std::string::npos;) {
    at += kBegin.size();
    const std::size_t end = Page().find(kEnd, at);
    examples.push_back(Page().substr(at, end - at));
    at = end;
  }
  return examples;
}

/// Whether the page has `name` or `name(... in quotes.
bool Names(std::string_view name) {
  constexpr std::array<const char*, 3> kEnds = {"`", "(", " {"};
  return std::any_of(kEnds.begin(), kEnds.end(), [&](const char* end) {
    return Page().find("`" + std::string(name) + end) != std::string::npos;
  });
}

/// The codes of diagnostics between quotes in the sources: "E104".
std::set<std::string> Codes() {
  std::set<std::string> codes;
  const std::filesystem::path folder = Sources() / "core" / "workload" / "grammar";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".cc") continue;
    const std::string text = TextOfFile(entry.path());
    for (std::size_t at = 0; at + 6 <= text.size(); ++at) {
      const std::string_view word = std::string_view(text).substr(at, 6);
      if (word.front() != '"' || word.back() != '"' || (word[1] != 'E' && word[1] != 'W')) continue;
      const std::string_view digits = word.substr(2, 3);
      if (std::all_of(digits.begin(), digits.end(), [](unsigned char c) { return isdigit(c); })) {
        codes.emplace(word.substr(1, 4));
      }
    }
  }
  return codes;
}

TEST(GrammarReference, HasExamplesThatCompileAndMakeInstances) {
  const std::vector<std::string> examples = Examples();
  ASSERT_GE(examples.size(), 10u);
  for (const std::string& example : examples) {
    SCOPED_TRACE(example);
    EXPECT_EQ(example.rfind("wyg 1;", 0), 0u);
    const test_support::CompiledText compiled = test_support::CompileText(example);
    for (const grammar::Diagnostic& d : compiled.diagnostics) {
      ADD_FAILURE() << grammar::TextOf(d);
    }
    if (compiled.has_errors) continue;
    DeriveDriver driver;
    ASSERT_TRUE(driver.Open(example).ok());
    const absl::StatusOr<Derived> derived = driver.Derive(Lots(1, 20, 12, 20));
    ASSERT_TRUE(derived.ok()) << derived.status();
    EXPECT_FALSE(derived->instances.empty());
    for (std::size_t r = 0; r < derived->statistics.rules.size(); ++r) {
      EXPECT_EQ(derived->statistics.rules[r].clamped, 0u) << driver.grammar().info().rules[r];
      EXPECT_EQ(derived->statistics.rules[r].dropped, 0u) << driver.grammar().info().rules[r];
    }
  }
}

TEST(GrammarReference, NamesEveryOperator) {
  for (const grammar::OperatorInfo& info : grammar::kOperators) {
    EXPECT_TRUE(Names(info.name)) << info.name;
  }
}

TEST(GrammarReference, NamesEveryFunctionAndName) {
  for (const auto& names : {grammar::BuiltInValues(), grammar::BuiltInFunctions()}) {
    for (const std::string_view name : names) EXPECT_TRUE(Names(name)) << name;
  }
}

TEST(GrammarReference, NamesEveryDiagnosticAndNoOther) {
  const std::set<std::string> codes = Codes();
  ASSERT_GE(codes.size(), 40u);
  std::set<std::string> named;
  for (std::size_t at = 0; (at = Page().find("\n| ", at)) != std::string::npos; ++at) {
    const std::string_view word = std::string_view(Page()).substr(at + 3, 4);
    if ((word[0] == 'E' || word[0] == 'W') && isdigit(static_cast<unsigned char>(word[1])) != 0) {
      named.emplace(word);
    }
  }
  EXPECT_EQ(named, codes);
}

}  // namespace
}  // namespace warpyard
