// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// One call of SimplifyService.SimplifyLevels.
#ifndef WARPYARD_SERVER_SIMPLIFY_LEVEL_STREAM_H_
#define WARPYARD_SERVER_SIMPLIFY_LEVEL_STREAM_H_

#include <cstdint>
#include <deque>
#include <optional>

#include "absl/status/status.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/byte_buffer.h"
#include "server/rpc/job_stream.h"
#include "server/simplify/calls.h"
#include "server/simplify/level_reader.h"
#include "server/simplify/simplify_context.h"

namespace warpyard::server {

/// Sends the levels of a chain as its job makes them.
class LevelStreamReactor final : public JobStream {
 public:
  LevelStreamReactor(SimplifyContext& own, grpc::CallbackServerContext& context)
      : JobStream(own.service, context, {own.simplify_levels, own.levels_jobs}) {}

 private:
  /// A level that waits for its turn.
  struct Level {
    std::uint32_t number;
    simplify::SimplifiedMesh mesh;
    ByteBudget::Hold hold;
  };

  absl::Status Begin(grpc::ByteBuffer* request) override;
  void Submit(const simplify::LevelsDescription& levels, const JobOptions& job);
  /// Takes a level from the job. @errors RESOURCE_EXHAUSTED; why the call ends
  absl::Status Take(simplify::SimplifiedMesh mesh);

  bool NextPart(grpc::ByteBuffer* part) override;
  void PartIsTaken() override;
  bool HasResults() const override { return reader_ || !levels_.empty(); }
  void DropResults() override { levels_.clear(); }

  ResidentTable::Use<ModelFacts> model_;  // stays open until the call ends

  // The lock guards the rest.
  std::deque<Level> levels_;
  std::uint32_t levels_made_ = 0;
  std::optional<LevelReader> reader_;  // of the level that is being sent
  ByteBudget::Hold reader_hold_;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_SIMPLIFY_LEVEL_STREAM_H_
