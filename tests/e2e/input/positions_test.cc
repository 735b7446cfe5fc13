// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// All forms of the positions of a step, from the message to the result and back.

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/test_server.h"

namespace warpyard {
namespace {

using test_support::Bytes;
using test_support::Doubles;
using test_support::FallingTriangleEnd;
using test_support::FallingTriangleMesh;
using test_support::NewContext;
using test_support::Numbers;
using ::testing::HasSubstr;

/// Places in a box from -8 to 8; there all coordinates of the falling triangle are whole numbers or
/// halves.
v1::Positions Quantized(const v1::Positions& doubles) {
  v1::Positions positions;
  positions.set_scalar_type(v1::SCALAR_TYPE_QUANTIZED16);
  std::vector<std::uint16_t> places;
  for (const double x : Numbers<double>(doubles.data())) {
    places.push_back(static_cast<std::uint16_t>((x + 8) / 16 * 65535));
  }
  positions.set_data(Bytes(places));
  for (int axis = 0; axis < 3; ++axis) {
    positions.mutable_box()->add_low(-8);
    positions.mutable_box()->add_high(8);
  }
  return positions;
}

/// The doubles that the places mean, by the formula of the proto file.
v1::Positions Dequantized(const v1::Positions& quantized) {
  std::vector<double> doubles;
  for (const std::uint16_t q : Numbers<std::uint16_t>(quantized.data())) {
    doubles.push_back(-8 + ((8.0 - -8.0) / 65535) * q);
  }
  return Doubles(doubles);
}

/// The lower triangle is body 0, the upper is body 1.
v1::TriangleMesh Bodies() {
  v1::TriangleMesh mesh = FallingTriangleMesh();
  mesh.set_vertex_groups(Bytes<std::uint32_t>({0, 0, 0, 1, 1, 1}));
  return mesh;
}

/// The lower triangle rests; the upper one is turned about z by an angle with this sine, and
/// lowered.
v1::Pose Lowered(double by, double sine = 0) {
  const double cosine = std::sqrt(1 - sine * sine);
  v1::Pose pose;
  pose.set_matrices(Bytes<double>({1,      0,     0, 0, 0,    1,      0, 0, 0, 0, 1, 0,  //
                                   cosine, -sine, 0, 0, sine, cosine, 0, 0, 0, 0, 1, -by}));
  return pose;
}

class PositionsTest : public test_support::RealServerTest {
 protected:
  v1::StepRequest StepOf(const v1::TriangleMesh& mesh) {
    v1::StepRequest request;
    request.set_scene(server_->Open(mesh));
    return request;
  }
};

/// Everything except the times of the phases.
std::string Comparable(v1::CollisionResult result) {
  result.mutable_statistics()->clear_phases();
  return result.SerializeAsString();
}

TEST_F(PositionsTest, InABoxGiveWhatTheirDoublesGive) {
  v1::TriangleMesh mesh = FallingTriangleMesh();
  *mesh.mutable_positions() = Quantized(mesh.positions());
  v1::StepRequest quantized = StepOf(mesh);
  *quantized.mutable_end() = Quantized(FallingTriangleEnd());
  *mesh.mutable_positions() = Dequantized(mesh.positions());
  v1::StepRequest doubles = StepOf(mesh);
  *doubles.mutable_end() = Dequantized(quantized.end());
  const v1::CollisionResult result = Step(quantized);
  EXPECT_NEAR(result.earliest_time(), 0.5, 1e-3);
  EXPECT_EQ(Comparable(result), Comparable(Step(doubles)));
}

TEST_F(PositionsTest, OfAPoseMoveBodiesFromTheirRestPositions) {
  v1::StepRequest step = StepOf(Bodies());
  *step.mutable_end_pose() = Lowered(1.5);
  const v1::CollisionResult through = Step(step);
  EXPECT_EQ(Numbers<std::uint32_t>(through.vertex_face_ids()), (std::vector<std::uint32_t>{3, 0}));
  EXPECT_NEAR(through.earliest_time(), 1 / 1.5, 1e-5);
  EXPECT_TRUE(through.has_path_deviation());
  EXPECT_EQ(through.path_deviation(), 0) << "nothing turns";
  // Up again, from the last pose. This pose, too, applies to the rest positions.
  *step.mutable_end_pose() = Lowered(0.5);
  EXPECT_NEAR(Step(step).earliest_time(), 0.5, 1e-5);
  *step.mutable_end_pose() = Lowered(0.25);
  EXPECT_FALSE(Step(step).has_earliest_time());
  *step.mutable_start_pose() = Lowered(1);
  *step.mutable_end_pose() = Lowered(1.5);
  EXPECT_EQ(Step(step).earliest_time(), 0) << "touches at the start";
}

TEST_F(PositionsTest, OfAPoseTellHowFarStraightPathsStray) {
  v1::StepRequest step = StepOf(Bodies());
  *step.mutable_end_pose() = Lowered(0, 0.6);
  const v1::CollisionResult turned = Step(step);
  EXPECT_GT(turned.path_deviation(), 0.01);
  EXPECT_LT(turned.path_deviation(), 0.5);
  *step.mutable_end() = FallingTriangleEnd();
  EXPECT_FALSE(Step(step).has_path_deviation());
  EXPECT_FALSE(step.has_end_pose()) << "one form or the other";
}

TEST_F(PositionsTest, OfAPoseAreTakenFromAStream) {
  v1::StreamStepsRequest request;
  *request.mutable_step() = StepOf(Bodies());
  const auto context = NewContext();
  const auto stream = stub_.StreamSteps(context.get());
  for (const double by : {0.5, 1.5, 3.0}) {
    *request.mutable_step()->mutable_end_pose() = Lowered(by);
    ASSERT_TRUE(stream->Write(request));
  }
  stream->WritesDone();
  std::vector<bool> touches;
  v1::StreamStepsResponse response;
  while (stream->Read(&response)) touches.push_back(response.result().has_earliest_time());
  EXPECT_TRUE(stream->Finish().ok());
  EXPECT_EQ(touches, (std::vector<bool>{false, true, true}));
}

TEST_F(PositionsTest, OfAPoseAreRefusedWhereTheyDoNotFit) {
  v1::StepRequest step = StepOf(FallingTriangleMesh());
  *step.mutable_end_pose() = Lowered(1);
  EXPECT_THAT(ErrorOf(step), HasSubstr("end_pose: the scene has no bodies"));
  step = StepOf(Bodies());
  *step.mutable_end_pose() = Lowered(1);
  step.mutable_end_pose()->mutable_matrices()->resize(96);
  EXPECT_THAT(ErrorOf(step), HasSubstr("end_pose.matrices: 96 bytes, expected 192"));
  *step.mutable_end_pose() = Lowered(1);
  step.mutable_start_pose()->set_matrices(std::string(192, '\0'));
  EXPECT_THAT(ErrorOf(step),
              HasSubstr("start_pose.matrices: the transform of body 0 is not rigid"));
  step.clear_start_form();
  v1::TriangleMesh far = Bodies();
  *far.mutable_positions() =
      Doubles({0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, -5e37, 1.5, 1, -5e37, 1, 1.5, -5e37});
  step = StepOf(far);
  *step.mutable_end_pose() = Lowered(6e37);
  EXPECT_THAT(ErrorOf(step), HasSubstr("the pose takes body 1 further than 1e+38"));
}

}  // namespace
}  // namespace warpyard
