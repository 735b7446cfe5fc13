// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/errors/error_reason.h"

#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace warpyard::server {
namespace {

/// The beginnings of the page's rows: "| `REASON` | CODE | limit | delay |".
std::set<std::string> RowsOfThePage() {
  std::ifstream file(WARPYARD_SOURCES "/docs/errors.md");
  std::stringstream text;
  text << file.rdbuf();
  const std::string page = text.str();
  std::set<std::string> rows;
  for (const absl::string_view line : absl::StrSplit(page, '\n')) {
    const std::vector<std::string> cells = absl::StrSplit(line, " | ");
    if (cells.size() < 5 || cells[0].rfind("| `", 0) != 0) continue;
    rows.insert(absl::StrCat(cells[0], " | ", cells[1], " | ", cells[2], " | ", cells[3]));
  }
  return rows;
}

TEST(ErrorRows, AreThoseOfThePage) {
  std::set<std::string> rows;
  for (const ErrorRow& row : ErrorRows()) {
    const std::string delay =
        row.retry_delay == absl::ZeroDuration() ? "-" : absl::FormatDuration(row.retry_delay);
    rows.insert(absl::StrCat("| `", row.name, "` | ", absl::StatusCodeToString(row.code), " | ",
                             row.limit.empty() ? "-" : absl::StrCat("`", row.limit, "`"), " | ",
                             delay));
  }
  EXPECT_EQ(rows, RowsOfThePage());
}

TEST(ErrorRows, HaveNamesOfTheirOwn) {
  std::set<absl::string_view> names;
  for (const ErrorRow& row : ErrorRows()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(row.name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_"), absl::string_view::npos);
    EXPECT_EQ(&RowOf(row.reason), &row);
  }
}

}  // namespace
}  // namespace warpyard::server
