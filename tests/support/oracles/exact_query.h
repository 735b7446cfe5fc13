// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The narrow phase by definition: whether and when a pair touches, in exact arithmetic.
//
// A pair can touch only when its four points are in one plane. These times are the roots of a
// polynomial of degree 3. At such a time, which is an exact number, the signs of polynomials of
// degree 2 decide whether the features meet; the features may be degenerate. If the four points
// stay in one plane, the earliest time is 0 or a root of one of these polynomials of degree 2. The
// reason: the set of times at which features meet is closed, and no sign changes between these
// roots.
#ifndef WARPYARD_TESTS_SUPPORT_ORACLES_EXACT_QUERY_H_
#define WARPYARD_TESTS_SUPPORT_ORACLES_EXACT_QUERY_H_

#include <optional>

#include "tests/support/motion.h"
#include "tests/support/oracles/exact_root.h"

namespace warpyard::test_support {

/// The earliest time in [0, 1] at which the pair touches, or nothing. A reported time t is not late
/// if and only if t <= lower.
/// @shape all coordinates are finite
std::optional<DoubleBracket> EarliestImpact(const Query& query);

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_ORACLES_EXACT_QUERY_H_
