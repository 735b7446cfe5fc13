// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A camera's way through the city, frame by frame: a walk, a drive, a rise and flights, each faster
// than the one before. [Steinberger §10.5.2]
#ifndef WARPYARD_BENCHMARKS_GRAMMAR_FLIGHT_H_
#define WARPYARD_BENCHMARKS_GRAMMAR_FLIGHT_H_

#include <cstdint>
#include <vector>

#include "core/workload/grammar/grammar_types.h"

namespace warpyard::grammar_bench {

/// Frames at one speed; each part begins somewhere else. @units metres, metres a second
struct FlightPart {
  const char* name;
  float speed;
  int frames;
  float begin_x;
  float height;
  bool rises;  ///< moves up, not along x
};

inline constexpr float kFramesPerSecond = 30;
inline constexpr FlightPart kFlight[] = {
    {"walk, 1.5 m/s", 1.5f, 45, 300, 1.7f, false},   {"drive, 20 m/s", 20, 30, 1990, 1.7f, false},
    {"rise, 50 m/s", 50, 30, 3000, 1.7f, true},      {"fly, 300 m/s", 300, 20, 3000, 300, false},
    {"fly, 1 km/s", 1000, 15, 3200, 300, false},     {"fly, 10 km/s", 10'000, 8, 3700, 300, false},
    {"fly, 100 km/s", 100'000, 4, 6400, 300, false},
};

struct Camera {
  float position[3];
  float turned;   ///< degrees about y, from x
  float pitch;    ///< degrees upwards
  int part;       ///< of kFlight
  bool is_first;  ///< of its part
};

std::vector<Camera> CamerasOf();

/// kAround: all that is within the distance, in an octagon of the circle's area; kFrustum: what the
/// camera sees within the distance.
enum class Planes { kAround, kFrustum };
/// No view reaches further, in distances of clipping: the circle is cut off by straight lines.
inline constexpr float kReach = 1.06f;
/// @shape clip: metres
grammar::View ViewOf(const Camera& camera, float clip, Planes planes);

}  // namespace warpyard::grammar_bench

#endif  // WARPYARD_BENCHMARKS_GRAMMAR_FLIGHT_H_
