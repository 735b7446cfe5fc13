// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/grammar/session.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "core/base/macros.h"

namespace warpyard::grammar_bench {

using bench::Await;
using grammar::CompiledGrammar;
using grammar::DeriveStatistics;

absl::StatusOr<std::unique_ptr<Session>> Session::Create(const std::string& backend, int threads) {
  EngineOptions options;
  options.backend = backend == "cuda" ? BackendChoice::kCuda : BackendChoice::kCpu;
  options.threads = threads;
  WY_ASSIGN_OR_RETURN(std::unique_ptr<Engine> engine, Engine::Create(options));
  return std::unique_ptr<Session>(new Session(std::move(engine)));
}

absl::StatusOr<CompiledGrammar> Compile(Engine& engine, const std::string& name,
                                        const std::string& text) {
  WY_ASSIGN_OR_RETURN(CompiledGrammar compiled, Await<CompiledGrammar>([&](auto done) {
                        grammar::Compile(engine, {{name, text}}, {}, std::move(done));
                      }));
  if (compiled.compiled) return compiled;
  return absl::InvalidArgumentError(TextOf(compiled.diagnostics.front()));
}

absl::StatusOr<CompiledGrammar> Session::Compile(const std::string& name, const std::string& text) {
  return grammar_bench::Compile(*engine_, name, text);
}

absl::StatusOr<DeriveStatistics> Session::Derive(ResidentId id,
                                                 const grammar::DeriveOptions& options) {
  return Await<DeriveStatistics>(
      [&](auto done) { grammar::Derive(*engine_, id, options, {}, std::move(done)); });
}

absl::StatusOr<Measured> Session::Measure(ResidentId id, const grammar::DeriveOptions& options,
                                          const Repeats& repeats) {
  Measured measured;
  const absl::Time first = absl::Now();
  for (int i = 0; i <= repeats.most; ++i) {
    const absl::Time begin = absl::Now();
    if (i > 1 && begin - first > absl::Seconds(repeats.budget_s)) break;
    WY_ASSIGN_OR_RETURN(measured.last, Derive(id, options));
    if (i != 0) bench::AddPhases(measured.last.phases, begin, measured.times);
  }
  return measured;
}

absl::StatusOr<DeriveStatistics> Session::Show(ResidentId id,
                                               const std::shared_ptr<grammar::Walk>& walk,
                                               const grammar::View& view) {
  const auto take_change = [](const grammar::ViewChange&, const procedure::CancelToken&) {
    return absl::OkStatus();
  };
  return Await<DeriveStatistics>([&](auto done) {
    grammar::Follow(*engine_, id, {walk, view, {take_change, nullptr}}, {}, std::move(done));
  });
}

std::string MembersOf(Measured& measured) {
  const DeriveStatistics& last = measured.last;
  return absl::StrFormat(
      "\"nodes\": %d, \"terminals\": %d, \"triangles\": %d, \"coarse\": %d, \"batches\": %d, "
      "\"memory_bytes\": %d, \"checksum\": \"%016x\", \"repeats\": %d,\n   \"milliseconds\": %s",
      last.nodes, last.terminals, last.triangles, last.coarse, last.batches, last.memory_bytes,
      last.checksum, measured.times["job"].size(), bench::Json(measured.times));
}

}  // namespace warpyard::grammar_bench
