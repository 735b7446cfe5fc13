// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Models, goals and results of simplification: wire <-> core.
#ifndef WARPYARD_SERVER_SIMPLIFY_CONVERT_H_
#define WARPYARD_SERVER_SIMPLIFY_CONVERT_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/statusor.h"
#include "core/api/simplify.h"
#include "warpyard/v1/simplify_service.pb.h"

namespace warpyard::server {

/// The model of a request, with views into it. @errors INVALID_ARGUMENT
absl::StatusOr<simplify::ModelDescription> ToModel(const v1::OpenModelRequest& request);

/// What a result of a model with so many triangles should be. @errors INVALID_ARGUMENT
absl::StatusOr<simplify::ResultDescription> ToResultDescription(const v1::SimplifyRequest& request,
                                                                std::uint32_t model_triangles);

/// The bytes of the lists of a result, as messages contain them.
std::size_t ListBytes(const simplify::SimplifiedMesh& mesh);

/// All but the attributes; see AddAttributes.
void ToProto(const simplify::SimplifiedMesh& mesh, v1::SimplifyResponse* out);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_SIMPLIFY_CONVERT_H_
