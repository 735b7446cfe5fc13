// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A city as an OBJ file: for eyes and for diffs.
#ifndef WARPYARD_CLIENT_EXAMPLES_CITY_IO_OUTPUT_CITY_OBJ_H_
#define WARPYARD_CLIENT_EXAMPLES_CITY_IO_OUTPUT_CITY_OBJ_H_

#include <cstdint>
#include <ostream>

#include "absl/status/status.h"
#include "client_examples/city_io/output/city.h"

namespace warpyard::city_io {

inline constexpr std::uint64_t kMostObjTriangles = 1'000'000;

/// Writes an object for each building, with the names of materials, and colours at the vertices.
/// @errors those of CheckCity; INVALID_ARGUMENT: more than kMostObjTriangles
absl::Status WriteCityObj(const City& city, std::ostream& out);

}  // namespace warpyard::city_io

#endif  // WARPYARD_CLIENT_EXAMPLES_CITY_IO_OUTPUT_CITY_OBJ_H_
