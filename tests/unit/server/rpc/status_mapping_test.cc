// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/rpc/status_mapping.h"

#include <string>

#include "gtest/gtest.h"

namespace warpyard::server {
namespace {

TEST(ToGrpcStatus, KeepsCodeAndMessage) {
  const grpc::Status status = ToGrpcStatus(absl::NotFoundError("scene: gone"));
  EXPECT_EQ(status.error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_EQ(status.error_message(), "scene: gone");
  EXPECT_TRUE(ToGrpcStatus(absl::OkStatus()).ok());
}

TEST(ToGrpcStatus, KnowsEveryCode) {
  for (int code = 1; code <= 16; ++code) {
    const absl::Status status(static_cast<absl::StatusCode>(code), "x");
    EXPECT_EQ(static_cast<int>(ToGrpcStatus(status).error_code()), code);
  }
}

TEST(ToGrpcStatus, TurnsCodesWithoutANameIntoUnknown) {
  const absl::Status status(static_cast<absl::StatusCode>(1234), "x");
  EXPECT_EQ(ToGrpcStatus(status).error_code(), grpc::StatusCode::UNKNOWN);
}

TEST(ToGrpcStatus, CutsMessagesThatDoNotFitIntoTheMetadata) {
  const grpc::Status status = ToGrpcStatus(absl::InternalError(std::string(100'000, 'x')));
  EXPECT_EQ(status.error_message().size(), 2048u);
}

}  // namespace
}  // namespace warpyard::server
