// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Large results as bytes for gRPC, without a copy of their lists.
#ifndef WARPYARD_SERVER_RPC_RESULT_BYTES_H_
#define WARPYARD_SERVER_RPC_RESULT_BYTES_H_

#include "grpcpp/support/byte_buffer.h"
#include "warpyard/v1/collision_service.pb.h"

namespace warpyard::server {

/// The bytes of a message whose only field is `result`, with this number.
///
/// protobuf would copy the lists, which are nearly all of it. Here they move into the buffer, each
/// as a slice of its own, behind the other fields of the result (the order of fields is free).
/// @shape result: less than 2 GiB
grpc::ByteBuffer ResultBytes(v1::CollisionResult&& result, int field);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_RPC_RESULT_BYTES_H_
