// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/static_vertices.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace warpyard::ccd {
namespace {

/// Two triangles of their own, and a third one on the first of them.
const std::vector<std::uint32_t> kTriangles = {0, 1, 2, 3, 4, 5, 2, 1, 0};

std::string Fault(std::size_t static_vertices,
                  const std::vector<std::uint32_t>& triangles = kTriangles,
                  HierarchyBuild build = HierarchyBuild::kMorton) {
  const absl::Status status = CheckStaticVertices({6, static_vertices}, triangles, build);
  EXPECT_TRUE(status.ok() || absl::IsInvalidArgument(status)) << status;
  return std::string(status.message());
}

TEST(StaticVertices, AreOfWholeTriangles) {
  EXPECT_EQ(Fault(0), "");
  EXPECT_EQ(Fault(3), "");
  EXPECT_EQ(Fault(1),
            "static_vertices: triangle 1 has 1 of the vertices from 5 on, which never move; "
            "expected 0 or 3");
  EXPECT_EQ(Fault(5),
            "static_vertices: triangle 0 has 2 of the vertices from 1 on, which never move; "
            "expected 0 or 3");
}

TEST(StaticVertices, AreNotAll) {
  EXPECT_EQ(Fault(6),
            "static_vertices: 6 of 6 vertices, expected fewer: at least one triangle moves");
  EXPECT_EQ(Fault(7),
            "static_vertices: 7 of 6 vertices, expected fewer: at least one triangle moves");
  EXPECT_EQ(Fault(3, {3, 4, 5}), "static_vertices: 3, but then no triangle moves");
}

TEST(StaticVertices, NeedMortonOrder) {
  EXPECT_EQ(Fault(0, kTriangles, HierarchyBuild::kTopDown), "");
  EXPECT_EQ(Fault(3, kTriangles, HierarchyBuild::kTopDown),
            "static_vertices: given, but the hierarchy is not built in Morton order");
}

TEST(StaticVertices, MakeStaticTriangles) {
  EXPECT_EQ(CountStaticTriangles({6, 0}, kTriangles), 0u);
  EXPECT_EQ(CountStaticTriangles({6, 3}, kTriangles), 1u);
}

}  // namespace
}  // namespace warpyard::ccd
