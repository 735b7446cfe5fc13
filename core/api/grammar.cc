// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/api/grammar.h"

#include <memory>
#include <utility>

#include "absl/time/clock.h"
#include "core/api/typed_jobs.h"
#include "core/base/macros.h"
#include "core/workload/grammar/code/compiler.h"
#include "core/workload/grammar/derivation/grammar.h"
#include "core/workload/grammar/derivation/walk.h"

namespace warpyard::grammar {
namespace {

/// A grammar with errors is a result, but it is no resident. This ends the job that opens one, and
/// the completion takes it back.
constexpr char kHasErrors[] = "the grammar has errors";

absl::Status Show(const NextView& next, JobContext& context, Resident& resident,
                  DeriveStatistics& statistics) {
  WY_ASSIGN_OR_RETURN(Grammar* const opened, api::OpenedAs<Grammar>(resident, "grammar"));
  JobContext::Runner<DeriveJob> runner(context);
  WY_ASSIGN_OR_RETURN(statistics,
                      next.walk->Show(*opened, runner, next.view, next.take, context.token()));
  PhaseTimes& phases = statistics.phases;
  phases.insert(phases.begin(), {"queue", context.waited()});
  return absl::OkStatus();
}

}  // namespace

JobId Compile(Engine& engine, std::vector<SourceFile> files, const JobOptions& job,
              CompileDone done) {
  auto compiled = std::make_shared<CompiledGrammar>();
  return engine.OpenResident(
      job,
      [files = std::move(files),
       compiled](JobContext& context) -> absl::StatusOr<std::unique_ptr<Resident>> {
        const absl::Time begin = absl::Now();
        Diagnostics diagnostics(files);
        CompiledCode code = CompileFiles(files, diagnostics, context.token());
        // What was told until then would look like all that is wrong.
        if (context.token().Cancelled()) return absl::CancelledError("the job was cancelled");
        compiled->diagnostics = diagnostics.Sorted();
        if (diagnostics.HasErrors()) return absl::FailedPreconditionError(kHasErrors);
        compiled->compiled = true;
        compiled->info = code.info;
        WY_ASSIGN_OR_RETURN(std::unique_ptr<Grammar> opened,
                            Grammar::Open(context.backend(), std::move(code)));
        compiled->phases = {{"queue", context.waited()}, {"compile", absl::Now() - begin}};
        return std::make_unique<api::TypedResident<Grammar>>(std::move(opened));
      },
      [compiled, done = std::move(done)](const absl::StatusOr<ResidentId>& id) {
        const bool has_errors = !compiled->compiled && !compiled->diagnostics.empty();
        if (!id.ok() && !has_errors) return done(id.status());
        if (id.ok()) compiled->id = *id;
        done(std::move(*compiled));
      });
}

JobId Derive(Engine& engine, ResidentId grammar, DeriveOptions options, const JobOptions& job,
             DeriveDone done) {
  auto statistics = std::make_shared<DeriveStatistics>();
  return engine.Run(
      grammar, job,
      [options = std::move(options), statistics](JobContext& context,
                                                 Resident& resident) -> absl::Status {
        WY_ASSIGN_OR_RETURN(Grammar* const opened, api::OpenedAs<Grammar>(resident, "grammar"));
        JobContext::Runner<DeriveJob> runner(context);
        WY_ASSIGN_OR_RETURN(*statistics, opened->Derive(runner, options, context.token()));
        PhaseTimes& phases = statistics->phases;
        phases.insert(phases.begin(), {"queue", context.waited()});
        return absl::OkStatus();
      },
      api::Completion(statistics, std::move(done)));
}

std::shared_ptr<Walk> MakeWalk(DeriveOptions city) {
  return std::make_shared<Walk>(std::move(city));
}

JobId Follow(Engine& engine, ResidentId grammar, NextView next, const JobOptions& job,
             DeriveDone done) {
  auto statistics = std::make_shared<DeriveStatistics>();
  return engine.Run(
      grammar, job,
      [next = std::move(next), statistics](JobContext& context, Resident& resident) {
        return Show(next, context, resident, *statistics);
      },
      api::Completion(statistics, std::move(done)));
}

}  // namespace warpyard::grammar
