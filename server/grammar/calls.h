// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The unary calls of GrammarService.
#ifndef WARPYARD_SERVER_GRAMMAR_CALLS_H_
#define WARPYARD_SERVER_GRAMMAR_CALLS_H_

#include <mutex>
#include <vector>

#include "absl/status/statusor.h"
#include "core/api/grammar.h"
#include "server/grammar/grammar_context.h"
#include "server/rpc/unary_call.h"
#include "warpyard/v1/grammar_service.pb.h"

namespace warpyard::server {

/// GrammarService.CompileGrammar.
class CompileGrammarCall final : public UnaryCall {
 public:
  CompileGrammarCall(GrammarContext& own, const grpc::CallbackServerContext& context,
                     grpc::ByteBuffer* response)
      : UnaryCall(own.service, context, {own.compile, &own.compile_jobs}, response) {}

 private:
  absl::Status Run(grpc::ByteBuffer* request) override;
  void OnCompiled(const absl::StatusOr<grammar::CompiledGrammar>& compiled);
};

/// GrammarService.DeriveGrammarOnce.
class DeriveGrammarOnceCall final : public UnaryCall {
 public:
  DeriveGrammarOnceCall(GrammarContext& own, const grpc::CallbackServerContext& context,
                        grpc::ByteBuffer* response)
      : UnaryCall(own.service, context, {own.derive_once, &own.derive_jobs}, response) {}

 private:
  absl::Status Run(grpc::ByteBuffer* request) override;
  /// Keeps a batch. @errors RESOURCE_EXHAUSTED: the response would be too large
  absl::Status Take(grammar::DerivedBatch batch);
  void OnDerived(const absl::StatusOr<grammar::DeriveStatistics>& statistics);

  ResidentTable::Use<GrammarFacts> grammar_;  // stays open until the call ends
  v1::DeriveGrammarPart response_part_;  // one thread at a time: the job's, then the completion's
};

/// GrammarService.CloseGrammar.
class CloseGrammarCall final : public UnaryCall {
 public:
  CloseGrammarCall(GrammarContext& own, const grpc::CallbackServerContext& context,
                   grpc::ByteBuffer* response)
      : UnaryCall(own.service, context, {own.close, nullptr}, response) {}

 private:
  absl::Status Run(grpc::ByteBuffer* request) override;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_GRAMMAR_CALLS_H_
