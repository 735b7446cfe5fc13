// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Parcels: wire -> core.
#ifndef WARPYARD_SERVER_GRAMMAR_PARCELS_H_
#define WARPYARD_SERVER_GRAMMAR_PARCELS_H_

#include <cstddef>

#include "absl/status/statusor.h"
#include "core/workload/grammar/grammar_types.h"
#include "warpyard/v1/grammar_service.pb.h"

namespace warpyard::server {

/// The most corners of a polygon.
inline constexpr std::size_t kMostCorners = 4096;

/// A parcel of a request. @shape number: its position there
/// @errors INVALID_ARGUMENT
absl::StatusOr<grammar::Parcel> ToParcel(const v1::GrammarParcel& from, std::size_t number);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_GRAMMAR_PARCELS_H_
