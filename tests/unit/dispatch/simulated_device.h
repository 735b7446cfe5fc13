// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A device in simulated time, with clients that send jobs at random times, for tests of admission.
#ifndef WARPYARD_TESTS_UNIT_DISPATCH_SIMULATED_DEVICE_H_
#define WARPYARD_TESTS_UNIT_DISPATCH_SIMULATED_DEVICE_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <vector>

#include "core/dispatch/admission.h"

namespace warpyard::dispatch {

/// The work of a job. @units nanoseconds of one worker
using SimulatedWork = std::function<double(std::mt19937_64&)>;

/// Jobs of one kind that come at random times.
struct SimulatedClient {
  double jobs_per_second = 0;
  double deadline_ns = 0;  ///< from the arrival
  std::uint32_t tenant = 0;
  SimulatedWork work;
  bool is_periodic = false;
};

struct SimulatedCounts {
  double arrived = 0, accepted = 0, refused = 0, met = 0, late = 0, gave_way = 0, given_up = 0;
  double met_ns = 0;      ///< work of jobs that were met
  double arrived_ns = 0;  ///< work of all jobs
};

/// `workers` execute the started jobs with the earliest deadlines, one worker a job. At most
/// `runners` jobs are started; the others wait.
class SimulatedDevice {
 public:
  struct Shape {
    int workers = 1;
    std::size_t runners = 16;
    bool has_admission = true;
    AdmissionOptions admission = {};
  };

  SimulatedDevice(const Shape& shape, std::vector<SimulatedClient> clients, std::uint64_t seed = 1)
      : shape_(shape),
        clients_(std::move(clients)),
        estimates_(clients_.size()),
        random_(seed),
        admission_(shape.admission) {
    for (std::size_t i = 0; i < clients_.size(); ++i) PlanArrival(i, Uniform() * Gap(i));
  }

  /// Goes on for so long; the counts begin anew.
  void Run(double seconds) {
    counts_.assign(clients_.size(), {});
    const double end = now_ + seconds * 1e9;
    while (true) {
      const double arrival = arrivals_.begin()->first;
      const double change = NextChange();
      const double next = std::min(arrival, change);
      if (next > end) break;
      Advance(next);
      if (change <= arrival) {
        EndJobs();
      } else {
        Arrive();
      }
      StartJobs();
    }
    Advance(end);
  }

  const SimulatedCounts& Of(std::size_t client) const { return counts_[client]; }
  SimulatedCounts Sum() const {
    SimulatedCounts sum;
    for (const SimulatedCounts& one : counts_) {
      sum.arrived += one.arrived;
      sum.accepted += one.accepted;
      sum.refused += one.refused;
      sum.met += one.met;
      sum.late += one.late;
      sum.gave_way += one.gave_way;
      sum.given_up += one.given_up;
      sum.met_ns += one.met_ns;
      sum.arrived_ns += one.arrived_ns;
    }
    return sum;
  }
  Admission& admission() { return admission_; }

 private:
  struct Job {
    std::size_t client;
    double work, left;
  };
  using Jobs = std::map<Admission::Key, Job>;  // by deadline

  double Uniform() { return std::uniform_real_distribution<double>(1e-12, 1)(random_); }
  double Gap(std::size_t client) {
    const double mean = 1e9 / clients_[client].jobs_per_second;
    return clients_[client].is_periodic ? mean : -std::log(Uniform()) * mean;
  }
  void PlanArrival(std::size_t client, double after) { arrivals_.emplace(now_ + after, client); }
  std::int64_t NowNs() const { return static_cast<std::int64_t>(now_); }

  /// When a job is done or its deadline passes.
  double NextChange() const {
    double next = 1e300;
    int served = 0;
    for (const auto& [key, job] : started_) {
      if (served++ < shape_.workers) next = std::min(next, now_ + job.left);
      next = std::min(next, static_cast<double>(key.deadline_ns));
    }
    if (!waiting_.empty()) {
      next = std::min(next, static_cast<double>(waiting_.begin()->first.deadline_ns));
    }
    return std::max(next, now_);
  }

  void Advance(double until) {
    int served = 0;
    for (auto& [key, job] : started_) {
      if (served++ < shape_.workers) job.left -= until - now_;
    }
    now_ = until;
  }

  void EndJobs() {
    for (auto entry = started_.begin(); entry != started_.end();) {
      const auto& [key, job] = *entry;
      const bool is_done = job.left <= 1e-3;
      const bool is_late = now_ >= static_cast<double>(key.deadline_ns) && !is_done;
      if (!is_done && !is_late) {
        ++entry;
        continue;
      }
      SimulatedCounts& counts = counts_[job.client];
      counts.met += is_done;
      counts.late += is_late;
      if (is_done) counts.met_ns += job.work;
      admission_.Leave(key, NowNs(),
                       is_done ? Admission::Ending::kMet : Admission::Ending::kMissed);
      entry = started_.erase(entry);
    }
    while (!waiting_.empty() && static_cast<double>(waiting_.begin()->first.deadline_ns) <= now_) {
      GiveUp(waiting_.begin());
    }
  }

  void GiveUp(Jobs::iterator job) {
    ++counts_[job->second.client].given_up;
    admission_.Leave(job->first, NowNs(), Admission::Ending::kGivenUp);
    waiting_.erase(job);
  }

  void Arrive() {
    const std::size_t client = arrivals_.begin()->second;
    arrivals_.erase(arrivals_.begin());
    PlanArrival(client, Gap(client));
    const SimulatedClient& from = clients_[client];
    const double work = from.work(random_);
    SimulatedCounts& counts = counts_[client];
    ++counts.arrived;
    counts.arrived_ns += work;
    const Admission::Key key = {static_cast<std::int64_t>(now_ + from.deadline_ns), ++last_id_};
    if (shape_.has_admission) {
      const Admission::Decision decision =
          admission_.Offer({key, from.tenant, 0, &estimates_[client]}, NowNs());
      for (const Admission::Key& gone : decision.give_way) {
        Jobs& jobs = waiting_.contains(gone) ? waiting_ : started_;
        const auto victim = jobs.find(gone);
        ++counts_[victim->second.client].gave_way;
        jobs.erase(victim);
      }
      if (!decision.accepted) {
        ++counts.refused;
        return;
      }
    }
    ++counts.accepted;
    waiting_.emplace(key, Job{client, work, work});
  }

  void StartJobs() {
    while (!waiting_.empty() && started_.size() < shape_.runners) {
      const auto next = waiting_.begin();
      if (shape_.has_admission && admission_.IsHopeless(next->first, NowNs())) {
        GiveUp(next);
        continue;
      }
      admission_.Start(next->first, NowNs());
      started_.insert(waiting_.extract(next));
    }
  }

  const Shape shape_;
  const std::vector<SimulatedClient> clients_;
  std::vector<WorkEstimate> estimates_;
  std::mt19937_64 random_;
  Admission admission_;
  double now_ = 0;
  std::uint64_t last_id_ = 0;
  std::multimap<double, std::size_t> arrivals_;
  Jobs waiting_, started_;
  std::vector<SimulatedCounts> counts_;
};

inline SimulatedWork Constant(double ns) {
  return [ns](std::mt19937_64&) { return ns; };
}
inline SimulatedWork Exponential(double mean_ns) {
  return [mean_ns](std::mt19937_64& random) {
    return -std::log(std::uniform_real_distribution<double>(1e-12, 1)(random)) * mean_ns;
  };
}
/// One job in ten takes ten times as long as the others.
inline SimulatedWork TwoSizes(double mean_ns) {
  return [mean_ns](std::mt19937_64& random) {
    return random() % 10 == 0 ? 10 * mean_ns / 1.9 : mean_ns / 1.9;
  };
}
inline SimulatedWork Spread(double mean_ns) {
  return [mean_ns](std::mt19937_64& random) {
    return std::uniform_real_distribution<double>(0.5, 1.5)(random) * mean_ns;
  };
}

}  // namespace warpyard::dispatch

#endif  // WARPYARD_TESTS_UNIT_DISPATCH_SIMULATED_DEVICE_H_
