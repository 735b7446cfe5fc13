// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/city_io/groups.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <set>

#include "tests/unit/client_examples/city_io/sample_city.h"

namespace warpyard::city_io {
namespace {

TEST(Groups, HaveEachInstanceOnceAndInOrder) {
  const SampleCity sample;
  for (const GroupBy by : {GroupBy::kMeshAndPaint, GroupBy::kPaint}) {
    const Groups groups(sample.instances, by);
    std::set<std::uint32_t> members;
    for (const Group& group : groups.groups()) {
      EXPECT_TRUE(std::is_sorted(group.members.begin(), group.members.end()));
      for (const std::uint32_t member : group.members) {
        EXPECT_TRUE(members.insert(member).second);
        EXPECT_EQ(sample.instances[member].material, group.key.material);
        if (by == GroupBy::kMeshAndPaint) {
          EXPECT_EQ(sample.instances[member].mesh, group.key.mesh);
        }
      }
    }
    EXPECT_EQ(members.size(), sample.instances.size());
  }
}

TEST(Groups, TellMirroredInstancesApart) {
  std::vector<Instance> instances;
  for (const Vector size : {Vector{1, 1, 1}, Vector{-1, 1, 1}, Vector{-1, -1, 1}}) {
    instances.push_back(InstanceOf(kBox, 0, {}, size));
  }
  const Groups groups(instances, GroupBy::kMeshAndPaint);
  ASSERT_EQ(groups.groups().size(), 2u);
  EXPECT_EQ(groups.groups()[0].members.size(), 2u);
  EXPECT_TRUE(groups.groups()[1].key.mirrored);
}

TEST(Groups, JoinSimilarColoursWhereThereAreTooMany) {
  std::vector<Instance> instances;
  for (std::uint32_t color = 0; color < 70'000; ++color) {
    instances.push_back(InstanceOf(kBox, 0, {}, {1, 1, 1}));
    instances.back().color = 0xFF000000 | color * 200;
  }
  instances.push_back(InstanceOf(kBox, 0, {}, {1, 1, 1}));
  const Groups groups(instances, GroupBy::kMeshAndPaint);
  EXPECT_LE(groups.groups().size(), kMostGroups);
  EXPECT_GT(groups.groups().size(), kMostGroups / 100);
  for (const Group& group : groups.groups()) EXPECT_EQ(group.key.color >> 24, 0xFFu);
  EXPECT_EQ(groups.groups().back().key.color, kNoColor);
  EXPECT_EQ(groups.groups().back().members.size(), 1u);
}

TEST(Groups, OfNothingAreNone) { EXPECT_TRUE(Groups({}, GroupBy::kPaint).groups().empty()); }

TEST(Drawable, HasAThicknessAndIsNotMirrored) {
  const Instance flat = Drawable(InstanceOf(kQuad, 0, {}, {2, 3, 0}), true);
  EXPECT_EQ(flat.size, (Vector{2, 3, 1}));
  const Instance thin = Drawable(InstanceOf(kBox, 0, {}, {2, 0, 3}), false);
  EXPECT_GT(thin.size[1], 0);
  EXPECT_LT(thin.size[1], 0.001F);
  EXPECT_EQ(Drawable(InstanceOf(kBox, 0, {}, {-2, 1, 3}), false).size, (Vector{2, 1, 3}));
  EXPECT_EQ(Drawable(InstanceOf(kBox, 0, {}, {-2, -1, -3}), false).size, (Vector{2, -1, -3}));
}

}  // namespace
}  // namespace warpyard::city_io
