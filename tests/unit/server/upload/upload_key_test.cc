// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/upload/upload_key.h"

#include <string>

#include "gtest/gtest.h"
#include "warpyard/v1/upload_service.pb.h"

namespace warpyard::server {
namespace {

TEST(ToUploadKey, ChecksBothFields) {
  v1::UploadStart start;
  EXPECT_EQ(ToUploadKey(start, Caller(), "start.").status().message(),
            "start.sha256: 0 bytes, expected 32");
  start.set_sha256(std::string(32, 'x'));
  start.set_tenant(16);
  EXPECT_EQ(ToUploadKey(start, Caller()).status().message(), "tenant: 16, expected less than 16");
  start.set_tenant(15);
  const auto key = ToUploadKey(start, Caller());
  ASSERT_TRUE(key.ok());
  EXPECT_EQ(*key, (UploadKey{15, std::string(32, 'x')}));
}

}  // namespace
}  // namespace warpyard::server
