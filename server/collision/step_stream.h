// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// One call of CollisionService.StreamSteps.
#ifndef WARPYARD_SERVER_COLLISION_STEP_STREAM_H_
#define WARPYARD_SERVER_COLLISION_STEP_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/server_callback.h"
#include "server/collision/collision_context.h"
#include "server/collision/convert.h"
#include "server/collision/scene_request.h"
#include "server/identity/call_identity.h"
#include "server/rpc/admission.h"
#include "warpyard/v1/collision_service.pb.h"

namespace warpyard::server {

/// Answers a stream of steps in order, in parts of bounded size.
///
/// It reads a few steps ahead of the step that it answers. While the client leaves large results
/// unread, it starts no step ahead; this bounds the memory of a stream. Steps of different scenes
/// run at once. A step waits for the step before it of the same scene, so none runs after a failed
/// one.
///
/// All events (gRPC's reactions, the engine's completions, draining) change the state under the
/// lock and then call Advance, which acts on the state until nothing is left to do. Only one thread
/// at a time is in Advance, and it acts without the lock, because gRPC and the engine may call back
/// from within.
class StepStreamReactor final : public grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>,
                                public CallListener,
                                public std::enable_shared_from_this<StepStreamReactor> {
 public:
  static grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* Start(
      CollisionContext& own, grpc::CallbackServerContext* context);

  /// Call Start instead.
  StepStreamReactor(CollisionContext& own, grpc::CallbackServerContext& context);

 private:
  /// A step from its request to the last part of its response.
  struct Step {
    explicit Step(Engine& engine) : handle(std::make_shared<JobHandle>(engine)) {}

    std::uint64_t number = 0;
    std::size_t request_bytes = 0;
    ByteBudget::Hold request_hold;
    std::unique_ptr<v1::StreamStepsRequest> request;  // kept until the job is done
    ResidentId scene;
    StepRequest checked;   // uses the scene until the job ends
    StepOrder::Turn turn;  // held while the step is in flight
    const std::shared_ptr<JobHandle> handle;
    bool submitted = false;
    std::optional<absl::StatusOr<ccd::CollisionResult>> result;
    std::size_t result_bytes = 0;
    ByteBudget::Hold result_hold;
    std::optional<ResultReader> reader;
  };

  /// The next action of Advance.
  struct Work {
    std::vector<std::shared_ptr<Step>> submit;
    std::vector<std::shared_ptr<JobHandle>> cancel;
    std::shared_ptr<Step> write;
    bool read = false;
    std::optional<absl::Status> abort;
    std::optional<absl::Status> finish;

    bool empty() const {
      return submit.empty() && cancel.empty() && write == nullptr && !read && !abort && !finish;
    }
  };

  /// The state of the call.
  struct State {
    bool reading = false;
    bool reads_done = false;  ///< no step will be read any more
    bool writing = false;
    absl::Time writing_since;  ///< when the write began
    bool stuck = false;        ///< the write will not end by itself
    bool draining = false;
    bool finished = false;
    bool advancing = false;  ///< a thread is in Advance
    bool advance_again = false;
  };

  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;
  void OnDrain() override;
  void OnLook() override;

  std::shared_ptr<Step> Receive();
  void OnStepped(const std::shared_ptr<Step>& step, absl::StatusOr<ccd::CollisionResult> result);

  void Advance();
  void Perform(Work work);
  void Submit(const std::shared_ptr<Step>& step);
  void WritePart(Step& step);

  // Call with the lock held.
  Work NextWork();
  void FindEnd();
  void FindSubmissions(Work* work);
  bool HasRoom() const;
  bool LeavesResultsUnread() const;

  CollisionContext& own_;
  ServiceContext& service_ = own_.service;
  grpc::CallbackServerContext& context_;
  const std::uint64_t number_ = service_.calls.NewNumber();
  const std::shared_ptr<const CallIdentity> identity_;
  Admission admission_;
  std::shared_ptr<StepStreamReactor> self_;  // keeps the call until gRPC is done
  grpc::ByteBuffer incoming_;                // gRPC writes it during a read
  grpc::ByteBuffer outgoing_;                // gRPC reads it during a write
  std::set<ResidentId> scenes_;              // of submitted steps; belongs to the thread in Advance

  std::mutex mutex_;
  // mutex_ guards the rest. The reader of a step belongs to the thread in Advance.
  std::deque<std::shared_ptr<Step>> steps_;  // read, and not yet answered in full
  std::uint64_t steps_read_ = 0;
  State state_;
  std::optional<absl::Status> end_;  // the final status of the call, once decided
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_COLLISION_STEP_STREAM_H_
