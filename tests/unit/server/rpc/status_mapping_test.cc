// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/rpc/status_mapping.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "core/base/status_facts.h"
#include "google/rpc/error_details.pb.h"
#include "gtest/gtest.h"
#include "server/errors/error_details.h"
#include "tests/support/error_details.h"

namespace warpyard::server {
namespace {

using test_support::Detail;
using test_support::DetailsOf;
using test_support::ReasonIn;

TEST(ToGrpcStatus, KeepsCodeAndMessage) {
  const grpc::Status status = ToGrpcStatus(absl::NotFoundError("scene: gone"));
  EXPECT_EQ(status.error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_EQ(status.error_message(), "scene: gone");
  EXPECT_TRUE(ToGrpcStatus(absl::OkStatus()).ok());
  EXPECT_EQ(ToGrpcStatus(absl::OkStatus()).error_details(), "");
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
  EXPECT_EQ(ReasonIn(ToGrpcStatus(status)), "UNKNOWN");
}

/// The row as a client sees it.
TEST(ToGrpcStatus, SendsEachRowOfTheTable) {
  for (const ErrorRow& row : ErrorRows()) {
    SCOPED_TRACE(std::string(row.name));
    const grpc::Status status = ToGrpcStatus(MakeError(row.reason, "what happened"), "the-call");
    EXPECT_EQ(static_cast<int>(status.error_code()), static_cast<int>(row.code));
    const google::rpc::Status details = DetailsOf(status);
    EXPECT_EQ(details.code(), static_cast<int>(row.code));
    EXPECT_EQ(details.message(), "what happened");
    EXPECT_EQ(ReasonIn(details), row.name);
    EXPECT_EQ(Detail<google::rpc::RequestInfo>(details)->request_id(), "the-call");
    const auto quota = Detail<google::rpc::QuotaFailure>(details);
    ASSERT_EQ(quota.has_value(), !row.limit.empty());
    if (quota) {
      EXPECT_EQ(quota->violations(0).subject(), row.limit);
    }
    const auto retry = Detail<google::rpc::RetryInfo>(details);
    ASSERT_EQ(retry.has_value(), row.retry_delay > absl::ZeroDuration());
    if (!retry) continue;
    EXPECT_EQ(absl::Seconds(retry->retry_delay().seconds()) +
                  absl::Nanoseconds(retry->retry_delay().nanos()),
              row.retry_delay);
  }
}

TEST(ToGrpcStatus, CutsMessagesThatDoNotFitIntoTheMetadata) {
  const grpc::Status status = ToGrpcStatus(absl::InternalError(std::string(100'000, 'x')));
  EXPECT_EQ(status.error_message().size(), 2048u);
}

/// What gRPC sends: percent-encoded text and base64.
std::size_t SizeOnTheWire(const grpc::Status& status) {
  std::size_t size = 0;
  for (const char c : status.error_message()) size += c >= ' ' && c <= '~' && c != '%' ? 1 : 3;
  return size + (status.error_details().size() + 2) / 3 * 4;
}

TEST(ToGrpcStatus, FitsIntoTheMetadataWhateverTheTextsAre) {
  for (const char* unit : {"x", "%", "\xc3\xa4", "\xf0\x9f\x98\x80", "\xff", "\n"}) {
    std::string text;
    while (text.size() < 50'000) text += unit;
    const absl::Status statuses[] = {
        absl::InternalError(text),
        InvalidField(text, text),
        UnknownHandle(text, text, text),
        TenantQuota(text, text, text, absl::Seconds(1)),
        Precondition(ErrorReason::kUploadIncomplete, text, text),
        MakeError(ErrorReason::kPendingJobsFull, text,
                  {{"a", text}, {"b", text}, {"c", text}, {std::string(9000, 'n'), text}})};
    for (const absl::Status& status : statuses) {
      const grpc::Status sent = ToGrpcStatus(status, text);
      EXPECT_LE(SizeOnTheWire(sent), 7168u) << status.code();
      EXPECT_EQ(ReasonIn(sent), ReasonOf(status));
    }
  }
}

}  // namespace
}  // namespace warpyard::server
