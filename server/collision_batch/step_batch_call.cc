// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/collision_batch/step_batch_call.h"

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "core/base/status_facts.h"
#include "server/collision/collision_context.h"
#include "server/collision/convert.h"
#include "server/collision/result_bytes.h"
#include "server/collision_batch/outcomes.h"
#include "server/rpc/wire.h"

namespace warpyard::server {
namespace {

/// The error of a field, with the path of the step before it.
absl::Status InStep(const std::string& path, const absl::Status& status) {
  return FieldOf(status) ? InField(absl::StrCat(path, "."), status) : status;
}

}  // namespace

absl::Status StepBatchCall::Run(grpc::ByteBuffer* request) {
  WY_RETURN_IF_ERROR(Parse(request, &request_));
  WY_RETURN_IF_ERROR(CheckSize());
  scenes_.resize(static_cast<std::size_t>(request_.steps_size()));
  sets_.resize(static_cast<std::size_t>(request_.sets_size()));
  running_ += scenes_.size() + sets_.size();
  for (int i = 0; i < request_.steps_size(); ++i) {
    const absl::Status status = StartScene(i);
    if (status.ok()) continue;
    own_.step_jobs.Rejected(status);
    scenes_[static_cast<std::size_t>(i)].result = status;
    Ended();
  }
  for (int i = 0; i < request_.sets_size(); ++i) {
    const absl::Status status = StartSet(i);
    if (status.ok()) continue;
    own_.set_jobs.Rejected(status);
    sets_[static_cast<std::size_t>(i)].result = status;
    Ended();
  }
  Ended();
  return absl::OkStatus();
}

absl::Status StepBatchCall::CheckSize() const {
  const std::uint64_t steps = std::uint64_t{static_cast<std::uint32_t>(request_.steps_size())} +
                              static_cast<std::uint32_t>(request_.sets_size());
  const std::uint32_t most = own_.service.limits.batch_steps;
  if (steps != 0 && steps <= most) return absl::OkStatus();
  return InvalidField("steps", absl::StrCat(steps, " with those of sets, expected 1 to ", most,
                                            " (--max-batch-steps)"));
}

/// A step could not say whether it comes before or after another one of its scene.
absl::Status StepBatchCall::CheckOnce(const std::string& path, const std::string& named) {
  const auto [found, is_new] = paths_.emplace(named, path);
  if (is_new) return absl::OkStatus();
  return InvalidField(path, absl::StrCat("the same as ", found->second,
                                         "; a batch has one step of a scene or a set"));
}

absl::Status StepBatchCall::StartScene(int index) {
  const v1::StepRequest& request = request_.steps(index);
  const std::string path = absl::StrCat("steps[", index, "]");
  WY_RETURN_IF_ERROR(
      CheckOnce(absl::StrCat(path, ".scene"), absl::StrCat("scene ", request.scene())));
  SceneSlot& slot = scenes_[static_cast<std::size_t>(index)];
  absl::StatusOr<StepRequest> checked = ToStep(request, facts(), service().residents);
  if (!checked.ok()) return InStep(path, checked.status());
  slot.checked = *std::move(checked);
  const bool needs_last_end = !slot.checked.step.start.has_value();
  return InStep(
      path, slot.checked.scene->facts.order->Submit(
                {number_}, needs_last_end, [this, &slot](StepOrder::Turn turn) {
                  slot.turn = std::move(turn);
                  const StepRequest& step = slot.checked;
                  service().jobs.Run<ccd::CollisionResult>(
                      TicketOf(own_.step_jobs, step.job, handles_.New()),
                      [&step](Engine& engine, const JobOptions& options, collision::StepDone done) {
                        return collision::Step(engine, step.scene->id, step.step, options,
                                               std::move(done));
                      },
                      [this, &slot,
                       self = shared_from_this()](absl::StatusOr<ccd::CollisionResult> result) {
                        slot.turn.reset();
                        slot.result = std::move(result);
                        Ended();
                      });
                }));
}

absl::Status StepBatchCall::StartSet(int index) {
  const v1::SetStep& request = request_.sets(index);
  const std::string path = absl::StrCat("sets[", index, "]");
  WY_RETURN_IF_ERROR(CheckOnce(absl::StrCat(path, ".set"), absl::StrCat("set ", request.set())));
  SetSlot& slot = sets_[static_cast<std::size_t>(index)];
  absl::StatusOr<SetStepRequest> checked = ToSetStep(request, facts(), service().residents);
  if (!checked.ok()) return InStep(path, checked.status());
  slot.checked = *std::move(checked);
  const bool needs_last_end = !slot.checked.step.step.start.has_value();
  return InStep(
      path,
      slot.checked.set->facts.order->Submit(
          {number_}, needs_last_end, [this, &slot](StepOrder::Turn turn) {
            slot.turn = std::move(turn);
            const SetStepRequest& step = slot.checked;
            service().jobs.Run<ccd::SetResult>(
                TicketOf(own_.set_jobs, step.job, handles_.New()),
                [&step](Engine& engine, const JobOptions& options, collision::SetStepDone done) {
                  return collision::StepSet(engine, step.set->id, step.step, options,
                                            std::move(done));
                },
                [this, &slot, self = shared_from_this()](absl::StatusOr<ccd::SetResult> result) {
                  slot.turn.reset();
                  slot.result = std::move(result);
                  Ended();
                });
          }));
}

void StepBatchCall::Ended() {
  if (running_.fetch_sub(1) == 1) Answer();
}

void StepBatchCall::Answer() {
  if (handles_.cancelled()) return End(absl::CancelledError("the client cancelled the call"));
  const absl::Status held = HoldResult(FitResults());
  if (!held.ok()) return End(ResultIsLost(held));
  std::vector<v1::StepOutcome> steps(scenes_.size());
  std::vector<v1::SetOutcome> sets(sets_.size());
  std::vector<Outcome> outcomes;
  const auto add = [&outcomes](int field, auto& outcome, const absl::Status& status,
                               const ccd::CollisionResult* result, ccd::Report report) {
    Outcome& added = outcomes.emplace_back();
    added.field = field;
    added.message = &outcome;
    if (!status.ok()) return SetStepError(status, outcome.mutable_error());
    ResultReader reader(*result, report);
    added.result = reader.NextPart(reader.list_bytes());
  };
  for (std::size_t i = 0; i < scenes_.size(); ++i) {
    const auto& result = scenes_[i].result;
    add(v1::StepBatchResponse::kStepsFieldNumber, steps[i], result.status(),
        result.ok() ? &*result : nullptr, scenes_[i].checked.step.options.report);
  }
  for (std::size_t i = 0; i < sets_.size(); ++i) {
    const auto& result = sets_[i].result;
    const ccd::Report report = sets_[i].checked.step.options.report;
    if (result.ok()) SetWorlds(*result, sets_[i].checked.refused, report, &sets[i]);
    add(v1::StepBatchResponse::kSetsFieldNumber, sets[i], result.status(),
        result.ok() ? &result->all : nullptr, report);
  }
  constexpr int kResult = v1::StepOutcome::kResultFieldNumber;
  static_assert(kResult == int{v1::SetOutcome::kResultFieldNumber});
  EndWith(OutcomeBytes(outcomes, kResult, service().buffers));
}

std::size_t StepBatchCall::FitResults() {
  const std::size_t most = service().max_response_bytes;
  std::size_t bytes = 0;
  for (SceneSlot& slot : scenes_) {
    if (!slot.result.ok()) continue;
    const ResultReader reader(*slot.result, slot.checked.step.options.report);
    const absl::Status fits = CheckResponse(bytes + reader.list_bytes(), service());
    if (fits.ok()) {
      bytes += reader.list_bytes();
    } else {
      slot.result = ResultIsLost(fits);
    }
  }
  for (SetSlot& slot : sets_) {
    if (!slot.result.ok()) continue;
    const ccd::Report report = slot.checked.step.options.report;
    const ResultReader reader(slot.result->all, report);
    const absl::Status fits = CheckResponse(bytes + reader.list_bytes(), service());
    bytes += fits.ok() ? reader.list_bytes()
                       : FitWorlds(most - bytes, report, ResultIsLost(fits), *slot.result);
  }
  return bytes;
}

}  // namespace warpyard::server
