// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// One call of SimplifyService.SimplifyLevels.
#ifndef WARPYARD_SERVER_SIMPLIFY_LEVEL_STREAM_H_
#define WARPYARD_SERVER_SIMPLIFY_LEVEL_STREAM_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/server_callback.h"
#include "server/simplify/calls.h"
#include "server/simplify/level_reader.h"
#include "server/simplify/simplify_context.h"

namespace warpyard::server {

/// Sends the levels of a chain as its job makes them. A level waits as the core's lists, and
/// becomes messages only when its turn comes, one part after the client has taken the one before.
///
/// The call ends when the job has ended and the client has its levels, or when the job has ended
/// after the client went away. All events change the state under the lock and then call Advance.
class LevelStreamReactor final : public grpc::ServerWriteReactor<grpc::ByteBuffer>,
                                 public CallListener,
                                 public std::enable_shared_from_this<LevelStreamReactor> {
 public:
  /// @shape request: belongs to gRPC; it is parsed, and its bytes are freed
  static grpc::ServerWriteReactor<grpc::ByteBuffer>* Start(SimplifyContext& own,
                                                           grpc::CallbackServerContext* context,
                                                           const grpc::ByteBuffer* request);

  /// Call Start instead.
  LevelStreamReactor(SimplifyContext& own, grpc::CallbackServerContext& context);

 private:
  /// A level that waits for its turn.
  struct Level {
    std::uint32_t number;
    simplify::SimplifiedMesh mesh;
    ByteBudget::Hold hold;
  };

  /// The state of the call.
  struct State {
    bool writing = false;
    absl::Time writing_since;  ///< when the write began
    bool aborting = false;     ///< a thread makes the write fail
    bool finished = false;
    std::optional<absl::Status> failure;  ///< why no level is sent any more
    std::optional<absl::Status> job;      ///< how the job ended
  };

  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;
  void OnDrain() override {}  // an accepted job goes on
  void OnLook() override;

  /// Checks the request and starts its job. @errors what is wrong with it
  absl::Status Begin(grpc::ByteBuffer* request);
  void Submit(const simplify::LevelsDescription& levels, const JobOptions& job);
  /// Takes a level from the job. @errors RESOURCE_EXHAUSTED; why the call ends
  absl::Status Take(simplify::SimplifiedMesh mesh);
  void OnJobDone(const absl::Status& status);
  /// Drops the levels and ends the job.
  void Fail(const absl::Status& why);

  void Advance();
  /// What ends the call now, if anything does. Call with the lock held.
  std::optional<absl::Status> FindEnd() const;
  /// The next message; false: none is ready. @scope one thread, while no write is outstanding
  bool NextPart(v1::SimplifyLevelPart* part);

  SimplifyContext& own_;
  ServiceContext& service_ = own_.service;
  grpc::CallbackServerContext& context_;
  CallTracker::Admission admission_;
  const std::shared_ptr<JobHandle> handle_;
  std::shared_ptr<LevelStreamReactor> self_;  // keeps the call until gRPC is done
  ResidentTable::Use<ModelFacts> model_;      // stays open until the call ends
  grpc::ByteBuffer outgoing_;                 // gRPC reads it during a write

  std::mutex mutex_;
  // mutex_ guards the rest.
  std::deque<Level> levels_;
  std::uint32_t levels_made_ = 0;
  std::optional<LevelReader> reader_;  // of the level that is being sent
  ByteBudget::Hold reader_hold_;
  State state_;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_SIMPLIFY_LEVEL_STREAM_H_
