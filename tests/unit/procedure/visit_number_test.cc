// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/procedure/visit_number.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace warpyard::procedure {
namespace {

template <std::uint32_t kFirst, std::uint32_t kEnd>
std::vector<std::uint32_t> Visited(std::uint32_t number) {
  std::vector<std::uint32_t> visited;
  auto visit = [&]<std::uint32_t k>() { visited.push_back(k); };
  VisitNumber<kFirst, kEnd>(number, visit);
  return visited;
}

TEST(VisitNumber, VisitsTheNumberAlone) {
  for (std::uint32_t number = 0; number < 7; ++number) {
    EXPECT_EQ((Visited<0, 7>(number)), std::vector{number});
  }
  for (std::uint32_t number = 3; number < 11; ++number) {
    EXPECT_EQ((Visited<3, 11>(number)), std::vector{number});
  }
  EXPECT_EQ((Visited<5, 6>(5)), std::vector{5u});
}

TEST(VisitNumber, VisitsNoneForANumberThatIsNotThere) {
  for (const std::uint32_t number : {0u, 2u, 11u, ~0u}) {
    EXPECT_TRUE((Visited<3, 11>(number)).empty()) << number;
  }
}

}  // namespace
}  // namespace warpyard::procedure
