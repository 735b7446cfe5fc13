// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/scaling/fleet_model.h"

#include <algorithm>
#include <queue>
#include <random>
#include <utility>

#include "benchmarks/support/samples.h"

namespace warpyard::scaling {
namespace {

/// Sessions of each server, on average.
constexpr std::size_t kSessionsOfAServer = 20;
/// A client's pause before it repeats a job whose server failed.
constexpr double kRepeatPause = 0.05;

struct Job {
  double arrival;
  double deadline;
  double service;       ///< in all
  double remaining;     ///< of it
  std::size_t session;  ///< or kNoSession
  std::uint64_t order;
};
constexpr std::size_t kNoSession = std::numeric_limits<std::size_t>::max();

/// A server: one processor that works on the first job of its queue.
struct Server {
  std::vector<Job> jobs;  // a heap; the first one runs
  double since = 0;       // the first job has run since
  double busy = 0;
  double down_until = 0;
  double down = 0;            // time in all
  std::uint64_t version = 0;  // of the end that is scheduled
};

enum class EventKind { kArrival, kRepeat, kEnd, kFailure, kReport };
struct Event {
  double time;
  EventKind kind;
  std::size_t server = 0;
  std::uint64_t version = 0;
  Job job = {};
  bool operator>(const Event& other) const { return time > other.time; }
};

class Fleet {
 public:
  explicit Fleet(const FleetOptions& options)
      : options_(options),
        random_(options.seed),
        servers_(options.servers),
        in_flight_(options.servers, 0),
        reported_(options.servers, 0),
        homes_(options.servers * kSessionsOfAServer) {
    for (std::size_t s = 0; s < homes_.size(); ++s) homes_[s] = s % servers_.size();
    double work = 0;
    for (const JobKind& kind : options.kinds) work += kind.share * kind.service;
    rate_ = options.load * static_cast<double>(options.servers) / work;
  }

  FleetResult Run() {
    Push({Exponential(1 / rate_), EventKind::kArrival});
    if (options_.report_period > 0) Push({options_.report_period, EventKind::kReport});
    if (options_.time_to_failure != kNever) {
      for (std::size_t s = 0; s < servers_.size(); ++s) PushFailure(s, 0);
    }
    while (!events_.empty() && events_.top().time < options_.seconds) {
      const Event event = events_.top();
      events_.pop();
      now_ = event.time;
      Handle(event);
    }
    return Finish();
  }

 private:
  double Exponential(double mean) {
    return std::exponential_distribution<double>(1 / mean)(random_);
  }
  std::size_t Below(std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_);
  }
  double Unit() { return std::uniform_real_distribution<double>()(random_); }

  void Push(Event event) { events_.push(std::move(event)); }
  void PushFailure(std::size_t server, double from) {
    Push({from + Exponential(options_.time_to_failure), EventKind::kFailure, server});
  }
  bool IsUp(std::size_t server) const { return servers_[server].down_until <= now_; }
  /// Whether the proxy takes the server for up.
  bool SeemsUp(std::size_t server) const {
    return IsUp(server) ||
           servers_[server].down_until - options_.repair + options_.noticed_after > now_;
  }

  void Handle(const Event& event) {
    switch (event.kind) {
      case EventKind::kArrival:
        Push({now_ + Exponential(1 / rate_), EventKind::kArrival});
        return Send(MakeJob());
      case EventKind::kRepeat:
        ++result_.repeated;
        return Send(event.job);
      case EventKind::kEnd:
        return End(event);
      case EventKind::kFailure:
        return Fail(event.server);
      case EventKind::kReport:
        for (std::size_t s = 0; s < servers_.size(); ++s) reported_[s] = WorkOf(s);
        return Push({now_ + options_.report_period, EventKind::kReport});
    }
  }

  Job MakeJob() {
    double at = Unit();
    const JobKind* kind = &options_.kinds.front();
    for (const JobKind& one : options_.kinds) {
      kind = &one;
      if ((at -= one.share) < 0) break;
    }
    const double service = kind->is_exponential ? Exponential(kind->service) : kind->service;
    const std::size_t session = Unit() < options_.sticky_share ? Below(homes_.size()) : kNoSession;
    return {now_, now_ + kind->deadline, service, service, session, ++made_};
  }

  void Send(Job job) {
    std::size_t server;
    if (job.session == kNoSession) {
      server = Choose();
    } else {
      std::size_t& home = homes_[job.session];
      if (home == servers_.size() || !SeemsUp(home)) {  // its resident is lost
        home = Choose();
        job.service += options_.reopen;
        job.remaining += options_.reopen;
        ++result_.reopened;
      }
      server = home;
    }
    if (!IsUp(server)) {
      if (job.session != kNoSession) homes_[job.session] = servers_.size();
      return Push({now_ + kRepeatPause, EventKind::kRepeat, 0, 0, job});
    }
    Take(server, job);
  }

  std::size_t Choose() {
    for (int tries = 0; tries < 100; ++tries) {
      const std::size_t server = ChooseAny();
      if (SeemsUp(server)) return server;
    }
    return Below(servers_.size());
  }

  std::size_t ChooseAny() {
    switch (options_.balancer) {
      case Balancer::kRoundRobin:
        return next_++ % servers_.size();
      case Balancer::kTwoChoices: {
        const std::size_t a = Below(servers_.size()), b = Below(servers_.size());
        return in_flight_[a] <= in_flight_[b] ? a : b;
      }
      case Balancer::kLeastJobs:
        return LeastFrom(in_flight_);
      case Balancer::kLeastWait:
        if (options_.report_period > 0) return LeastFrom(reported_);
        for (std::size_t s = 0; s < servers_.size(); ++s) reported_[s] = WorkOf(s);
        return LeastFrom(reported_);
    }
    return 0;
  }

  /// The first least one after a random place that seems up, so that equal ones get equal shares.
  template <class Number>
  std::size_t LeastFrom(const std::vector<Number>& numbers) {
    const std::size_t count = numbers.size(), start = Below(count);
    std::size_t best = start;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t s = start + i < count ? start + i : start + i - count;
      if ((numbers[s] < numbers[best] || !SeemsUp(best)) && SeemsUp(s)) best = s;
    }
    return best;
  }

  double WorkOf(std::size_t server) const {
    double work = 0;
    for (const Job& job : servers_[server].jobs) work += job.remaining;
    return work;
  }

  /// Whether `a` comes after `b`: the order of a heap whose first one comes next.
  bool After(const Job& a, const Job& b) const {
    if (!options_.first_come_first_served && a.deadline != b.deadline) {
      return a.deadline > b.deadline;
    }
    return a.order > b.order;
  }
  auto Order() const {
    return [this](const Job& a, const Job& b) { return After(a, b); };
  }

  void Take(std::size_t number, const Job& job) {
    Server& server = servers_[number];
    Progress(server);
    server.jobs.push_back(job);
    std::push_heap(server.jobs.begin(), server.jobs.end(), Order());
    result_.most_jobs = std::max(result_.most_jobs, server.jobs.size());
    ++in_flight_[number];
    Schedule(number);
  }

  /// Accounts for the work since the last look.
  void Progress(Server& server) const {
    if (!server.jobs.empty()) {
      server.jobs.front().remaining -= now_ - server.since;
      if (now_ > options_.warm_up) {
        server.busy += now_ - std::max(server.since, options_.warm_up);
      }
    }
    server.since = now_;
  }

  void Schedule(std::size_t number) {
    Server& server = servers_[number];
    ++server.version;
    if (server.jobs.empty()) return;
    Push({now_ + std::max(server.jobs.front().remaining, 0.0), EventKind::kEnd, number,
          server.version});
  }

  void End(const Event& event) {
    Server& server = servers_[event.server];
    if (event.version != server.version) return;
    Progress(server);
    const Job job = server.jobs.front();
    std::pop_heap(server.jobs.begin(), server.jobs.end(), Order());
    server.jobs.pop_back();
    --in_flight_[event.server];
    Count(job);
    Schedule(event.server);
  }

  void Count(const Job& job) {
    if (job.arrival < options_.warm_up) return;
    ++result_.jobs;
    const double wait = now_ - job.arrival - job.service;
    result_.mean_wait += wait;  // divided at the end
    if (job.deadline == kNever) return;
    ++with_deadline_;
    missed_ += now_ > job.deadline;
    deadline_waits_.push_back(wait);
  }

  void Fail(std::size_t number) {
    Server& server = servers_[number];
    Progress(server);
    server.down_until = now_ + options_.repair;
    server.down += std::min(options_.repair, options_.seconds - now_);
    for (Job job : std::exchange(server.jobs, {})) {
      job.remaining = job.service;
      if (job.session != kNoSession) homes_[job.session] = servers_.size();
      Push({now_ + kRepeatPause, EventKind::kRepeat, 0, 0, job});
    }
    for (std::size_t& home : homes_) {
      if (home == number) home = servers_.size();
    }
    in_flight_[number] = 0;
    ++server.version;
    PushFailure(number, now_ + options_.repair);
  }

  FleetResult Finish() {
    double busy = 0, up = 0;
    for (Server& server : servers_) {
      now_ = options_.seconds;
      Progress(server);
      busy += server.busy;
      up += options_.seconds - options_.warm_up - server.down;
      // What still waits has missed its deadline, if that has passed.
      for (const Job& job : server.jobs) {
        if (job.deadline < now_ && job.arrival >= options_.warm_up) {
          ++with_deadline_;
          ++missed_;
        }
      }
    }
    result_.utilisation = busy / up;
    result_.mean_wait /= static_cast<double>(std::max<std::uint64_t>(result_.jobs, 1));
    result_.miss_ratio = static_cast<double>(missed_) /
                         static_cast<double>(std::max<std::uint64_t>(with_deadline_, 1));
    result_.wait_p99 = bench::Quantile(std::move(deadline_waits_), 0.99);
    return result_;
  }

  const FleetOptions& options_;
  std::mt19937_64 random_;
  double rate_ = 0;
  double now_ = 0;
  std::vector<Server> servers_;
  std::vector<std::uint32_t> in_flight_;  // as the proxy counts
  std::vector<double> reported_;          // work of each server
  std::vector<std::size_t> homes_;  // of sessions; the number of servers: their resident is lost
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::uint64_t made_ = 0, next_ = 0, with_deadline_ = 0, missed_ = 0;
  std::vector<double> deadline_waits_;
  FleetResult result_;
};

}  // namespace

FleetResult Simulate(const FleetOptions& options) { return Fleet(options).Run(); }

}  // namespace warpyard::scaling
