// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Attributes, locked vertices and borders of models: wire <-> core.
#ifndef WARPYARD_SERVER_SIMPLIFY_ATTRIBUTES_H_
#define WARPYARD_SERVER_SIMPLIFY_ATTRIBUTES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/api/simplify.h"
#include "server/rpc/wire_limit.h"
#include "warpyard/v1/simplify_service.pb.h"

namespace warpyard::server {

/// What results tell of an attribute beside its values.
struct AttributeLayout {
  std::string name;
  v1::AttributeKind kind;
  std::uint32_t components;
};
using AttributeLayouts = std::vector<AttributeLayout>;

/// @shape request: with attributes that ToAttributes took
AttributeLayouts LayoutsOf(const v1::OpenModelRequest& request);

/// Of OpenModelRequest: each has at least one component.
inline const WireLimit kAttributesLimit = {
    "attributes", {v1::OpenModelRequest::kAttributesFieldNumber}, simplify::kMostChannels};

/// Views into the request. @errors INVALID_ARGUMENT
absl::StatusOr<std::vector<simplify::AttributeInput>> ToAttributes(
    const v1::OpenModelRequest& request, std::size_t vertices);
absl::StatusOr<std::span<const std::uint8_t>> ToLocked(const std::string& bytes,
                                                       std::size_t vertices);

/// @errors INVALID_ARGUMENT: a value that is not known
absl::StatusOr<simplify::Borders> ToBorders(v1::Borders borders);

/// Adds the attributes of a result. @shape layouts: of the model
void AddAttributes(const simplify::SimplifiedMesh& mesh, const AttributeLayouts& layouts,
                   v1::SimplifyResponse& response);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_SIMPLIFY_ATTRIBUTES_H_
