// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/options.h"

#include <initializer_list>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::server {
namespace {

using ::testing::HasSubstr;

absl::StatusOr<CommandLine> ParseLine(std::initializer_list<const char*> arguments) {
  return ParseCommandLine({arguments.begin(), arguments.size()});
}

std::string ErrorOf(std::initializer_list<const char*> arguments) {
  const auto line = ParseLine(arguments);
  EXPECT_EQ(line.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(line.status().message());
}

TEST(ParseCommandLine, HasSafeDefaults) {
  const auto line = ParseLine({});
  ASSERT_TRUE(line.ok()) << line.status();
  EXPECT_EQ(line->action, CommandLine::Action::kServe);
  EXPECT_EQ(line->options.listen, "127.0.0.1:7843");
  EXPECT_EQ(line->options.metrics, "127.0.0.1:9843");
  EXPECT_EQ(line->options.engine.backend, BackendChoice::kAuto);
  EXPECT_EQ(line->options.max_request_bytes, 256u << 20);
  EXPECT_EQ(line->options.scene_ttl, absl::Minutes(10));
  EXPECT_EQ(line->options.drain_timeout, absl::Seconds(25));
  EXPECT_FALSE(line->options.allow_insecure);
}

TEST(ParseCommandLine, ReadsEveryFlagInBothForms) {
  const auto line = ParseLine({"--listen", "[::1]:0", "--metrics=localhost:1", "--backend", "cpu",
                               "--threads=3", "--max-request-mib", "2", "--max-response-mib=3",
                               "--max-scenes", "4", "--scene-ttl=90s", "--max-pending-jobs", "5",
                               "--memory-limit-mib=6", "--drain-timeout", "0"});
  ASSERT_TRUE(line.ok()) << line.status();
  const ServerOptions& options = line->options;
  EXPECT_EQ(options.listen, "[::1]:0");
  EXPECT_EQ(options.metrics, "localhost:1");
  EXPECT_EQ(options.engine.backend, BackendChoice::kCpu);
  EXPECT_EQ(options.engine.threads, 3);
  EXPECT_EQ(options.max_request_bytes, 2u << 20);
  EXPECT_EQ(options.max_response_bytes, 3u << 20);
  EXPECT_EQ(options.engine.max_scenes, 4);
  EXPECT_EQ(options.scene_ttl, absl::Seconds(90));
  EXPECT_EQ(options.engine.max_pending_jobs, 5);
  EXPECT_EQ(options.engine.memory_limit_bytes, 6u << 20);
  EXPECT_EQ(options.drain_timeout, absl::ZeroDuration());
}

TEST(ParseCommandLine, SwitchesMetricsOff) {
  EXPECT_EQ(ParseLine({"--metrics", "off"})->options.metrics, "");
}

TEST(ParseCommandLine, NamesTheFlagThatIsWrong) {
  EXPECT_THAT(ErrorOf({"--frobnicate"}), HasSubstr("--frobnicate: unknown flag"));
  EXPECT_THAT(ErrorOf({"serve"}), HasSubstr("serve: unknown flag"));
  EXPECT_THAT(ErrorOf({"--threads"}), HasSubstr("--threads: value missing"));
  EXPECT_THAT(ErrorOf({"--threads", "two"}), HasSubstr("--threads: \"two\", expected a number"));
  EXPECT_THAT(ErrorOf({"--threads", "-1"}), HasSubstr("--threads: \"-1\""));
  EXPECT_THAT(ErrorOf({"--max-request-mib", "2048"}),
              HasSubstr("--max-request-mib: \"2048\", expected a number from 1 to 2047"));
  EXPECT_THAT(ErrorOf({"--max-scenes=0"}), HasSubstr("--max-scenes: \"0\""));
  EXPECT_THAT(ErrorOf({"--backend", "gpu"}), HasSubstr("--backend: \"gpu\""));
  EXPECT_THAT(ErrorOf({"--scene-ttl", "10"}),
              HasSubstr("--scene-ttl: \"10\", expected a duration"));
  EXPECT_THAT(ErrorOf({"--scene-ttl", "0s"}), HasSubstr("at least 1s"));
  EXPECT_THAT(ErrorOf({"--drain-timeout", "-1s"}), HasSubstr("--drain-timeout: "));
  EXPECT_THAT(ErrorOf({"--drain-timeout", "inf"}), HasSubstr("--drain-timeout: "));
  EXPECT_THAT(ErrorOf({"--listen", "localhost"}), HasSubstr("--listen: \"localhost\""));
  EXPECT_THAT(ErrorOf({"--listen", ":80"}), HasSubstr("--listen: \":80\""));
  EXPECT_THAT(ErrorOf({"--metrics", "127.0.0.1:70000"}), HasSubstr("--metrics: "));
}

TEST(ParseCommandLine, RefusesOpenAddressesUnlessAllowed) {
  for (const char* address : {"0.0.0.0:7843", "[::]:7843", "10.0.0.1:7843", "example.org:1"}) {
    EXPECT_THAT(ErrorOf({"--listen", address}), HasSubstr("--listen: "));
    EXPECT_THAT(ErrorOf({"--metrics", address}), HasSubstr("--allow-insecure"));
    EXPECT_TRUE(ParseLine({"--listen", address, "--metrics", address, "--allow-insecure"}).ok());
  }
}

TEST(ParseCommandLine, HelpAndVersionWin) {
  EXPECT_EQ(ParseLine({"--threads", "1", "--help"})->action, CommandLine::Action::kHelp);
  EXPECT_EQ(ParseLine({"--version"})->action, CommandLine::Action::kVersion);
}

TEST(HelpText, NamesEveryFlag) {
  const std::string help = HelpText();
  for (const char* flag :
       {"--listen", "--metrics", "--backend", "--threads", "--max-request-mib",
        "--max-response-mib", "--max-scenes", "--scene-ttl", "--max-pending-jobs",
        "--memory-limit-mib", "--drain-timeout", "--allow-insecure", "--help", "--version"}) {
    EXPECT_THAT(help, HasSubstr(flag));
  }
}

}  // namespace
}  // namespace warpyard::server
