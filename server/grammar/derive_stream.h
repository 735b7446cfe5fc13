// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// One call of GrammarService.DeriveGrammar.
#ifndef WARPYARD_SERVER_GRAMMAR_DERIVE_STREAM_H_
#define WARPYARD_SERVER_GRAMMAR_DERIVE_STREAM_H_

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "core/api/grammar.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/byte_buffer.h"
#include "server/grammar/grammar_context.h"
#include "server/rpc/job_stream.h"

namespace warpyard::server {

/// Sends the instances of a derivation batch by batch.
///
/// One batch waits while the next one is derived. After that the job waits on its thread until the
/// client has taken the first one: it ends when the job is cancelled, when its deadline or the
/// server's limit of time for a job has passed, or when the client takes nothing for the server's
/// unread timeout.
class DeriveStream final : public JobStream {
 public:
  DeriveStream(GrammarContext& own, grpc::CallbackServerContext& context)
      : JobStream(own.service, context, {own.derive, own.derive_jobs}) {}

 private:
  absl::Status Begin(grpc::ByteBuffer* request) override;
  /// Takes a batch from the job; waits while another one is there.
  /// @errors RESOURCE_EXHAUSTED: the client does not read; CANCELLED; why the call ends
  absl::Status Take(grammar::DerivedBatch batch, const procedure::CancelToken& token);
  absl::Status WaitForRoom(const procedure::CancelToken& token);
  void OnDerived(const absl::StatusOr<grammar::DeriveStatistics>& statistics);

  bool NextPart(grpc::ByteBuffer* part) override;
  void PartIsTaken() override;
  bool HasResults() const override { return !instances_.empty() || statistics_ || sending_; }
  void DropResults() override;

  ResidentTable::Use<GrammarFacts> grammar_;  // stays open until the call ends
  std::condition_variable room_;

  // The lock guards the rest.
  std::vector<grammar::Instance> instances_;  // of the batch that is being sent
  ByteBudget::Hold hold_;
  std::size_t begin_ = 0;                           // of the next part, in the batch
  std::uint64_t sent_ = 0;                          // instances in parts that were made
  std::uint64_t taken_ = 0;                         // parts that the client has taken
  std::optional<v1::DeriveStatistics> statistics_;  // for the last part
  bool sending_ = false;                            // a part is on its way
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_GRAMMAR_DERIVE_STREAM_H_
