// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Diagnostics of grammars as text, for tables of tests.
#ifndef WARPYARD_TESTS_SUPPORT_GRAMMAR_TOLD_H_
#define WARPYARD_TESTS_SUPPORT_GRAMMAR_TOLD_H_

#include <ostream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/workload/grammar/language/diagnostics.h"
#include "core/workload/grammar/language/parser.h"

namespace warpyard::test_support {

/// A text, and all that is told of it, as ToldOf writes it.
struct ToldCase {
  const char* name;
  std::string text;
  std::string told;
};

inline void PrintTo(const ToldCase& one, std::ostream* stream) { *stream << one.name; }

/// The name of a case as a name of a test.
inline constexpr auto kNameOfCase = [](const auto& one) { return std::string(one.param.name); };

/// "main.wyg:3:7: E104 unknown function 'f'" for each diagnostic, a line each.
inline std::string ToldOf(const std::vector<grammar::Diagnostic>& diagnostics) {
  std::string told;
  for (const grammar::Diagnostic& d : diagnostics) {
    absl::StrAppend(&told, told.empty() ? "" : "\n", d.file, ":", d.line, ":", d.column, ": ",
                    d.code, " ", d.message);
  }
  return told;
}

/// What the parser makes of files.
struct ParsedFiles {
  grammar::Tree tree;
  std::vector<grammar::Diagnostic> diagnostics;
};

inline ParsedFiles ParseFiles(const std::vector<grammar::SourceFile>& files) {
  grammar::Diagnostics diagnostics(files);
  ParsedFiles parsed;
  parsed.tree = grammar::Parse(files, diagnostics);
  parsed.diagnostics = diagnostics.Sorted();
  return parsed;
}

/// Parses a file "main.wyg", whose first line is the version and whose second one is the text.
inline ParsedFiles ParseText(const std::string& text) {
  return ParseFiles({{"main.wyg", "wyg 1;\n" + text}});
}

/// `text` so many times, one after the other.
inline std::string Repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_GRAMMAR_TOLD_H_
