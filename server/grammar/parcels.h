// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Parcels: wire -> core.
#ifndef WARPYARD_SERVER_GRAMMAR_PARCELS_H_
#define WARPYARD_SERVER_GRAMMAR_PARCELS_H_

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "core/workload/grammar/grammar_types.h"
#include "server/rpc/wire_limit.h"
#include "warpyard/v1/grammar_service.pb.h"

namespace warpyard::server {

/// Of DeriveGrammarRequest.
inline const WireLimit kParcelsLimit = {
    "parcels", {v1::DeriveGrammarRequest::kParcelsFieldNumber}, grammar::kMostBuildings};

/// The most corners of a polygon.
inline constexpr std::size_t kMostCorners = 4096;

/// @errors INVALID_ARGUMENT
absl::StatusOr<std::vector<grammar::Parcel>> ToParcels(
    const google::protobuf::RepeatedPtrField<v1::GrammarParcel>& parcels);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_GRAMMAR_PARCELS_H_
