// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/security/door.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "prometheus/counter.h"
#include "server/upload/sha256.h"
#include "tests/support/log_pipe.h"

namespace warpyard::server {
namespace {

using test_support::LogPipe;
using test_support::TextOf;

constexpr char kStep[] = "/warpyard.v1.CollisionService/Step";

/// A door that knows one token.
class DoorTest : public testing::Test {
 protected:
  DoorTest() {
    Sha256 hash;
    hash.Add("secret");
    std::ofstream(path_)
        << R"({"tenants": [{"name": "robots", "number": 3, "tokens": [{"sha256": ")"
        << absl::BytesToHexString(hash.Finish()) << "\"}]}]}";
    EXPECT_TRUE(access_.Load().ok());
  }
  ~DoorTest() override { std::filesystem::remove(path_); }

  /// @shape headers: besides the path
  grpc::StatusCode Knock(const char* path, const grpc::AuthMetadataProcessor::InputMetadata& more) {
    grpc::AuthMetadataProcessor::InputMetadata metadata = more;
    metadata.emplace(":path", path);
    grpc::AuthMetadataProcessor::OutputMetadata consumed, answer;
    return door_.Process(metadata, nullptr, &consumed, &answer).error_code();
  }

  const std::string path_ =
      absl::StrCat(testing::TempDir(), "/door_test_",
                   testing::UnitTest::GetInstance()->current_test_info()->name());
  Access access_{path_};
  prometheus::Counter refused_;
  LogPipe pipe_;
  Logger log_{LogLevel::kInfo, pipe_.fd()};
  Door door_{access_, refused_, log_};
};

TEST_F(DoorTest, LetsKnownCallersPass) {
  EXPECT_EQ(Knock(kStep, {{"authorization", "Bearer secret"}}), grpc::OK);
  EXPECT_EQ(refused_.Value(), 0);
}

TEST_F(DoorTest, RefusesAndCountsAllOthers) {
  EXPECT_EQ(Knock(kStep, {}), grpc::UNAUTHENTICATED);
  EXPECT_EQ(Knock(kStep, {{"authorization", "Bearer guess"}}), grpc::UNAUTHENTICATED);
  EXPECT_EQ(Knock(kStep, {{"authorization", "Basic secret"}}), grpc::UNAUTHENTICATED);
  EXPECT_EQ(Knock(kStep, {{"authorization", "Bearer secret"}, {"authorization", "Bearer secret"}}),
            grpc::UNAUTHENTICATED);
  EXPECT_EQ(refused_.Value(), 4);
}

TEST_F(DoorTest, IsNotThereForTheServicesOfGrpc) {
  EXPECT_EQ(Knock("/grpc.health.v1.Health/Check", {}), grpc::OK);
  EXPECT_EQ(Knock("/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", {}), grpc::OK);
  EXPECT_EQ(Knock("/warpyard.v1.LoadService/grpc.", {}), grpc::UNAUTHENTICATED);
}

TEST_F(DoorTest, LogsWhatItRefusesWithoutTheToken) {
  Knock(kStep, {{"authorization", "Bearer guess"}});
  ASSERT_TRUE(log_.Flush(absl::Seconds(10)));
  const auto lines = pipe_.ReadLines();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(TextOf(lines[0], "event"), "caller_refused");
  EXPECT_EQ(TextOf(lines[0], "method"), "warpyard.v1.CollisionService/Step");
  EXPECT_EQ(TextOf(lines[0], "message").find("guess"), std::string::npos);
}

}  // namespace
}  // namespace warpyard::server
