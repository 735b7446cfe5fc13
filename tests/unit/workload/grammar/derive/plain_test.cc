// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Plain blocks, beside the same blocks with a body that needs the interpreter.

#include "core/workload/grammar/derive/plain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "tests/support/grammar/derive_driver.h"

namespace warpyard {
namespace {

constexpr const char* kBlocks[] = {
    "repeat(x, 0.7) { % }",
    "repeat(y, 0.05) { % % quad }",
    "repeat(z, 2) { }",
    "copies(3) { % }",
    "copies(40) { % quad }",
    "scatter(9, 0.4) { % }",
    "split(x) { 1 : % | (0.5 : quad | 0.25 : %)* | ~1 : nil }",
    "comp { top : % | side : quad % }",
    "border(0.3) { edge : % | inside : quad }",
    "roof(hip, 30, 0.2) { plane : % | hip : tri }",
    "snap(x, 0.9) repeat(x, 0.7, snap) { % }",
    "mirror(x) yaw(20) repeat(x, 0.7) { % }",
    "scale(1, 0, 1) repeat(x, 0.7) { % }",
    "scale(0, 0, 1) repeat(z, 0.7) { % }",
    "translate(9999999, 0, 0) repeat(x, 0.7) { % }",
    "scale(0.00001, 1, 1) repeat(x, 0.000001) { % }",
};

std::string Replaced(std::string text, const std::string& by) {
  for (std::size_t at = text.find('%'); at != std::string::npos; at = text.find('%', at + 1)) {
    text.replace(at, 1, by);
  }
  return text;
}

/// All but the keys, which tell where a terminal is in its rule. In an order of their own.
std::vector<std::string> ShapesOf(std::vector<grammar::Instance> instances) {
  std::vector<std::string> shapes;
  for (grammar::Instance& instance : instances) {
    instance.key = 0;
    shapes.emplace_back(reinterpret_cast<const char*>(&instance), sizeof instance);
  }
  std::sort(shapes.begin(), shapes.end());
  return shapes;
}

/// @shape options: the parcels, and how much memory there is
absl::StatusOr<test_support::Derived> DeriveRule(const std::string& rule,
                                                 const grammar::DeriveOptions& options) {
  test_support::DeriveDriver driver;
  WY_RETURN_IF_ERROR(driver.Open("wyg 1; start A; rule A = " + rule + ";"));
  return driver.Derive(options);
}

class PlainBlockTest : public testing::TestWithParam<const char*> {};

TEST_P(PlainBlockTest, HasTheInstancesThatTheInterpreterMakes) {
  for (const float size : {0.0f, 0.00015f, 3.1f, 30.0f}) {
    const grammar::DeriveOptions lots = test_support::Lots(3, size, 4, 5);
    const auto plain = DeriveRule(Replaced(GetParam(), "box"), lots);
    const auto interpreted = DeriveRule(Replaced(GetParam(), "[ ] box"), lots);
    ASSERT_TRUE(plain.ok() && interpreted.ok()) << plain.status() << interpreted.status();
    EXPECT_EQ(ShapesOf(plain->instances), ShapesOf(interpreted->instances)) << size;
    EXPECT_EQ(plain->statistics.rules[0].dropped, interpreted->statistics.rules[0].dropped) << size;
  }
}

INSTANTIATE_TEST_SUITE_P(Blocks, PlainBlockTest, testing::ValuesIn(kBlocks),
                         [](const auto& one) { return "Block" + std::to_string(one.index); });

TEST(PlainBlocks, LoseNoInstanceWhereMemoryIsShort) {
  grammar::DeriveOptions lots = test_support::Lots(6000, 20, 4, 5);
  const std::string rule = "repeat(x, 0.7) { box quad } repeat(y, 0.3) { box }";
  const auto expected = DeriveRule(rule, lots);
  ASSERT_TRUE(expected.ok());
  lots.max_bytes = std::uint64_t{16} << 20;
  const auto derived = DeriveRule(rule, lots);
  ASSERT_TRUE(derived.ok()) << derived.status();
  EXPECT_GT(derived->instances.size(), 200'000u);
  EXPECT_EQ(ShapesOf(derived->instances), ShapesOf(expected->instances));
}

}  // namespace
}  // namespace warpyard
