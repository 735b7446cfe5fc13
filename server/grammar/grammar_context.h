// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The objects that every call of GrammarService uses.
#ifndef WARPYARD_SERVER_GRAMMAR_GRAMMAR_CONTEXT_H_
#define WARPYARD_SERVER_GRAMMAR_GRAMMAR_CONTEXT_H_

#include "absl/strings/str_cat.h"
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
  JobSeries& follow_jobs = service.metrics.AddJobs("grammar_follow", grammar::kFollowPhases);
  MethodSeries& compile_grammar = AddMethod("CompileGrammar");
  MethodSeries& derive_grammar = AddMethod("DeriveGrammar");
  MethodSeries& derive_grammar_once = AddMethod("DeriveGrammarOnce");
  MethodSeries& follow_camera = AddMethod("FollowCamera");
  MethodSeries& close_grammar = AddMethod("CloseGrammar");

 private:
  MethodSeries& AddMethod(const char* method) {
    return service.metrics.AddMethod(
        absl::StrCat(v1::GrammarService::service_full_name(), "/", method));
  }
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_GRAMMAR_GRAMMAR_CONTEXT_H_
