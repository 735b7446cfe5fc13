// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Converts area counts: wire <-> core.
#ifndef WARPYARD_TESTS_EXAMPLE_SERVER_AREAS_CONVERT_H_
#define WARPYARD_TESTS_EXAMPLE_SERVER_AREAS_CONVERT_H_

#include <vector>

#include "absl/status/statusor.h"
#include "tests/example/core/api/areas.h"
#include "warpyard/example/v1/areas_service.pb.h"

namespace warpyard::server {

/// The mesh of a request, with views into it. @errors INVALID_ARGUMENT
absl::StatusOr<areas::MeshInput> ToMeshInput(const example::v1::OpenMeshRequest& request);

/// @errors INVALID_ARGUMENT
absl::StatusOr<std::vector<double>> ToLimits(const example::v1::CountAreasRequest& request);

void ToProto(const areas::AreasResult& result, example::v1::CountAreasResponse* out);

}  // namespace warpyard::server

#endif  // WARPYARD_TESTS_EXAMPLE_SERVER_AREAS_CONVERT_H_
