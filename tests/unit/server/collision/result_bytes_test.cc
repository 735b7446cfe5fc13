// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/collision/result_bytes.h"

#include <cstdint>
#include <string>

#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"
#include "server/rpc/wire.h"

namespace warpyard::server {
namespace {

using google::protobuf::util::MessageDifferencer;

template <class Number>
void Append(Number number, std::string* bytes) {
  bytes->append(reinterpret_cast<const char*>(&number), sizeof(number));
}

/// A result whose numbers are all different.
ccd::CollisionResult SomeResult(std::uint32_t pairs, bool with_geometry) {
  ccd::CollisionResult result;
  for (std::uint32_t i = 0; i < pairs; ++i) {
    const double x = 100.0 * i;
    result.vertex_face.push_back({i, i + 1'000'000, x});
    result.edge_edge.push_back({i, i + 1, i + 2, i + 3, -x});
    if (!with_geometry) continue;
    result.vertex_face_geometry.push_back({{x + 1, x + 2, x + 3}, {x + 4, x + 5, x + 6}});
    result.edge_edge_geometry.push_back({{x + 7, x + 8}, {x + 9, x + 10, x + 11}});
  }
  result.earliest_time = 0.0;
  result.path_deviation = 0.25;
  result.statistics.vertices = 17;
  result.statistics.phases = {{"queue", absl::Milliseconds(1500)}};
  return result;
}

/// The result as a message, filled number by number.
v1::CollisionResult Message(const ccd::CollisionResult& result, bool with_times) {
  v1::CollisionResult message;
  for (const ccd::VertexFaceCollision& pair : result.vertex_face) {
    for (const auto id : {pair.vertex, pair.face}) Append(id, message.mutable_vertex_face_ids());
    if (with_times) Append(pair.time, message.mutable_vertex_face_times());
  }
  for (const ccd::EdgeEdgeCollision& pair : result.edge_edge) {
    for (const auto id : {pair.a0, pair.a1, pair.b0, pair.b1}) {
      Append(id, message.mutable_edge_edge_ids());
    }
    if (with_times) Append(pair.time, message.mutable_edge_edge_times());
  }
  for (const ccd::VertexFaceGeometry& geometry : result.vertex_face_geometry) {
    for (const double x : geometry.weights) Append(x, message.mutable_vertex_face_weights());
    for (const double x : geometry.normal) Append(x, message.mutable_vertex_face_normals());
  }
  for (const ccd::EdgeEdgeGeometry& geometry : result.edge_edge_geometry) {
    for (const double x : geometry.parameters) Append(x, message.mutable_edge_edge_parameters());
    for (const double x : geometry.normal) Append(x, message.mutable_edge_edge_normals());
  }
  message.set_earliest_time(0.0);
  message.set_path_deviation(0.25);
  message.mutable_statistics()->set_vertices(17);
  message.mutable_statistics()->mutable_hierarchy()->set_growth(1);
  v1::PhaseDuration* const phase = message.mutable_statistics()->add_phases();
  phase->set_phase("queue");
  phase->mutable_duration()->set_seconds(1);
  phase->mutable_duration()->set_nanos(500'000'000);
  return message;
}

ResultPart Whole(const ccd::CollisionResult& result, ccd::Report report) {
  ResultReader reader(result, report);
  return reader.NextPart(reader.list_bytes());
}

class ResultBytesTest : public ::testing::Test {
 protected:
  BufferPool buffers_{std::size_t{64} << 20};
};

TEST_F(ResultBytesTest, AreTheMessageThatProtobufWouldWrite) {
  // Sizes whose lengths take one to three bytes, and empty lists.
  for (const std::uint32_t pairs : {0, 1, 15, 16, 256, 257, 2'000, 20'000}) {
    for (const bool with_geometry : {false, true}) {
      const ccd::CollisionResult result = SomeResult(pairs, with_geometry);
      v1::StepResponse expected;
      *expected.mutable_result() = Message(result, true);
      grpc::ByteBuffer bytes = ResultBytes(v1::StepResponse(), v1::StepResponse::kResultFieldNumber,
                                           Whole(result, ccd::Report::kCollisions), buffers_);
      EXPECT_EQ(bytes.Length(), expected.ByteSizeLong());
      v1::StepResponse parsed;
      ASSERT_TRUE(Parse(&bytes, &parsed).ok());
      EXPECT_TRUE(MessageDifferencer::Equals(parsed, expected)) << pairs;
    }
  }
}

TEST_F(ResultBytesTest, OfCandidatesHaveNoTimes) {
  const ccd::CollisionResult result = SomeResult(300, false);
  v1::StepResponse expected;
  *expected.mutable_result() = Message(result, false);
  grpc::ByteBuffer bytes = ResultBytes(v1::StepResponse(), v1::StepResponse::kResultFieldNumber,
                                       Whole(result, ccd::Report::kCandidates), buffers_);
  EXPECT_EQ(bytes.Length(), expected.ByteSizeLong());
  v1::StepResponse parsed;
  ASSERT_TRUE(Parse(&bytes, &parsed).ok());
  EXPECT_TRUE(MessageDifferencer::Equals(parsed, expected));
}

TEST_F(ResultBytesTest, HaveTheOtherFieldsOfTheResponse) {
  const ccd::CollisionResult result = SomeResult(3, true);
  v1::StreamStepsResponse response;
  response.set_step(1'000);
  response.set_last_part(true);
  grpc::ByteBuffer bytes = ResultBytes(response, v1::StreamStepsResponse::kResultFieldNumber,
                                       Whole(result, ccd::Report::kCollisions), buffers_);
  v1::StreamStepsResponse parsed;
  ASSERT_TRUE(Parse(&bytes, &parsed).ok());
  *response.mutable_result() = Message(result, true);
  EXPECT_TRUE(MessageDifferencer::Equals(parsed, response));
}

TEST_F(ResultBytesTest, OfAnEmptyPartStillHaveTheResult) {
  grpc::ByteBuffer bytes =
      ResultBytes(v1::StepResponse(), v1::StepResponse::kResultFieldNumber, ResultPart(), buffers_);
  v1::StepResponse parsed;
  ASSERT_TRUE(Parse(&bytes, &parsed).ok());
  EXPECT_TRUE(parsed.has_result());
}

TEST_F(ResultBytesTest, StayWhenTheResultIsGone) {
  grpc::ByteBuffer bytes;
  {
    const ccd::CollisionResult result = SomeResult(2'000, false);
    bytes = ResultBytes(v1::StepResponse(), v1::StepResponse::kResultFieldNumber,
                        Whole(result, ccd::Report::kCollisions), buffers_);
  }
  // Bytes made later must not overwrite the first ones.
  const ccd::CollisionResult other = SomeResult(1'900, false);
  const grpc::ByteBuffer others =
      ResultBytes(v1::StepResponse(), v1::StepResponse::kResultFieldNumber,
                  Whole(other, ccd::Report::kCollisions), buffers_);
  v1::StepResponse parsed;
  ASSERT_TRUE(Parse(&bytes, &parsed).ok());
  EXPECT_TRUE(MessageDifferencer::Equals(parsed.result(), Message(SomeResult(2'000, false), true)));
}

TEST_F(ResultBytesTest, GiveTheirMemoryToTheNext) {
  const ccd::CollisionResult result = SomeResult(2'000, false);
  const ResultPart part = Whole(result, ccd::Report::kCollisions);
  for (int i = 0; i < 3; ++i) {
    grpc::ByteBuffer bytes =
        ResultBytes(v1::StepResponse(), v1::StepResponse::kResultFieldNumber, part, buffers_);
    EXPECT_EQ(buffers_.kept_bytes(), 0u);
    bytes.Clear();
    EXPECT_EQ(buffers_.kept_bytes(), 131'072u);
  }
}

}  // namespace
}  // namespace warpyard::server
