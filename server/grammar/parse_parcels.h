// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Parses requests with millions of parcels.
#ifndef WARPYARD_SERVER_GRAMMAR_PARSE_PARCELS_H_
#define WARPYARD_SERVER_GRAMMAR_PARSE_PARCELS_H_

#include <vector>

#include "absl/status/status.h"
#include "core/workload/grammar/grammar_types.h"
#include "grpcpp/support/byte_buffer.h"
#include "warpyard/v1/grammar_service.pb.h"

namespace warpyard::server {

/// Parses `bytes` and frees them. Each parcel is checked and put into `parcels` as it is read: as
/// messages they would take several times the bytes that budgets count, a hundred times if empty.
/// @shape request: gets all other fields
/// @errors INVALID_ARGUMENT
absl::Status ParseParcels(grpc::ByteBuffer* bytes, v1::DeriveGrammarRequest* request,
                          std::vector<grammar::Parcel>* parcels);

/// The same of FollowCameraRequest.city, in a message with nothing else.
/// @errors INVALID_ARGUMENT
absl::Status ParseCity(grpc::ByteBuffer* bytes, v1::DeriveGrammarRequest* city,
                       std::vector<grammar::Parcel>* parcels);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_GRAMMAR_PARSE_PARCELS_H_
