// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The distance of two features, by search: the distance of convex sets has only one minimum.
#ifndef WARPYARD_TESTS_SUPPORT_ORACLES_FEATURE_DISTANCE_H_
#define WARPYARD_TESTS_SUPPORT_ORACLES_FEATURE_DISTANCE_H_

#include <array>

#include "tests/support/motion.h"

namespace warpyard::test_support {

/// The points of a pair at a time, rounded.
std::array<Vec3, 4> PointsAt(const Query& query, double time);

double Distance(const Vec3& a, const Vec3& b);

/// The distance of the features at a time. The search may return a value that is too large by about
/// 1e-9 of the features' size, and by rounding.
double DistanceAt(const Query& query, double time);

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_ORACLES_FEATURE_DISTANCE_H_
