// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/simplify/level_stream.h"

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>

#include "core/base/macros.h"
#include "server/rpc/wire.h"
#include "server/simplify/convert.h"
#include "server/simplify/level_request.h"
#include "server/simplify/model_upload.h"

namespace warpyard::server {
namespace {

/// Limit of a list in one message.
constexpr std::size_t kMaxPartBytes = std::size_t{1} << 20;

}  // namespace

absl::Status LevelStreamReactor::Begin(grpc::ByteBuffer* request) {
  v1::SimplifyLevelsRequest message;
  WY_RETURN_IF_ERROR(Parse(request, &message));
  WY_ASSIGN_OR_RETURN(model_, service().residents.Find<ModelFacts>(message.model()));
  WY_ASSIGN_OR_RETURN(simplify::LevelsDescription levels,
                      ToLevels(message, model_->facts.triangles));
  WY_ASSIGN_OR_RETURN(const JobOptions job, ToJobOptions(message.job(), Times()));
  levels.options.take = [this, self = shared_from_this()](simplify::SimplifiedMesh mesh) {
    return Take(std::move(mesh));
  };
  Submit(levels, job);
  return absl::OkStatus();
}

void LevelStreamReactor::Submit(const simplify::LevelsDescription& levels, const JobOptions& job) {
  service().jobs.Run<simplify::LevelsInfo>(
      Ticket(job),
      [&](Engine& engine, const JobOptions& options, simplify::LevelsDone done) {
        return simplify::SimplifyLevels(engine, model_->id, levels, options, std::move(done));
      },
      [this, self = shared_from_this()](const absl::StatusOr<simplify::LevelsInfo>& info) {
        ForgetIfLost(service(), info.status(), model_->id);
        OnJobDone(info.status());
      });
}

absl::Status LevelStreamReactor::Take(simplify::SimplifiedMesh mesh) {
  WY_ASSIGN_OR_RETURN(ByteBudget::Hold hold, service().results.Take(ListBytes(mesh)));
  {
    const std::lock_guard lock(mutex());
    if (failure()) return *failure();
    levels_.push_back({levels_made_++, std::move(mesh), std::move(hold)});
  }
  Advance();
  return absl::OkStatus();
}

bool LevelStreamReactor::NextPart(grpc::ByteBuffer* part) {
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
  const absl::Status status = Serialize(reader_->Next(kMaxPartBytes), part);
  WY_ASSERT(status.ok());
  return true;
}

void LevelStreamReactor::PartIsTaken() {
  if (!reader_ || !reader_->done()) return;
  reader_.reset();
  reader_hold_.reset();
}

}  // namespace warpyard::server
