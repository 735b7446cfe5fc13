// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Results as bytes for gRPC: lists are written once, to where they are sent from (docs/adr/0027).
#ifndef WARPYARD_SERVER_COLLISION_RESULT_BYTES_H_
#define WARPYARD_SERVER_COLLISION_RESULT_BYTES_H_

#include "google/protobuf/message_lite.h"
#include "grpcpp/support/byte_buffer.h"
#include "server/collision/convert.h"
#include "server/rpc/buffer_pool.h"

namespace warpyard::server {

/// The bytes of `response` with a result in the field of this number, which it does not have yet.
///
/// They are what protobuf would write but for the order of fields, which is free: fields that are
/// lists come last.
/// @shape all of it: less than 2 GiB
grpc::ByteBuffer ResultBytes(const google::protobuf::MessageLite& response, int field,
                             const ResultPart& result, BufferPool& buffers);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_COLLISION_RESULT_BYTES_H_
