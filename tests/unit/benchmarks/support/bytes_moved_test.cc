// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/support/bytes_moved.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>

namespace warpyard::collision_bench {
namespace {

std::map<std::string, PhaseBytes> ByPhase(const StepSizes& sizes) {
  std::map<std::string, PhaseBytes> phases;
  for (const PhaseBytes& bytes : BytesMoved(sizes)) phases.emplace(bytes.phase, bytes);
  return phases;
}

StepSizes ClothBall() {
  StepSizes sizes;
  sizes.counts.vertices = 46'598;
  sizes.counts.edges = 138'825;
  sizes.counts.triangles = 92'230;
  sizes.counts.vertex_face_candidates = 1'655'541;
  sizes.counts.edge_edge_candidates = 5'197'332;
  sizes.vertex_face_listed = 19'032;
  sizes.edge_edge_listed = 94'822;
  return sizes;
}

TEST(BytesMoved, AreThoseOfCountsByHand) {
  const auto phases = ByPhase(ClothBall());
  EXPECT_EQ(phases.at("copy_in").least, 559'176u);  // 46,598 x 12
  EXPECT_EQ(phases.at("broad").least, 6'663'672u);  // 277,653 boxes of 24
  EXPECT_EQ(phases.at("refit").least, 559'176u * 2 + 138'825u * 8 + 92'230u * 12 + 6'663'672u);
  EXPECT_EQ(phases.at("broad").gathered, 6'663'672u + 6'852'873u * 48);
  EXPECT_EQ(phases.at("narrow").gathered, 6'852'873u * 112 + 2'580'240u);
  EXPECT_EQ(phases.at("copy_out").least, 2'580'240u);  // 19,032 x 16 + 94,822 x 24
}

TEST(BytesMoved, AreNeverFewerWithoutACache) {
  StepSizes still = ClothBall();  // nothing meets, so no pair reads positions
  still.counts.vertex_face_candidates = still.counts.edge_edge_candidates = 0;
  still.vertex_face_listed = still.edge_edge_listed = 0;
  for (const StepSizes& sizes : {ClothBall(), still, StepSizes{}}) {
    for (const PhaseBytes& bytes : BytesMoved(sizes)) EXPECT_LE(bytes.least, bytes.gathered);
  }
}

TEST(BytesMoved, FollowTheSizeOfAPosition) {
  StepSizes doubles = ClothBall();
  doubles.position_bytes = 24;
  EXPECT_EQ(ByPhase(doubles).at("copy_in").least, 2 * ByPhase(ClothBall()).at("copy_in").least);
}

TEST(BytesMoved, GoOverTheLinkOnlyInCopies) {
  for (const PhaseBytes& bytes : BytesMoved(ClothBall())) {
    EXPECT_EQ(bytes.over_link, std::string(bytes.phase).rfind("copy_", 0) == 0) << bytes.phase;
  }
}

}  // namespace
}  // namespace warpyard::collision_bench
