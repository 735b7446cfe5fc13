// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// bench.scaling.fleet: a thousand servers behind a proxy, simulated; prints JSON. With --check it
// compares the model with queueing theory instead, and exits with 1 if it is off.
//
// Service times are those that the benchmarks measured on an H200: a collision step of 1,000
// triangles (grpc-step-h200.json, 0.16 ms), a mesh of 70,000 triangles made a model and simplified
// (simplification-h200.json, 3.4 ms), a city of skyscrapers derived in full (grammar-h200.json,
// 144 ms). A step must be done within 2 ms, a mesh within 50 ms, a city whenever it is.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "benchmarks/scaling/fleet_model.h"
#include "benchmarks/support/command_line.h"
#include "benchmarks/support/engine_runs.h"

namespace warpyard::scaling {
namespace {

using collision_bench::Spread;

constexpr char kUsage[] =
    "usage: fleet_simulation [--servers N] [--seconds N] [--seeds N] [--machine TEXT]\n"
    "         [--commit TEXT]\n"
    "       fleet_simulation --check\n";

std::vector<JobKind> Mix() {
  return {{"step", 0.5, 0.16e-3, 2e-3, false},
          {"simplify", 0.4, 3.4e-3, 50e-3, true},
          {"city", 0.1, 144e-3, kNever, true}};
}

struct Arguments {
  std::vector<std::string> words;
  std::map<std::string, std::string> options{
      {"servers", "1000"}, {"seconds", "12"}, {"seeds", "3"}, {"machine", ""}, {"commit", ""}};
  std::string command = "fleet_simulation";
};

bool Parse(int argc, char** argv, Arguments& arguments) {
  return collision_bench::ReadCommandLine(argc, argv, arguments.words, arguments.options,
                                          arguments.command) &&
         arguments.words.empty();
}

class Bench {
 public:
  explicit Bench(const Arguments& arguments) : arguments_(arguments) {}

  void Run() {
    std::cout << "{\"benchmark\": \"bench.scaling.fleet\", \"machine\": \"" << Option("machine")
              << "\", \"commit\": \"" << Option("commit") << "\",\n \"command\": \""
              << arguments_.command << "\",\n \"cells\": [";
    for (const double load : {0.5, 0.7, 0.8, 0.9, 0.95, 1.1}) Balancers(load);
    for (const double load : {0.5, 0.8, 0.95, 1.1}) {
      Cell("order", "first come, first served", load,
           [](FleetOptions& options) { options.first_come_first_served = true; });
    }
    for (const double sticky : {0.0, 0.5, 0.9}) {
      Cell("failures", absl::StrFormat("%.0f %% of the jobs of sessions", 100 * sticky), 0.8,
           [&](FleetOptions& options) {
             options.sticky_share = sticky;
             options.reopen = 20e-3;
             options.time_to_failure = 200;
             options.repair = 5;
           });
    }
    std::cout << "\n]}\n";
  }

 private:
  const char* Option(const char* name) const { return arguments_.options.at(name).c_str(); }

  void Balancers(double load) {
    const std::pair<const char*, Balancer> fresh[] = {{"round robin", Balancer::kRoundRobin},
                                                      {"two choices", Balancer::kTwoChoices},
                                                      {"least jobs", Balancer::kLeastJobs}};
    for (const auto& [name, balancer] : fresh) {
      Cell("balancer", name, load,
           [balancer = balancer](FleetOptions& options) { options.balancer = balancer; });
    }
    for (const double period : {0.05, 1.0, 5.0}) {
      Cell("balancer", absl::StrCat("least wait, reported every ", period, " s"), load,
           [period](FleetOptions& options) {
             options.balancer = Balancer::kLeastWait;
             options.report_period = period;
           });
    }
  }

  template <class Change>
  void Cell(const char* group, const std::string& name, double load, Change&& change) {
    std::map<std::string, std::vector<double>> measures;
    for (int seed = 1; seed <= std::atoi(Option("seeds")); ++seed) {
      FleetOptions options;
      options.servers = static_cast<std::size_t>(std::atoi(Option("servers")));
      options.seconds = std::atof(Option("seconds"));
      options.kinds = Mix();
      options.load = load;
      options.seed = static_cast<std::uint64_t>(seed);
      change(options);
      const FleetResult result = Simulate(options);
      measures["miss_ratio"].push_back(result.miss_ratio);
      measures["utilisation"].push_back(result.utilisation);
      measures["wait_p99_ms"].push_back(1e3 * result.wait_p99);
      measures["most_jobs"].push_back(static_cast<double>(result.most_jobs));
      measures["reopened"].push_back(static_cast<double>(result.reopened));
      measures["repeated"].push_back(static_cast<double>(result.repeated));
    }
    std::cerr << group << ", " << name << ", load " << load << "\n";
    std::cout << separator_ << "\n  {\"group\": \"" << group << "\", \"name\": \"" << name
              << "\", \"load\": " << load << ", \"measures\": {";
    separator_ = ",";
    const char* between = "";
    for (const auto& [measure, values] : measures) {
      std::cout << between << "\"" << measure << "\": " << Spread(values);
      between = ", ";
    }
    std::cout << "}}" << std::flush;
  }

  const Arguments& arguments_;
  const char* separator_ = "";
};

/// Whether the mean wait is that of theory, within 5 %.
bool WaitIs(const char* name, double expected, const FleetOptions& options) {
  const double wait = Simulate(options).mean_wait;
  const bool fits = std::abs(wait / expected - 1) < 0.05;
  std::cout << absl::StrFormat("%s: mean wait %.4f, theory %.4f: %s\n", name, wait, expected,
                               fits ? "ok" : "WRONG");
  return fits;
}

/// Service times have mean 1, in arbitrary units.
FleetOptions TheoryOptions(std::size_t servers, double load, bool is_exponential) {
  FleetOptions options;
  options.servers = servers;
  options.load = load;
  options.kinds = {{"job", 1, 1, kNever, is_exponential}};
  options.first_come_first_served = true;
  options.seconds = 400'000 / static_cast<double>(servers);
  options.warm_up = options.seconds / 20;
  return options;
}

/// The mean sojourn of two choices among infinitely many servers is the sum of load^(2^i - 2)
/// (Mitzenmacher, The Power of Two Choices in Randomized Load Balancing, 2001, section 3).
double WaitOfTwoChoices(double load) {
  double sojourn = 0;
  for (int i = 1; i < 12; ++i) sojourn += std::pow(load, std::exp2(i) - 2);
  return sojourn - 1;
}

int Check() {
  bool all = WaitIs("M/M/1, load 0.7", 0.7 / 0.3, TheoryOptions(1, 0.7, true));
  all &= WaitIs("M/D/1, load 0.7", 0.7 / (2 * 0.3), TheoryOptions(1, 0.7, false));
  FleetOptions two = TheoryOptions(500, 0.9, true);
  two.balancer = Balancer::kTwoChoices;
  all &= WaitIs("two choices of 500, load 0.9", WaitOfTwoChoices(0.9), two);
  return all ? 0 : 1;
}

}  // namespace
}  // namespace warpyard::scaling

int main(int argc, char** argv) {
  namespace scaling = warpyard::scaling;
  if (argc == 2 && std::strcmp(argv[1], "--check") == 0) return scaling::Check();
  return warpyard::collision_bench::RunBench<scaling::Bench, scaling::Arguments>(argc, argv,
                                                                                 scaling::kUsage);
}
