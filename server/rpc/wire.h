// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Converts messages from and to gRPC's byte buffers.
//
// The service takes raw bytes and parses them itself: when bytes are no valid message, gRPC 1.51
// answers UNIMPLEMENTED, but a client needs INVALID_ARGUMENT.
#ifndef WARPYARD_SERVER_RPC_WIRE_H_
#define WARPYARD_SERVER_RPC_WIRE_H_

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "grpcpp/impl/codegen/proto_utils.h"
#include "grpcpp/support/byte_buffer.h"
#include "server/errors/error_details.h"

namespace warpyard::server {

/// Why bytes cannot be parsed.
template <class Message>
absl::Status NotValid(const Message& message) {
  return MakeError(ErrorReason::kInvalidMessage,
                   absl::StrCat("the request is not a valid ", message.GetDescriptor()->full_name(),
                                " message"));
}

/// Parses `bytes` and frees them.
/// @errors INVALID_ARGUMENT
template <class Message>
absl::Status Parse(grpc::ByteBuffer* bytes, Message* message) {
  const grpc::Status status = grpc::SerializationTraits<Message>::Deserialize(bytes, message);
  bytes->Clear();
  return status.ok() ? absl::OkStatus() : NotValid(*message);
}

/// @errors INTERNAL
template <class Message>
absl::Status Serialize(const Message& message, grpc::ByteBuffer* bytes) {
  bytes->Clear();  // gRPC requires an empty buffer
  bool owned = false;
  const grpc::Status status = grpc::SerializationTraits<Message>::Serialize(message, bytes, &owned);
  if (status.ok()) return absl::OkStatus();
  return absl::InternalError(
      absl::StrCat("cannot serialise the response: ", status.error_message()));
}

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_RPC_WIRE_H_
