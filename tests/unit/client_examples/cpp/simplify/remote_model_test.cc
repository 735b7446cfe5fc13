// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/simplify/remote_model.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "client_examples/cpp/simplify/mesh/request.h"
#include "tests/unit/client_examples/cpp/simplify/samples.h"

namespace warpyard::cli {
namespace {

/// A model of twelve triangles.
v1::OpenModelRequest TwelveTriangles() {
  mesh_io::ModelMesh mesh = {"", {}};
  for (int z = 0; z < 6; ++z) mesh.primitives.push_back(SquareAt(z));
  return *RequestOf(mesh, PartsOf(mesh), {});
}

TEST(SimplifyLevels, HalvesTheTrianglesOfTheLevelBefore) {
  FakeSimplifyService service;
  const auto stub = service.Connect();
  v1::SimplifyRequest goal;
  goal.set_finish(v1::FINISH_CUT);
  goal.set_ratio(1);
  const auto levels = SimplifyLevels(*stub, TwelveTriangles(), goal, 5);
  ASSERT_TRUE(levels.ok()) << levels.status();
  const std::vector<std::size_t> wanted = {12, 6, 3, 1, 1};
  ASSERT_EQ(levels->size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_EQ((*levels)[i].mesh().triangles().size(), 12 * wanted[i]);
    EXPECT_EQ(service.requests()[i].finish(), v1::FINISH_CUT);
  }
  EXPECT_EQ(service.requests()[0].ratio(), 1);
  EXPECT_EQ(service.open(), 0u) << "it is closed";
}

TEST(SimplifyLevels, StopsWhereNothingIsLeft) {
  FakeSimplifyService service;
  const auto stub = service.Connect();
  v1::SimplifyRequest goal;
  goal.set_triangles(0);
  const auto levels = SimplifyLevels(*stub, TwelveTriangles(), goal, 3);
  ASSERT_TRUE(levels.ok()) << levels.status();
  EXPECT_EQ(levels->size(), 3u);
  EXPECT_EQ(levels->back().mesh().triangles(), "");
  EXPECT_EQ(service.requests().size(), 1u);
}

TEST(SimplifyLevels, ClosesTheModelAfterAnError) {
  FakeSimplifyService service;
  const auto stub = service.Connect();
  v1::SimplifyRequest goal;
  goal.set_level(3);
  const auto levels = SimplifyLevels(*stub, TwelveTriangles(), goal, 1);
  EXPECT_EQ(levels.status(), absl::UnavailableError("shutting down"));
  EXPECT_EQ(service.open(), 0u);
  EXPECT_EQ(SimplifyLevels(*stub, {}, goal, 1).status(),
            absl::InvalidArgumentError("no triangles"));
}

}  // namespace
}  // namespace warpyard::cli
