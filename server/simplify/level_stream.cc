// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/simplify/level_stream.h"

#include <memory>
#include <optional>
#include <utility>

#include "core/base/macros.h"
#include "server/rpc/wire.h"
#include "server/simplify/convert.h"
#include "server/simplify/level_reader.h"
#include "server/simplify/level_request.h"
#include "server/simplify/model_upload.h"

namespace warpyard::server {
namespace {

class LevelPiece final : public PartStream::Piece {
 public:
  LevelPiece(std::uint32_t number, simplify::SimplifiedMesh mesh,
             ResidentTable::Use<ModelFacts> model, ByteBudget::Hold hold)
      : number_(number), mesh_(std::move(mesh)), model_(std::move(model)), hold_(std::move(hold)) {}

  grpc::ByteBuffer Next() override {
    if (!reader_) {
      v1::SimplifyResponse response;
      ToProto(mesh_, &response);
      AddAttributes(mesh_, model_->facts.attributes, response);
      mesh_ = {};
      reader_.emplace(number_, std::move(response));
    }
    grpc::ByteBuffer bytes;
    const absl::Status status = Serialize(reader_->Next(PartStream::kMaxPartBytes), &bytes);
    WY_ASSERT(status.ok());
    return bytes;
  }
  bool done() const override { return reader_ && reader_->done(); }

 private:
  const std::uint32_t number_;
  simplify::SimplifiedMesh mesh_;  // until the first message
  const ResidentTable::Use<ModelFacts> model_;
  const ByteBudget::Hold hold_;
  std::optional<LevelReader> reader_;
};

}  // namespace

absl::Status LevelStream::Run(grpc::ByteBuffer* request) {
  v1::SimplifyLevelsRequest message;
  WY_RETURN_IF_ERROR(Parse(request, &message));
  WY_ASSIGN_OR_RETURN(model_, service().residents.Find<ModelFacts>(message.model(), owner()));
  WY_ASSIGN_OR_RETURN(simplify::LevelsDescription levels,
                      ToLevels(message, model_->facts.triangles));
  WY_ASSIGN_OR_RETURN(const JobOptions job, ToJobOptions(message.job(), facts()));
  levels.options.take = [this, self = shared_from_this()](simplify::SimplifiedMesh mesh) {
    return Take(std::move(mesh));
  };
  service().jobs.Run<simplify::LevelsInfo>(
      Ticket(job),
      [&](Engine& engine, const JobOptions& options, simplify::LevelsDone done) {
        return simplify::SimplifyLevels(engine, model_->id, levels, options, std::move(done));
      },
      [this, self = shared_from_this()](const absl::StatusOr<simplify::LevelsInfo>& info) {
        ForgetIfLost(service(), info.status(), model_->id);
        OnJobDone(info.status());
      });
  return absl::OkStatus();
}

absl::Status LevelStream::Take(simplify::SimplifiedMesh mesh) {
  WY_ASSIGN_OR_RETURN(ByteBudget::Hold hold, service().results.Take(ListBytes(mesh)));
  return Add(
      std::make_unique<LevelPiece>(levels_made_++, std::move(mesh), model_, std::move(hold)));
}

}  // namespace warpyard::server
