// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The objects that every call of GrammarService uses.
#ifndef WARPYARD_SERVER_GRAMMAR_GRAMMAR_CONTEXT_H_
#define WARPYARD_SERVER_GRAMMAR_GRAMMAR_CONTEXT_H_

#include "core/api/grammar.h"
#include "server/rpc/service_context.h"
#include "warpyard/v1/grammar_service.grpc.pb.h"

namespace warpyard::server {

/// What calls must know of a grammar.
struct GrammarFacts {
  static constexpr const char* kNoun = "grammar";

  /// Requests name its attributes and styles.
  grammar::GrammarInfo info;
};

/// Outlives every call.
struct GrammarContext {
  explicit GrammarContext(const ServiceContext& context) : service(context) {}

  ServiceContext service;
  JobSeries& compile_jobs = service.metrics.AddJobs("grammar_compile", grammar::kCompilePhases);
  JobSeries& derive_jobs = service.metrics.AddJobs("grammar_derive", grammar::kDerivePhases);
  JobSeries& follow_jobs = service.metrics.AddJobs("grammar_follow", grammar::kDerivePhases);
  MethodSeries& compile_grammar = service.metrics.AddMethod<v1::GrammarService>("CompileGrammar");
  MethodSeries& derive_grammar = service.metrics.AddMethod<v1::GrammarService>("DeriveGrammar");
  MethodSeries& derive_grammar_once =
      service.metrics.AddMethod<v1::GrammarService>("DeriveGrammarOnce");
  MethodSeries& follow_camera = service.metrics.AddMethod<v1::GrammarService>("FollowCamera");
  MethodSeries& close_grammar = service.metrics.AddMethod<v1::GrammarService>("CloseGrammar");
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_GRAMMAR_GRAMMAR_CONTEXT_H_
