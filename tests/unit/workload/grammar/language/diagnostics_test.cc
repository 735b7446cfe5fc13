// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/language/diagnostics.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/workload/grammar/limits.h"
#include "tests/support/grammar/told.h"

namespace warpyard {
namespace {

using grammar::Diagnostic;
using grammar::Diagnostics;
using grammar::DidYouMean;
using grammar::SourceFile;
using test_support::ToldOf;

/// The only diagnostic of a file with this text.
Diagnostic ToldAt(const std::string& text, std::uint32_t line, std::uint32_t column) {
  const std::vector<SourceFile> files = {{"main.wyg", text}};
  Diagnostics diagnostics(files);
  diagnostics.Add("E102", {0, line, column}, "wrong");
  return diagnostics.Sorted().at(0);
}

TEST(Diagnostics, ShowTheLineAndMarkTheColumn) {
  EXPECT_EQ(TextOf(ToldAt("a\nbc de\nf", 2, 4)),
            "main.wyg:2:4: E102 wrong\n"
            "  bc de\n"
            "     ^");
}

TEST(Diagnostics, ShowTheLastLineAndTheEnd) {
  EXPECT_EQ(ToldAt("a\nbc", 2, 3).source, "bc");
  EXPECT_EQ(ToldAt("a\n", 2, 1).source, "");
  EXPECT_EQ(ToldAt("", 1, 1).source, "");
}

TEST(Diagnostics, ShowOneCharacterForEachByte) {
  // So the mark is below the column, whatever the terminal makes of tabs and of UTF-8.
  EXPECT_EQ(ToldAt("\ta\xc3\xa4z", 1, 5).source, " a??z");
  EXPECT_EQ(ToldAt(std::string("a\0b", 3), 1, 2).source, "a?b");
}

TEST(Diagnostics, LeaveTheEndOfALineOut) {
  EXPECT_EQ(ToldAt("a b\r\nc", 1, 3).source, "a b");
  EXPECT_EQ(ToldAt("a b\r\nc d\r\n", 2, 3).source, "c d");
}

TEST(Diagnostics, CutLongLines) {
  const Diagnostic diagnostic = ToldAt(std::string(1000, 'x'), 1, 900);
  EXPECT_EQ(diagnostic.source, std::string(160, 'x'));
  EXPECT_EQ(diagnostic.column, 900u);
  EXPECT_EQ(TextOf(diagnostic), "main.wyg:1:900: E102 wrong\n  " + std::string(160, 'x') + "\n  " +
                                    std::string(160, ' ') + "^");
}

TEST(Diagnostics, AreInTheOrderOfFilesAndPlaces) {
  const std::vector<SourceFile> files = {{"main.wyg", ""}, {"a.wyg", ""}};
  Diagnostics diagnostics(files);
  diagnostics.Add("E103", {1, 1, 1}, "last");
  diagnostics.Add("W301", {0, 2, 1}, "fourth");
  diagnostics.Add("E102", {0, 1, 9}, "second");
  diagnostics.Add("E101", {0, 1, 9}, "third, since it came later");
  diagnostics.Add("E104", {0, 1, 8}, "first");
  EXPECT_EQ(ToldOf(diagnostics.Sorted()),
            "main.wyg:1:8: E104 first\n"
            "main.wyg:1:9: E102 second\n"
            "main.wyg:1:9: E101 third, since it came later\n"
            "main.wyg:2:1: W301 fourth\n"
            "a.wyg:1:1: E103 last");
}

TEST(Diagnostics, KeepTwentyErrorsAndTwentyWarnings) {
  Diagnostics diagnostics({});
  for (std::uint32_t i = 1; i <= 30; ++i) {
    diagnostics.Add("E101", {0, i, 1}, "error");
    diagnostics.Add("W301", {0, i, 2}, "warning");
  }
  EXPECT_EQ(diagnostics.Errors(), 30u);
  std::size_t errors = 0;
  for (const Diagnostic& diagnostic : diagnostics.Sorted()) errors += diagnostic.IsError();
  EXPECT_EQ(errors, grammar::kMostErrors);
  EXPECT_EQ(diagnostics.Sorted().size(), 2 * grammar::kMostErrors);
}

TEST(Diagnostics, LookForSuggestionsOnlyWhileTheyKeepErrors) {
  Diagnostics diagnostics({});
  std::size_t looked = 0;
  for (std::uint32_t i = 1; i <= 1000; ++i) {
    diagnostics.AddUnknown("E102", {0, i, 1}, "unknown 'spilt'", "spilt", [&looked] {
      ++looked;
      return std::vector<std::string_view>{"split"};
    });
  }
  EXPECT_EQ(looked, grammar::kMostErrors);
  EXPECT_EQ(diagnostics.Errors(), 1000u);
  EXPECT_EQ(diagnostics.Sorted().back().message, "unknown 'spilt', did you mean 'split'?");
}

TEST(Diagnostics, TellErrorsFromWarnings) {
  Diagnostics diagnostics({});
  diagnostics.Add("W301", {}, "warning");
  EXPECT_FALSE(diagnostics.HasErrors());
  diagnostics.Add("E101", {}, "error");
  EXPECT_TRUE(diagnostics.HasErrors());
}

TEST(Diagnostics, NeedNoFile) {
  Diagnostics diagnostics({});
  diagnostics.Add("E301", {}, "no files");
  EXPECT_EQ(ToldOf(diagnostics.Sorted()), ":1:1: E301 no files");
}

/// A misspelt name, and the one that is meant among kCandidates.
struct MeantCase {
  const char* written;
  const char* meant;
};

TEST(DidYouMean, FindsTheNameWithTheFewestEdits) {
  const std::string_view candidates[] = {"split", "repeat", "comp", "yaw", "translate", ""};
  for (const MeantCase& one : {
           MeantCase{"spilt", "split"},    // neighbours swapped: one edit
           MeantCase{"spli", "split"},     // a letter left out
           MeantCase{"splitt", "split"},   // a letter too many
           MeantCase{"splot", "split"},    // another letter
           MeantCase{"ripiat", "repeat"},  // two edits of six letters
           MeantCase{"ripiad", ""},        // three are too many
           MeantCase{"transalet", "translate"},
           MeantCase{"law", "yaw"},  // one edit of three letters
           MeantCase{"lav", ""},     // two are too many
           MeantCase{"aw", "yaw"},
           MeantCase{"", ""},
           MeantCase{"Split", "split"},
       }) {
    EXPECT_EQ(DidYouMean(one.written, candidates), one.meant) << one.written;
  }
}

TEST(DidYouMean, NeedsALetterInCommon) {
  const std::string_view candidates[] = {"y", "z"};
  EXPECT_EQ(DidYouMean("x", candidates), "");
}

TEST(DidYouMean, TakesTheFirstOfEqualOnes) {
  const std::string_view candidates[] = {"wall_a", "wall_b"};
  EXPECT_EQ(DidYouMean("wall_c", candidates), "wall_a");
}

TEST(DidYouMean, LeavesLongNamesAlone) {
  const std::string long_name(65, 'a');
  const std::string_view candidates[] = {long_name};
  EXPECT_EQ(DidYouMean(long_name.substr(1), candidates), "");
  EXPECT_EQ(DidYouMean(long_name, candidates), "");
}

TEST(DidYouMean, IsAQuestionOrNothing) {
  const std::string_view candidates[] = {"split"};
  EXPECT_EQ(grammar::Suggestion("spilt", candidates), ", did you mean 'split'?");
  EXPECT_EQ(grammar::Suggestion("box", candidates), "");
}

}  // namespace
}  // namespace warpyard
