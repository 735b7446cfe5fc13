// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/simplify/model_upload.h"

#include <string>

#include "gtest/gtest.h"
#include "tests/unit/server/messages.h"
#include "tests/unit/server/upload/contents.h"

namespace warpyard::server {
namespace {

/// What is wrong with an upload of a request.
absl::Status ErrorOf(const v1::OpenModelRequest& content) {
  const std::string bytes = content.SerializeAsString();
  Upload upload(test_support::DigestOf(bytes), bytes.size(), nullptr);
  EXPECT_TRUE(upload.Append(0, bytes).ok());
  v1::OpenModelRequest read;
  read.mutable_job()->set_tenant(3);
  const absl::Status status = ReadUpload(upload, &read);
  EXPECT_TRUE(!status.ok() || read.SerializeAsString() == bytes);
  return status;
}

TEST(UploadOf, WantsNothingBesideButTheJob) {
  v1::OpenModelRequest request;
  request.set_upload("short");
  EXPECT_EQ(UploadOf(request, 7).status().message(), "upload: 5 bytes, expected 32");
  request.set_upload(std::string(32, 'x'));
  request.mutable_job()->set_tenant(3);
  const auto key = UploadOf(request, 7);
  ASSERT_TRUE(key.ok());
  EXPECT_EQ(*key, (UploadKey{7, std::string(32, 'x')}));
  request.set_borders(v1::BORDERS_LOCKED);
  EXPECT_EQ(UploadOf(request, 7).status().message(),
            "borders: set beside upload, expected only job there");
  *request.mutable_mesh() = test_support::SquareMesh();
  EXPECT_EQ(UploadOf(request, 7).status().message(),
            "mesh: set beside upload, expected only job there");
}

TEST(ContentOf, KeepsTenantsApart) {
  EXPECT_NE(ContentOf({1, "2 x"}), ContentOf({12, " x"}));
  EXPECT_NE(ContentOf({1, "x"}), ContentOf({2, "x"}));
}

TEST(ReadUpload, WantsARequestWithoutJobAndUpload) {
  v1::OpenModelRequest content;
  *content.mutable_mesh() = test_support::SquareMesh();
  EXPECT_TRUE(ErrorOf(content).ok());
  content.set_upload("x");
  EXPECT_EQ(ErrorOf(content).message(),
            "upload: its content sets upload, expected a request without job and upload");
  content.mutable_job();
  EXPECT_EQ(ErrorOf(content).message(),
            "upload: its content sets job, expected a request without job and upload");
}

}  // namespace
}  // namespace warpyard::server
