// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Limits of repeated messages before they are parsed. A message of two bytes on the wire may take a
// hundred in memory, and budgets count bytes on the wire.
#ifndef WARPYARD_SERVER_RPC_WIRE_LIMIT_H_
#define WARPYARD_SERVER_RPC_WIRE_LIMIT_H_

#include <cstddef>
#include <initializer_list>
#include <vector>

#include "absl/status/status.h"
#include "google/protobuf/io/zero_copy_stream.h"
#include "grpcpp/support/byte_buffer.h"

namespace warpyard::server {

/// A repeated field that holds messages.
struct WireLimit {
  const char* name;       ///< for errors
  std::vector<int> path;  ///< numbers of fields, from the message to the repeated one
  std::size_t most;
};

/// Reads bytes that should be a message. What is malformed is left to the parser.
/// @errors INVALID_ARGUMENT: there are more
absl::Status CheckLimit(google::protobuf::io::ZeroCopyInputStream& bytes, const WireLimit& limit);
absl::Status CheckLimit(grpc::ByteBuffer& bytes, const WireLimit& limit);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_RPC_WIRE_LIMIT_H_
