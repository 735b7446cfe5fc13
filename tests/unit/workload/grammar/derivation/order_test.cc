// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/derivation/order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <vector>

namespace warpyard::grammar {
namespace {

constexpr std::uint32_t kFirst = 1000;
const procedure::CancelToken kNotCancelled;

/// Instances in no order. @shape buildings: from kFirst on
std::vector<Instance> Mixed(std::size_t count, std::uint32_t buildings, std::uint64_t keys) {
  std::mt19937_64 random(7);
  std::vector<Instance> instances(count);
  for (std::size_t i = 0; i < count; ++i) {
    Instance& instance = instances[i];
    std::memset(&instance, 0, sizeof instance);
    instance.key = random() % keys;
    // Some buildings have none, some many.
    instance.building = kFirst + static_cast<std::uint32_t>(random() % buildings * (i % 3) / 2);
    instance.rule = static_cast<std::uint16_t>(random() % 3);
    instance.position[0] = static_cast<float>(random() % 1024);
    instance.flags = random() % 2 == 0 ? kCoarse : 0;
  }
  return instances;
}

bool Before(const Instance& a, const Instance& b) {
  if (a.building != b.building) return a.building < b.building;
  if (a.key != b.key) return a.key < b.key;
  return std::memcmp(&a, &b, sizeof a) < 0;
}

void ExpectOrdered(std::vector<Instance> instances, std::uint32_t buildings) {
  const Instances ordered = Ordered(instances, kFirst, buildings, kNotCancelled);
  std::sort(instances.begin(), instances.end(), Before);
  ASSERT_EQ(ordered.size(), instances.size());
  EXPECT_EQ(std::memcmp(ordered.data(), instances.data(), instances.size() * sizeof(Instance)), 0);
}

TEST(Ordered, EndsWhenItIsCancelled) {
  procedure::CancelToken token;
  token.Cancel();
  std::vector<Instance> mixed = Mixed(1000, 20, ~0ull);
  const Instances cancelled = Ordered(mixed, kFirst, 20, token);
  ASSERT_EQ(cancelled.size(), mixed.size());
  std::sort(mixed.begin(), mixed.end(), Before);
  EXPECT_NE(std::memcmp(cancelled.data(), mixed.data(), mixed.size() * sizeof(Instance)), 0);
}

TEST(Ordered, SortsByBuildingsAndThenByKeys) { ExpectOrdered(Mixed(1000, 20, ~0ull), 20); }

TEST(Ordered, SortsBuildingsOfFewInstances) {
  ExpectOrdered(Mixed(1, 1, ~0ull), 1);
  ExpectOrdered(Mixed(300, 100, ~0ull), 100);
}

TEST(Ordered, SortsEqualKeysByTheirBytes) { ExpectOrdered(Mixed(1000, 20, 4), 20); }

TEST(Ordered, SortsKeysThatAreNotSpread) { ExpectOrdered(Mixed(100'000, 3, 1u << 20), 3); }

TEST(Ordered, SortsWhatSeveralThreadsShare) {
  ExpectOrdered(Mixed(300'000, 1, ~0ull), 1);
  ExpectOrdered(Mixed(300'000, 1000, ~0ull), 1000);
}

TEST(Ordered, AcceptsBuildingsWithoutInstances) {
  EXPECT_TRUE(Ordered({}, kFirst, 0, kNotCancelled).empty());
  EXPECT_TRUE(Ordered({}, kFirst, 100, kNotCancelled).empty());
}

TEST(SumsOf, SumsAsOneThreadDoes) {
  GrammarInfo info;
  info.rules = {"A", "B", "C"};
  info.meshes = {{"box", "", 8, 12}};
  const std::vector<Instance> all = Mixed(300'000, 10, ~0ull);
  const InstanceSums sums = SumsOf(all, info);
  EXPECT_EQ(sums.checksum, ChecksumOf(all));
  EXPECT_EQ(sums.triangles, 12 * all.size());
  const auto is_coarse = [](const Instance& i) { return (i.flags & kCoarse) != 0; };
  EXPECT_EQ(sums.coarse, static_cast<std::uint64_t>(std::ranges::count_if(all, is_coarse)));
  ASSERT_EQ(sums.of_rules.size(), 3u);
  for (std::uint16_t rule = 0; rule < 3; ++rule) {
    EXPECT_EQ(sums.of_rules[rule],
              static_cast<std::uint64_t>(std::ranges::count(all, rule, &Instance::rule)));
  }
}

TEST(SumsOf, NothingIsNothing) { EXPECT_EQ(SumsOf({}, {}).checksum, 0u); }

}  // namespace
}  // namespace warpyard::grammar
