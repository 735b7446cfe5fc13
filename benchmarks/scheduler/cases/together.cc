// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// bench.scheduler.together: what it costs that events share a device. The case runs one event, two
// and four events without deadlines, and four events that share by time. All elements have the same
// length. They wait for a time that is known, so their rate tells what part of the device executes.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

#include "benchmarks/scheduler/cases/contenders.h"
#include "benchmarks/scheduler/cases/counted_jobs.h"
#include "benchmarks/scheduler/session.h"
#include "core/base/macros.h"

namespace warpyard::bench {
namespace {

/// How the elements of an event lie.
struct Form {
  const char* name;
  synthetic::SyntheticKind kind;
};
constexpr Form kForms[] = {{"packages of a stage", synthetic::SyntheticKind::kFlat},
                           {"chains of packages", synthetic::SyntheticKind::kRecursivePackages},
                           {"warps of a stage", synthetic::SyntheticKind::kFlatWarps}};

struct Scenario {
  Form form;
  std::uint32_t element_us;
  std::uint32_t events;
  policy::PolicyKind policy;
};

/// How long a job would take alone, and how long its rate is measured.
struct Times {
  std::chrono::microseconds job, window;
};

/// @shape capacity: elements that may be executed at the same time
synthetic::SyntheticJob JobOf(const Scenario& scenario, const Times& times, std::uint64_t capacity,
                              const Counters& counters) {
  constexpr std::uint32_t kChainsOfPlace = 4;
  const auto each = static_cast<std::uint32_t>(times.job.count()) / scenario.element_us;
  const auto places = static_cast<std::uint32_t>(capacity);
  synthetic::SyntheticJob job = CountedJob(places * each, scenario.element_us * 1000, counters);
  job.work.spread_permille = kBackgroundSpreadPermille;
  job.kind = scenario.form.kind;
  if (!synthetic::IsFlat(job.kind)) {
    const synthetic::SyntheticJob chains =
        ChainsJob(job.kind, places * kChainsOfPlace, std::max(each / kChainsOfPlace, 1u));
    job.elements = chains.elements;
    job.growth = chains.growth;
  }
  return job;
}

absl::Status MeasureScenario(const Bench& bench, const Scenario& scenario, const Times& times) {
  WY_ASSIGN_OR_RETURN(auto created,
                      Session::Create(bench.machine, AlwaysResident(bench, scenario.policy)));
  ScheduledContender contender(std::move(created));
  Session& session = contender.session();
  const bool is_warps = scenario.form.kind == synthetic::SyntheticKind::kFlatWarps;
  const std::uint64_t capacity = is_warps ? session.Workers() : session.Blocks();
  const synthetic::SyntheticJob job = JobOf(scenario, times, capacity, session.counters());
  Cell cell;
  cell.On("elements", scenario.form.name).On("element_us", scenario.element_us);
  cell.On("events", scenario.events);
  cell.On("policy", scenario.policy == policy::PolicyKind::kFairShare ? "fair share" : "fifo");
  for (int i = 0; i < bench.Repetitions(); ++i) {
    WY_RETURN_IF_ERROR(session.counters().Clear());
    Background events(contender, job, scenario.events);
    std::this_thread::sleep_for(times.job);
    WY_ASSIGN_OR_RETURN(const Look first, LookAt(session.counters()));
    std::this_thread::sleep_for(times.window);
    WY_ASSIGN_OR_RETURN(const Look last, LookAt(session.counters()));
    const std::uint64_t finished = events.Stop();
    WY_RETURN_IF_ERROR(events.status());
    WY_ASSIGN_OR_RETURN(const bool right, HasCounted(session.counters(), job, finished));
    cell.correct &= right;
    const double rate = Rate(first, last);
    cell.Add("million_per_s", rate * 1e-6);
    cell.Add("work_percent",
             100 * rate * scenario.element_us * 1e-6 / static_cast<double>(capacity));
  }
  bench.report.Add(cell);
  return absl::OkStatus();
}

}  // namespace

absl::Status MeasureTogether(const Bench& bench) {
  using std::chrono::milliseconds;
  const bool cpu = bench.machine.IsCpu();
  const Times times = {milliseconds(cpu ? 100 : 20), milliseconds(cpu ? 300 : 50)};
  const std::vector<std::uint32_t> lengths_us =
      cpu ? std::vector<std::uint32_t>{10, 100} : std::vector<std::uint32_t>{2, 10, 50};
  for (const Form& form : kForms) {
    for (const std::uint32_t us : lengths_us) {
      const Scenario scenarios[] = {{form, us, 1, policy::PolicyKind::kFifo},
                                    {form, us, 2, policy::PolicyKind::kFifo},
                                    {form, us, 4, policy::PolicyKind::kFifo},
                                    {form, us, 4, policy::PolicyKind::kFairShare}};
      for (const Scenario& scenario : scenarios) {
        WY_RETURN_IF_ERROR(MeasureScenario(bench, scenario, times));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace warpyard::bench
