// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/log/call_log.h"

#include "core/base/status_facts.h"
#include "gtest/gtest.h"
#include "tests/support/log_pipe.h"

namespace warpyard::server {
namespace {

using test_support::LogPipe;
using test_support::NumberOf;
using test_support::TextOf;

TEST(CallLog, AFailedJobIsOneLineWithItsReason) {
  LogPipe pipe;
  const CallIdentity identity("the-call", "Service/Method");
  const absl::Status status = InvalidField("job.tenant", "9");
  {
    Logger log(LogLevel::kInfo, pipe.fd());
    LogJobEnd(log, &identity, {"detect", 9, status, absl::Milliseconds(3)});
    LogCallEnd(log, identity, status);  // the same failure
  }
  const auto lines = pipe.ReadLines();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(TextOf(lines[0], "event"), "job_end");
  EXPECT_EQ(TextOf(lines[0], "request_id"), "the-call");
  EXPECT_EQ(TextOf(lines[0], "method"), "Service/Method");
  EXPECT_EQ(TextOf(lines[0], "kind"), "detect");
  EXPECT_EQ(TextOf(lines[0], "code"), "INVALID_ARGUMENT");
  EXPECT_EQ(TextOf(lines[0], "reason"), "INVALID_FIELD");
  EXPECT_EQ(NumberOf(lines[0], "tenant"), 9);
  EXPECT_EQ(NumberOf(lines[0], "duration_ms"), 3);
}

TEST(CallLog, ACallThatFailsBeforeItsJobIsOneLine) {
  LogPipe pipe;
  const CallIdentity identity("the-call", "Service/Method");
  {
    Logger log(LogLevel::kInfo, pipe.fd());
    LogCallEnd(log, identity, absl::OkStatus());
    LogCallEnd(log, identity, absl::NotFoundError("gone"));
  }
  const auto lines = pipe.ReadLines();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(TextOf(lines[0], "event"), "call_end");
  EXPECT_EQ(TextOf(lines[0], "code"), "NOT_FOUND");
}

TEST(CallLog, AJobThatEndsWellIsALineForDebugging) {
  const PhaseTimes phases = {{"queue", absl::Milliseconds(1)}};
  for (const LogLevel level : {LogLevel::kInfo, LogLevel::kDebug}) {
    LogPipe pipe;
    {
      Logger log(level, pipe.fd());
      LogJobEnd(log, nullptr, {"detect", 0, absl::OkStatus(), absl::Milliseconds(3), &phases});
    }
    EXPECT_EQ(pipe.ReadLines().size(), level == LogLevel::kDebug ? 1u : 0u);
  }
}

TEST(CallLog, TheLevelSaysWhoseFaultAFailureIs) {
  EXPECT_EQ(LevelOf(absl::InternalError("")), LogLevel::kError);
  EXPECT_EQ(LevelOf(absl::ResourceExhaustedError("")), LogLevel::kWarning);
  EXPECT_EQ(LevelOf(absl::InvalidArgumentError("")), LogLevel::kInfo);
  EXPECT_EQ(LevelOf(absl::OkStatus()), LogLevel::kDebug);
}

}  // namespace
}  // namespace warpyard::server
