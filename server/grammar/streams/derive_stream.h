// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// One call of GrammarService.DeriveGrammar.
#ifndef WARPYARD_SERVER_GRAMMAR_STREAMS_DERIVE_STREAM_H_
#define WARPYARD_SERVER_GRAMMAR_STREAMS_DERIVE_STREAM_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/api/grammar.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/byte_buffer.h"
#include "server/admission/unread_window.h"
#include "server/grammar/grammar_context.h"
#include "server/rpc/part_stream.h"

namespace warpyard::server {

/// Sends the batches of a derivation as its job makes them.
///
/// While the client has not read some megabytes, the job waits in Take on its thread of the engine.
/// It goes on when the client reads. The wait ends with an error when the client cancels, at the
/// call's or the job's deadline, and when the job has taken the engine's time limit of jobs. OnLook
/// ends it earlier where other calls need the room.
class DeriveStream final : public PartStream {
 public:
  /// Call Start instead.
  DeriveStream(GrammarContext& own, grpc::CallbackServerContext& context)
      : PartStream(own.service, context, {own.derive_grammar, own.derive_jobs}),
        window_(own.service.results, kMostUnreadBytes, own.service.unread_timeout) {}

 private:
  /// The client may leave so much unread before the job waits. One batch may be larger.
  static constexpr std::size_t kMostUnreadBytes = std::size_t{8} << 20;

  absl::Status Run(grpc::ByteBuffer* request) override;
  void OnFail(const absl::Status& why) override { window_.Close(why); }
  /// Takes a batch from the job. @errors why the call ends
  absl::Status Take(grammar::DerivedBatch batch, const procedure::CancelToken& token);
  void OnDerived(const absl::StatusOr<grammar::DeriveStatistics>& statistics);

  UnreadWindow window_;
  ResidentTable::Use<GrammarFacts> grammar_;  // stays open until the call ends
  // Belong to the job until it has ended.
  ByteBudget::Hold statistics_hold_;  // taken at once: a result must not be lost at its end
  bool is_unread_ = false;            // the job has ended because the client did not read
  std::uint64_t instances_ = 0;       // so far
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_GRAMMAR_STREAMS_DERIVE_STREAM_H_
