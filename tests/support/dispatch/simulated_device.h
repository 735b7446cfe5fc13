// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A device in simulated time, with clients that send jobs at random times, for tests of admission.
#ifndef WARPYARD_TESTS_SUPPORT_DISPATCH_SIMULATED_DEVICE_H_
#define WARPYARD_TESTS_SUPPORT_DISPATCH_SIMULATED_DEVICE_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <vector>

#include "core/dispatch/admission/admission.h"

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

/// Events execute the started jobs: each event some jobs, one after another, and then all of them
/// have ended. `workers` serve the events with the earliest deadlines, one worker an event. At most
/// `runners` jobs are started; the others wait.
class SimulatedDevice {
 public:
  struct Shape {
    int workers = 1;
    std::size_t runners = 16;
    bool has_admission = true;
    AdmissionOptions admission = {};
    /// The most events at a time, and the most jobs of one: those that have come by its start.
    std::size_t events = std::numeric_limits<std::size_t>::max();
    std::size_t batch = 1;
    double delay_ns = 0;  ///< of an event, before a worker can serve it
    double event_ns = 0;  ///< the work of an event beside that of its jobs
    /// Now and then nothing goes on for a while: the host is busy with something else.
    double stalls_per_second = 0, stall_ns = 0;
  };

  SimulatedDevice(const Shape& shape, std::vector<SimulatedClient> clients, std::uint64_t seed = 1)
      : shape_(shape),
        clients_(std::move(clients)),
        estimates_(clients_.size()),
        random_(seed),
        admission_(shape.admission) {
    for (std::size_t i = 0; i < clients_.size(); ++i) arrivals_.emplace(Uniform() * Gap(i), i);
    PlanStall();
  }

  /// Goes on for so long; the counts begin anew.
  void Run(double seconds) {
    counts_.assign(clients_.size(), {});
    const double end = now_ + seconds * 1e9;
    while (true) {
      const double arrival = arrivals_.begin()->first;
      const double change = std::min(NextChange(), stall_);
      // What came while nothing went on is seen after that.
      const double next = std::max(now_, std::min(arrival, change));
      if (next > end) break;
      Advance(next);
      if (stall_ <= now_) {
        Stall();
      } else if (change <= arrival) {
        EndJobs();
      } else {
        Arrive();
      }
      StartJobs();
      StartEvents();
    }
    Advance(std::max(now_, end));
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
    double work;
  };
  using Jobs = std::map<Admission::Key, Job>;  // by deadline
  struct Event {
    Jobs jobs;
    double delay, left;

    bool IsDone() const { return delay <= kInstant && left <= kInstant; }
  };

  static constexpr double kNever = 1e300;
  static constexpr double kInstant = 1e-3;

  double Uniform() { return std::uniform_real_distribution<double>(1e-12, 1)(random_); }
  double Exponential(double mean) { return -std::log(Uniform()) * mean; }
  double Gap(std::size_t client) {
    const double mean = 1e9 / clients_[client].jobs_per_second;
    return clients_[client].is_periodic ? mean : Exponential(mean);
  }
  void PlanStall() {
    if (shape_.stalls_per_second > 0) stall_ = now_ + Exponential(1e9 / shape_.stalls_per_second);
  }
  std::int64_t NowNs() const { return static_cast<std::int64_t>(now_); }

  /// Calls `serve(event)` for each event that a worker serves.
  template <class Serve>
  void ForEachServed(Serve serve) {
    int served = 0;
    for (Event& event : events_) {
      if (event.delay <= kInstant && served++ < shape_.workers) serve(event);
    }
  }

  /// When an event can be served or is done, or a deadline passes.
  double NextChange() {
    double next = kNever;
    for (const Event& event : events_) {
      if (event.delay > kInstant) next = std::min(next, now_ + event.delay);
      if (event.jobs.size() == 1) next = std::min(next, DeadlineOf(event.jobs));
    }
    ForEachServed([&](const Event& event) { next = std::min(next, now_ + event.left); });
    for (const Jobs* jobs : {&started_, &waiting_}) {
      if (!jobs->empty()) next = std::min(next, DeadlineOf(*jobs));
    }
    return std::max(next, now_);
  }
  static double DeadlineOf(const Jobs& jobs) {
    return static_cast<double>(jobs.begin()->first.deadline_ns);
  }

  void Advance(double until) {
    ForEachServed([&](Event& event) { event.left -= until - now_; });
    for (Event& event : events_) event.delay -= until - now_;
    now_ = until;
  }

  void Stall() {
    now_ += shape_.stall_ns;
    PlanStall();
  }

  /// A job that is late ends; but if others share its event, it ends with these.
  void EndJobs() {
    for (auto event = events_.begin(); event != events_.end();) {
      const bool is_late = event->jobs.size() == 1 && DeadlineOf(event->jobs) <= now_;
      if (!event->IsDone() && !is_late) {
        ++event;
        continue;
      }
      std::vector<Admission::EndedJob> ended;
      for (const auto& [key, job] : event->jobs) {
        ended.push_back({key, Count(key, job, event->IsDone())});
      }
      admission_.Leave(ended, NowNs());
      event = events_.erase(event);
    }
    while (!started_.empty() && DeadlineOf(started_) <= now_) {
      const auto& [key, job] = *started_.begin();
      admission_.Leave(key, NowNs(), Count(key, job, false));
      started_.erase(started_.begin());
    }
    while (!waiting_.empty() && DeadlineOf(waiting_) <= now_) GiveUp(waiting_.begin());
  }

  Admission::Ending Count(const Admission::Key& key, const Job& job, bool is_done) {
    const bool is_met = is_done && now_ <= static_cast<double>(key.deadline_ns) + 1;
    SimulatedCounts& counts = counts_[job.client];
    ++(is_met ? counts.met : counts.late);
    if (is_met) counts.met_ns += job.work;
    return is_met ? Admission::Ending::kMet : Admission::Ending::kMissed;
  }

  void GiveUp(Jobs::iterator job) {
    ++counts_[job->second.client].given_up;
    admission_.Leave(job->first, NowNs(), Admission::Ending::kGivenUp);
    waiting_.erase(job);
  }

  void Arrive() {
    const auto [came, client] = *arrivals_.begin();
    arrivals_.erase(arrivals_.begin());
    arrivals_.emplace(came + Gap(client), client);
    const SimulatedClient& from = clients_[client];
    const double work = from.work(random_);
    SimulatedCounts& counts = counts_[client];
    ++counts.arrived;
    counts.arrived_ns += work;
    const Admission::Key key = {static_cast<std::int64_t>(came + from.deadline_ns), ++last_id_};
    if (shape_.has_admission) {
      const Admission::Decision decision =
          admission_.Offer({key, from.tenant, 0, &estimates_[client]}, NowNs());
      for (const Admission::Key& gone : decision.give_way) TakeBack(gone);
      if (!decision.accepted) {
        ++counts.refused;
        return;
      }
    }
    ++counts.accepted;
    waiting_.emplace(key, Job{client, work});
  }

  void TakeBack(const Admission::Key& key) {
    for (Jobs* jobs : {&waiting_, &started_}) {
      if (const auto job = jobs->extract(key); !job.empty()) {
        ++counts_[job.mapped().client].gave_way;
        return;
      }
    }
    for (auto event = events_.begin(); event != events_.end(); ++event) {
      if (const auto job = event->jobs.extract(key); !job.empty()) {
        ++counts_[job.mapped().client].gave_way;
        if (event->jobs.empty()) events_.erase(event);
        return;
      }
    }
  }

  std::size_t Running() const {
    std::size_t jobs = started_.size();
    for (const Event& event : events_) jobs += event.jobs.size();
    return jobs;
  }

  void StartJobs() {
    while (!waiting_.empty() && Running() < shape_.runners) {
      const auto next = waiting_.begin();
      if (shape_.has_admission && admission_.IsHopeless(next->first, NowNs())) {
        GiveUp(next);
        continue;
      }
      admission_.Start(next->first, NowNs());
      started_.insert(waiting_.extract(next));
    }
  }

  void StartEvents() {
    while (!started_.empty() && events_.size() < shape_.events) {
      Event event = {.jobs = {}, .delay = shape_.delay_ns, .left = shape_.event_ns};
      while (!started_.empty() && event.jobs.size() < shape_.batch) {
        event.left += started_.begin()->second.work;
        event.jobs.insert(started_.extract(started_.begin()));
      }
      const auto later = std::ranges::find_if(events_, [&](const Event& other) {
        return event.jobs.begin()->first < other.jobs.begin()->first;
      });
      events_.insert(later, std::move(event));
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
  Jobs waiting_, started_;     // started_: not yet of an event
  std::vector<Event> events_;  // by their earliest deadlines
  double stall_ = kNever;      // when the next one is
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

#endif  // WARPYARD_TESTS_SUPPORT_DISPATCH_SIMULATED_DEVICE_H_
