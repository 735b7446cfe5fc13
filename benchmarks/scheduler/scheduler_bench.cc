// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// bench.scheduler: measures the scheduler of a device, case by case: a table on stdout, JSON in a
// file. In every case an oracle checks the executed elements; the exit status tells the result.
#include <sys/prctl.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "benchmarks/scheduler/machine.h"
#include "benchmarks/scheduler/report.h"
#include "benchmarks/scheduler/session.h"

namespace warpyard::bench {
namespace {

constexpr const char* kUsage =
    "usage: scheduler_bench [--backend cuda|cpu] [--threads N] [--cases all|a,b] [--quick] "
    "[--bounded]\n"
    "                       [--commit X] [--out FILE]\n";

constexpr std::chrono::seconds kLimit{400};

struct Arguments {
  std::string backend = "cuda", cases = "all", commit, out, command;
  int threads = 0;
  bool quick = false, bounded = false;
};

struct Case {
  const char* name;
  absl::Status (*measure)(const Bench&);
};
constexpr Case kCases[] = {{"empty", MeasureEmptyJobs},       {"overhead", MeasureOverhead},
                           {"accuracy", MeasureAccuracy},     {"quota", MeasureQuota},
                           {"together", MeasureTogether},     {"models", MeasureModels},
                           {"deadlines", MeasureDeadlines},   {"urgent", MeasureUrgent},
                           {"preemption", MeasurePreemption}, {"trees", MeasureTrees},
                           {"cancel", MeasureCancel},         {"idle", MeasureIdle}};

bool Parse(int argc, char** argv, Arguments& arguments) {
  const std::vector<std::string> words(argv, argv + argc);
  arguments.command = absl::StrJoin(words, " ");
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i] == "--quick") {
      arguments.quick = true;
      continue;
    }
    if (words[i] == "--bounded") {
      arguments.bounded = true;
      continue;
    }
    if (i + 1 == words.size()) return false;
    const std::string& value = words[i + 1];
    if (words[i] == "--backend") {
      arguments.backend = value;
    } else if (words[i] == "--threads") {
      arguments.threads = std::atoi(value.c_str());
    } else if (words[i] == "--cases") {
      arguments.cases = value;
    } else if (words[i] == "--commit") {
      arguments.commit = value;
    } else if (words[i] == "--out") {
      arguments.out = value;
    } else {
      return false;
    }
    ++i;
  }
  return arguments.backend == "cuda" || arguments.backend == "cpu";
}

/// The cases that the arguments name; empty: one of them does not exist.
std::vector<Case> Choose(const std::string& cases) {
  if (cases == "all") return {std::begin(kCases), std::end(kCases)};
  std::vector<Case> chosen;
  for (const std::string& name : std::vector<std::string>(absl::StrSplit(cases, ','))) {
    const auto* const found = std::find_if(std::begin(kCases), std::end(kCases),
                                           [&](const Case& one) { return one.name == name; });
    if (found == std::end(kCases)) return {};
    chosen.push_back(*found);
  }
  return chosen;
}

std::string ProcessorName() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

/// Ends the process when a measurement hangs, whatever it waits for.
void StartWatchdog() {
  std::thread([] {
    std::this_thread::sleep_for(kLimit);
    std::fprintf(stderr, "scheduler_bench: not done after %d s: ended\n",
                 static_cast<int>(kLimit.count()));
    std::_Exit(3);
  }).detach();
}

std::string Describe(const Arguments& arguments, Machine& machine, const Report& report) {
  const auto cores = std::thread::hardware_concurrency();
  return report.ToJson(
      {{"backend", Quoted(arguments.backend)},
       {"machine",
        absl::StrCat("{\"device\": ", Quoted(machine.backend().Description()),
                     ", \"processor\": ", Quoted(ProcessorName()), ", \"cores\": ", cores, "}")},
       {"commit", Quoted(arguments.commit)},
       {"command", Quoted(arguments.command)},
       {"quick", arguments.quick ? "true" : "false"}});
}

bool Write(const Arguments& arguments, const std::string& json) {
  if (arguments.out.empty()) return true;
  std::ofstream file(arguments.out);
  file << json;
  return static_cast<bool>(file.flush());
}

int Main(int argc, char** argv) {
  Arguments arguments;
  const bool parsed = Parse(argc, argv, arguments);
  const std::vector<Case> cases = Choose(arguments.cases);
  if (!parsed || cases.empty()) {
    std::fputs(kUsage, stderr);
    return 2;
  }
  prctl(PR_SET_TIMERSLACK, 1);  // inherited by threads: schedules are met to the microsecond
  StartWatchdog();
  const auto cores = static_cast<int>(std::thread::hardware_concurrency());
  auto machine = arguments.backend == "cuda"
                     ? CreateCudaMachine()
                     : CreateCpuMachine(arguments.threads > 0 ? arguments.threads : cores);
  if (!machine.ok()) {
    std::fprintf(stderr, "scheduler_bench: %s\n", machine.status().ToString().c_str());
    return 1;
  }
  std::printf("%s\n", (*machine)->backend().Description().c_str());
  Report report;
  const Bench bench{**machine, report, arguments.quick, arguments.bounded};
  for (const Case& one : cases) {
    report.BeginCase(one.name);
    const absl::Status measured = one.measure(bench);
    if (!measured.ok()) report.Fail(measured);
    report.EndCase();
    // Written after each case, so that a case that hangs does not lose the results of the others.
    if (!Write(arguments, Describe(arguments, **machine, report))) return 1;
    if (absl::IsUnavailable(measured)) break;  // the device is lost
  }
  return report.AllCorrect() ? 0 : 1;
}

}  // namespace
}  // namespace warpyard::bench

int main(int argc, char** argv) { return warpyard::bench::Main(argc, argv); }
