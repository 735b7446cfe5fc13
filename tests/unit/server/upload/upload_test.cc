// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/upload/upload.h"

#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/server/messages.h"
#include "tests/unit/server/upload/contents.h"
#include "warpyard/v1/mesh.pb.h"

namespace warpyard::server {
namespace {

/// Of a field that the meshes do not have.
const WireLimit kLimit{"more", {99}, 0};

using test_support::DigestOf;
using test_support::kMebibyte;
using test_support::SomeBytes;
using ::testing::HasSubstr;

Upload UploadFor(const std::string& content) {
  return {DigestOf(content), content.size(), nullptr};
}

/// A message of more than two chunks.
v1::TriangleMesh LargeMesh() {
  v1::TriangleMesh mesh = test_support::SquareMesh();
  mesh.set_vertex_groups(SomeBytes(2 * kMebibyte + 123));
  return mesh;
}

TEST(Upload, GivesBackTheMessageThatCameInPieces) {
  const std::string content = LargeMesh().SerializeAsString();
  for (const std::size_t piece : {std::size_t{1000}, std::size_t{100'001}, 5 * kMebibyte}) {
    Upload upload = UploadFor(content);
    for (std::size_t at = 0; at < content.size(); at += piece) {
      EXPECT_FALSE(upload.state().complete);
      ASSERT_TRUE(upload.Append(at, absl::string_view(content).substr(at, piece)).ok());
    }
    EXPECT_TRUE(upload.state().complete);
    EXPECT_EQ(upload.state().received, content.size());
    v1::TriangleMesh mesh;
    ASSERT_TRUE(upload.Parse(&mesh, kLimit).ok());
    EXPECT_EQ(mesh.SerializeAsString(), content);
  }
}

TEST(Upload, SkipsBytesThatItHas) {
  const std::string content = "0123456789";
  Upload upload = UploadFor(content);
  ASSERT_TRUE(upload.Append(0, "0123").ok());
  ASSERT_TRUE(upload.Append(1, "xx").ok());
  ASSERT_TRUE(upload.Append(2, "xx456").ok());
  EXPECT_EQ(upload.state().received, 7u);
  ASSERT_TRUE(upload.Append(7, "789").ok());
  EXPECT_TRUE(upload.state().complete);
  EXPECT_TRUE(upload.Append(0, content).ok()) << "of another stream";
}

TEST(Upload, RefusesMoreBytesThanItsSize) {
  Upload upload = UploadFor("0123456789");
  const absl::Status status = upload.Append(0, "0123456789a");
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(), "data: 11 bytes from 0 on, more than start.size, 10, has left");
  EXPECT_EQ(upload.state().received, 0u);
}

TEST(Upload, RefusesTheWrongContent) {
  Upload upload = UploadFor("0123456789");
  const absl::Status status = upload.Append(0, "012345678x");
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("start.sha256: 84d89877f0d4041e"));
  EXPECT_TRUE(upload.dropped());
  EXPECT_FALSE(upload.state().complete);
  EXPECT_EQ(upload.Append(0, "0").code(), absl::StatusCode::kAborted);
}

TEST(Upload, IsParsedOnlyWhenCompleteAndValid) {
  v1::TriangleMesh mesh;
  Upload upload = UploadFor("\xff\xff\xff");
  EXPECT_EQ(upload.Parse(&mesh, kLimit).message(),
            "upload: not complete, 0 of 3 bytes have been received");
  EXPECT_EQ(upload.Parse(&mesh, kLimit).code(), absl::StatusCode::kFailedPrecondition);
  ASSERT_TRUE(upload.Append(0, "\xff\xff\xff").ok());
  EXPECT_EQ(upload.Parse(&mesh, kLimit).message(),
            "upload: the content is not a valid warpyard.v1.TriangleMesh message");
}

TEST(Upload, ManyStreamsMayAppend) {
  const std::string content = SomeBytes(3 * kMebibyte);
  Upload upload = UploadFor(content);
  std::vector<std::thread> streams;
  for (const std::size_t piece : {std::size_t{10'007}, std::size_t{50'021}, 2 * kMebibyte}) {
    streams.emplace_back([&, piece] {
      for (std::size_t at = 0; at < content.size(); at += piece) {
        EXPECT_TRUE(upload.Append(at, absl::string_view(content).substr(at, piece)).ok());
      }
    });
  }
  for (std::thread& stream : streams) stream.join();
  EXPECT_TRUE(upload.state().complete);
}

TEST(CheckSha256, WantsItsSize) {
  EXPECT_TRUE(CheckSha256(std::string(32, 'x'), "upload").ok());
  EXPECT_EQ(CheckSha256("xyz", "upload").message(), "upload: 3 bytes, expected 32");
}

}  // namespace
}  // namespace warpyard::server
