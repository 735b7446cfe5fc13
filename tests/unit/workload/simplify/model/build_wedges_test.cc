// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/model/build_wedges.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <vector>

#include "core/workload/simplify/model/build_model.h"
#include "tests/support/simplify/simplify_driver.h"

namespace warpyard::simplify {
namespace {

using test_support::FloatMesh;
using test_support::SimplifyDriver;

/// What the device got of attributes: values of the leaves, which have the order of the vertices.
struct Stored {
  std::vector<float> values;
  std::vector<Channel> rules;
};

Stored StoredOf(const FloatMesh& mesh, std::span<const AttributeInput> attributes) {
  SimplifyDriver driver(2);
  TaskMemory memory;
  TaskRun run = driver.Tasks(memory);
  ModelInput input = mesh.Input();
  input.attributes = attributes;
  const auto built = BuildModel(run, input);
  EXPECT_TRUE(built.ok()) << built.status();
  const WedgeView& wedges = built->view.wedges;
  return {{wedges.values, wedges.values + std::size_t{wedges.leaves} * wedges.channels},
          {wedges.rules, wedges.rules + wedges.channels}};
}

TEST(WedgeBuilder, StoresTwoAttributesAsOneThatHasTheComponentsOfBoth) {
  for (const char* name : {"terrain-2k", "terrain-400k"}) {
    SCOPED_TRACE(name);
    const FloatMesh mesh = test_support::Made(name);
    const std::size_t vertices = mesh.positions.size() / 3;
    std::vector<float> all(4 * vertices), first, others;
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i] = static_cast<float>((7919 * i) % 10'007) - 5000;
      (i % 4 == 0 ? first : others).push_back(all[i]);
    }
    const AttributeInput together[] = {{all, 4, 0.1f, false}};
    const AttributeInput apart[] = {{first, 1, 0.1f, false}, {others, 3, 0.1f, false}};
    const Stored expected = StoredOf(mesh, together), stored = StoredOf(mesh, apart);
    EXPECT_EQ(stored.values, expected.values);
    ASSERT_EQ(stored.rules.size(), expected.rules.size());
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_EQ(stored.rules[k].low, expected.rules[k].low) << k;
      EXPECT_EQ(stored.rules[k].high, expected.rules[k].high) << k;
    }
    EXPECT_EQ(stored.values[3], all[3]);
  }
}

}  // namespace
}  // namespace warpyard::simplify
