// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/simplify/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/client_examples/cpp/simplify/samples.h"

namespace warpyard::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Verify, MeasuresDistanceAndDefects) {
  mesh_io::Model result = ModelOf({SquareAt(0.25)});
  result.meshes[0].primitives[0].triangles = {0, 1, 2, 0, 2, 3, 1, 1, 2};
  const auto verification = Verify(ModelOf({SquareAt(0)}), result);
  ASSERT_TRUE(verification.ok()) << verification.status();
  EXPECT_NEAR(verification->Rms(), 0.25, 1e-12);
  EXPECT_NEAR(verification->Max(), 0.25, 1e-12);
  EXPECT_EQ(verification->Degenerate(), 1u);
  EXPECT_EQ(verification->result.border_edges, 4u);
  EXPECT_THAT(TextOf(*verification), StartsWith("distance from IN: RMS 0.25 (17.6777 % of"));
  EXPECT_THAT(TextOf(*verification), HasSubstr("by 100000 samples"));
}

TEST(Verify, DoesNotTakeSeamsForBorders) {
  // The squares meet in two edges, with vertices of their own.
  mesh_io::Primitive other = SquareAt(0);
  other.triangles = {0, 2, 1, 0, 3, 2};
  const mesh_io::Model model = ModelOf({SquareAt(0), other});
  const auto verification = Verify(model, model);
  ASSERT_TRUE(verification.ok()) << verification.status();
  EXPECT_EQ(verification->input.border_edges, 0u);
  EXPECT_EQ(verification->Max(), 0);
}

TEST(Verify, MeasuresInTheScene) {
  mesh_io::Model model = ModelOf({SquareAt(1)}), flat = ModelOf({SquareAt(0)});
  model.instances = flat.instances = {{0, ScaleBy(10, 10, 10)}};
  const auto verification = Verify(model, flat);
  ASSERT_TRUE(verification.ok()) << verification.status();
  EXPECT_NEAR(verification->Rms(), 10, 1e-12);
  EXPECT_FALSE(Verify(model, mesh_io::Model()).ok());
}

}  // namespace
}  // namespace warpyard::cli
