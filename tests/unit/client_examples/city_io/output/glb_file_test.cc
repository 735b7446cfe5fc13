// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/city_io/output/glb_file.h"

#include <gtest/gtest.h>

#include <sstream>

#include "client_examples/city_io/instance.h"
#include "client_examples/mesh_io/gltf/data/container.h"

namespace warpyard::city_io {
namespace {

TEST(GlbFile, CountsItsBytes) {
  GlbFile file;
  file.AddArray(kNumbers, 3);
  std::ostringstream out;
  ASSERT_EQ(file.WriteHead(out), absl::OkStatus());
  for (const float number : {1.0F, 2.0F, 3.0F}) WriteRaw(number, out);
  EXPECT_EQ(out.str().size(), file.Bytes());
  const auto chunks = mesh_io::SplitGlb(out.str());
  ASSERT_TRUE(chunks.ok()) << chunks.status();
  EXPECT_EQ(chunks->binary->size(), 12u);
}

TEST(GlbFile, RefusesMoreThanItsHeaderCanSay) {
  GlbFile file;
  file.AddArray(kVectors, std::size_t{400} << 20);
  std::ostringstream out;
  const absl::Status status = file.WriteHead(out);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(status.message().find("at most 4 GiB"), std::string::npos);
  EXPECT_TRUE(out.str().empty());
}

TEST(GlbFile, HasEachMaterialOnce) {
  GlbFile file;
  EXPECT_EQ(file.AddMaterial("roof", kNoColor), 0u);
  EXPECT_EQ(file.AddMaterial("roof", 0xFF000000), 1u);
  EXPECT_EQ(file.AddMaterial("roof", kNoColor), 0u);
  EXPECT_EQ(file.json()["materials"].size(), 2u);
}

}  // namespace
}  // namespace warpyard::city_io
