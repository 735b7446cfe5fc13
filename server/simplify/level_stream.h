// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// One call of SimplifyService.SimplifyLevels.
#ifndef WARPYARD_SERVER_SIMPLIFY_LEVEL_STREAM_H_
#define WARPYARD_SERVER_SIMPLIFY_LEVEL_STREAM_H_

#include <cstdint>

#include "absl/status/status.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/byte_buffer.h"
#include "server/rpc/part_stream.h"
#include "server/simplify/calls.h"
#include "server/simplify/simplify_context.h"

namespace warpyard::server {

/// Sends the levels of a chain as its job makes them. A level waits as the core's lists, and
/// becomes messages only when its turn comes.
class LevelStream final : public PartStream {
 public:
  /// Call Start instead.
  LevelStream(SimplifyContext& own, grpc::CallbackServerContext& context)
      : PartStream(own.service, context, {own.simplify_levels, own.levels_jobs}) {}

 private:
  absl::Status Run(grpc::ByteBuffer* request) override;
  /// Takes a level from the job. @errors RESOURCE_EXHAUSTED; why the call ends
  absl::Status Take(simplify::SimplifiedMesh mesh);

  ResidentTable::Use<ModelFacts> model_;  // stays open until the call ends
  std::uint32_t levels_made_ = 0;         // belongs to the job
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_SIMPLIFY_LEVEL_STREAM_H_
