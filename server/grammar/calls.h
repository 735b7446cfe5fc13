// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The unary calls of GrammarService.
#ifndef WARPYARD_SERVER_GRAMMAR_CALLS_H_
#define WARPYARD_SERVER_GRAMMAR_CALLS_H_

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "core/api/grammar.h"
#include "server/grammar/grammar_context.h"
#include "server/grammar/part_bytes.h"
#include "server/rpc/unary_call.h"

namespace warpyard::server {

/// GrammarService.CompileGrammar.
class CompileGrammarCall final : public UnaryCall {
 public:
  CompileGrammarCall(GrammarContext& own, grpc::CallbackServerContext& context,
                     grpc::ByteBuffer* response)
      : UnaryCall(own.service, context, {own.compile_grammar, &own.compile_jobs}, response) {}

 private:
  absl::Status Run(grpc::ByteBuffer* request) override;
  void OnCompiled(const absl::StatusOr<grammar::CompiledGrammar>& compiled);
};

/// GrammarService.DeriveGrammarOnce.
class DeriveGrammarOnceCall final : public UnaryCall {
 public:
  DeriveGrammarOnceCall(GrammarContext& own, grpc::CallbackServerContext& context,
                        grpc::ByteBuffer* response)
      : UnaryCall(own.service, context, {own.derive_grammar_once, &own.derive_jobs}, response) {}

 private:
  absl::Status Run(grpc::ByteBuffer* request) override;
  /// Takes a batch from the job. @errors RESOURCE_EXHAUSTED
  absl::Status Take(grammar::DerivedBatch batch);
  void OnDerived(const absl::StatusOr<grammar::DeriveStatistics>& statistics);

  ResidentTable::Use<GrammarFacts> grammar_;  // stays open until the call ends
  // Belong to the job until it has ended.
  std::vector<InstanceRun> batches_;
  std::vector<ByteBudget::Hold> holds_;
  std::size_t bytes_ = 0;  // of the response so far, with the statistics
};

/// GrammarService.CloseGrammar.
class CloseGrammarCall final : public UnaryCall {
 public:
  CloseGrammarCall(GrammarContext& own, grpc::CallbackServerContext& context,
                   grpc::ByteBuffer* response)
      : UnaryCall(own.service, context, {own.close_grammar, nullptr}, response) {}

 private:
  absl::Status Run(grpc::ByteBuffer* request) override;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_GRAMMAR_CALLS_H_
