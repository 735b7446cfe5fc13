// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/support/oracles/exact_root.h"

#include <cmath>
#include <limits>

namespace warpyard::test_support {
namespace {

// GMP truncates. These numbers are not negative, so that rounds them down.
double RoundDown(const mpq_class& value) { return value.get_d(); }

double RoundUp(const mpq_class& value) {
  const double down = RoundDown(value);
  return mpq_class(down) == value ? down
                                  : std::nextafter(down, std::numeric_limits<double>::infinity());
}

}  // namespace

ExactRoot::ExactRoot(std::shared_ptr<const Source> source, const mpq_class& low,
                     const mpq_class& high)
    : source_(std::move(source)), low_(low), high_(high) {
  if (source_->polynomial.SignAt(high_) == 0) low_ = high_;
}

void ExactRoot::Refine() {
  const mpq_class middle = (low_ + high_) / 2;
  if (source_->polynomial.SignAt(middle) == 0) {
    low_ = high_ = middle;
  } else if (source_->sturm.Count(low_, middle) == 1) {
    high_ = middle;
  } else {
    low_ = middle;
  }
}

int ExactRoot::SignOf(const Polynomial& polynomial) {
  if (polynomial.IsZero()) return 0;
  if (IsRational()) return polynomial.SignAt(high_);
  const Polynomial common = Gcd(source_->polynomial, polynomial);
  if (common.Degree() >= 1 && SturmSequence(common).Count(low_, high_) == 1) return 0;
  // The polynomial is not zero at the root, so a small enough interval holds no root of it.
  const SturmSequence sturm(SquareFreePart(polynomial));
  while (!IsRational() && sturm.Count(low_, high_) != 0) Refine();
  return polynomial.SignAt(high_);
}

DoubleBracket ExactRoot::Bracket() {
  while (true) {
    const DoubleBracket bracket{RoundDown(low_), RoundUp(high_)};
    // Bisection would reach a double strictly between the ends, so the loop ends.
    if (IsRational() || std::nextafter(bracket.lower, 2.0) >= bracket.upper) return bracket;
    Refine();
  }
}

void ExactRoot::Isolate(const std::shared_ptr<const Source>& source, const mpq_class& low,
                        const mpq_class& high, std::vector<ExactRoot>& roots) {
  const int count = source->sturm.Count(low, high);
  if (count == 0) return;
  if (count == 1) {
    roots.push_back(ExactRoot(source, low, high));
    return;
  }
  const mpq_class middle = (low + high) / 2;
  Isolate(source, low, middle, roots);
  Isolate(source, middle, high, roots);
}

std::vector<ExactRoot> RootsInUnitInterval(const Polynomial& polynomial) {
  std::vector<ExactRoot> roots;
  if (polynomial.SignAt(0) == 0) roots.push_back(ExactRoot(mpq_class(0)));
  const Polynomial square_free = SquareFreePart(polynomial);
  if (square_free.Degree() < 1) return roots;
  const auto source = std::make_shared<const ExactRoot::Source>(
      ExactRoot::Source{square_free, SturmSequence(square_free)});
  ExactRoot::Isolate(source, 0, 1, roots);
  return roots;
}

}  // namespace warpyard::test_support
