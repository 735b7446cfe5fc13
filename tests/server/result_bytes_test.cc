// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/rpc/result_bytes.h"

#include <string>

#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"
#include "server/rpc/wire.h"

namespace warpyard::server {
namespace {

using google::protobuf::util::MessageDifferencer;

v1::CollisionResult SomeResult(std::size_t pairs) {
  v1::CollisionResult result;
  result.set_vertex_face_ids(std::string(8 * pairs, 'a'));
  result.set_vertex_face_times(std::string(8 * pairs, 'b'));
  result.set_edge_edge_ids(std::string(16 * pairs, 'c'));
  result.set_edge_edge_times(std::string(8 * pairs, 'd'));
  result.set_earliest_time(0.0);
  result.set_path_deviation(0.25);
  result.mutable_statistics()->set_vertices(17);
  result.mutable_statistics()->add_phases()->set_phase("queue");
  return result;
}

TEST(ResultBytes, AreTheMessageThatProtobufWouldWrite) {
  // Lengths of one to three bytes, and empty lists.
  for (const std::size_t pairs : {0, 1, 15, 16, 2'000, 20'000}) {
    v1::StepResponse expected;
    *expected.mutable_result() = SomeResult(pairs);
    grpc::ByteBuffer bytes = ResultBytes(SomeResult(pairs), v1::StepResponse::kResultFieldNumber);
    EXPECT_EQ(bytes.Length(), expected.ByteSizeLong());
    v1::StepResponse parsed;
    ASSERT_TRUE(Parse(&bytes, &parsed).ok());
    EXPECT_TRUE(MessageDifferencer::Equals(parsed, expected)) << pairs;
  }
}

TEST(ResultBytes, HaveTheFieldThatIsAskedFor) {
  v1::StreamStepsResponse expected;
  *expected.mutable_result() = SomeResult(3);
  grpc::ByteBuffer bytes = ResultBytes(SomeResult(3), v1::StreamStepsResponse::kResultFieldNumber);
  v1::StreamStepsResponse parsed;
  ASSERT_TRUE(Parse(&bytes, &parsed).ok());
  EXPECT_TRUE(MessageDifferencer::Equals(parsed, expected));
}

TEST(ResultBytes, OfAnEmptyResultStillHaveTheResult) {
  grpc::ByteBuffer bytes = ResultBytes(v1::CollisionResult(), v1::StepResponse::kResultFieldNumber);
  v1::StepResponse parsed;
  ASSERT_TRUE(Parse(&bytes, &parsed).ok());
  EXPECT_TRUE(parsed.has_result());
}

TEST(ResultBytes, StayWhenAnotherBufferIsMadeOfThem) {
  grpc::ByteBuffer bytes = ResultBytes(SomeResult(2'000), v1::StepResponse::kResultFieldNumber);
  grpc::ByteBuffer copy(bytes);
  bytes.Clear();
  v1::StepResponse parsed;
  ASSERT_TRUE(Parse(&copy, &parsed).ok());
  EXPECT_TRUE(MessageDifferencer::Equals(parsed.result(), SomeResult(2'000)));
}

}  // namespace
}  // namespace warpyard::server
