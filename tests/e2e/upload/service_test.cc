// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// UploadService as a service: streams that break and go on, errors, limits, tenants.

#include <cstddef>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/upload/upload_server.h"

namespace warpyard::test_support {
namespace {

using ::testing::HasSubstr;

constexpr auto kInvalid = grpc::StatusCode::INVALID_ARGUMENT;

TEST(Uploads, TakeAContentInParts) {
  UploadServer server;
  const std::string content = SomeBytes(3 * kMebibyte + 5);
  EXPECT_EQ(server.Find(content).received(), 0u);
  EXPECT_TRUE(server.Send(content).ok());
  EXPECT_TRUE(server.Find(content).complete());
  EXPECT_EQ(server.Find(content).received(), content.size());
  EXPECT_TRUE(server.Drop(content).ok());
  EXPECT_EQ(server.Find(content).received(), 0u);
  ExpectError(server.Drop(content), grpc::StatusCode::NOT_FOUND, "upload: tenant 0 has none");
}

TEST(Uploads, GoOnAfterABrokenStream) {
  UploadServer server;
  const std::string content = SomeBytes(kMebibyte);
  server.SendPart(content, 1000);
  server.SendPart(content, 300'000);
  EXPECT_FALSE(server.Find(content).complete());
  EXPECT_TRUE(server.Send(content, 0, server.Find(content).received()).ok());
  EXPECT_TRUE(server.Find(content).complete());
}

TEST(Uploads, KeepWhatAStreamSentThatEndsEarly) {
  UploadServer server;
  const std::string content = SomeBytes(10'000);
  UploadStream stream(server.stub());
  stream.Write(StartOf(content));
  stream.Write(DataOf(content.substr(0, 4000)));
  EXPECT_TRUE(stream.Finish().ok());
  EXPECT_FALSE(stream.response().complete());
  EXPECT_EQ(stream.response().received(), 4000u);
  EXPECT_TRUE(server.Send(content, 0, 4000).ok());
}

TEST(Uploads, EndAtOnceWhereTheContentIsThere) {
  UploadServer server;
  const std::string content = SomeBytes(5000);
  EXPECT_TRUE(server.Send(content).ok());
  UploadStream stream(server.stub());
  stream.Write(StartOf(content));
  EXPECT_TRUE(stream.Finish().ok());
  EXPECT_TRUE(stream.response().complete());
}

TEST(Uploads, TakeOneContentFromManyStreams) {
  UploadServer server;
  const std::string content = SomeBytes(2 * kMebibyte);
  // A stream whose client sends no more does not hold up the others.
  UploadStream idle(server.stub());
  idle.Write(StartOf(content));
  idle.Write(DataOf(content.substr(0, 500)));
  std::vector<std::thread> clients;
  for (int i = 0; i < 4; ++i) {
    clients.emplace_back([&] { EXPECT_TRUE(server.Send(content).ok()); });
  }
  for (std::thread& client : clients) client.join();
  idle.Write(DataOf(content.substr(500, 1)));
  EXPECT_TRUE(idle.Finish().ok());
  EXPECT_TRUE(idle.response().complete());
}

TEST(Uploads, DropAContentWithTheWrongHash) {
  UploadServer server;
  const std::string content = SomeBytes(50'000);
  UploadStream stream(server.stub());
  stream.Write(StartOf(content));
  std::string wrong = content;
  wrong[123] ^= 1;
  stream.Write(DataOf(wrong));
  ExpectError(stream.Finish(), kInvalid, "start.sha256: ");
  EXPECT_EQ(server.Find(content).received(), 0u);
  EXPECT_TRUE(server.Send(content).ok());
}

TEST(Uploads, NameTheFieldThatIsWrong) {
  UploadServer server;
  const auto error_of = [&](const std::vector<v1::UploadPart>& parts, grpc::StatusCode code,
                            const std::string& message) {
    UploadStream stream(server.stub());
    for (const v1::UploadPart& part : parts) stream.Write(part);
    ExpectError(stream.Finish(), code, message);
  };
  const v1::UploadPart start = StartOf("0123456789");
  error_of({}, kInvalid, "start: missing");
  error_of({DataOf("01")}, kInvalid, "start: missing");
  error_of({start, start}, kInvalid, "data: missing");
  error_of({start, v1::UploadPart()}, kInvalid, "data: missing");
  error_of({start, DataOf(std::string(11, 'x'))}, kInvalid, "data: 11 bytes from 0 on");
  v1::UploadPart wrong = start;
  wrong.mutable_start()->set_sha256("abc");
  error_of({wrong}, kInvalid, "start.sha256: 3 bytes, expected 32");
  wrong = start;
  wrong.mutable_start()->set_tenant(16);
  error_of({wrong}, kInvalid, "start.tenant: 16, expected less than 16");
  wrong = start;
  wrong.mutable_start()->set_size(11);
  error_of({wrong}, kInvalid, "start.size: 11, expected 10");
  wrong = StartOf("");
  error_of({wrong}, kInvalid, "start.size: 0");
  wrong = StartOf("0123456789", 0, 7);
  error_of({wrong}, grpc::StatusCode::FAILED_PRECONDITION, "start.offset: 7, expected at most 0");
  v1::FindUploadRequest find;
  v1::FindUploadResponse found;
  ExpectError(server.stub().FindUpload(NewContext().get(), find, &found), kInvalid,
              "sha256: 0 bytes, expected 32");
}

TEST(Uploads, HaveLimits) {
  server::ServerOptions options = TestOptions();
  options.uploads = {
      .upload_bytes = kMebibyte, .all_bytes = 2 * kMebibyte, .uploads = 2, .ttl = absl::Minutes(1)};
  UploadServer server(options);
  constexpr auto kExhausted = grpc::StatusCode::RESOURCE_EXHAUSTED;
  ExpectError(server.Send(SomeBytes(kMebibyte + 1)), kExhausted,
              "start.size: 1048577 bytes; the limit is 1 MiB (--max-upload-mib)");
  const std::string first = SomeBytes(kMebibyte), second = SomeBytes(kMebibyte - 1);
  EXPECT_TRUE(server.Send(first).ok());
  EXPECT_TRUE(server.Send(second).ok());
  ExpectError(server.Send("a"), kExhausted, "(--max-uploads)");
  EXPECT_TRUE(server.Drop(second).ok());
  EXPECT_TRUE(server.Send("a").ok());
  EXPECT_TRUE(server.Drop("a").ok());
  // The second one may still be in use by its call, whose answer comes a moment before its end.
  EXPECT_TRUE(WaitFor([&] { return server.Send(second).ok(); }));
}

TEST(Uploads, ExpireWhenUnused) {
  server::ServerOptions options = TestOptions();
  options.uploads.ttl = absl::Milliseconds(10);
  UploadServer server(options);
  const std::string content = SomeBytes(1000);
  UploadStream stream(server.stub());
  stream.Write(StartOf(content));
  stream.Write(DataOf(content.substr(0, 10)));
  // The sweep comes every second.
  absl::SleepFor(absl::Seconds(2));
  stream.Write(DataOf(content.substr(10, 10)));
  ExpectError(stream.Finish(), grpc::StatusCode::ABORTED, "upload: it was dropped, or expired");
  EXPECT_EQ(server.Drop(content).error_code(), grpc::StatusCode::NOT_FOUND);
}

TEST(Uploads, BelongToATenant) {
  UploadServer server;
  const std::string content = SomeBytes(1000);
  EXPECT_TRUE(server.Send(content, 3).ok());
  EXPECT_EQ(server.Find(content, 4).received(), 0u);
  EXPECT_EQ(server.Drop(content, 4).error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_TRUE(server.Find(content, 3).complete());
}

TEST(Uploads, EndWhenTheServerDrains) {
  UploadServer server;
  const std::string content = SomeBytes(1000);
  UploadStream stream(server.stub());
  stream.Write(StartOf(content));
  EXPECT_TRUE(stream.Write(DataOf(content.substr(0, 10))));
  ASSERT_TRUE(WaitFor([&] { return server.Find(content).received() == 10; }));
  server.models().test().server().BeginDrain();
  EXPECT_TRUE(server.models().test().server().WaitUntilIdle(absl::Seconds(10)));
  ExpectError(stream.Finish(), grpc::StatusCode::UNAVAILABLE, "shutting down");
  ExpectError(server.Send(content), grpc::StatusCode::UNAVAILABLE, "shutting down");
}

TEST(Uploads, AreCounted) {
  UploadServer server(TestOptionsWithMetrics());
  EXPECT_TRUE(server.Send(SomeBytes(1000)).ok());
  const std::string text = ScrapeMetrics(server.models().test().server().metrics_port());
  for (const char* line : {"warpyard_uploads 1", "warpyard_upload_bytes 1000",
                           "warpyard_upload_limit_bytes 2147483648",
                           "warpyard_rpc_completed_total{code=\"OK\",method=\"warpyard.v1."
                           "UploadService/Upload\"} 1"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

}  // namespace
}  // namespace warpyard::test_support
