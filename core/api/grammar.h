// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Shape grammars on an engine: grammars that are compiled once, and derivations of cities.
//
// server/grammar validates untrusted requests first, so that errors name the fields of a request.
#ifndef WARPYARD_CORE_API_GRAMMAR_H_
#define WARPYARD_CORE_API_GRAMMAR_H_

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/base/ids.h"
#include "core/base/phase_times.h"
#include "core/engine/engine.h"
#include "core/workload/grammar/grammar_types.h"
#include "core/workload/grammar/language/diagnostics.h"

namespace warpyard::grammar {

/// The phases in the results of the jobs below.
inline constexpr std::string_view kCompilePhases[] = {"queue", "compile"};
inline constexpr std::string_view kDerivePhases[] = {"queue",    "compare", "copy_in", "derive",
                                                     "copy_out", "order",   "take"};

/// A compiled grammar, or the reasons why there is none.
struct CompiledGrammar {
  ResidentId id;
  GrammarInfo info;
  std::vector<Diagnostic> diagnostics;  ///< warnings, too
  bool compiled = false;                ///< otherwise there is no resident
  PhaseTimes phases;
};

inline const PhaseTimes& PhasesOf(const CompiledGrammar& compiled) { return compiled.phases; }
inline const PhaseTimes& PhasesOf(const DeriveStatistics& statistics) { return statistics.phases; }

using CompileDone = std::function<void(absl::StatusOr<CompiledGrammar>)>;
using DeriveDone = std::function<void(absl::StatusOr<DeriveStatistics>)>;

/// Compiles a grammar, whose main file is the first, and puts its code on a device. Errors of the
/// text are a result, not an error; Engine::Close frees the grammar.
/// @errors as Engine::OpenResident
JobId Compile(Engine& engine, std::vector<SourceFile> files, const JobOptions& job,
              CompileDone done);

/// Derives a grammar on parcels. `options.take` gets batches on a thread of the engine before
/// `done` runs; other derivations of the grammar wait for it.
/// @errors as Engine::Run and Grammar::Derive, and INVALID_ARGUMENT (a resident that is no grammar)
JobId Derive(Engine& engine, ResidentId grammar, DeriveOptions options, const JobOptions& job,
             DeriveDone done);

/// A camera's way through a city.
class Walk;
std::shared_ptr<Walk> MakeWalk(DeriveOptions city);

struct NextView {
  std::shared_ptr<Walk> walk;  ///< no other view of it is under way
  View view;
  TakeView take;
};

/// Derives what a view changes; see Walk::Show. After an error the walk is over.
/// @errors as Derive
JobId Follow(Engine& engine, ResidentId grammar, NextView next, const JobOptions& job,
             DeriveDone done);

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_API_GRAMMAR_H_
