// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/simplify/level_stream.h"

#include <cstddef>
#include <utility>

#include "absl/time/clock.h"
#include "core/base/macros.h"
#include "server/rpc/abort_call.h"
#include "server/rpc/status_mapping.h"
#include "server/rpc/wire.h"
#include "server/simplify/convert.h"
#include "server/simplify/level_request.h"
#include "server/simplify/model_upload.h"

namespace warpyard::server {
namespace {

/// Limit of a list in one message.
constexpr std::size_t kMaxPartBytes = std::size_t{1} << 20;

}  // namespace

grpc::ServerWriteReactor<grpc::ByteBuffer>* LevelStreamReactor::Start(
    SimplifyContext& own, grpc::CallbackServerContext* context, const grpc::ByteBuffer* request) {
  const auto reactor = std::make_shared<LevelStreamReactor>(own, *context);
  reactor->self_ = reactor;
  const absl::Status status = reactor->Begin(const_cast<grpc::ByteBuffer*>(request));
  if (!status.ok()) {
    own.levels_jobs.Rejected(status);
    reactor->OnJobDone(status);
  }
  return reactor.get();
}

LevelStreamReactor::LevelStreamReactor(SimplifyContext& own, grpc::CallbackServerContext& context)
    : own_(own),
      context_(context),
      admission_(own.service.calls.TryAdmit()),
      handle_(std::make_shared<JobHandle>(own.service.jobs.engine())) {}

absl::Status LevelStreamReactor::Begin(grpc::ByteBuffer* request) {
  if (admission_ == nullptr) return ShuttingDown();
  const CallTimes times = TimesOf(context_);
  WY_ASSIGN_OR_RETURN(const ByteBudget::Hold hold, service_.requests.Take(request->Length()));
  v1::SimplifyLevelsRequest message;
  WY_RETURN_IF_ERROR(Parse(request, &message));
  WY_ASSIGN_OR_RETURN(model_, service_.residents.Find<ModelFacts>(message.model()));
  WY_ASSIGN_OR_RETURN(simplify::LevelsDescription levels,
                      ToLevels(message, model_->facts.triangles));
  WY_ASSIGN_OR_RETURN(const JobOptions job, ToJobOptions(message.job(), times));
  service_.calls.AddListener(shared_from_this());
  levels.options.take = [this, self = shared_from_this()](simplify::SimplifiedMesh mesh) {
    return Take(std::move(mesh));
  };
  Submit(levels, job);
  return absl::OkStatus();
}

void LevelStreamReactor::Submit(const simplify::LevelsDescription& levels, const JobOptions& job) {
  service_.jobs.Run<simplify::LevelsInfo>(
      {own_.levels_jobs, job, handle_},
      [&](Engine& engine, const JobOptions& options, simplify::LevelsDone done) {
        return simplify::SimplifyLevels(engine, model_->id, levels, options, std::move(done));
      },
      [this, self = shared_from_this()](const absl::StatusOr<simplify::LevelsInfo>& info) {
        ForgetIfLost(service_, info.status(), model_->id);
        OnJobDone(info.status());
      });
}

absl::Status LevelStreamReactor::Take(simplify::SimplifiedMesh mesh) {
  WY_ASSIGN_OR_RETURN(ByteBudget::Hold hold, service_.results.Take(ListBytes(mesh)));
  {
    const std::lock_guard lock(mutex_);
    if (state_.failure) return *state_.failure;
    levels_.push_back({levels_made_++, std::move(mesh), std::move(hold)});
  }
  Advance();
  return absl::OkStatus();
}

void LevelStreamReactor::OnJobDone(const absl::Status& status) {
  {
    const std::lock_guard lock(mutex_);
    state_.job = status;
  }
  Advance();
}

void LevelStreamReactor::OnWriteDone(bool ok) {
  {
    const std::lock_guard lock(mutex_);
    state_.writing = false;
    // The client has all of the level.
    if (reader_ && reader_->done()) {
      reader_.reset();
      reader_hold_.reset();
    }
  }
  if (!ok) return Fail(absl::CancelledError("the client is gone"));
  Advance();
}

void LevelStreamReactor::OnCancel() {
  Fail(absl::CancelledError("the call was cancelled or its deadline has passed"));
}

void LevelStreamReactor::OnLook() {
  const absl::Status why = ReadsNothing(service_.unread_timeout);
  {
    const std::lock_guard lock(mutex_);
    if (state_.failure || !state_.writing || service_.results.HasPlenty()) return;
    if (absl::Now() - state_.writing_since < service_.unread_timeout) return;
    state_.aborting = true;
  }
  Fail(why);
  AbortCall(context_, why);
  {
    const std::lock_guard lock(mutex_);
    state_.aborting = false;
  }
  Advance();
}

void LevelStreamReactor::Fail(const absl::Status& why) {
  std::deque<Level> dropped;  // destroyed without the lock
  {
    const std::lock_guard lock(mutex_);
    if (!state_.failure) state_.failure = why;
    dropped.swap(levels_);
  }
  handle_->Cancel();
  Advance();
}

void LevelStreamReactor::OnDone() {
  // Moved out of the members first: the last reference to this call destroys the members, too.
  const CallTracker::Admission admission = std::move(admission_);
  const std::shared_ptr<LevelStreamReactor> self = std::move(self_);
}

void LevelStreamReactor::Advance() {
  // The call may end while this function runs, and gRPC then releases it.
  const std::shared_ptr<LevelStreamReactor> self = shared_from_this();
  const std::lock_guard lock(mutex_);
  if (state_.writing || state_.aborting || state_.finished) return;
  if (const std::optional<absl::Status> end = FindEnd()) {
    state_.finished = true;
    own_.simplify_levels.Completed(end->code());
    return Finish(ToGrpcStatus(*end));
  }
  v1::SimplifyLevelPart part;
  if (state_.failure || !NextPart(&part)) return;
  const absl::Status status = Serialize(part, &outgoing_);
  WY_ASSERT(status.ok());
  state_.writing = true;
  state_.writing_since = absl::Now();
  // gRPC calls back from other frames than this one, so the lock may be held.
  StartWrite(&outgoing_);
}

std::optional<absl::Status> LevelStreamReactor::FindEnd() const {
  if (!state_.job) return std::nullopt;
  if (state_.failure) return state_.failure;
  if (reader_ || !levels_.empty()) return std::nullopt;
  return state_.job;
}

bool LevelStreamReactor::NextPart(v1::SimplifyLevelPart* part) {
  if (!reader_) {
    if (levels_.empty()) return false;
    Level level = std::move(levels_.front());
    levels_.pop_front();
    v1::SimplifyResponse response;
    ToProto(level.mesh, &response);
    AddAttributes(level.mesh, model_->facts.attributes, response);
    reader_.emplace(level.number, std::move(response));
    reader_hold_ = std::move(level.hold);
  }
  *part = reader_->Next(kMaxPartBytes);
  return true;
}

}  // namespace warpyard::server
