// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/grammar/derive_stream.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "core/base/macros.h"
#include "server/grammar/convert.h"
#include "server/grammar/derive_request.h"
#include "server/rpc/wire.h"

namespace warpyard::server {
namespace {

/// Instances in one message: 1 MiB.
constexpr std::size_t kMaxPartInstances = (std::size_t{1} << 20) / sizeof(grammar::Instance);

/// A job that waits for its client looks so often whether it was cancelled.
constexpr auto kLookInterval = std::chrono::milliseconds(10);

}  // namespace

absl::Status DeriveStream::Begin(grpc::ByteBuffer* request) {
  v1::DeriveGrammarRequest message;
  WY_RETURN_IF_ERROR(Parse(request, &message));
  WY_ASSIGN_OR_RETURN(grammar_, service().residents.Find<GrammarFacts>(message.grammar()));
  WY_ASSIGN_OR_RETURN(grammar::DeriveOptions options,
                      ToDeriveOptions(message, grammar_->facts.info));
  WY_ASSIGN_OR_RETURN(const JobOptions job, ToJobOptions(message.job(), Times()));
  grammar::TakeBatch take;
  if (!message.statistics_only()) {
    take = [this, self = shared_from_this()](grammar::DerivedBatch batch,
                                             const procedure::CancelToken& token) {
      return Take(std::move(batch), token);
    };
  }
  service().jobs.Run<grammar::DeriveStatistics>(
      Ticket(job),
      [&](Engine& engine, const JobOptions& its_options, grammar::DeriveDone done) {
        return grammar::Derive(engine, grammar_->id, std::move(options), std::move(take),
                               its_options, std::move(done));
      },
      [this, self = shared_from_this()](
          const absl::StatusOr<grammar::DeriveStatistics>& statistics) { OnDerived(statistics); });
  return absl::OkStatus();
}

absl::Status DeriveStream::Take(grammar::DerivedBatch batch, const procedure::CancelToken& token) {
  if (batch.instances.empty()) return absl::OkStatus();
  const std::size_t bytes = batch.instances.size() * sizeof(grammar::Instance);
  WY_RETURN_IF_ERROR(WaitForRoom(token));
  WY_ASSIGN_OR_RETURN(ByteBudget::Hold hold, service().results.Take(bytes));
  {
    const std::lock_guard lock(mutex());
    if (failure()) return *failure();
    instances_ = std::move(batch.instances);
    hold_ = std::move(hold);
    begin_ = 0;
  }
  Advance();
  return absl::OkStatus();
}

absl::Status DeriveStream::WaitForRoom(const procedure::CancelToken& token) {
  std::unique_lock lock(mutex());
  std::uint64_t taken = taken_;
  absl::Time since = absl::Now();
  while (!instances_.empty()) {
    if (failure()) return *failure();
    if (token.Cancelled()) return absl::CancelledError("the job was cancelled");
    if (taken_ != taken) {
      taken = taken_;
      since = absl::Now();
    } else if (absl::Now() - since > service().unread_timeout) {
      return absl::ResourceExhaustedError(absl::StrCat(
          "the client has read nothing for ", absl::FormatDuration(service().unread_timeout)));
    }
    room_.wait_for(lock, kLookInterval);
  }
  return absl::OkStatus();
}

void DeriveStream::OnDerived(const absl::StatusOr<grammar::DeriveStatistics>& statistics) {
  if (statistics.ok()) {
    v1::DeriveStatistics message;
    ToProto(*statistics, &message);
    const std::lock_guard lock(mutex());
    statistics_ = std::move(message);
  }
  // Parts that wait come first, also before an error.
  OnJobDone(statistics.status());
}

bool DeriveStream::NextPart(grpc::ByteBuffer* part) {
  v1::DeriveGrammarPart message;
  const std::size_t count = std::min(instances_.size() - begin_, kMaxPartInstances);
  // A batch that is on its way as a whole leaves when its last part is taken.
  if (count == 0 && !(instances_.empty() && statistics_)) return false;
  message.set_first_instance(sent_);
  message.set_instances(instances_.data() + begin_, count * sizeof(grammar::Instance));
  begin_ += count;
  sent_ += count;
  if (count == 0) {
    message.mutable_statistics()->Swap(&*statistics_);
    statistics_.reset();
  }
  sending_ = true;
  const absl::Status status = Serialize(message, part);
  WY_ASSERT(status.ok());
  return true;
}

void DeriveStream::PartIsTaken() {
  sending_ = false;
  ++taken_;
  if (begin_ == instances_.size()) DropResults();
}

void DeriveStream::DropResults() {
  instances_.clear();
  hold_.reset();
  begin_ = 0;
  room_.notify_all();
}

}  // namespace warpyard::server
