// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/rpc/wire_limit.h"

#include <string>

#include "core/base/status_facts.h"
#include "gtest/gtest.h"
#include "warpyard/v1/simplify_service.pb.h"

namespace warpyard::server {
namespace {

const WireLimit kViews{"views", {v1::SimplifyRequest::kViewsFieldNumber, 1}, 3};

absl::Status Check(const std::string& bytes) {
  const grpc::Slice slice(bytes);
  grpc::ByteBuffer buffer(&slice, 1);
  return CheckLimit(buffer, kViews);
}

std::string RequestWith(int views) {
  v1::SimplifyRequest request;
  request.set_model("model-1");
  request.mutable_job()->set_tenant(3);
  request.mutable_views()->set_hysteresis(2);
  for (int i = 0; i < views; ++i) request.mutable_views()->add_views();
  return request.SerializeAsString();
}

TEST(CheckLimit, CountsRepeatedMessages) {
  EXPECT_TRUE(Check("").ok());
  EXPECT_TRUE(Check(RequestWith(3)).ok());
  EXPECT_EQ(Check(RequestWith(4)), InvalidField("views", "more than 3, expected at most as many"));
  EXPECT_FALSE(Check(RequestWith(100'000)).ok());
  // A message may come in pieces, which the parser joins.
  EXPECT_FALSE(Check(RequestWith(2) + RequestWith(2)).ok());
}

TEST(CheckLimit, LeavesWhatIsMalformedToTheParser) {
  const std::string whole = RequestWith(3);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_TRUE(Check(whole.substr(0, size)).ok()) << size;
  }
  EXPECT_TRUE(Check("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff").ok());
  EXPECT_TRUE(Check("\x52\xff\xff\xff\xff\x0f\x0a").ok());  // a length beyond the end
}

}  // namespace
}  // namespace warpyard::server
