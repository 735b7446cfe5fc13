// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// bench.engine.jobs: load jobs of few elements, which cost hardly anything but what a job costs by
// itself. Closed loop: the completion of a job sends the next one. With --lend, a thread lends
// itself to one job after another. Prints JSON: jobs a second and latencies, by the number of jobs
// in flight and by their elements.
#include <atomic>
#include <cstdint>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "benchmarks/support/closed_loop.h"
#include "benchmarks/support/command_line.h"
#include "benchmarks/support/engine_runs.h"
#include "benchmarks/support/samples.h"
#include "core/api/synthetic.h"
#include "core/engine/engine.h"

namespace warpyard::collision_bench {
namespace {

constexpr char kUsage[] =
    "usage: job_bench ELEMENTS... [--backend cpu|cuda|auto] [--threads N] [--in-flight 1,16,64]\n"
    "         [--fma N] [--lend 0|1] [--seconds S] [--machine TEXT] [--commit TEXT]\n";

struct Arguments {
  std::vector<std::string> elements;
  std::map<std::string, std::string> options{
      {"backend", "auto"}, {"threads", "0"}, {"in-flight", "1,16,64"}, {"fma", "0"},
      {"lend", "0"},       {"seconds", "2"}, {"machine", ""},          {"commit", ""}};
  std::string command = "job_bench";
  std::vector<std::size_t> in_flight;
  double seconds = 0;  ///< of a measurement
  std::uint32_t fma = 0;
};

/// Returns false for a wrong command line.
bool Parse(int argc, char** argv, Arguments& arguments) {
  if (!ReadCommandLine(argc, argv, arguments.elements, arguments.options, arguments.command)) {
    return false;
  }
  return ReadCounts(arguments.options.at("in-flight"), arguments.in_flight) &&
         absl::SimpleAtoi(arguments.options.at("fma"), &arguments.fma) &&
         absl::SimpleAtod(arguments.options.at("seconds"), &arguments.seconds) &&
         arguments.seconds > 0 && arguments.seconds <= 3600 && !arguments.elements.empty();
}

/// Sends one job after another.
class Client {
 public:
  Client(Engine& engine, const synthetic::SyntheticJob& job) : engine_(engine), job_(job) {}

  /// Returns at once; the completions send the jobs.
  void Start() {
    Reset();
    Send();
  }
  /// Runs the jobs on this thread until then.
  void RunLent(absl::Time end) {
    Reset();
    JobOptions options;
    options.lend_thread = true;
    while (absl::Now() < end && status_.ok()) {
      std::atomic<bool> is_done = false;
      const absl::Time begin = absl::Now();
      synthetic::Run(engine_, job_, options, [&](const auto& result) {
        Take(begin, result.status());
        is_done = true;
      });
      while (!is_done) {
        if (absl::Now() > end + absl::Minutes(1)) {
          ExitIfError(absl::DeadlineExceededError("a job does not end"));
        }
      }
    }
    runs_ = false;
  }
  void Stop() { is_stopped_ = true; }
  bool Runs() const { return runs_; }
  /// @scope after it has stopped
  const std::vector<double>& LatenciesUs() const { return latencies_us_; }
  const absl::Status& status() const { return status_; }

 private:
  void Reset() {
    is_stopped_ = false;
    runs_ = true;
    latencies_us_.clear();
  }
  void Take(absl::Time begin, const absl::Status& status) {
    latencies_us_.push_back(absl::ToDoubleMicroseconds(absl::Now() - begin));
    status_.Update(status);
  }
  void Send() {
    synthetic::Run(engine_, job_, JobOptions(), [this, begin = absl::Now()](const auto& result) {
      Take(begin, result.status());
      if (is_stopped_ || !status_.ok()) {
        runs_ = false;
      } else {
        Send();
      }
    });
  }

  Engine& engine_;
  const synthetic::SyntheticJob job_;
  std::vector<double> latencies_us_;
  absl::Status status_;
  std::atomic<bool> is_stopped_ = false;
  std::atomic<bool> runs_ = false;
};

class Bench {
 public:
  explicit Bench(const Arguments& arguments) : arguments_(arguments) {
    EngineOptions options = EngineOptionsOf(arguments.options);
    options.synthetic_jobs = true;
    engine_ = OrExit(Engine::Create(options));
  }

  void Run() {
    std::cout << "{\"benchmark\": \"bench.engine.jobs\",\n \"backend\": \""
              << engine_->BackendDescription() << "\", \"machine\": \""
              << arguments_.options.at("machine") << "\", \"commit\": \""
              << arguments_.options.at("commit") << "\",\n \"command\": \"" << arguments_.command
              << "\",\n \"cells\": [";
    for (const std::string& word : arguments_.elements) {
      synthetic::SyntheticJob job;
      job.counting = synthetic::Counting::kOff;
      job.work.amount = arguments_.fma;
      if (!absl::SimpleAtoi(word, &job.elements)) {
        ExitIfError(absl::InvalidArgumentError("ELEMENTS is no number"));
      }
      if (arguments_.options.at("lend") == "1") {
        RunLent(job);
      } else {
        for (const std::size_t count : arguments_.in_flight) RunCell(job, count);
      }
    }
    std::cout << "\n]}\n";
  }

 private:
  void RunLent(const synthetic::SyntheticJob& job) {
    Client client(*engine_, job);
    client.RunLent(absl::Now() + absl::Seconds(arguments_.seconds / 4));  // to warm up
    const absl::Time begin = absl::Now();
    client.RunLent(begin + absl::Seconds(arguments_.seconds));
    ExitIfError(client.status());
    Print(job, "lent", client.LatenciesUs(), absl::Now() - begin);
  }

  void RunCell(const synthetic::SyntheticJob& job, std::size_t count) {
    std::vector<std::unique_ptr<Client>> clients;
    for (std::size_t i = 0; i < count; ++i) {
      clients.push_back(std::make_unique<Client>(*engine_, job));
    }
    RunClosedLoop(clients, absl::Seconds(arguments_.seconds / 4));  // to warm up
    const absl::Duration elapsed = RunClosedLoop(clients, absl::Seconds(arguments_.seconds));
    std::vector<double> latencies;
    for (const auto& client : clients) {
      ExitIfError(client->status());
      const std::vector<double>& own = client->LatenciesUs();
      latencies.insert(latencies.end(), own.begin(), own.end());
    }
    Print(job, absl::StrFormat("%d", count), latencies, elapsed);
  }

  void Print(const synthetic::SyntheticJob& job, absl::string_view in_flight,
             const std::vector<double>& latencies, absl::Duration elapsed) {
    std::cout << separator_
              << absl::StrFormat(
                     "\n  {\"elements\": %d, \"in_flight\": \"%s\", \"jobs_per_second\": %.5g, "
                     "\"latency_us\": {\"median\": %.4g, \"p99\": %.4g, \"p999\": %.4g}}",
                     job.elements, in_flight,
                     static_cast<double>(latencies.size()) / absl::ToDoubleSeconds(elapsed),
                     bench::Median(latencies), bench::Quantile(latencies, 0.99),
                     bench::Quantile(latencies, 0.999))
              << std::flush;
    separator_ = ",";
  }

  const Arguments& arguments_;
  std::unique_ptr<Engine> engine_;
  const char* separator_ = "";
};

int Main(int argc, char** argv) { return RunBench<Bench, Arguments>(argc, argv, kUsage); }

}  // namespace
}  // namespace warpyard::collision_bench

int main(int argc, char** argv) { return warpyard::collision_bench::Main(argc, argv); }
