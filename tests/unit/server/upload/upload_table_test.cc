// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/upload/upload_table.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/server/upload/contents.h"

namespace warpyard::server {
namespace {

using test_support::DigestOf;
using test_support::kMebibyte;
using ::testing::HasSubstr;

class UploadTableTest : public ::testing::Test {
 protected:
  /// Uploads the first bytes of a content.
  absl::Status Send(const UploadKey& key, const std::string& content, std::size_t bytes) {
    const auto upload = uploads_.Begin(key, content.size(), 0);
    if (!upload.ok()) return upload.status();
    return uploads_.Append(key, **upload, 0, content.substr(0, bytes));
  }
  static UploadKey KeyOf(const std::string& content, std::uint32_t tenant = 0) {
    return {tenant, DigestOf(content)};
  }

  absl::Time now_ = absl::FromUnixSeconds(1000);
  UploadTable uploads_{{.upload_bytes = kMebibyte,
                        .all_bytes = 2 * kMebibyte,
                        .uploads = 3,
                        .ttl = absl::Minutes(10)},
                       [this] { return now_; }};
};

TEST_F(UploadTableTest, GoesOnWhereAStreamEnded) {
  const std::string content = "0123456789";
  const UploadKey key = KeyOf(content);
  ASSERT_TRUE(Send(key, content, 4).ok());
  EXPECT_EQ((*uploads_.Find(key))->state().received, 4u);
  const absl::Status status = uploads_.Begin(key, 10, 5).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("start.offset: 5, expected at most 4"));
  const auto upload = *uploads_.Begin(key, 10, 4);
  ASSERT_TRUE(uploads_.Append(key, *upload, 4, content.substr(4)).ok());
  EXPECT_TRUE((*uploads_.Find(key))->state().complete);
  EXPECT_EQ(uploads_.size(), 1u);
  EXPECT_EQ(uploads_.budget().used(), 10u);
}

TEST_F(UploadTableTest, KeepsTenantsApart) {
  const std::string content = "0123456789";
  ASSERT_TRUE(Send(KeyOf(content, 1), content, 10).ok());
  EXPECT_EQ(uploads_.Find(KeyOf(content, 2)).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(uploads_.Drop(KeyOf(content, 2)).code(), absl::StatusCode::kNotFound);
  EXPECT_TRUE(uploads_.Find(KeyOf(content, 1)).ok());
}

TEST_F(UploadTableTest, HasLimits) {
  const auto error_of = [&](const std::string& content, std::uint64_t size) {
    const absl::Status status = uploads_.Begin(KeyOf(content), size, 0).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
    return std::string(status.message());
  };
  EXPECT_EQ(error_of("a", kMebibyte + 1),
            "start.size: 1048577 bytes; the limit is 1 MiB (--max-upload-mib)");
  EXPECT_TRUE(uploads_.Begin(KeyOf("a"), kMebibyte, 0).ok());
  EXPECT_TRUE(uploads_.Begin(KeyOf("b"), kMebibyte - 1, 0).ok());
  EXPECT_EQ(error_of("c", 2),
            "uploads: 2097151 bytes are set aside, and this one has 2; the limit is 2 MiB "
            "(--upload-memory-mib)");
  EXPECT_TRUE(uploads_.Begin(KeyOf("c"), 1, 0).ok());
  EXPECT_EQ(error_of("d", 1), "uploads: 3 are kept; the limit is 3 (--max-uploads)");
  EXPECT_TRUE(uploads_.Drop(KeyOf("a")).ok());
  EXPECT_TRUE(uploads_.Begin(KeyOf("d"), 1, 0).ok());
}

TEST_F(UploadTableTest, WantsOneSize) {
  EXPECT_EQ(uploads_.Begin(KeyOf("a"), 0, 0).status().message(),
            "start.size: 0, expected at least 1");
  ASSERT_TRUE(uploads_.Begin(KeyOf("a"), 5, 0).ok());
  EXPECT_EQ(uploads_.Begin(KeyOf("a"), 6, 0).status().message(),
            "start.size: 6, expected 5, with which the upload began");
}

TEST_F(UploadTableTest, DropsWrongContents) {
  EXPECT_EQ(Send(KeyOf("right"), "wrong", 5).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(uploads_.size(), 0u);
  EXPECT_EQ(uploads_.budget().used(), 0u);
  EXPECT_TRUE(Send(KeyOf("right"), "right", 5).ok());
}

TEST_F(UploadTableTest, DropsUnusedOnes) {
  ASSERT_TRUE(Send(KeyOf("abc"), "abc", 3).ok());
  ASSERT_TRUE(Send(KeyOf("def"), "def", 1).ok());
  now_ += absl::Minutes(9);
  EXPECT_TRUE(uploads_.Find(KeyOf("abc")).ok());
  now_ += absl::Minutes(1);
  EXPECT_EQ(uploads_.RemoveExpired(), 1u);
  EXPECT_FALSE(uploads_.Find(KeyOf("def")).ok());
  now_ += absl::Minutes(9);
  EXPECT_EQ(uploads_.RemoveExpired(), 1u);
  EXPECT_EQ(uploads_.budget().used(), 0u);
}

TEST_F(UploadTableTest, TellsStreamsOfADrop) {
  const UploadKey key = KeyOf("abc");
  const auto upload = *uploads_.Begin(key, 3, 0);
  ASSERT_TRUE(uploads_.Append(key, *upload, 0, "a").ok());
  ASSERT_TRUE(uploads_.Drop(key).ok());
  const auto again = *uploads_.Begin(key, 3, 0);
  EXPECT_EQ(uploads_.Append(key, *upload, 1, "b").code(), absl::StatusCode::kAborted);
  EXPECT_TRUE(uploads_.Append(key, *again, 0, "abc").ok());
  EXPECT_EQ(uploads_.size(), 1u);
}

}  // namespace
}  // namespace warpyard::server
