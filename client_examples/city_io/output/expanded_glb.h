// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A city as a GLB file of plain triangles, for programs that know no instances.
#ifndef WARPYARD_CLIENT_EXAMPLES_CITY_IO_OUTPUT_EXPANDED_GLB_H_
#define WARPYARD_CLIENT_EXAMPLES_CITY_IO_OUTPUT_EXPANDED_GLB_H_

#include <cstdint>
#include <ostream>

#include "absl/status/status.h"
#include "client_examples/city_io/output/city.h"

namespace warpyard::city_io {

/// Writes one mesh with a primitive for each material and colour: positions, normals, and the
/// building as _FEATURE_ID_0 (EXT_mesh_features). Takes 4 bytes of memory for an instance.
/// @shape most_bytes: of the file
/// @errors those of CheckCity; INVALID_ARGUMENT: the file would be larger
absl::Status WriteExpandedGlb(const City& city, std::uint64_t most_bytes, std::ostream& out);

}  // namespace warpyard::city_io

#endif  // WARPYARD_CLIENT_EXAMPLES_CITY_IO_OUTPUT_EXPANDED_GLB_H_
