// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/messages.h"

#include <gtest/gtest.h>

#include <fstream>

namespace warpyard::cli {
namespace {

TEST(SetDeadline, DividesMillisecondsIntoSecondsAndNanoseconds) {
  v1::JobOptions job;
  SetDeadline(2500.25, job);
  EXPECT_EQ(job.deadline().seconds(), 2);
  EXPECT_EQ(job.deadline().nanos(), 500'250'000);
}

TEST(Milliseconds, AddsSecondsAndNanoseconds) {
  v1::PhaseDuration phase;
  phase.mutable_duration()->set_seconds(2);
  phase.mutable_duration()->set_nanos(500'000);
  EXPECT_DOUBLE_EQ(Milliseconds(phase), 2000.5);
}

TEST(Counted, HasNoPluralOfOne) {
  EXPECT_EQ(Counted(0, "rule"), "0 rules");
  EXPECT_EQ(Counted(1, "rule"), "1 rule");
  EXPECT_EQ(Counted(2, "rule"), "2 rules");
}

TEST(ReadJsonMessage, SaysWhereAFileIsNoJson) {
  const std::string path = ::testing::TempDir() + "broken.json";
  v1::JobOptions job;
  std::ofstream(path) << "{\n  \"tenant\": 3,,\n}\n";
  const std::string told(ReadJsonMessage(path, job).message());
  EXPECT_EQ(told.find(path + ": JSON: "), 0u) << told;
  EXPECT_NE(told.find("line 2, column 15"), std::string::npos) << told;
  EXPECT_EQ(told.find('\n'), std::string::npos) << told;
  std::ofstream(path) << "{\n  \"tenant\": \"many\"\n}\n";
  const std::string wrong(ReadJsonMessage(path, job).message());
  EXPECT_NE(wrong.find("many"), std::string::npos) << wrong;
  EXPECT_EQ(wrong.find('\n'), std::string::npos) << wrong;
}

TEST(ReadJsonMessage, NamesTheFileThatIsWrong) {
  const std::string path = ::testing::TempDir() + "message.json";
  v1::JobOptions job;
  std::ofstream(path) << R"({"tenant": 3})";
  ASSERT_EQ(ReadJsonMessage(path, job), absl::OkStatus());
  EXPECT_EQ(job.tenant(), 3u);
  std::ofstream(path) << R"({"nose": 3})";
  EXPECT_EQ(ReadJsonMessage(path, job).message().find(path), 0u);
  EXPECT_EQ(ReadJsonMessage(path + "x", job).code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace warpyard::cli
