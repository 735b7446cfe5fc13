// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/grammar/streams/derive_stream.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "core/base/macros.h"
#include "server/grammar/convert.h"
#include "server/grammar/derive_request.h"
#include "server/grammar/part_bytes.h"
#include "server/grammar/streams/batch_piece.h"

namespace warpyard::server {
namespace {

/// Of the device's memory for a part of a city: its instances, an ordered copy of them, and what
/// waits for the client are memory of the server, too.
constexpr std::uint64_t kBatchBytes = std::uint64_t{256} << 20;

/// The last part.
class StatisticsPiece final : public PartStream::Piece {
 public:
  StatisticsPiece(const grammar::DeriveStatistics& statistics, std::uint64_t instances,
                  ByteBudget::Hold hold)
      : hold_(std::move(hold)) {
    part_.set_first_instance(instances);
    ToProto(statistics, part_.mutable_statistics());
  }

  grpc::ByteBuffer Next() override {
    done_ = true;
    return PartBytes({}, part_);
  }
  bool done() const override { return done_; }

 private:
  v1::DeriveGrammarPart part_;
  const ByteBudget::Hold hold_;
  bool done_ = false;
};

}  // namespace

absl::Status DeriveStream::Run(grpc::ByteBuffer* request) {
  WY_ASSIGN_OR_RETURN(DeriveRequest derive, ReadDeriveRequest(service(), facts(), request));
  grammar_ = derive.grammar;
  const std::size_t bytes = StatisticsBytes(grammar_->facts.info, derive.options.parcels.size());
  WY_ASSIGN_OR_RETURN(statistics_hold_, service().results.Take(bytes));
  derive.options.batch_bytes = kBatchBytes;
  StartDerivation(
      service().jobs, Ticket(derive.job), derive,
      [this, self = shared_from_this()](grammar::DerivedBatch batch,
                                        const procedure::CancelToken& token) {
        return Take(std::move(batch), token);
      },
      [this, self = shared_from_this()](
          const absl::StatusOr<grammar::DeriveStatistics>& statistics) { OnDerived(statistics); });
  return absl::OkStatus();
}

absl::Status DeriveStream::Take(grammar::DerivedBatch batch, const procedure::CancelToken& token) {
  if (batch.instances.empty()) return absl::OkStatus();
  const std::uint64_t first = instances_;
  instances_ += batch.instances.size();
  const std::size_t bytes = batch.instances.size() * sizeof(grammar::Instance);
  absl::StatusOr<ByteBudget::Hold> hold = window_.Take(bytes, token);
  is_unread_ = !hold.ok();
  WY_RETURN_IF_ERROR(hold.status());
  return Add(std::make_unique<BatchPiece<v1::DeriveGrammarPart>>(
      std::move(batch.instances),
      [first](std::size_t begin, v1::DeriveGrammarPart& part) {
        part.set_first_instance(first + begin);
      },
      *std::move(hold), window_));
}

void DeriveStream::OnDerived(const absl::StatusOr<grammar::DeriveStatistics>& statistics) {
  absl::Status status = statistics.status();
  // The client would not get the status behind parts that it does not read. A deadline ends the
  // call in any case: also where the job has not waited, because it computed.
  if (is_unread_ || absl::IsDeadlineExceeded(status)) Abort(status);
  if (status.ok()) {
    status = Add(
        std::make_unique<StatisticsPiece>(*statistics, instances_, std::move(statistics_hold_)));
  }
  OnJobDone(status);
}

}  // namespace warpyard::server
