// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Instances as messages, which share the memory of the derivation.
#ifndef WARPYARD_SERVER_GRAMMAR_PART_BYTES_H_
#define WARPYARD_SERVER_GRAMMAR_PART_BYTES_H_

#include <memory>
#include <span>
#include <vector>

#include "core/workload/grammar/grammar_types.h"
#include "grpcpp/support/byte_buffer.h"
#include "warpyard/v1/grammar_service.pb.h"

namespace warpyard::server {

/// Some instances of a batch. @shape view: within `owner`
struct InstanceRun {
  std::shared_ptr<const grammar::Instances> owner;
  std::span<const grammar::Instance> view;
};

/// The bytes of a message with these instances and the other fields of `rest`. Instances are most
/// of what a server sends, so they are not copied: the bytes hold the owners.
/// @shape rest: a DeriveGrammarPart or FollowCameraPart without instances. Less than 2 GiB in all
grpc::ByteBuffer PartBytes(std::span<const InstanceRun> runs,
                           const google::protobuf::MessageLite& rest);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_GRAMMAR_PART_BYTES_H_
