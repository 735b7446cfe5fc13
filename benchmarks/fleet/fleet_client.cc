// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/fleet/fleet_client.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <queue>
#include <random>
#include <thread>
#include <utility>

#include "absl/time/clock.h"
#include "benchmarks/support/engine_runs.h"
#include "core/base/status_facts.h"

namespace warpyard::fleet_bench {
namespace {

/// Shorter waits do not sleep: a thread that slept wakes up too late.
constexpr absl::Duration kSleepFrom = absl::Microseconds(150);

void WaitUntil(absl::Time due) {
  while (true) {
    const absl::Duration left = due - absl::Now();
    if (left <= absl::ZeroDuration()) return;
    if (left > kSleepFrom) {
      absl::SleepFor(left - kSleepFrom / 2);
    } else {
      std::this_thread::yield();
    }
  }
}

Priority PriorityOf(absl::Duration deadline, const std::vector<absl::Duration>& all) {
  const auto nearer =
      std::count_if(all.begin(), all.end(), [&](absl::Duration other) { return other < deadline; });
  const auto quarter = static_cast<std::size_t>(nearer) * kPriorities / all.size();
  return static_cast<Priority>(kPriorities - 1 - quarter);
}

/// Sends the steps of each `threads`-th client from `first` on.
void SendSteps(const OpenLoop& loop, const std::vector<std::unique_ptr<FleetClient>>& clients,
               std::size_t first, absl::Time begin) {
  using Arrival = std::pair<absl::Time, std::size_t>;
  std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> arrivals;
  std::mt19937_64 random(first + 1);
  const auto uniform = [&random] {
    return std::uniform_real_distribution<double>(1e-12, 1)(random);
  };
  std::vector<JobOptions> jobs(clients.size());
  for (std::size_t i = first; i < clients.size(); i += static_cast<std::size_t>(loop.threads)) {
    arrivals.push({begin + absl::Seconds(uniform() / loop.steps_per_second[i]), i});
    if (loop.telling.priorities) jobs[i].priority = PriorityOf(loop.deadlines[i], loop.deadlines);
  }
  while (!arrivals.empty()) {
    const auto [due, i] = arrivals.top();
    arrivals.pop();
    if (due > begin + loop.time) continue;
    WaitUntil(due);
    if (loop.telling.deadlines) jobs[i].deadline = due + loop.deadlines[i];
    clients[i]->Send(due, loop.deadlines[i], jobs[i]);
    const double gap = (loop.is_periodic ? 1 : -std::log(uniform())) / loop.steps_per_second[i];
    arrivals.push({due + absl::Seconds(gap), i});
  }
}

}  // namespace

void StepCounts::Add(const StepCounts& other) {
  asked += other.asked;
  met += other.met;
  refused += other.refused;
  full += other.full;
  late += other.late;
  overdue += other.overdue;
  failed += other.failed;
  latencies_ms.insert(latencies_ms.end(), other.latencies_ms.begin(), other.latencies_ms.end());
  refusals_us.insert(refusals_us.end(), other.refusals_us.begin(), other.refusals_us.end());
}

absl::Status FleetClient::Open() {
  collision::SceneDescription description;
  description.positions = Frame(0);
  description.triangles = scene_.triangles;
  description.vertex_groups = scene_.vertex_groups;
  if (!scene_.vertex_groups.empty()) description.group_rule = ccd::GroupRule::kDifferent;
  const auto info = collision_bench::OpenAndWait(engine_, description);
  if (info.ok()) id_ = info->id;
  return info.status();
}

ccd::PositionsView FleetClient::Frame(std::size_t i) const {
  const std::vector<float>& frame = scene_.frames[i % scene_.frames.size()];
  return {ccd::ScalarType::kFloat32, frame.data(), frame.size() / 3};
}

/// With its start: the step before may not have been done.
collision::StepDescription FleetClient::NextStep() {
  ++step_;
  // The last frame does not lead to the first.
  const std::size_t from = step_ % (scene_.frames.size() - 1);
  return {Frame(from + 1), Frame(from), options_};
}

void FleetClient::StartClosedLoop() {
  stopped_ = false;
  ++running_;
  SendNext();
}

void FleetClient::SendNext() {
  const absl::Time begin = absl::Now();
  collision::Step(engine_, id_, NextStep(), JobOptions(), [this, begin](const auto& result) {
    Count(result.status(), begin, absl::InfiniteFuture(), begin);
    if (stopped_ || !result.ok()) {
      --running_;
    } else {
      SendNext();
    }
  });
}

void FleetClient::Send(absl::Time due, absl::Duration deadline, const JobOptions& job) {
  ++running_;
  const absl::Time called = absl::Now();
  collision::Step(engine_, id_, NextStep(), job,
                  [this, due, until = due + deadline, called](const auto& result) {
                    Count(result.status(), due, until, called);
                    --running_;
                  });
}

void FleetClient::Count(const absl::Status& status, absl::Time due, absl::Time deadline,
                        absl::Time called) {
  const absl::Time now = absl::Now();
  const std::lock_guard lock(mutex_);
  ++counts_.asked;
  if (absl::IsDeadlineExceeded(status) && called >= deadline) {
    ++counts_.overdue;
  } else if (status.ok()) {
    ++(now <= deadline ? counts_.met : counts_.late);
    counts_.latencies_ms.push_back(absl::ToDoubleMilliseconds(now - due));
  } else if (CauseOf(status) == Cause::kDeadlineUnreachable) {
    ++counts_.refused;
    counts_.refusals_us.push_back(absl::ToDoubleMicroseconds(now - called));
  } else if (CauseOf(status) == Cause::kPendingJobs) {
    ++counts_.full;
  } else if (absl::IsDeadlineExceeded(status)) {
    ++counts_.late;
  } else {
    ++counts_.failed;
    status_.Update(status);
  }
}

StepCounts FleetClient::Take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(counts_, StepCounts());
}

absl::Status FleetClient::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

absl::Status AwaitAll(const std::vector<std::unique_ptr<FleetClient>>& clients) {
  const absl::Time limit = absl::Now() + absl::Minutes(2);
  for (const auto& client : clients) {
    while (client->Running() != 0) {
      if (absl::Now() > limit) return absl::DeadlineExceededError("steps do not end");
      absl::SleepFor(absl::Microseconds(100));
    }
    if (absl::Status status = client->status(); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status RunOpenLoop(const OpenLoop& loop,
                         const std::vector<std::unique_ptr<FleetClient>>& clients) {
  const absl::Time begin = absl::Now() + absl::Milliseconds(5);
  std::vector<std::thread> threads;
  for (int i = 0; i < loop.threads; ++i) {
    threads.emplace_back([&, i] { SendSteps(loop, clients, static_cast<std::size_t>(i), begin); });
  }
  for (std::thread& thread : threads) thread.join();
  return AwaitAll(clients);
}

}  // namespace warpyard::fleet_bench
