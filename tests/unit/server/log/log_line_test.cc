// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/log/log_line.h"

#include <random>
#include <string>

#include "gtest/gtest.h"
#include "tests/support/log_pipe.h"

namespace warpyard::server {
namespace {

using test_support::NumberOf;
using test_support::ParseJson;
using test_support::TextOf;

LogLine Line() {
  return {absl::FromUnixMicros(1'700'000'000'123'456), LogLevel::kWarning, "job_end"};
}

TEST(LogLine, IsAnObjectInOneLine) {
  const PhaseTimes phases = {{"queue", absl::Microseconds(1500)}, {"step", absl::Seconds(2)}};
  LogLine line = Line();
  line.Add("method", "S/M").Add("tenant", std::uint64_t{7});
  line.Add("duration_ms", absl::Microseconds(12'345)).Add("phases_ms", phases);
  EXPECT_EQ(line.Take(),
            R"({"time":"2023-11-14T22:13:20.123456Z","level":"warning","event":"job_end",)"
            R"("method":"S/M","tenant":7,"duration_ms":12.345,)"
            R"("phases_ms":{"queue":1.500,"step":2000.000}})"
            "\n");
}

TEST(LogLine, HasAnEmptyObjectForNoPhases) {
  LogLine line = Line();
  line.Add("phases_ms", PhaseTimes());
  const std::string text = line.Take();
  EXPECT_TRUE(ParseJson(text).at("phases_ms").is_object()) << text;
}

TEST(LogLine, EscapesWhatCouldEndTheLineOrSteerATerminal) {
  LogLine line = Line();
  line.Add("x", "a\"b\\c\nd\r\x1b[31m\x7f\xff");
  const std::string text = line.Take();
  EXPECT_EQ(text.find('\n'), text.size() - 1);
  EXPECT_EQ(TextOf(ParseJson(text), "x"), "a\"b\\c\nd\r\x1b[31m\x7f?");
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(LogLine, ShortensLongValues) {
  LogLine line = Line();
  line.Add("x", std::string(100'000, '"'));
  EXPECT_EQ(TextOf(ParseJson(line.Take()), "x").size(), LogLine::kMostValueBytes);
}

TEST(LogLine, IsValidForAnyBytes) {
  std::mt19937 random(11);
  std::uniform_int_distribution<int> byte(0, 255), length(0, 40);
  for (int round = 0; round < 5000; ++round) {
    std::string value(static_cast<std::size_t>(length(random)), ' ');
    for (char& c : value) c = static_cast<char>(byte(random));
    LogLine line = Line();
    line.Add("x", value);
    const std::string text = line.Take();
    ASSERT_EQ(text.find('\n'), text.size() - 1);
    ASSERT_EQ(TextOf(ParseJson(text), "event"), "job_end");
  }
}

}  // namespace
}  // namespace warpyard::server
