// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/support/oracles/exact_polynomial.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "tests/support/oracles/exact_root.h"

namespace warpyard::test_support {
namespace {

Polynomial Make(const std::vector<long>& coefficients) {
  return Polynomial(std::vector<mpz_class>(coefficients.begin(), coefficients.end()));
}

TEST(ExactPolynomial, KnowsItsSigns) {
  const Polynomial p = Make({-2, 0, 1});
  EXPECT_EQ(p.SignAt(1), -1);
  EXPECT_EQ(p.SignAt(mpq_class(3, 2)), 1);
  EXPECT_EQ(Make({-1, 2}).SignAt(mpq_class(1, 2)), 0);
  EXPECT_EQ(Polynomial().SignAt(5), 0);
  EXPECT_EQ(Make({1, 0, 0}).Degree(), 0);
}

TEST(ExactPolynomial, FindsCommonAndRepeatedFactors) {
  const Polynomial a = Make({-1, 2});
  const Polynomial b = Make({-2, 0, 1});
  const Polynomial c = Make({3, 1});
  EXPECT_EQ(Gcd(a * b, a * c).Degree(), 1);
  EXPECT_EQ(Gcd(a * b, a * c).SignAt(mpq_class(1, 2)), 0);
  EXPECT_EQ(Gcd(a, b).Degree(), 0);
  EXPECT_EQ(Gcd(Polynomial(), b).Degree(), 2);
  EXPECT_EQ(Gcd(b, Polynomial()).Degree(), 2);
  EXPECT_EQ(SquareFreePart(a * a * b * b * b).Degree(), 3);
  EXPECT_EQ(SquareFreePart(a * b * c).Degree(), 4);
}

TEST(ExactPolynomial, CountsRootsInHalfOpenIntervals) {
  const SturmSequence sturm(Make({0, 1}) * Make({-1, 2}) * Make({-1, 1}));
  EXPECT_EQ(sturm.Count(0, 1), 2);
  EXPECT_EQ(sturm.Count(-1, 1), 3);
  EXPECT_EQ(sturm.Count(0, mpq_class(1, 2)), 1);
  EXPECT_EQ(sturm.Count(mpq_class(1, 2), mpq_class(3, 4)), 0);
}

TEST(ExactRoot, FindsRootsAtAndBetweenTheEnds) {
  // t (2t - 1)^2 (t - 1) (3t - 1) (t - 2)
  std::vector<ExactRoot> roots = RootsInUnitInterval(Make({0, 1}) * Make({-1, 2}) * Make({-1, 2}) *
                                                     Make({-1, 1}) * Make({-1, 3}) * Make({-2, 1}));
  ASSERT_EQ(roots.size(), 4u);
  EXPECT_EQ(roots[0].Bracket().upper, 0);
  EXPECT_EQ(roots[1].Bracket().lower, 1.0 / 3) << "1/3 rounds down";
  EXPECT_EQ(roots[1].Bracket().upper, std::nextafter(1.0 / 3, 1.0));
  EXPECT_EQ(roots[2].Bracket().lower, 0.5);
  EXPECT_EQ(roots[2].Bracket().upper, 0.5);
  EXPECT_EQ(roots[3].Bracket().lower, 1);
  EXPECT_TRUE(RootsInUnitInterval(Make({1, 0, 1})).empty());
  EXPECT_TRUE(RootsInUnitInterval(Make({1})).empty());
}

TEST(ExactRoot, KnowsSignsAtIrrationalNumbers) {
  // 2 t^2 - 1 at sqrt(1/2), which is also a root of (2 t^2 - 1)(t - 3).
  std::vector<ExactRoot> roots = RootsInUnitInterval(Make({-1, 0, 2}));
  ASSERT_EQ(roots.size(), 1u);
  EXPECT_EQ(roots[0].SignOf(Make({-1, 0, 2}) * Make({-3, 1})), 0);
  EXPECT_EQ(roots[0].SignOf(Make({-7071067811865475, 10000000000000000})), 1);
  EXPECT_EQ(roots[0].SignOf(Make({-7071067811865476, 10000000000000000})), -1);
  EXPECT_EQ(roots[0].SignOf(Polynomial()), 0);
  EXPECT_EQ(roots[0].SignOf(Make({-5})), -1);
  const DoubleBracket bracket = roots[0].Bracket();
  EXPECT_EQ(std::nextafter(bracket.lower, 1.0), bracket.upper);
  EXPECT_NEAR(bracket.lower, std::sqrt(0.5), 1e-15);
}

}  // namespace
}  // namespace warpyard::test_support
