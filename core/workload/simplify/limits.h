// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What a model may have at most.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_LIMITS_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_LIMITS_H_

#include <cstdint>

namespace warpyard::simplify {

/// The most vertices and triangles of a model.
inline constexpr std::uint64_t kMostVertices = std::uint64_t{1} << 28;
inline constexpr std::uint64_t kMostTriangles = std::uint64_t{1} << 28;
/// The most numbers that a vertex has in all of its attributes.
inline constexpr std::uint32_t kMostChannels = 16;
/// The most views of a goal.
inline constexpr std::uint32_t kMostViews = 16;
/// The most samples of a distance.
inline constexpr std::uint32_t kMostSamples = 1'000'000;
/// The greatest magnitude of an attribute, and the greatest weight of one.
inline constexpr float kMostValue = 1e6f, kMostWeight = 1000;

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_LIMITS_H_
