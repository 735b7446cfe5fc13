// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// bench.engine.fleet_load: many scenes whose steps come at their own times with deadlines, from
// half of what the device can do to eight times as much. Contenders are ways to decide which steps
// run: first in, first out, priorities, the earliest deadline first, and the latter with admission.
// They take turns in one run. Prints JSON: which steps met their deadlines, and how long refusals
// took.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "benchmarks/collision/background_load.h"
#include "benchmarks/fleet/fleet_client.h"
#include "benchmarks/scenes/moving_scene.h"
#include "benchmarks/support/command_line.h"
#include "benchmarks/support/engine_runs.h"
#include "benchmarks/support/samples.h"
#include "core/engine/engine.h"

namespace warpyard::fleet_bench {
namespace {

using collision_bench::ExitIfError;
using collision_bench::OrExit;

constexpr char kUsage[] =
    "usage: fleet_load SCENE... [--backend cpu|cuda|auto] [--threads N] [--clients 256]\n"
    "         [--loads 0.5,1,2,4,8] [--deadlines-ms 10,10: from, to, of each client]\n"
    "         [--arrivals poisson|periodic] [--contenders fifo,priority,service,admission]\n"
    "         [--hz F: steps a second of each client at load 1; 0: what the device can do]\n"
    "         [--report earliest|collisions] [--seconds S] [--senders N: threads that send]\n"
    "         [--simplify MESH] [--derive GRAMMAR: both in the background] [--batching on|off]\n"
    "         [--hold-part N: see PolicyOptions]\n"
    "         [--machine TEXT] [--commit TEXT]\n"
    "SCENE: generated ones: cloth-1k, cloth-10k, ...; clients take them in turn\n";

constexpr int kFrames = 8;

struct Contender {
  const char* name;
  policy::PolicyKind policy;
  bool admission;
  Telling telling;
};
constexpr Contender kContenders[] = {
    {"fifo", policy::PolicyKind::kFifo, false, {false, false}},
    {"priority", policy::PolicyKind::kPriority, false, {false, true}},
    {"service", policy::PolicyKind::kService, false, {true, false}},
    {"admission", policy::PolicyKind::kService, true, {true, false}}};

struct Arguments {
  std::vector<std::string> scenes;
  std::map<std::string, std::string> options{{"backend", "auto"},
                                             {"threads", "0"},
                                             {"clients", "256"},
                                             {"loads", "0.5,1,2,4,8"},
                                             {"deadlines-ms", "10,10"},
                                             {"arrivals", "poisson"},
                                             {"contenders", "fifo,priority,service,admission"},
                                             {"report", "earliest"},
                                             {"seconds", "2"},
                                             {"senders", "2"},
                                             {"hz", "0"},
                                             {"simplify", ""},
                                             {"derive", ""},
                                             {"batching", "on"},
                                             {"hold-part", "8"},
                                             {"machine", ""},
                                             {"commit", ""}};
  std::string command = "fleet_load";
  std::vector<double> loads, deadlines_ms;
  std::vector<Contender> contenders;
  std::size_t clients = 0;
  int senders = 0;
  double seconds = 0;  ///< of a measurement
  double hz = 0;       ///< of each client; 0: by the capacity
};

bool ReadNumbers(const std::string& words, std::vector<double>& numbers) {
  for (const absl::string_view word : absl::StrSplit(words, ',')) {
    double number = 0;
    if (!absl::SimpleAtod(word, &number) || !(number > 0)) return false;
    numbers.push_back(number);
  }
  return true;
}

bool ReadContenders(const std::string& words, std::vector<Contender>& contenders) {
  for (const absl::string_view word : absl::StrSplit(words, ',')) {
    const auto found = std::find_if(std::begin(kContenders), std::end(kContenders),
                                    [word](const Contender& one) { return one.name == word; });
    if (found == std::end(kContenders)) return false;
    contenders.push_back(*found);
  }
  return true;
}

/// Returns false for a wrong command line.
bool Parse(int argc, char** argv, Arguments& arguments) {
  auto& options = arguments.options;
  if (!collision_bench::ReadCommandLine(argc, argv, arguments.scenes, options, arguments.command)) {
    return false;
  }
  const bool are_times =
      options.at("arrivals") == "poisson" || options.at("arrivals") == "periodic";
  return ReadNumbers(options.at("loads"), arguments.loads) &&
         ReadNumbers(options.at("deadlines-ms"), arguments.deadlines_ms) &&
         arguments.deadlines_ms.size() == 2 &&
         ReadContenders(options.at("contenders"), arguments.contenders) &&
         absl::SimpleAtoi(options.at("clients"), &arguments.clients) && arguments.clients > 0 &&
         absl::SimpleAtoi(options.at("senders"), &arguments.senders) && arguments.senders > 0 &&
         absl::SimpleAtod(options.at("seconds"), &arguments.seconds) && arguments.seconds > 0 &&
         absl::SimpleAtod(options.at("hz"), &arguments.hz) && arguments.hz >= 0 && are_times &&
         !arguments.scenes.empty();
}

/// Between both, evenly on a logarithmic scale; the same in each run.
std::vector<absl::Duration> DrawDeadlines(const std::vector<double>& range_ms, std::size_t count) {
  std::mt19937_64 random(7);
  std::vector<absl::Duration> deadlines;
  for (std::size_t i = 0; i < count; ++i) {
    const double share = std::uniform_real_distribution<double>(0, 1)(random);
    deadlines.push_back(
        absl::Milliseconds(range_ms[0] * std::pow(range_ms[1] / range_ms[0], share)));
  }
  return deadlines;
}

/// An engine of a contender with its open scenes.
class Fleet {
 public:
  Fleet(const Arguments& arguments, const Contender& contender,
        const std::vector<scenes::MovingScene>& scenes) {
    EngineOptions options = collision_bench::EngineOptionsOf(arguments.options);
    options.policy.kind = contender.policy;
    options.policy.hold_part =
        static_cast<std::uint32_t>(std::atoi(arguments.options.at("hold-part").c_str()));
    options.admission = contender.admission;
    options.max_residents = static_cast<int>(arguments.clients) + 16;
    options.max_pending_jobs = std::max(1024, 2 * static_cast<int>(arguments.clients));
    engine_ = OrExit(Engine::Create(options));
    const ccd::Report report =
        collision_bench::ValueOf(collision_bench::kReports, arguments.options.at("report"));
    for (std::size_t i = 0; i < arguments.clients; ++i) {
      clients_.push_back(
          std::make_unique<FleetClient>(*engine_, scenes[i % scenes.size()], report));
      ExitIfError(clients_.back()->Open());
    }
  }

  Engine& engine() { return *engine_; }
  const std::vector<std::unique_ptr<FleetClient>>& clients() const { return clients_; }

  /// Steps a second of each client when each has one step in flight.
  std::vector<double> MeasureCapacity(absl::Duration time) {
    double seconds = 0;
    for (const absl::Duration part : {time / 4, time}) {  // the first to warm up
      for (const auto& client : clients_) client->Take();
      const absl::Time begin = absl::Now();
      for (const auto& client : clients_) client->StartClosedLoop();
      absl::SleepFor(part);
      for (const auto& client : clients_) client->Stop();
      ExitIfError(AwaitAll(clients_));
      seconds = absl::ToDoubleSeconds(absl::Now() - begin);
    }
    std::vector<double> rates;
    for (const auto& client : clients_) {
      rates.push_back(static_cast<double>(client->Take().met) / seconds);
    }
    return rates;
  }

 private:
  std::unique_ptr<Engine> engine_;
  std::vector<std::unique_ptr<FleetClient>> clients_;
};

/// Jobs without deadlines beside the steps.
class Beside {
 public:
  Beside(Engine& engine, const collision_bench::LoadChoice& choice)
      : load_(collision_bench::MakeLoad(engine, choice)) {}

  void Start() { background_.emplace(load_); }
  /// Keeps what it made since the mark as what it makes without steps.
  void KeepRate() { without_steps_ = Rate(); }

  void Mark() {
    begin_ = absl::Now();
    before_ = background_->Executed();
  }
  /// What it has made in a second since the mark.
  double Rate() const {
    return static_cast<double>(background_->Executed() - before_) /
           absl::ToDoubleSeconds(absl::Now() - begin_);
  }
  std::string Json() const {
    return absl::StrFormat("{%s, \"%s_per_second_without_steps\": %.4g}", load_.json, load_.unit,
                           without_steps_);
  }

 private:
  const collision_bench::BackgroundLoad load_;
  std::optional<collision_bench::Background> background_;
  absl::Time begin_;
  std::uint64_t before_ = 0;
  double without_steps_ = 0;
};

class Bench {
 public:
  explicit Bench(const Arguments& arguments) : arguments_(arguments) {
    for (const std::string& name : arguments.scenes) {
      scenes_.push_back(OrExit(scenes::MakeScene(name, kFrames)));
    }
    deadlines_ = DrawDeadlines(arguments.deadlines_ms, arguments.clients);
  }

  void Run() {
    for (const Contender& contender : arguments_.contenders) RunContender(contender);
    std::cout << "\n]}\n";
  }

 private:
  void WriteHead(Engine& engine, const std::vector<std::unique_ptr<Beside>>& beside) {
    double steps = 0;
    for (const double rate : rates_) steps += rate;
    std::cout << "{\"benchmark\": \"bench.engine.fleet_load\",\n \"backend\": \""
              << engine.BackendDescription() << "\", \"machine\": \""
              << arguments_.options.at("machine") << "\", \"commit\": \""
              << arguments_.options.at("commit") << "\",\n \"command\": \"" << arguments_.command
              << "\",\n"
              << absl::StrFormat(
                     " \"clients\": %d, \"capacity\": {\"steps_per_second\": %.5g, "
                     "\"triangles_per_second\": %.5g},\n",
                     arguments_.clients, steps, capacity_triangles_);
    if (arguments_.hz > 0) std::cout << " \"hz_at_load_1\": " << arguments_.hz << ",\n";
    if (!beside.empty()) {
      const auto json = [](std::string* out, const auto& one) { out->append(one->Json()); };
      std::cout << " \"background\": [" << absl::StrJoin(beside, ", ", json) << "],\n";
    }
    std::cout << " \"cells\": [";
  }

  double TrianglesOf(std::size_t client) const {
    return static_cast<double>(scenes_[client % scenes_.size()].Triangles());
  }
  double Triangles(const std::vector<double>& rates) const {
    double sum = 0;
    for (std::size_t i = 0; i < rates.size(); ++i) sum += rates[i] * TrianglesOf(i);
    return sum;
  }

  /// The load is relative to what the first contender can do in a closed loop, without background.
  void RunContender(const Contender& contender) {
    Fleet fleet(arguments_, contender, scenes_);
    const std::vector<double> rates = fleet.MeasureCapacity(Time());
    std::vector<std::unique_ptr<Beside>> beside;
    const std::string& mesh = arguments_.options.at("simplify");
    const std::string& grammar = arguments_.options.at("derive");
    Engine& engine = fleet.engine();
    using Choice = collision_bench::LoadChoice;
    if (!mesh.empty()) beside.push_back(std::make_unique<Beside>(engine, Choice{mesh, "", 0}));
    if (!grammar.empty())
      beside.push_back(std::make_unique<Beside>(engine, Choice{"", grammar, 0}));
    if (rates_.empty()) {
      // Clients of one scene ask for the same.
      rates_ = MeansByScene(rates);
      capacity_triangles_ = Triangles(rates_);
      StartAll(beside);
      WriteHead(engine, beside);
      if (arguments_.hz > 0) rates_.assign(rates_.size(), arguments_.hz);
    } else {
      StartAll(beside);
    }
    for (const double load : arguments_.loads) {
      RunCell(contender, fleet, load, beside);
      const auto rate = [](std::string* out, const auto& one) {
        absl::StrAppendFormat(out, "%.4g", one->Rate());
      };
      std::cout << ", \"background_per_second\": [" << absl::StrJoin(beside, ", ", rate) << "]}"
                << std::flush;
    }
  }

  /// Starts what runs beside the steps, and measures what it makes without them.
  void StartAll(const std::vector<std::unique_ptr<Beside>>& beside) const {
    for (const auto& one : beside) one->Start();
    if (beside.empty()) return;
    absl::SleepFor(Time() / 4);  // to warm up
    for (const auto& one : beside) one->Mark();
    absl::SleepFor(Time());
    for (const auto& one : beside) one->KeepRate();
  }

  absl::Duration Time() const { return absl::Seconds(arguments_.seconds); }

  std::vector<double> MeansByScene(const std::vector<double>& rates) const {
    std::vector<double> sums(scenes_.size()), counts(scenes_.size()), means;
    for (std::size_t i = 0; i < rates.size(); ++i) {
      sums[i % scenes_.size()] += rates[i];
      counts[i % scenes_.size()] += 1;
    }
    for (std::size_t i = 0; i < rates.size(); ++i) {
      means.push_back(sums[i % scenes_.size()] / counts[i % scenes_.size()]);
    }
    return means;
  }

  void RunCell(const Contender& contender, Fleet& fleet, double load,
               const std::vector<std::unique_ptr<Beside>>& beside) {
    std::cerr << contender.name << ", load " << load << "\n";
    OpenLoop loop;
    for (const double rate : rates_) loop.steps_per_second.push_back(rate * load);
    loop.deadlines = deadlines_;
    loop.is_periodic = arguments_.options.at("arrivals") == "periodic";
    loop.threads = arguments_.senders;
    loop.telling = contender.telling;
    for (const absl::Duration part : {Time() / 4, Time()}) {  // the first to warm up
      for (const auto& client : fleet.clients()) client->Take();
      for (const auto& one : beside) one->Mark();
      loop.time = part;
      ExitIfError(RunOpenLoop(loop, fleet.clients()));
    }
    Write(contender, load, fleet);
  }

  void Write(const Contender& contender, double load, const Fleet& fleet) {
    StepCounts all;
    double triangles = 0;
    std::vector<StepCounts> by_scene(scenes_.size());
    for (std::size_t i = 0; i < fleet.clients().size(); ++i) {
      const StepCounts own = fleet.clients()[i]->Take();
      triangles += static_cast<double>(own.met) * TrianglesOf(i);
      all.Add(own);
      by_scene[i % scenes_.size()].Add(own);
    }
    const auto asked = static_cast<double>(all.asked);
    const auto part = [asked](std::uint64_t of) { return static_cast<double>(of) / asked; };
    std::cout << separator_
              << absl::StrFormat(
                     "\n  {\"contender\": \"%s\", \"load\": %g, \"asked_per_second\": %.5g, "
                     "\"met_per_second\": %.5g, \"met_of_capacity\": %.4g,\n   "
                     "\"miss_ratio\": %.4g, \"refused\": %.4g, \"late\": %.4g, \"full\": %.4g, "
                     "\"overdue\": %.4g,\n   "
                     "\"latency_ms\": {\"median\": %.4g, \"p99\": %.4g}, "
                     "\"refusal_us\": {\"median\": %.4g, \"p99\": %.4g},\n   \"met_by_scene\": {",
                     contender.name, load, asked / arguments_.seconds,
                     static_cast<double>(all.met) / arguments_.seconds,
                     triangles / arguments_.seconds / capacity_triangles_, 1 - part(all.met),
                     part(all.refused), part(all.late), part(all.full), part(all.overdue),
                     bench::Median(all.latencies_ms), bench::Quantile(all.latencies_ms, 0.99),
                     bench::Median(all.refusals_us), bench::Quantile(all.refusals_us, 0.99));
    for (std::size_t i = 0; i < scenes_.size(); ++i) {
      std::cout << (i == 0 ? "" : ", ")
                << absl::StrFormat(
                       "\"%s\": %.4g", arguments_.scenes[i],
                       static_cast<double>(by_scene[i].met) /
                           static_cast<double>(std::max<std::uint64_t>(by_scene[i].asked, 1)));
    }
    std::cout << "}";
    separator_ = ",";
  }

  const Arguments& arguments_;
  std::vector<scenes::MovingScene> scenes_;
  std::vector<absl::Duration> deadlines_;  // by client
  std::vector<double> rates_;              // by client: steps a second at load 1
  double capacity_triangles_ = 1;          // a second, of what the device can do
  const char* separator_ = "";
};

}  // namespace
}  // namespace warpyard::fleet_bench

int main(int argc, char** argv) {
  using namespace warpyard::fleet_bench;
  return warpyard::collision_bench::RunBench<Bench, Arguments>(argc, argv, kUsage);
}
