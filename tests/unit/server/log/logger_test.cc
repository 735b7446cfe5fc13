// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/log/logger.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "absl/time/clock.h"
#include "gtest/gtest.h"
#include "tests/support/log_pipe.h"

namespace warpyard::server {
namespace {

using test_support::LogPipe;
using test_support::NumberOf;
using test_support::TextOf;

void Say(Logger& log, LogLevel level, const char* event, const std::string& text) {
  log.Write(level, event, [&text](LogLine& line) { line.Add("message", text); });
}

TEST(Logger, WritesTheWantedLevels) {
  LogPipe pipe;
  {
    Logger log(LogLevel::kWarning, pipe.fd());
    Say(log, LogLevel::kError, "e", "1");
    Say(log, LogLevel::kWarning, "w", "2");
    Say(log, LogLevel::kInfo, "i", "3");
    EXPECT_TRUE(log.Flush(absl::Seconds(10)));
  }
  const auto lines = pipe.ReadLines();
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(TextOf(lines[0], "level"), "error");
  EXPECT_EQ(TextOf(lines[1], "message"), "2");
}

TEST(Logger, WritesNothingWhenOff) {
  LogPipe pipe;
  { Logger(LogLevel::kOff, pipe.fd()).Message(LogLevel::kError, "e", "1"); }
  EXPECT_EQ(pipe.Read(), "");
}

TEST(Logger, LimitsTheRateOfALevelAndTellsWhatItDropped) {
  LogPipe pipe;
  const int burst = static_cast<int>(Logger::RateOf(LogLevel::kWarning).burst);
  {
    Logger log(LogLevel::kInfo, pipe.fd());
    for (int i = 0; i < burst + 100'000; ++i) Say(log, LogLevel::kWarning, "flood", "x");
    Say(log, LogLevel::kInfo, "other", "another level has its own rate");
    log.Message(LogLevel::kWarning, "other", "the server's own lines have none");
  }
  std::uint64_t flood = 0, dropped = 0, other = 0;
  for (const auto& line : pipe.ReadLines()) {
    flood += TextOf(line, "event") == "flood" ? 1 : 0;
    other += TextOf(line, "event") == "other" ? 1 : 0;
    if (TextOf(line, "event") != "log_dropped") continue;
    dropped += static_cast<std::uint64_t>(NumberOf(line, "over_rate"));
  }
  EXPECT_GE(flood, static_cast<std::uint64_t>(burst));
  EXPECT_LT(flood, 50'000u);
  EXPECT_EQ(flood + dropped, static_cast<std::uint64_t>(burst) + 100'000u) << "none is lost unsaid";
  EXPECT_EQ(other, 2u);
}

TEST(Logger, TellsWhatItDroppedBeforeAProcessEnds) {
  LogPipe pipe;
  Logger log(LogLevel::kInfo, pipe.fd());
  for (int i = 0; i < 1000; ++i) Say(log, LogLevel::kInfo, "flood", "x");
  ASSERT_TRUE(log.Flush(absl::Seconds(10)));
  std::size_t told = 0;
  for (const auto& line : pipe.ReadLines()) {
    told += TextOf(line, "event") == "log_dropped"
                ? static_cast<std::size_t>(NumberOf(line, "over_rate"))
                : 1;
  }
  EXPECT_EQ(told, 1000u);
}

TEST(Logger, NeverWaitsForAReaderThatDoesNotRead) {
  LogPipe pipe;  // has room for 64 KiB, and is not read until the log has ended
  {
    Logger log(LogLevel::kDebug, pipe.fd());
    for (int i = 0; i < 2000; ++i) {
      Say(log, LogLevel::kDebug, "long", std::string(LogLine::kMostValueBytes, 'x'));
    }
    EXPECT_FALSE(log.Flush(absl::Milliseconds(50)));
  }
  EXPECT_GT(pipe.Read().size(), 1000u);
}

TEST(Logger, KeepsLinesWholeUnderManyThreads) {
  LogPipe pipe;
  constexpr int kThreads = 8, kLines = 50;  // no more than the burst
  {
    Logger log(LogLevel::kDebug, pipe.fd());
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&log, t] {
        for (int i = 0; i < kLines; ++i) {
          log.Write(LogLevel::kDebug, "thread",
                    [t](LogLine& line) { line.Add("number", static_cast<std::uint64_t>(t)); });
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  std::vector<int> counts(kThreads);
  for (const auto& line : pipe.ReadLines()) {
    ++counts[static_cast<std::size_t>(NumberOf(line, "number"))];
  }
  EXPECT_EQ(counts, std::vector<int>(kThreads, kLines));
}

TEST(Logger, DoesNotMindAReaderThatIsGone) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  close(ends[0]);
  const auto before = signal(SIGPIPE, SIG_IGN);
  {
    Logger log(LogLevel::kInfo, ends[1]);
    Say(log, LogLevel::kInfo, "e", "nobody reads");
    EXPECT_TRUE(log.Flush(absl::Seconds(10)));
  }
  signal(SIGPIPE, before);
  close(ends[1]);
}

}  // namespace
}  // namespace warpyard::server
