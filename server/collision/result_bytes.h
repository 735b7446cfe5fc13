// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Writes results into gRPC's bytes: lists are copied once, to the buffer that is sent
// (docs/adr/0027).
#ifndef WARPYARD_SERVER_COLLISION_RESULT_BYTES_H_
#define WARPYARD_SERVER_COLLISION_RESULT_BYTES_H_

#include "google/protobuf/message_lite.h"
#include "grpcpp/support/byte_buffer.h"
#include "server/collision/convert.h"
#include "server/rpc/buffer_pool.h"

namespace warpyard::server {

/// The bytes of `response` with a result in field number `field`, which `response` must not have
/// yet.
///
/// Protobuf would write the same bytes except for the order of fields, which a message is free to
/// choose: fields that are lists come last here.
/// @shape the whole response: less than 2 GiB
grpc::ByteBuffer ResultBytes(const google::protobuf::MessageLite& response, int field,
                             const ResultPart& result, BufferPool& buffers);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_COLLISION_RESULT_BYTES_H_
