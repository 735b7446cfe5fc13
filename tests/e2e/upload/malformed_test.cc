// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Malformed uploads: each is refused with the right code, and the server works as before.

#include <random>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/upload/upload_server.h"

namespace warpyard::test_support {
namespace {

using ::testing::AnyOf;
using Random = std::mt19937;

std::string RandomBytes(Random& random, std::size_t size) {
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

/// A part of a stream that may be right or wrong.
v1::UploadPart SomePart(Random& random, const std::string& content) {
  v1::UploadPart part = StartOf(content);
  switch (random() % 8) {
    case 0:
      part.mutable_start()->set_sha256(RandomBytes(random, random() % 40));
      return part;
    case 1:
      part.mutable_start()->set_size(random() % 2 == 0 ? random() % 5000 : ~std::uint64_t{0});
      return part;
    case 2:
      part.mutable_start()->set_offset(random() % 2 == 0 ? random() % 5000 : ~std::uint64_t{0});
      return part;
    case 3:
      part.mutable_start()->set_tenant(static_cast<std::uint32_t>(random() % 20));
      return part;
    case 4:
      return part;
    case 5:
      return DataOf(RandomBytes(random, random() % 2000));
    case 6:
      return DataOf(content.substr(random() % content.size()));
    default:
      return v1::UploadPart();
  }
}

class MalformedUpload : public ::testing::Test {
 protected:
  void ExpectServes() {
    const std::string content = SomeBytes(3333);
    EXPECT_TRUE(server_.Send(content, 7).ok());
    EXPECT_TRUE(server_.Drop(content, 7).ok());
  }

  UploadServer server_{[] {
    server::ServerOptions options = TestOptions();
    options.uploads.uploads = 1000;
    return options;
  }()};
};

TEST_F(MalformedUpload, StreamsOfRandomPartsEndWithTheRightCode) {
  Random random(2026);
  const std::string content = SomeBytes(2000);
  for (int i = 0; i < 300; ++i) {
    UploadStream stream(server_.stub());
    for (std::size_t parts = random() % 6; parts > 0; --parts) {
      if (!stream.Write(SomePart(random, content))) break;
    }
    const grpc::Status status = stream.Finish();
    EXPECT_THAT(status.error_code(),
                AnyOf(grpc::StatusCode::OK, grpc::StatusCode::INVALID_ARGUMENT,
                      grpc::StatusCode::FAILED_PRECONDITION, grpc::StatusCode::RESOURCE_EXHAUSTED))
        << status.error_message();
    EXPECT_TRUE(status.ok() || status.error_message().find(": ") != std::string::npos);
  }
  ExpectServes();
}

TEST_F(MalformedUpload, RandomBytesAreRefused) {
  Random random(7);
  std::string response;
  for (int i = 0; i < 100; ++i) {
    for (const char* method : {"Upload", "FindUpload", "DropUpload"}) {
      // A stream of one message is like a unary call for a client.
      const grpc::Status status = CallRaw(
          server_.models().test().channel(), std::string("/warpyard.v1.UploadService/") + method,
          "\x0a\xff" + RandomBytes(random, random() % 100), &response);
      EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT) << status.error_message();
    }
  }
  ExpectServes();
}

TEST_F(MalformedUpload, ContentsThatAreNoModelsAreRefused) {
  Random random(11);
  const std::string valid = SphereRequest().SerializeAsString();
  for (int i = 0; i < 30; ++i) {
    std::string content = valid.substr(0, 1 + random() % valid.size());
    if (i % 2 == 0) content = RandomBytes(random, 1 + random() % 3000);
    ASSERT_TRUE(server_.Send(content).ok());
    v1::OpenModelRequest request;
    request.set_upload(DigestOf(content));
    EXPECT_EQ(server_.models().Open(request).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  }
  ExpectServes();
}

}  // namespace
}  // namespace warpyard::test_support
