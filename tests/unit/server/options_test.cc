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
  EXPECT_EQ(line->options.resident_ttl, absl::Minutes(10));
  EXPECT_EQ(line->options.drain_timeout, absl::Seconds(25));
  EXPECT_FALSE(line->options.security.allow_insecure);
  EXPECT_FALSE(line->options.enable_load_jobs);
  EXPECT_EQ(line->options.max_pending_bytes, 1024u << 20);
  EXPECT_EQ(line->options.engine.policy.kind, policy::PolicyKind::kService);
  EXPECT_EQ(line->options.engine.linger, absl::Milliseconds(2));
  EXPECT_EQ(line->options.engine.job_time_limit, absl::Seconds(60));
  EXPECT_EQ(line->options.limits.instances, 1u << 28);
  EXPECT_EQ(line->options.limits.worlds, 65536u);
  EXPECT_EQ(line->options.limits.batch_steps, 4096u);
  EXPECT_TRUE(line->options.engine.devices.empty());
}

TEST(ParseCommandLine, ReadsEveryFlagInBothForms) {
  const auto line = ParseLine({"--listen",           "[::1]:0", "--metrics=localhost:1",
                               "--backend",          "cpu",     "--threads=3",
                               "--max-request-mib",  "2",       "--max-response-mib=3",
                               "--max-scenes",       "4",       "--scene-ttl=90s",
                               "--max-pending-jobs", "5",       "--memory-limit-mib=6",
                               "--drain-timeout",    "0",       "--max-pending-mib=7",
                               "--policy",           "quota",   "--tenant-weights=3,1",
                               "--linger",           "5ms",     "--job-time-limit=90s",
                               "--max-upload-mib",   "8",       "--upload-memory-mib=9",
                               "--max-uploads",      "10",      "--upload-ttl=11s",
                               "--max-instances",    "12",      "--enable-load-jobs",
                               "--server-name",      "gpu-1.a", "--hold-part=5"});
  ASSERT_TRUE(line.ok()) << line.status();
  const ServerOptions& options = line->options;
  EXPECT_EQ(options.listen, "[::1]:0");
  EXPECT_EQ(options.metrics, "localhost:1");
  EXPECT_EQ(options.engine.backend, BackendChoice::kCpu);
  EXPECT_EQ(options.engine.threads, 3);
  EXPECT_EQ(options.max_request_bytes, 2u << 20);
  EXPECT_EQ(options.max_response_bytes, 3u << 20);
  EXPECT_EQ(options.engine.max_residents, 4);
  EXPECT_EQ(options.resident_ttl, absl::Seconds(90));
  EXPECT_EQ(options.engine.max_pending_jobs, 5);
  EXPECT_EQ(options.engine.memory_limit_bytes, 6u << 20);
  EXPECT_EQ(options.drain_timeout, absl::ZeroDuration());
  EXPECT_EQ(options.max_pending_bytes, 7u << 20);
  EXPECT_EQ(options.engine.policy.kind, policy::PolicyKind::kQuota);
  EXPECT_EQ(options.engine.policy.weights[0], 3u);
  EXPECT_EQ(options.engine.policy.weights[1], 1u);
  EXPECT_EQ(options.engine.policy.weights[2], 0u);
  EXPECT_EQ(options.engine.linger, absl::Milliseconds(5));
  EXPECT_EQ(options.engine.job_time_limit, absl::Seconds(90));
  EXPECT_EQ(options.uploads.upload_bytes, 8u << 20);
  EXPECT_EQ(options.uploads.all_bytes, 9u << 20);
  EXPECT_EQ(options.uploads.uploads, 10u);
  EXPECT_EQ(options.uploads.ttl, absl::Seconds(11));
  EXPECT_EQ(options.limits.instances, 12u);
  EXPECT_TRUE(options.enable_load_jobs);
  EXPECT_EQ(options.security.server_name, "gpu-1.a");
  EXPECT_EQ(options.engine.policy.hold_part, 5u);
}

TEST(ParseCommandLine, ReadsTheLimitsOfBatches) {
  const auto line = ParseLine({"--max-worlds", "13", "--max-batch-steps=14"});
  ASSERT_TRUE(line.ok()) << line.status();
  EXPECT_EQ(line->options.limits.worlds, 13u);
  EXPECT_EQ(line->options.limits.batch_steps, 14u);
  EXPECT_THAT(std::string(ParseLine({"--max-worlds=0"}).status().message()),
              HasSubstr("--max-worlds"));
}

TEST(ParseCommandLine, KnowsEveryPolicy) {
  using policy::PolicyKind;
  for (const auto& [name, kind] :
       {std::pair("service", PolicyKind::kService), std::pair("priority", PolicyKind::kPriority),
        std::pair("edf", PolicyKind::kEarliestDeadline), std::pair("quota", PolicyKind::kQuota),
        std::pair("fair", PolicyKind::kFairShare), std::pair("sjf", PolicyKind::kShortestJob),
        std::pair("fifo", PolicyKind::kFifo)}) {
    EXPECT_EQ(ParseLine({"--policy", name})->options.engine.policy.kind, kind);
  }
}

TEST(ParseCommandLine, TakesAdmission) {
  EXPECT_TRUE(ParseLine({})->options.engine.admission);
  EXPECT_TRUE(ParseLine({"--admission", "on"})->options.engine.admission);
  EXPECT_FALSE(ParseLine({"--admission=off"})->options.engine.admission);
  EXPECT_THAT(ErrorOf({"--admission", "maybe"}), HasSubstr("expected on or off"));
}

TEST(ParseCommandLine, TakesDevicesAndLinger) {
  EXPECT_EQ(ParseLine({"--devices", "all"})->options.engine.devices, std::vector<int>());
  EXPECT_EQ(ParseLine({"--devices=2,0"})->options.engine.devices, std::vector<int>({2, 0}));
  EXPECT_EQ(ParseLine({"--linger", "always"})->options.engine.linger, absl::InfiniteDuration());
  EXPECT_EQ(ParseLine({"--linger", "0"})->options.engine.linger, absl::ZeroDuration());
}

TEST(ParseCommandLine, RefusesFlagsThatContradictOneAnother) {
  EXPECT_THAT(ErrorOf({"--max-pending-mib", "255"}), HasSubstr("at least --max-request-mib"));
  EXPECT_TRUE(ParseLine({"--max-pending-mib", "255", "--max-request-mib", "255"}).ok());
  EXPECT_THAT(ErrorOf({"--upload-memory-mib", "1023"}),
              HasSubstr("--upload-memory-mib: 1023, must be at least --max-upload-mib, which is"));
  EXPECT_THAT(ErrorOf({"--backend", "cpu", "--devices", "0"}), HasSubstr("--devices: "));
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
  EXPECT_THAT(ErrorOf({"--policy", "lifo"}),
              HasSubstr("--policy: \"lifo\", expected one of service, priority, edf, quota, fair, "
                        "sjf, fifo"));
  EXPECT_THAT(ErrorOf({"--tenant-weights", "1,0"}), HasSubstr("--tenant-weights: \"0\""));
  EXPECT_THAT(ErrorOf({"--tenant-weights", "1,,2"}), HasSubstr("--tenant-weights: \"\""));
  EXPECT_THAT(ErrorOf({"--tenant-weights", "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1"}),
              HasSubstr("at most 16 weights"));
  EXPECT_THAT(ErrorOf({"--linger", "-1ms"}), HasSubstr("expected a duration such as 2ms, or"));
  EXPECT_THAT(ErrorOf({"--linger", "inf"}), HasSubstr("--linger: \"inf\""));
  EXPECT_THAT(ErrorOf({"--devices", "0,0"}), HasSubstr("expected each device once"));
  EXPECT_THAT(ErrorOf({"--devices", "-1"}), HasSubstr("--devices: \"-1\""));
  EXPECT_THAT(ErrorOf({"--job-time-limit", "10ms"}), HasSubstr("at least 1s"));
  EXPECT_THAT(ErrorOf({"--server-name", "a b"}),
              HasSubstr("--server-name: \"a b\", expected 1 to"));
  EXPECT_THAT(ErrorOf({"--server-name", std::string(65, 'x').c_str()}), HasSubstr("1 to 64"));
  EXPECT_THAT(ErrorOf({"--enable-load-jobs=yes"}), HasSubstr("unknown flag"));
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

TEST(ParseCommandLine, ChecksFlagsBeforeItChecksTheRest) {
  const auto line = ParseLine({"--check", "--threads", "3"});
  ASSERT_TRUE(line.ok()) << line.status();
  EXPECT_EQ(line->action, CommandLine::Action::kCheck);
  EXPECT_EQ(line->options.engine.threads, 3);
  EXPECT_THAT(ErrorOf({"--check", "--threads", "two"}), HasSubstr("--threads"));
}

TEST(ParseCommandLine, HelpAndVersionWin) {
  EXPECT_EQ(ParseLine({"--threads", "1", "--help"})->action, CommandLine::Action::kHelp);
  EXPECT_EQ(ParseLine({"--version"})->action, CommandLine::Action::kVersion);
}

TEST(ParseCommandLine, ReadsLimitsOfWhatArrives) {
  EXPECT_EQ(ParseLine({"--max-receiving-mib=256"})->options.security.max_receiving_bytes,
            256u << 20);
  EXPECT_EQ(ParseLine({"--max-connections-per-address", "14"})
                ->options.security.max_connections_of_address,
            14u);
  EXPECT_THAT(ErrorOf({"--max-receiving-mib", "255"}), HasSubstr("at least --max-request-mib"));
  // Requests of one size, whatever the defaults are.
  EXPECT_TRUE(ParseLine({"--max-receiving-mib", "255", "--max-request-mib", "255"}).ok());
}

TEST(HelpText, NamesEveryFlag) {
  const std::string help = HelpText();
  for (const char* flag : {"--listen",
                           "--metrics",
                           "--backend",
                           "--threads",
                           "--max-request-mib",
                           "--max-response-mib",
                           "--max-scenes",
                           "--scene-ttl",
                           "--max-pending-jobs",
                           "--max-pending-mib",
                           "--memory-limit-mib",
                           "--drain-timeout",
                           "--policy",
                           "--tenant-weights",
                           "--hold-part",
                           "--linger",
                           "--devices",
                           "--max-upload-mib",
                           "--upload-memory-mib",
                           "--max-uploads",
                           "--upload-ttl",
                           "--job-time-limit",
                           "--admission",
                           "--enable-load-jobs",
                           "--allow-insecure",
                           "--help",
                           "--version"}) {
    EXPECT_THAT(help, HasSubstr(flag));
  }
}

}  // namespace
}  // namespace warpyard::server
