// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/demo/report.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

namespace warpyard::demo {
namespace {

std::string Shown(bool is_terminal) {
  std::FILE* file = std::tmpfile();
  Progress progress(file, is_terminal, 4);
  for (int done = 0; done <= 4; ++done) progress.Show(done);
  progress.Clear();
  std::rewind(file);
  std::string text(4096, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  return text;
}

TEST(Report, GroupsDigits) {
  EXPECT_EQ(WithThousands(0), "0");
  EXPECT_EQ(WithThousands(999), "999");
  EXPECT_EQ(WithThousands(1000), "1,000");
  EXPECT_EQ(WithThousands(6852873), "6,852,873");
}

TEST(Report, AddsUpTheSteps) {
  StepSummary quiet;
  quiet.candidates = 1000;
  quiet.round_trip_ms = 1.5;
  StepSummary busy = quiet;
  busy.collisions = 7;
  busy.earliest_time = 0.25;
  busy.phase_ms = {1, 2, 3, 4, 5, 6};
  const std::string table = FormatTable({quiet, busy, busy});
  std::istringstream lines(table);
  std::vector<std::string> rows;
  for (std::string line; std::getline(lines, line);) rows.push_back(line);
  ASSERT_EQ(rows.size(), 6u);
  for (const std::string& row : rows) EXPECT_EQ(row.size(), rows[1].size()) << row;
  std::istringstream total(rows[5]);
  std::vector<std::string> cells;
  for (std::string cell; total >> cell;) cells.push_back(cell);
  EXPECT_EQ(cells, (std::vector<std::string>{"total", "3,000", "14", "0.25", "2.0", "4.0", "6.0",
                                             "8.0", "10.0", "12.0", "4.5"}));
  EXPECT_NE(rows[2].find(" - "), std::string::npos) << "nothing touches in the first step";
}

TEST(Report, TellsOfCappedPairs) {
  StepSummary step;
  step.capped_pairs = 1234;
  EXPECT_NE(FormatTable({step}).find("1,234 pairs reached the limit"), std::string::npos);
}

TEST(Report, ShowsABarOnATerminalOnly) {
  EXPECT_EQ(Shown(false), "step 1 of 4\nstep 2 of 4\nstep 3 of 4\nstep 4 of 4\n");
  EXPECT_NE(Shown(true).find("\r[####################....................] 2 of 4 steps"),
            std::string::npos);
}

}  // namespace
}  // namespace warpyard::demo
