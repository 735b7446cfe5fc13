// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// How far apart two features are, by search: the distance of convex sets has one minimum.
#ifndef WARPYARD_TESTS_SUPPORT_ORACLES_FEATURE_DISTANCE_H_
#define WARPYARD_TESTS_SUPPORT_ORACLES_FEATURE_DISTANCE_H_

#include <array>

#include "tests/support/motion.h"

namespace warpyard::test_support {

/// The points of a pair at a time, rounded.
std::array<Vec3, 4> PointsAt(const Query& query, double time);

double Distance(const Vec3& a, const Vec3& b);

/// The distance between two points of the features at a time: that of their closest points, but for
/// some 1e-9 of their size by which it may be larger, and rounding.
double DistanceAt(const Query& query, double time);

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_ORACLES_FEATURE_DISTANCE_H_
