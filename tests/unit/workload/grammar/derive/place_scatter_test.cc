// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Where scatter puts its pieces.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/grammar/derive_driver.h"

namespace warpyard {
namespace {

using test_support::Derived;
using test_support::DeriveDriver;
using test_support::Lots;

/// Correlation of two columns of a derivation's instances.
template <class First, class Second>
double CorrelationOf(const Derived& derived, First first, Second second) {
  const auto mean = [&](auto value) {
    double sum = 0;
    for (const grammar::Instance& instance : derived.instances) sum += value(instance);
    return sum / static_cast<double>(derived.instances.size());
  };
  const auto covariance = [&](auto a, auto b) {
    return mean([&](const grammar::Instance& i) { return double{a(i)} * double{b(i)}; }) -
           mean(a) * mean(b);
  };
  return covariance(first, second) /
         std::sqrt(covariance(first, first) * covariance(second, second));
}

TEST(PlaceScattered, DoesNotLetTheBodysChoicesDependOnThePlace) {
  DeriveDriver driver;
  ASSERT_TRUE(driver
                  .Open("wyg 1; start Lot; rule Lot = scatter(2000, 0) "
                        "{ size(rand(1, 2), rand(1, 2), rand(1, 2)) cyl };")
                  .ok());
  const absl::StatusOr<Derived> derived = driver.Derive(Lots(1, 20, 12, 20));
  ASSERT_TRUE(derived.ok()) << derived.status();
  ASSERT_EQ(derived->instances.size(), 2000u);
  // Independent columns of 2,000 rows have correlations of about 0.02.
  for (const int place : {0, 2}) {
    for (int choice = 0; choice < 3; ++choice) {
      const double correlation = CorrelationOf(
          *derived, [&](const grammar::Instance& i) { return i.position[place]; },
          [&](const grammar::Instance& i) { return i.size[choice]; });
      EXPECT_LT(std::fabs(correlation), 0.15) << place << " " << choice;
    }
  }
}

}  // namespace
}  // namespace warpyard
