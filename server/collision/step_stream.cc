// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/collision/step_stream.h"

#include <algorithm>
#include <utility>

#include "absl/time/clock.h"
#include "core/base/macros.h"
#include "server/collision/result_bytes.h"
#include "server/rpc/abort_call.h"
#include "server/rpc/call_end.h"
#include "server/rpc/wire.h"

namespace warpyard::server {
namespace {

/// Largest number of steps that a stream has read but not answered.
constexpr std::size_t kMaxSteps = 4;
/// While requests of this total size are in memory, no step is read; one request may be larger.
constexpr std::size_t kMaxReadAheadBytes = std::size_t{64} << 20;
/// A stream starts only its first step while its unread results have this size in all. One result
/// may be larger.
constexpr std::size_t kMaxUnreadBytes = std::size_t{64} << 20;
/// Limit of the lists in one response.
constexpr std::size_t kMaxPartBytes = std::size_t{1} << 20;

}  // namespace

grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* StepStreamReactor::Start(
    CollisionContext& own, grpc::CallbackServerContext* context) {
  const auto reactor = std::make_shared<StepStreamReactor>(own, *context);
  reactor->self_ = reactor;
  if (!reactor->admission_.status.ok()) {
    reactor->end_ = reactor->admission_.status;
  } else {
    own.service.calls.AddListener(reactor);
  }
  reactor->Advance();
  return reactor.get();
}

StepStreamReactor::StepStreamReactor(CollisionContext& own, grpc::CallbackServerContext& context)
    : own_(own),
      context_(context),
      identity_(Identify(context, own.stream_steps.method())),
      admission_(AdmitCall(own.service, context, own.stream_steps)) {}

void StepStreamReactor::OnReadDone(bool ok) {
  const std::shared_ptr<Step> step = ok ? Receive() : nullptr;
  {
    const std::lock_guard lock(mutex_);
    state_.reading = false;
    if (step == nullptr) {
      state_.reads_done = true;
    } else {
      step->number = steps_read_++;
      if (state_.draining && !step->result) step->result = ShuttingDown();
      // A malformed step ends the stream when its turn comes, so the steps after it are not read.
      state_.reads_done = state_.reads_done || step->result.has_value();
      if (step->result) own_.step_jobs.Rejected(step->result->status());
      steps_.push_back(step);
    }
  }
  Advance();
}

/// Checks the step that was read. A malformed step, or one too many, gets its error as a result
/// here.
std::shared_ptr<StepStreamReactor::Step> StepStreamReactor::Receive() {
  auto step = std::make_shared<Step>(service_.jobs.engine());
  step->request_bytes = incoming_.Length();
  own_.stream_steps.Received(step->request_bytes);
  step->request = std::make_unique<v1::StreamStepsRequest>();
  absl::StatusOr<ByteBudget::Hold> hold =
      TakeRequest(service_, admission_.caller, step->request_bytes);
  absl::Status status = hold.status();
  if (status.ok()) {
    step->request_hold = *std::move(hold);
    status = Parse(&incoming_, step->request.get());
  }
  incoming_.Clear();
  if (status.ok()) {
    absl::StatusOr<StepRequest> checked =
        ToStep(step->request->step(), FactsOf(context_, admission_.caller), service_.residents);
    status = checked.status();
    if (checked.ok()) {
      step->scene = checked->scene->id;
      step->checked = *std::move(checked);
    }
  }
  if (!status.ok()) {
    step->request.reset();
    step->request_hold.reset();
    step->result = std::move(status);
  }
  return step;
}

void StepStreamReactor::OnStepped(const std::shared_ptr<Step>& step,
                                  absl::StatusOr<ccd::CollisionResult> result) {
  step->turn.reset();
  std::size_t bytes = 0;
  if (result.ok()) {
    bytes = ResultReader(*result, step->checked.step.options.report).list_bytes();
    absl::StatusOr<ByteBudget::Hold> hold = service_.results.Take(bytes);
    if (hold.ok()) {
      step->result_hold = *std::move(hold);
    } else {
      result = ResultIsLost(hold.status());
      bytes = 0;
    }
  }
  {
    const std::lock_guard lock(mutex_);
    step->result = std::move(result);
    step->result_bytes = bytes;
    step->request.reset();
    step->request_hold.reset();
    step->request_bytes = 0;
    step->checked.scene.reset();
  }
  Advance();
}

void StepStreamReactor::OnWriteDone(bool ok) {
  {
    const std::lock_guard lock(mutex_);
    state_.writing = false;
    if (!ok && !end_) end_ = absl::CancelledError("the client is gone");
  }
  Advance();
}

void StepStreamReactor::OnCancel() {
  {
    const std::lock_guard lock(mutex_);
    if (!end_) end_ = absl::CancelledError("the call was cancelled or its deadline has passed");
  }
  Advance();
}

void StepStreamReactor::OnDrain() {
  {
    const std::lock_guard lock(mutex_);
    state_.draining = true;
  }
  Advance();
}

/// Ends a call whose client does not read its results while other calls need the room. Without
/// this, such a call could keep the room for any time.
void StepStreamReactor::OnLook() {
  {
    const std::lock_guard lock(mutex_);
    if (end_ || !state_.writing || service_.results.HasPlenty()) return;
    if (absl::Now() - state_.writing_since < service_.unread_timeout) return;
    end_ = ResultIsLost(ReadsNothing(service_.unread_timeout));
    state_.stuck = true;
  }
  Advance();
}

void StepStreamReactor::OnDone() {
  const Admission admission = std::move(admission_);
  const std::shared_ptr<StepStreamReactor> self = std::move(self_);
}

void StepStreamReactor::Advance() {
  // The call may end while this function runs, and gRPC then releases it.
  const std::shared_ptr<StepStreamReactor> self = shared_from_this();
  std::unique_lock lock(mutex_);
  state_.advance_again = true;
  if (state_.advancing) return;
  state_.advancing = true;
  while (state_.advance_again) {
    state_.advance_again = false;
    Work work = NextWork();
    if (work.empty()) continue;
    lock.unlock();
    Perform(std::move(work));
    lock.lock();
    state_.advance_again = true;
  }
  state_.advancing = false;
}

StepStreamReactor::Work StepStreamReactor::NextWork() {
  Work work;
  if (state_.finished) return work;
  if (!end_) FindEnd();
  if (end_) {
    for (const auto& step : steps_) {
      if (step->submitted && !step->result) work.cancel.push_back(step->handle);
    }
    steps_.clear();
    // gRPC must be done with a write before the call is finished.
    if (state_.writing) {
      if (std::exchange(state_.stuck, false)) work.abort = end_;
    } else {
      state_.finished = true;
      work.finish = end_;
    }
    return work;
  }
  FindSubmissions(&work);
  if (!state_.writing && !steps_.empty() && steps_.front()->result) {
    work.write = steps_.front();
    state_.writing = true;
    state_.writing_since = absl::Now();
  }
  if (!state_.reading && !state_.reads_done && !state_.draining && HasRoom()) {
    work.read = true;
    state_.reading = true;
  }
  return work;
}

void StepStreamReactor::FindEnd() {
  if (!steps_.empty()) {
    const auto& result = steps_.front()->result;
    if (result && !result->ok()) end_ = result->status();
  } else if (!state_.writing) {
    if (state_.reads_done) {
      end_ = absl::OkStatus();
    } else if (state_.draining) {
      end_ = ShuttingDown();
    }
  }
}

void StepStreamReactor::FindSubmissions(Work* work) {
  const bool only_first = LeavesResultsUnread();
  for (auto step = steps_.begin(); step != steps_.end(); ++step) {
    // Later steps keep their results until the first step is answered, so only the first may start.
    if (only_first && step != steps_.begin()) return;
    if ((*step)->submitted || (*step)->result) continue;
    const ResidentId scene = (*step)->scene;
    const bool must_wait = std::any_of(steps_.begin(), step, [&](const auto& earlier) {
      return earlier->scene == scene && !(earlier->result && earlier->result->ok());
    });
    if (must_wait) continue;
    (*step)->submitted = true;
    work->submit.push_back(*step);
  }
}

bool StepStreamReactor::LeavesResultsUnread() const {
  std::size_t bytes = 0;
  for (const auto& step : steps_) bytes += step->result_bytes;
  return bytes >= kMaxUnreadBytes || (bytes != 0 && !service_.results.HasPlenty());
}

bool StepStreamReactor::HasRoom() const {
  // If no step is in memory, the next one is read in any case; if it is too large, it ends the
  // stream.
  if (!steps_.empty() && !service_.requests.HasPlenty()) return false;
  std::size_t bytes = 0;
  for (const auto& step : steps_) bytes += step->request_bytes;
  return steps_.size() < kMaxSteps && bytes < kMaxReadAheadBytes;
}

void StepStreamReactor::Perform(Work work) {
  for (const auto& handle : work.cancel) handle->Cancel();
  for (const auto& step : work.submit) Submit(step);
  if (work.write != nullptr) WritePart(*work.write);
  if (work.read) StartRead(&incoming_);
  if (work.abort) AbortCall(context_, *work.abort);
  if (work.finish) {
    CountEnd(admission_, own_.stream_steps, work.finish->code());
    Finish(EndOf(context_, service_.log, *identity_, *work.finish));
  }
}

void StepStreamReactor::Submit(const std::shared_ptr<Step>& step) {
  const StepRequest& checked = step->checked;
  const bool needs_last_end = !checked.step.start.has_value();
  const StepOrder::Caller caller = {number_, !scenes_.insert(step->scene).second};
  const absl::Status status =
      checked.scene->facts.order->Submit(caller, needs_last_end, [&](StepOrder::Turn turn) {
        step->turn = std::move(turn);
        service_.jobs.Run<ccd::CollisionResult>(
            {own_.step_jobs, checked.job, step->handle, identity_},
            [&checked](Engine& engine, const JobOptions& options, collision::StepDone done) {
              return collision::Step(engine, checked.scene->id, checked.step, options,
                                     std::move(done));
            },
            [self = shared_from_this(), step](absl::StatusOr<ccd::CollisionResult> result) {
              self->OnStepped(step, std::move(result));
            });
      });
  if (status.ok()) return;
  own_.step_jobs.Rejected(status);
  OnStepped(step, status);
}

void StepStreamReactor::WritePart(Step& step) {
  if (!step.reader) step.reader.emplace(**step.result, step.checked.step.options.report);
  const ResultPart part = step.reader->NextPart(kMaxPartBytes);
  v1::StreamStepsResponse response;
  response.set_step(step.number);
  response.set_last_part(part.is_last);
  outgoing_ =
      ResultBytes(response, v1::StreamStepsResponse::kResultFieldNumber, part, service_.buffers);
  if (part.is_last) {
    const std::lock_guard lock(mutex_);
    steps_.pop_front();
  }
  own_.stream_steps.Sent(outgoing_.Length());
  StartWrite(&outgoing_);
}

}  // namespace warpyard::server
