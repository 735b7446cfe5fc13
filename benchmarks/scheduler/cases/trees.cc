// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// bench.scheduler.trees: many full binary trees at once, alone and beside small jobs with deadlines
// that come by schedule. It measures nodes a second, how many of them the small jobs cost, and how
// the small jobs are served meanwhile.
//
// An event has all trees. Two callers run such events, so that the device has the next one when one
// event ends. The number of events is fixed, and the small jobs come until the last one has ended:
// a rate in a window of time would depend on what part of an event lies in the window. Both
// measurements take turns, so that clocks and neighbours that change count in both.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "benchmarks/scheduler/cases/contenders.h"
#include "benchmarks/scheduler/cases/counted_jobs.h"
#include "benchmarks/scheduler/cases/open_loop.h"
#include "benchmarks/scheduler/cases/small_jobs.h"
#include "benchmarks/scheduler/session.h"
#include "benchmarks/support/samples.h"
#include "core/base/macros.h"
#include "core/workload/synthetic/synthetic_procedures.h"

namespace warpyard::bench {
namespace {

constexpr unsigned kTreeCallers = 2;
constexpr std::uint32_t kCheckedRoots = 64;  // the oracle takes a second for 512 trees of 16 levels

/// Sizes of all measurements on a machine.
struct Sizes {
  std::uint32_t roots, depths;  // of an event
  double seconds;               // of a measurement, about
  std::uint32_t urgent_ns;      // of an element of a small job
  std::uint64_t period_ns;      // from one small job to the next
  std::uint64_t deadline_ns;
  std::uint64_t spin_ns;  // how long submitters spin
};

Sizes SizesFor(const Bench& bench) {
  if (bench.machine.IsCpu()) {
    return {.roots = 256,
            .depths = static_cast<std::uint32_t>(bench.Scaled(12, 10)),
            .seconds = bench.Scaled(2, 0.2),
            .urgent_ns = 5'000,
            .period_ns = 1'000'000,
            .deadline_ns = 10'000'000,
            .spin_ns = 0};
  }
  return {.roots = 4096,
          .depths = 16,
          .seconds = bench.Scaled(1, 0.2),
          .urgent_ns = 5'000,
          .period_ns = 100'000,
          .deadline_ns = 1'000'000,
          .spin_ns = 200'000};
}

/// What all measurements use.
struct Parts {
  Sizes sizes;
  std::unique_ptr<ScheduledContender> contender;
  synthetic::SyntheticJob trees;
  std::uint32_t events = kTreeCallers;  // of a measurement
  Counters urgent_counters;
  synthetic::SyntheticJob urgent;
  TracedJob traced;  // the same small job

  /// Of a measurement.
  double Nodes() const {
    return events * static_cast<double>(sizes.roots) * ((1u << sizes.depths) - 1);
  }
};

absl::StatusOr<Parts> MakeParts(const Bench& bench) {
  Parts parts;
  parts.sizes = SizesFor(bench);
  WY_ASSIGN_OR_RETURN(
      auto session,
      Session::Create(bench.machine, AlwaysResident(bench, policy::PolicyKind::kEarliestDeadline)));
  const auto blocks = static_cast<std::uint32_t>(session->Blocks());
  parts.contender = std::make_unique<ScheduledContender>(std::move(session));
  parts.trees = TreesJob(parts.sizes.roots, parts.sizes.depths);
  device::Backend& backend = bench.machine.backend();
  WY_ASSIGN_OR_RETURN(parts.urgent_counters, Counters::Create(backend));
  parts.urgent = SmallJob(synthetic::SyntheticKind::kFlatWarps, blocks, parts.sizes.urgent_ns);
  WY_ASSIGN_OR_RETURN(parts.traced, TracedJob::Create(backend, parts.urgent));
  parts.urgent.counting = synthetic::Counting::kElements;
  parts.urgent.results = parts.urgent_counters.device();
  return parts;
}

/// Nodes of trees that the session has executed so far.
double ExecutedNodes(Session& session) {
  constexpr std::uint32_t kFirst =
      synthetic::SyntheticProcedures::IndexOf<synthetic::TreeItem<0>>();
  const model::ModelStatistics statistics = session.model().Statistics();
  std::uint64_t executed = 0;
  for (std::uint32_t type = 0; type < synthetic::kTypes; ++type) {
    executed += statistics.procedures[kFirst + type].executed;
  }
  return static_cast<double>(executed);
}

/// The same of all events that are over. Statistics are late: workers add to them now and then.
double SettledNodes(Session& session) {
  double executed = -1;
  for (int tries = 0; tries < 50; ++tries) {
    const double now = ExecutedNodes(session);
    if (now == executed) break;
    executed = now;
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  return executed;
}

/// Runs all events of a measurement. Returns millions of nodes a second.
absl::StatusOr<double> RunTrees(Parts& parts) {
  const RunJob run = [&](std::uint64_t, unsigned) {
    return parts.contender->session().Run(parts.trees).status();
  };
  const std::uint64_t begin_ns = NowNs();
  const OpenLoop events({begin_ns, 0, parts.events, kTreeCallers, 0}, run);
  const double us = MicrosecondsSince(begin_ns);
  WY_RETURN_IF_ERROR(events.status());
  return parts.Nodes() / us;
}

/// Small jobs that came by schedule.
struct Stream {
  std::vector<double> latencies_ns;  // of all jobs, in the time of the host, from when each was due
  SmallJobTimes times;               // of those that were traced
  double seconds = 0;
  bool correct = false;
};

/// Sends small jobs until `stop` is set. Only one of the threads traces its jobs, because the host
/// would need too long to copy the traces of all jobs.
absl::StatusOr<Stream> RunStream(Parts& parts, const std::atomic<bool>& stop) {
  constexpr unsigned kThreads = 16;
  constexpr std::uint32_t kNoEnd = 1u << 30;
  Stream stream;
  std::uint64_t traced = 0;  // counted by that thread
  const RunJob run = [&](std::uint64_t due_ns, unsigned thread) {
    const std::uint64_t deadline_ns = due_ns + parts.sizes.deadline_ns;
    if (thread != 0) return parts.contender->RunUrgent(parts.urgent, deadline_ns, thread);
    ++traced;
    return parts.traced.Run(parts.contender->session(), deadline_ns, stream.times);
  };
  WY_RETURN_IF_ERROR(parts.urgent_counters.Clear());
  const std::uint64_t begin_ns = NowNs();
  const OpenLoop jobs(
      {begin_ns, parts.sizes.period_ns, kNoEnd, kThreads, parts.sizes.spin_ns, &stop}, run);
  stream.seconds = MicrosecondsSince(begin_ns) * 1e-6;
  WY_RETURN_IF_ERROR(jobs.status());
  stream.latencies_ns = jobs.LatenciesNs();
  WY_ASSIGN_OR_RETURN(stream.correct, HasCounted(parts.urgent_counters, parts.urgent,
                                                 stream.latencies_ns.size() - traced));
  return stream;
}

void AddStream(const Parts& parts, const Stream& stream, Cell& cell) {
  const double per_s = static_cast<double>(stream.latencies_ns.size()) / stream.seconds;
  const double work_s = parts.urgent.elements * parts.urgent.stages * parts.sizes.urgent_ns * 1e-9;
  const auto workers = static_cast<double>(parts.contender->session().Workers());
  cell.Add("urgent_per_s", per_s);
  cell.Add("urgent_work_percent", 100 * per_s * work_s / workers);
  cell.Add("latency_p50_us", Quantile(stream.latencies_ns, 0.5) * 1e-3);
  cell.Add("latency_p99_us", Quantile(stream.latencies_ns, 0.99) * 1e-3);
  AddTimes(stream.times, cell);
  cell.correct &= stream.correct;
}

/// One repetition of both measurements.
absl::Status MeasureBoth(Parts& parts, Cell& cell) {
  Session& session = parts.contender->session();
  const double nodes_before = SettledNodes(session);
  WY_ASSIGN_OR_RETURN(const double alone, RunTrees(parts));
  std::atomic<bool> stop{false};
  std::future<absl::StatusOr<Stream>> running =
      std::async(std::launch::async, [&] { return RunStream(parts, stop); });
  const absl::StatusOr<double> beside = RunTrees(parts);
  stop = true;
  WY_ASSIGN_OR_RETURN(const Stream stream, running.get());
  WY_RETURN_IF_ERROR(beside.status());
  cell.correct &= SettledNodes(session) - nodes_before == 2 * parts.Nodes();
  cell.Add("alone_million_per_s", alone);
  cell.Add("beside_million_per_s", *beside);
  cell.Add("lost_percent", 100 * (1 - *beside / alone));
  AddStream(parts, stream, cell);
  return absl::OkStatus();
}

}  // namespace

absl::Status MeasureTrees(const Bench& bench) {
  WY_ASSIGN_OR_RETURN(Parts parts, MakeParts(bench));
  const Sizes& sizes = parts.sizes;
  Cell cell;
  WY_ASSIGN_OR_RETURN(cell.correct, parts.contender->session().IsRight(TreesJob(
                                        std::min(sizes.roots, kCheckedRoots), sizes.depths)));
  // The warm-up tells how many events fill a measurement.
  WY_ASSIGN_OR_RETURN(const double warm_up, RunTrees(parts));
  const double warm_up_s = parts.Nodes() / warm_up * 1e-6;
  parts.events *= static_cast<std::uint32_t>(std::max(sizes.seconds / warm_up_s, 1.0));
  const double asked_per_s = 1e9 / static_cast<double>(sizes.period_ns);
  cell.On("trees", sizes.roots).On("levels", sizes.depths).On("events", parts.events);
  cell.On("small_per_s", asked_per_s).On("elements", parts.urgent.elements);
  cell.On("element_us", sizes.urgent_ns * 1e-3);
  for (int i = 0; i < bench.Repetitions(); ++i) {
    WY_RETURN_IF_ERROR(MeasureBoth(parts, cell));
  }
  if (!bench.machine.IsCpu()) {
    cell.AtLeast("beside_million_per_s", 18'000);
    cell.AtMost("lost_percent", 3);
    cell.AtLeast("urgent_per_s", 0.99 * asked_per_s);
  }
  bench.report.Add(cell);
  return absl::OkStatus();
}

}  // namespace warpyard::bench
