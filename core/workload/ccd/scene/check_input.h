// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Checks the input of a scene or a set, and makes its topology.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_SCENE_CHECK_INPUT_H_
#define WARPYARD_CORE_WORKLOAD_CCD_SCENE_CHECK_INPUT_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "core/device/backend.h"
#include "core/workload/ccd/scene/scene_input.h"
#include "core/workload/ccd/scene/topology.h"

namespace warpyard::ccd {

/// The topology of all worlds of a set, or of a scene, which is one world. A scene that is far too
/// large is refused before its edges are counted.
/// @shape input: of one world
/// @errors RESOURCE_EXHAUSTED (memory, also that of the first step), INVALID_ARGUMENT (sizes,
///     groups, static vertices)
absl::StatusOr<Topology> CheckedTopology(const device::Backend& backend, const SceneInput& input,
                                         std::uint32_t worlds = 1);

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_SCENE_CHECK_INPUT_H_
