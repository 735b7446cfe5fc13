// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// bench.scheduler.quota: how soon four tenants get 10, 20, 30 and 40 % of the device, and how
// closely they keep these shares. [Steinberger §5.2.5]
//
// Each tenant has one event of packages that follow each other until it is cancelled, or of one
// long stage of packages or of elements of a warp. The packages of tenants differ in length, and
// their traces say which event executed when.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "benchmarks/scheduler/cases/job_trace.h"
#include "benchmarks/scheduler/cases/time_shares.h"
#include "benchmarks/scheduler/session.h"
#include "benchmarks/support/samples.h"
#include "core/base/macros.h"

namespace warpyard::bench {
namespace {

constexpr std::size_t kTenants = 4;
/// Mean length of a tenant's packages relative to the mean of all, and the spread of single
/// packages.
constexpr double kLengths[kTenants] = {0.5, 1.5, 0.75, 1.25};
constexpr std::uint32_t kSpreadPermille = 500;
/// More packages than a device executes in the time.
constexpr std::uint32_t kLongStage = 1u << 30;

/// Chains are endless and follow each other; a stage is one of very many elements.
struct Form {
  const char* name;
  synthetic::SyntheticKind kind;
  bool is_stage;
};
constexpr Form kChains{"chains", synthetic::SyntheticKind::kRecursivePackages, false};
constexpr Form kStage{"stage", synthetic::SyntheticKind::kFlat, true};
constexpr Form kWarps{"stage of warps", synthetic::SyntheticKind::kFlatWarps, true};

struct Scenario {
  Form form;
  std::uint32_t fma;
  double reached_ms;
  double window_ms;
  double run_ms;
  std::uint32_t trace_entries;  // of an event
};

/// The traces of the four events.
using Tenants = std::vector<JobTrace>;

absl::StatusOr<Tenants> MakeTenants(device::Backend& backend, const Scenario& scenario) {
  Tenants tenants;
  for (std::size_t i = 0; i < kTenants; ++i) {
    WY_ASSIGN_OR_RETURN(JobTrace trace, JobTrace::Create(backend, scenario.trace_entries));
    tenants.push_back(std::move(trace));
  }
  return tenants;
}

synthetic::SyntheticJob JobOf(const Tenants& tenants, std::size_t i, const Scenario& scenario,
                              std::uint32_t chains) {
  synthetic::SyntheticJob job = ChainsJob(scenario.form.kind, chains, kEndless);
  if (scenario.form.is_stage) job.elements = kLongStage;
  job.seed = static_cast<std::uint32_t>(i);
  job.work = {synthetic::WorkKind::kFma, static_cast<std::uint32_t>(scenario.fma * kLengths[i]),
              kSpreadPermille, 0, nullptr};
  tenants[i].Attach(job);
  return job;
}

/// Runs the four events until they have run long enough. @errors when one ended for another reason
absl::Status RunTenants(Session& session, const Tenants& tenants, const Scenario& scenario,
                        std::uint32_t chains) {
  procedure::CancelToken token;
  std::mutex mutex;
  absl::Status wrong;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kTenants; ++i) {
    threads.emplace_back([&, i] {
      policy::EventAttributes attributes;
      attributes.tenant = static_cast<std::uint32_t>(i);
      const absl::Status end =
          session.model().Run(JobOf(tenants, i, scenario, chains), attributes, token).status();
      std::lock_guard lock(mutex);
      if (!absl::IsCancelled(end)) {
        wrong.Update(absl::InternalError("an endless event ended: " + end.ToString()));
      }
    });
  }
  std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(scenario.run_ms));
  token.Cancel();
  for (std::thread& thread : threads) thread.join();
  return wrong;
}

/// The traces, as far as they were written. Sets `correct` if the number of begun elements equals
/// the counted number.
absl::StatusOr<Traces> ReadTraces(const Tenants& tenants, bool& correct) {
  Traces traces;
  for (const JobTrace& tenant : tenants) {
    WY_ASSIGN_OR_RETURN(TracedElements elements, tenant.Read());
    correct &= elements.started == elements.totals.executed && elements.started > 0;
    traces.push_back(std::move(elements.entries));
  }
  return traces;
}

void AddCurves(const TimeShares& shares, Cell& cell) {
  for (std::size_t i = 0; i < shares.shares.size(); ++i) {
    Curve curve{"tenant_" + std::to_string(i + 1) + "_percent_by_ms", {}, {}};
    for (std::size_t w = 0; w < shares.Windows(); ++w) {
      curve.x.push_back(shares.EndMs(w));
      curve.y.push_back(shares.shares[i][w]);
    }
    cell.curves.push_back(curve);
  }
}

absl::Status MeasureScenario(const Bench& bench, policy::PolicyKind policy,
                             const Scenario& scenario) {
  const std::vector<double> targets = {10, 20, 30, 40};
  const std::uint32_t chains = bench.machine.IsCpu() ? 100 : 1000;
  WY_ASSIGN_OR_RETURN(Tenants tenants, MakeTenants(bench.machine.backend(), scenario));
  model::ResidentOptions options = AlwaysResident(bench, policy);
  for (std::uint32_t i = 0; i < kTenants; ++i) options.policy.weights[i] = i + 1;
  WY_ASSIGN_OR_RETURN(const auto session, Session::Create(bench.machine, options));
  const bool quota = policy == policy::PolicyKind::kQuota;
  Cell cell;
  cell.On("policy", quota ? "quota" : "fair share").On("fma", scenario.fma);
  cell.On("packages", scenario.form.name);
  cell.On("window_ms", scenario.window_ms);
  for (int i = 0; i < bench.Repetitions(); ++i) {
    for (JobTrace& tenant : tenants) WY_RETURN_IF_ERROR(tenant.Clear());
    WY_RETURN_IF_ERROR(RunTenants(*session, tenants, scenario, chains));
    WY_ASSIGN_OR_RETURN(const Traces traces, ReadTraces(tenants, cell.correct));
    const TimeShares shares = SharesOf(traces, scenario.window_ms * 1e6);
    cell.Add("reached_ms", shares.ReachedMs(targets, 1));
    cell.Add("worst_points_after", shares.WorstPoints(targets, scenario.reached_ms));
    cell.Add("packages_at_once", shares.at_once);
    cell.Add("traced_ms", static_cast<double>(shares.Windows()) * scenario.window_ms);
    if (i == 0) AddCurves(shares, cell);
  }
  if (quota && !bench.machine.IsCpu()) {
    cell.AtMost("reached_ms", scenario.reached_ms);
    cell.AtMost("worst_points_after", 1);
  }
  bench.report.Add(cell);
  return absl::OkStatus();
}

}  // namespace

absl::Status MeasureQuota(const Bench& bench) {
  std::vector<Scenario> scenarios = {
      {kChains, 500, 1, 0.25, 20, 3'000'000}, {kChains, 8000, 7, 1, 60, 2'000'000},
      {kStage, 500, 1, 0.25, 20, 3'000'000},  {kStage, 8000, 7, 1, 60, 2'000'000},
      {kWarps, 500, 1, 0.25, 20, 6'000'000},  {kWarps, 8000, 7, 1, 60, 4'000'000}};
  if (bench.machine.IsCpu()) {
    scenarios = {{kChains, 500, 100, 50, 600, 1'000'000}, {kChains, 8000, 100, 50, 600, 200'000},
                 {kStage, 500, 100, 50, 600, 1'000'000},  {kStage, 8000, 100, 50, 600, 200'000},
                 {kWarps, 500, 100, 50, 600, 1'000'000},  {kWarps, 8000, 100, 50, 600, 200'000}};
  }
  for (const Scenario& scenario : scenarios) {
    for (const auto policy : {policy::PolicyKind::kQuota, policy::PolicyKind::kFairShare}) {
      WY_RETURN_IF_ERROR(MeasureScenario(bench, policy, scenario));
    }
  }
  return absl::OkStatus();
}

}  // namespace warpyard::bench
