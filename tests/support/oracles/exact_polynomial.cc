// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/support/oracles/exact_polynomial.h"

#include <algorithm>
#include <utility>

namespace warpyard::test_support {

Polynomial::Polynomial(std::vector<mpz_class> coefficients)
    : coefficients_(std::move(coefficients)) {
  Trim();
}

void Polynomial::Trim() {
  while (!coefficients_.empty() && coefficients_.back() == 0) coefficients_.pop_back();
}

int Polynomial::SignAt(const mpq_class& t) const {
  // Horner's rule on the polynomial times (denominator of t)^degree, which is positive.
  mpz_class sum = 0;
  mpz_class power = 1;
  for (std::size_t i = coefficients_.size(); i-- > 0;) {
    sum = sum * t.get_num() + coefficients_[i] * power;
    power *= t.get_den();
  }
  return sgn(sum);
}

Polynomial Polynomial::operator+(const Polynomial& other) const {
  std::vector<mpz_class> sum(std::max(coefficients_.size(), other.coefficients_.size()));
  for (std::size_t i = 0; i < coefficients_.size(); ++i) sum[i] += coefficients_[i];
  for (std::size_t i = 0; i < other.coefficients_.size(); ++i) sum[i] += other.coefficients_[i];
  return Polynomial(std::move(sum));
}

Polynomial Polynomial::operator-() const {
  Polynomial negative = *this;
  for (mpz_class& coefficient : negative.coefficients_) coefficient = -coefficient;
  return negative;
}

Polynomial Polynomial::operator-(const Polynomial& other) const { return *this + -other; }

Polynomial Polynomial::operator*(const Polynomial& other) const {
  if (IsZero() || other.IsZero()) return {};
  std::vector<mpz_class> product(coefficients_.size() + other.coefficients_.size() - 1);
  for (std::size_t i = 0; i < coefficients_.size(); ++i) {
    for (std::size_t j = 0; j < other.coefficients_.size(); ++j) {
      product[i + j] += coefficients_[i] * other.coefficients_[j];
    }
  }
  return Polynomial(std::move(product));
}

Polynomial Polynomial::Derivative() const {
  std::vector<mpz_class> derivative;
  for (std::size_t i = 1; i < coefficients_.size(); ++i) {
    derivative.push_back(coefficients_[i] * static_cast<unsigned long>(i));
  }
  return Polynomial(std::move(derivative));
}

Polynomial Polynomial::PrimitivePart() const {
  mpz_class divisor = 0;
  for (const mpz_class& coefficient : coefficients_) divisor = gcd(divisor, coefficient);
  Polynomial primitive = *this;
  for (mpz_class& coefficient : primitive.coefficients_) coefficient /= divisor;
  return primitive;
}

Polynomial Polynomial::PositivePseudoRemainder(const Polynomial& divisor) const {
  std::vector<mpz_class> rest = coefficients_;
  const std::vector<mpz_class>& d = divisor.coefficients_;
  const mpz_class scale = abs(d.back());
  while (rest.size() >= d.size()) {
    // Each round multiplies by |leading coefficient|, which keeps the signs, and cancels the top.
    const mpz_class factor = d.back() > 0 ? rest.back() : mpz_class(-rest.back());
    const std::size_t shift = rest.size() - d.size();
    for (mpz_class& coefficient : rest) coefficient *= scale;
    for (std::size_t i = 0; i < d.size(); ++i) rest[shift + i] -= factor * d[i];
    rest.pop_back();
  }
  return Polynomial(std::move(rest));
}

Polynomial Polynomial::ExactQuotient(const Polynomial& divisor) const {
  std::vector<mpz_class> rest = coefficients_;
  const std::vector<mpz_class>& d = divisor.coefficients_;
  std::vector<mpz_class> quotient(rest.size() - d.size() + 1);
  for (std::size_t shift = quotient.size(); shift-- > 0;) {
    for (mpz_class& coefficient : rest) coefficient *= d.back();
    for (mpz_class& coefficient : quotient) coefficient *= d.back();
    quotient[shift] = rest[shift + d.size() - 1] / d.back();
    for (std::size_t i = 0; i < d.size(); ++i) rest[shift + i] -= quotient[shift] * d[i];
  }
  return Polynomial(std::move(quotient)).PrimitivePart();
}

Polynomial Gcd(Polynomial a, Polynomial b) {
  a = a.PrimitivePart();
  b = b.PrimitivePart();
  while (!b.IsZero()) {
    if (a.Degree() < b.Degree()) std::swap(a, b);
    if (b.IsZero()) break;
    Polynomial rest = a.PositivePseudoRemainder(b).PrimitivePart();
    a = std::move(b);
    b = std::move(rest);
  }
  return a;
}

Polynomial SquareFreePart(const Polynomial& polynomial) {
  const Polynomial repeated = Gcd(polynomial, polynomial.Derivative());
  return repeated.Degree() < 1 ? polynomial.PrimitivePart() : polynomial.ExactQuotient(repeated);
}

SturmSequence::SturmSequence(const Polynomial& polynomial) {
  sequence_.push_back(polynomial);
  Polynomial next = polynomial.Derivative();
  while (!next.IsZero()) {
    sequence_.push_back(next);
    const Polynomial& before = sequence_[sequence_.size() - 2];
    next = -before.PositivePseudoRemainder(next).PrimitivePart();
  }
}

int SturmSequence::Variations(const mpq_class& t) const {
  int variations = 0;
  int last = 0;
  for (const Polynomial& polynomial : sequence_) {
    const int sign = polynomial.SignAt(t);
    if (sign == 0) continue;
    if (last == -sign) ++variations;
    last = sign;
  }
  return variations;
}

}  // namespace warpyard::test_support
