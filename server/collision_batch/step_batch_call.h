// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// CollisionBatchService.StepBatch: many jobs, one answer.
#ifndef WARPYARD_SERVER_COLLISION_BATCH_STEP_BATCH_CALL_H_
#define WARPYARD_SERVER_COLLISION_BATCH_STEP_BATCH_CALL_H_

#include <atomic>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/api/scene_set.h"
#include "server/collision/scene_request.h"
#include "server/collision_batch/batch_context.h"
#include "server/collision_batch/set_request.h"
#include "server/jobs/job_handles.h"
#include "server/rpc/unary_call.h"

namespace warpyard::server {

/// Submits all steps, and answers when the last one has ended.
class StepBatchCall final : public UnaryCall {
 public:
  StepBatchCall(BatchContext& own, grpc::CallbackServerContext& context, grpc::ByteBuffer* response)
      : UnaryCall(own.service, context, {own.step_batch, nullptr}, response),
        own_(own),
        handles_(own.service.jobs.engine()),
        number_(own.service.calls.NewNumber()) {}

 private:
  /// A step of a scene, or of a set, from its check to its result. Each is changed by one thread at
  /// a time: the one that submits it, then the one that completes it.
  /// @shape Checked: StepRequest or SetStepRequest
  template <class Checked, class Result>
  struct Slot {
    Checked checked;
    StepOrder::Turn turn;  // held until the job is done
    absl::StatusOr<Result> result = absl::InternalError("not run");
  };
  using SceneSlot = Slot<StepRequest, ccd::CollisionResult>;
  using SetSlot = Slot<SetStepRequest, ccd::SetResult>;

  absl::Status Run(grpc::ByteBuffer* request) override;
  void OnCancelled() override { handles_.Cancel(); }
  void DropRequest() override { request_ = {}; }

  absl::Status CheckSize() const;
  absl::Status CheckOnce(const std::string& path, const std::string& named);
  absl::Status StartScene(int index);
  absl::Status StartSet(int index);
  /// One step has ended; after the last one, answers.
  void Ended();
  void Answer();
  /// Takes results that do not fit into the response out of it; returns the bytes of the others.
  std::size_t FitResults();

  BatchContext& own_;
  JobHandles handles_;
  const std::uint64_t number_;
  v1::StepBatchRequest request_;
  std::map<std::string, std::string> paths_;  // of the scenes and sets so far
  std::vector<SceneSlot> scenes_;
  std::vector<SetSlot> sets_;
  std::atomic<std::size_t> running_{1};  // and one while steps are submitted
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_COLLISION_BATCH_STEP_BATCH_CALL_H_
