// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A city as a GLB file with EXT_mesh_gpu_instancing: small, and fast to draw.
#ifndef WARPYARD_CLIENT_EXAMPLES_CITY_IO_OUTPUT_INSTANCED_GLB_H_
#define WARPYARD_CLIENT_EXAMPLES_CITY_IO_OUTPUT_INSTANCED_GLB_H_

#include <ostream>

#include "absl/status/status.h"
#include "client_examples/city_io/output/city.h"

namespace warpyard::city_io {

/// Writes a node for each mesh, material and colour, with arrays of TRANSLATION, ROTATION and
/// SCALE, and _FEATURE_ID_0, the building (EXT_instance_features). Takes 4 bytes of memory for an
/// instance.
///
/// Feature ids are floats, because attributes of glTF cannot be 32-bit integers; buildings are
/// fewer than 2^24, so that they are exact.
/// @errors those of CheckCity; INVALID_ARGUMENT: the file would have more than 4 GiB
absl::Status WriteInstancedGlb(const City& city, std::ostream& out);

}  // namespace warpyard::city_io

#endif  // WARPYARD_CLIENT_EXAMPLES_CITY_IO_OUTPUT_INSTANCED_GLB_H_
