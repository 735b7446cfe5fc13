// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Polynomials in one variable with big integer coefficients, and their exact real roots.
//
// The code is for oracles: simple rather than fast.
#ifndef WARPYARD_TESTS_SUPPORT_ORACLES_EXACT_POLYNOMIAL_H_
#define WARPYARD_TESTS_SUPPORT_ORACLES_EXACT_POLYNOMIAL_H_

#include <gmpxx.h>

#include <cstddef>
#include <vector>

namespace warpyard::test_support {

class Polynomial {
 public:
  /// The zero polynomial.
  Polynomial() = default;
  /// @shape coefficients of 1, t, t^2, ...
  explicit Polynomial(std::vector<mpz_class> coefficients);

  bool IsZero() const { return coefficients_.empty(); }
  /// -1 for the zero polynomial.
  int Degree() const { return static_cast<int>(coefficients_.size()) - 1; }
  const std::vector<mpz_class>& Coefficients() const { return coefficients_; }

  /// -1, 0 or 1.
  int SignAt(const mpq_class& t) const;

  Polynomial operator+(const Polynomial& other) const;
  Polynomial operator-(const Polynomial& other) const;
  Polynomial operator*(const Polynomial& other) const;
  Polynomial operator-() const;

  Polynomial Derivative() const;
  /// Divided by the greatest common divisor of the coefficients; signs stay.
  Polynomial PrimitivePart() const;
  /// The remainder of this times a positive number, divided by `divisor` (not zero).
  Polynomial PositivePseudoRemainder(const Polynomial& divisor) const;
  /// The primitive part of the quotient by a divisor that divides it without remainder.
  Polynomial ExactQuotient(const Polynomial& divisor) const;

 private:
  void Trim();

  std::vector<mpz_class> coefficients_;
};

/// A greatest common divisor, primitive; of two zeros it is zero.
Polynomial Gcd(Polynomial a, Polynomial b);

/// The product of the distinct irreducible factors of a polynomial that is not zero.
Polynomial SquareFreePart(const Polynomial& polynomial);

/// Counts the distinct real roots of a polynomial by Sturm's theorem.
class SturmSequence {
 public:
  /// @shape `polynomial` is square-free and not zero
  explicit SturmSequence(const Polynomial& polynomial);

  /// Number of roots in the half-open interval (low, high].
  int Count(const mpq_class& low, const mpq_class& high) const {
    return Variations(low) - Variations(high);
  }

 private:
  int Variations(const mpq_class& t) const;

  std::vector<Polynomial> sequence_;
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_ORACLES_EXACT_POLYNOMIAL_H_
