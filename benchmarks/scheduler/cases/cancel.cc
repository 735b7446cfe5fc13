// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// bench.scheduler.cancel: the time from the cancel of a running event until its caller knows that
// nothing of the event runs any more.
#include <chrono>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "benchmarks/scheduler/session.h"
#include "benchmarks/support/samples.h"
#include "core/base/macros.h"

namespace warpyard::bench {
namespace {

constexpr std::uint32_t kPackageNs = 10'000;
constexpr std::chrono::seconds kLimit{20};

/// Microseconds from the cancel of an event, which has run for a while, to its end.
absl::StatusOr<double> CancelOnce(Session& session, const synthetic::SyntheticJob& job) {
  procedure::CancelToken token;
  std::uint64_t end_ns = 0;
  absl::Status end;
  std::thread caller([&] {
    end = session.model().Run(job, {}, token).status();
    end_ns = NowNs();
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(3));
  const bool running = session.model().Statistics().running_events == 1;
  const std::uint64_t begin_ns = NowNs();
  token.Cancel();
  caller.join();  // bounded by the model's limit of an event
  if (!running || !absl::IsCancelled(end)) {
    return absl::InternalError("the event ended by itself: " + end.ToString());
  }
  return static_cast<double>(end_ns - begin_ns) * 1e-3;
}

absl::Status MeasureJob(const Bench& bench, Session& session, const std::string& name,
                        synthetic::SyntheticJob job) {
  job.work = {synthetic::WorkKind::kSpin, kPackageNs, 0, 0, nullptr};
  Cell cell;
  cell.On("event", name).On("package_ns", kPackageNs);
  const int cancels = bench.quick ? 5 : 20;  // for each repetition
  for (int i = 0; i < bench.Repetitions(); ++i) {
    std::vector<double> us;
    for (int k = 0; k < cancels; ++k) {
      WY_ASSIGN_OR_RETURN(const double one, CancelOnce(session, job));
      us.push_back(one);
    }
    cell.Add("p50_us", Median(us));
    cell.Add("max_us", Quantile(us, 1));
  }
  // The next event must execute as if nothing had happened.
  const synthetic::SyntheticJob next =
      ChainsJob(synthetic::SyntheticKind::kRecursivePackages, 1000, 10);
  WY_ASSIGN_OR_RETURN(cell.correct, session.IsRight(next));
  cell.AtMost("max_us", 1000);
  bench.report.Add(cell);
  return absl::OkStatus();
}

}  // namespace

absl::Status MeasureCancel(const Bench& bench) {
  WY_ASSIGN_OR_RETURN(
      const auto session,
      Session::Create(bench.machine, AlwaysResident(bench, policy::PolicyKind::kService)));
  // More than a second of work.
  const auto packages = static_cast<std::uint32_t>(session->Workers() * 100'000);
  WY_RETURN_IF_ERROR(
      MeasureJob(bench, *session, "flat", FlatJob(packages, synthetic::WorkKind::kSpin, 0)));
  WY_RETURN_IF_ERROR(
      MeasureJob(bench, *session, "recursive packages",
                 ChainsJob(synthetic::SyntheticKind::kRecursivePackages, 10'000, kEndless)));
  return MeasureJob(bench, *session, "recursive items",
                    ChainsJob(synthetic::SyntheticKind::kRecursiveItems, 100'000, kEndless));
}

}  // namespace warpyard::bench
