// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// An engine for the grammar benchmarks, with calls that wait.
#ifndef WARPYARD_BENCHMARKS_GRAMMAR_SESSION_H_
#define WARPYARD_BENCHMARKS_GRAMMAR_SESSION_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/support/job_times.h"
#include "core/api/grammar.h"
#include "core/engine/engine.h"

namespace warpyard::grammar_bench {

/// How often something is measured: so often, or as often as the time allows, but at least once.
struct Repeats {
  int most = 5;
  double budget_s = 1e9;
};

/// The last derivation, and the times of all but the first, which takes memory.
struct Measured {
  grammar::DeriveStatistics last;
  bench::Times times;
};

/// @errors INVALID_ARGUMENT: the first error of the text
absl::StatusOr<grammar::CompiledGrammar> Compile(Engine& engine, const std::string& name,
                                                 const std::string& text);

class Session {
 public:
  /// @shape threads: of the CPU backend; 0: one for each core
  static absl::StatusOr<std::unique_ptr<Session>> Create(const std::string& backend, int threads);

  const Engine& engine() const { return *engine_; }

  absl::StatusOr<grammar::CompiledGrammar> Compile(const std::string& name,
                                                   const std::string& text);
  absl::StatusOr<Measured> Measure(ResidentId id, const grammar::DeriveOptions& options,
                                   const Repeats& repeats);
  absl::StatusOr<grammar::DeriveStatistics> Derive(ResidentId id,
                                                   const grammar::DeriveOptions& options);
  /// The next view of a walk.
  absl::StatusOr<grammar::DeriveStatistics> Show(ResidentId id,
                                                 const std::shared_ptr<grammar::Walk>& walk,
                                                 const grammar::View& view);
  absl::Status Close(ResidentId id) { return engine_->Close(id); }

 private:
  explicit Session(std::unique_ptr<Engine> engine) : engine_(std::move(engine)) {}

  const std::unique_ptr<Engine> engine_;
};

/// Counts and times of a derivation, as members of an object.
std::string MembersOf(Measured& measured);

}  // namespace warpyard::grammar_bench

#endif  // WARPYARD_BENCHMARKS_GRAMMAR_SESSION_H_
