// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/city_io/output/expanded_glb.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "client_examples/mesh_io/gltf/gltf_reader.h"
#include "tests/unit/client_examples/city_io/sample_city.h"
#include "tests/unit/client_examples/mesh_io/gltf/validator.h"

namespace warpyard::city_io {
namespace {

constexpr std::uint64_t kPlenty = 1 << 20;

std::string Write(const City& city) {
  std::ostringstream out;
  EXPECT_EQ(WriteExpandedGlb(city, kPlenty, out), absl::OkStatus());
  return out.str();
}

TEST(WriteExpandedGlb, HasAllTriangles) {
  const SampleCity sample;
  const auto model = mesh_io::ParseGltf(Write(sample.city()), "");
  ASSERT_TRUE(model.ok()) << model.status();
  ASSERT_EQ(model->meshes.size(), 1u);
  std::uint64_t triangles = 0;
  for (const mesh_io::Primitive& primitive : model->meshes[0].primitives) {
    triangles += primitive.triangles.size() / 3;
    EXPECT_EQ(primitive.normals.values.size(), primitive.positions.size());
    ASSERT_EQ(primitive.others.size(), 1u);
    EXPECT_EQ(primitive.others[0].name, "_FEATURE_ID_0");
  }
  EXPECT_EQ(triangles, TrianglesOf(sample.city()));
}

TEST(WriteExpandedGlb, NamesTheBudgetThatIsTooSmall) {
  const SampleCity sample;
  const std::uint64_t bytes = Write(sample.city()).size();
  std::ostringstream out;
  EXPECT_EQ(WriteExpandedGlb(sample.city(), bytes, out), absl::OkStatus());
  EXPECT_EQ(out.str().size(), bytes);
  for (const std::uint64_t budget : {bytes - 1, std::uint64_t{100}}) {
    std::ostringstream none;
    const absl::Status status = WriteExpandedGlb(sample.city(), budget, none);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_NE(status.message().find("more than the budget of " + std::to_string(budget)),
              std::string::npos)
        << status;
    EXPECT_TRUE(none.str().empty());
  }
}

TEST(WriteExpandedGlb, PassesTheValidator) {
  SampleCity sample, empty;
  empty.instances.clear();
  const std::optional<bool> passed = mesh_io::PassValidator(
      {{"triangles.glb", Write(sample.city())}, {"no_triangles.glb", Write(empty.city())}});
  if (!passed) GTEST_SKIP() << "the npm package gltf-validator is not installed";
  EXPECT_TRUE(*passed);
}

}  // namespace
}  // namespace warpyard::city_io
