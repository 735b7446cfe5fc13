// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Writes results into gRPC's bytes: lists are copied once, to the buffer that is sent
// (docs/adr/0027).
#ifndef WARPYARD_SERVER_COLLISION_RESULT_BYTES_H_
#define WARPYARD_SERVER_COLLISION_RESULT_BYTES_H_

#include <optional>
#include <span>

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

/// An element of a repeated field of a response, with or without a result.
struct Outcome {
  int field = 0;                                           ///< of the response
  const google::protobuf::MessageLite* message = nullptr;  ///< without its result
  std::optional<ResultPart> result;
};

/// The bytes of a response that has these outcomes and nothing else. @shape result_field: of the
/// result in all outcomes; the whole response: less than 2 GiB
grpc::ByteBuffer OutcomeBytes(std::span<const Outcome> outcomes, int result_field,
                              BufferPool& buffers);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_COLLISION_RESULT_BYTES_H_
