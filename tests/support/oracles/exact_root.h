// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A real root of a polynomial with integer coefficients, as an exact number.
#ifndef WARPYARD_TESTS_SUPPORT_ORACLES_EXACT_ROOT_H_
#define WARPYARD_TESTS_SUPPORT_ORACLES_EXACT_ROOT_H_

#include <gmpxx.h>

#include <memory>
#include <vector>

#include "tests/support/oracles/exact_polynomial.h"

namespace warpyard::test_support {

/// The doubles next to an exact number: the largest one not above it and the smallest one not below
/// it. Both are equal if the number is a double.
struct DoubleBracket {
  double lower = 0;
  double upper = 0;
};

/// A real root: a square-free polynomial and an interval that contains only this one of its roots.
class ExactRoot {
 public:
  /// A rational number.
  explicit ExactRoot(const mpq_class& value) : low_(value), high_(value) {}

  /// The sign (-1, 0, 1) of a polynomial at this root.
  int SignOf(const Polynomial& polynomial);

  /// @shape the root is in [0, 1]
  DoubleBracket Bracket();

 private:
  friend std::vector<ExactRoot> RootsInUnitInterval(const Polynomial& polynomial);

  // A square-free polynomial with its Sturm sequence, shared by its roots.
  struct Source {
    Polynomial polynomial;
    SturmSequence sturm;
  };

  ExactRoot(std::shared_ptr<const Source> source, const mpq_class& low, const mpq_class& high);
  static void Isolate(const std::shared_ptr<const Source>& source, const mpq_class& low,
                      const mpq_class& high, std::vector<ExactRoot>& roots);

  bool IsRational() const { return low_ == high_; }
  // Halves the interval; when the middle or the upper end is the root, the root is rational.
  void Refine();

  std::shared_ptr<const Source> source_;
  // The root is in the half-open interval (low, high], or low and high are both the root.
  mpq_class low_;
  mpq_class high_;
};

/// The distinct roots in [0, 1] of a polynomial that is not zero, in ascending order.
std::vector<ExactRoot> RootsInUnitInterval(const Polynomial& polynomial);

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_ORACLES_EXACT_ROOT_H_
