// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/support/call_error.h"

#include <gtest/gtest.h>

#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"

namespace warpyard::client_support {
namespace {

TEST(CallError, AnErrorWithoutDetailsHasItsTextAlone) {
  EXPECT_EQ(Explain({grpc::StatusCode::NOT_FOUND, "gone"}), "gone");
  EXPECT_EQ(Explain({grpc::StatusCode::NOT_FOUND, "gone", "\xff no message"}), "gone");
}

TEST(CallError, DetailsAddReasonFieldDelayAndName) {
  google::rpc::Status details;
  google::rpc::ErrorInfo info;
  info.set_reason("INVALID_FIELD");
  details.add_details()->PackFrom(info);
  google::rpc::BadRequest bad;
  bad.add_field_violations()->set_field("views[3].up");
  details.add_details()->PackFrom(bad);
  google::rpc::RetryInfo retry;
  retry.mutable_retry_delay()->set_nanos(100'000'000);
  details.add_details()->PackFrom(retry);
  google::rpc::RequestInfo request;
  request.set_request_id("order-\x1b-17");
  details.add_details()->PackFrom(request);
  const grpc::Status status(grpc::StatusCode::INVALID_ARGUMENT, "text",
                            details.SerializeAsString());
  EXPECT_EQ(Explain(status),
            "text (INVALID_FIELD, field views[3].up, try again in 100ms, request order-\\x1b-17)");
  EXPECT_EQ(ToStatus(status), absl::InvalidArgumentError(Explain(status)));
  EXPECT_TRUE(ToStatus(grpc::Status::OK).ok());
}

}  // namespace
}  // namespace warpyard::client_support
