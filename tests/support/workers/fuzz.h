// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Random events from several callers at once, on any execution model; the oracle of the synthetic
// workload says what each must have executed.
//
// A seed decides the events of a run: their kinds, sizes, levels, work and faults, their deadlines,
// priorities and tenants, which are cancelled and when. It does not decide how the model's workers
// interleave, so a seed that fails may have to be run several times.
#ifndef WARPYARD_TESTS_SUPPORT_WORKERS_FUZZ_H_
#define WARPYARD_TESTS_SUPPORT_WORKERS_FUZZ_H_

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/model/execution_model.h"
#include "core/policy/policy.h"
#include "core/procedure/element.h"
#include "core/procedure/event_runner.h"
#include "core/workload/synthetic/synthetic_oracle.h"
#include "core/workload/synthetic/synthetic_program.h"

namespace warpyard::test_support {

/// WARPYARD_FUZZ_SEED, or 0.
inline std::uint32_t FirstFuzzSeed() {
  const char* const text = std::getenv("WARPYARD_FUZZ_SEED");
  return text == nullptr ? 0 : static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10));
}

/// Sizes of a run of the fuzz.
struct FuzzLimits {
  std::uint32_t callers = 6;
  std::uint32_t events = 12;       ///< of each caller
  std::uint32_t elements = 3'000;  ///< of an event, about
  std::uint32_t most_fma = 200;    ///< of an element
};

/// How an event is to end.
enum class FuzzEnd {
  kDone,
  kCancelled,  ///< by its caller, while it runs or before; it may be done before
  kFailed,     ///< by a procedure
};

/// An event of the fuzz.
struct FuzzEvent {
  synthetic::SyntheticJob job;
  policy::EventAttributes attributes;
  FuzzEnd end = FuzzEnd::kDone;
  std::uint32_t cancel_us = 0;  ///< after it began; 0: before
};

/// Random numbers of one caller.
class FuzzRandom {
 public:
  FuzzRandom(std::uint32_t seed, std::uint32_t caller) : random_(seed * 1'000u + caller) {}

  /// Less than `count`.
  std::uint32_t Below(std::uint32_t count) { return static_cast<std::uint32_t>(random_() % count); }
  bool OnceIn(std::uint32_t count) { return Below(count) == 0; }
  /// From 1 to `most`, mostly small.
  std::uint32_t Size(std::uint32_t most) { return 1 + Below(1 + Below(most)); }

  FuzzEvent Event(const FuzzLimits& limits) {
    FuzzEvent event;
    event.job = Job(limits);
    event.attributes = Attributes();
    if (OnceIn(5)) {
      event.end = FuzzEnd::kCancelled;
      event.cancel_us = OnceIn(4) ? 0 : Size(3'000);
      if (OnceIn(2)) MakeEndless(event.job);
    } else if (OnceIn(8) && event.job.kind != synthetic::SyntheticKind::kPrioritised) {
      event.end = FuzzEnd::kFailed;
      event.job.fault = synthetic::Fault::kFail;
      event.job.fault_at = Below(event.job.elements);
    }
    return event;
  }

  policy::EventAttributes Attributes() {
    policy::EventAttributes attributes;
    if (OnceIn(3)) attributes.deadline_ns = DeadlineNs();
    attributes.priority = Below(4);
    attributes.tenant = Below(policy::kMaxTenants);
    attributes.expected_ns = OnceIn(2) ? 0 : Below(10'000'000);
    return attributes;
  }

  policy::PolicyOptions Policy() {
    policy::PolicyOptions options;
    options.kind = static_cast<policy::PolicyKind>(Below(7));
    for (std::uint32_t& weight : options.weights) weight = Below(5);
    options.starvation_ns = OnceIn(2) ? 0 : 1'000'000;
    return options;
  }

 private:
  using Kind = synthetic::SyntheticKind;

  static std::uint64_t NowNs() {
    return static_cast<std::uint64_t>(
        std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
  }
  std::uint64_t DeadlineNs() { return OnceIn(6) ? 1 : NowNs() + Below(20'000'000); }

  synthetic::SyntheticJob Job(const FuzzLimits& limits) {
    synthetic::SyntheticJob job;
    job.kind = static_cast<Kind>(Below(8));
    job.seed = static_cast<std::uint32_t>(random_());
    job.stages = 1 + Below(4);
    job.counting = OnceIn(2) ? synthetic::Counting::kThreads : synthetic::Counting::kElements;
    if (!OnceIn(3)) job.work = {synthetic::WorkKind::kFma, Below(limits.most_fma), 300, 0, nullptr};
    const std::uint32_t most = limits.elements;
    if (synthetic::IsFlat(job.kind)) {
      job.elements = Size(most);
    } else if (job.kind == Kind::kPrioritised) {
      job.elements = Size(most / 2);
      job.total = job.elements + Below(most);
      job.levels = OnceIn(4) ? 0 : Size(procedure::kLevels);
    } else {
      Grow(job, most);
    }
    return job;
  }

  /// Chains, trees of few roots, and forests.
  void Grow(synthetic::SyntheticJob& job, std::uint32_t most) {
    switch (Below(4)) {
      case 0:
        job.growth = synthetic::RecursiveGrowth();
        job.elements = Size(most / 20);
        break;
      case 1:
        job.growth = synthetic::FullTreeGrowth(1 + Below(8), Below(1'001));
        job.elements = Size(most / 200 + 1);
        break;
      case 2:
        job.growth = {1 + Below(most / 10), {1'000, 0}};
        job.elements = Size(10);
        break;
      default:
        job.growth = synthetic::ForestGrowth(1 + Below(30), Below(1'001));
        job.elements = Size(most / 20);
    }
  }

  /// So long that only its cancel ends it.
  static void MakeEndless(synthetic::SyntheticJob& job) {
    job.counting = synthetic::Counting::kOff;
    if (synthetic::IsFlat(job.kind)) job.elements = 1'000'000'000;
    if (job.kind == Kind::kPrioritised) job.total = 1'000'000'000;
    job.growth.depths = 1'000'000'000;
    job.growth.child_permille[0] = 1'000;
    job.growth.child_permille[1] = 0;
    job.growth.decline_permille = 0;
  }

  std::mt19937_64 random_;
};

/// Several callers at once. @shape call: of std::string(caller); what it finds wrong, or empty
/// Returns the fault that was found first.
template <class Call>
std::string FaultOfCallers(std::uint32_t count, const Call& call) {
  std::mutex mutex;
  std::string first;
  std::vector<std::thread> callers;
  for (std::uint32_t caller = 0; caller < count; ++caller) {
    callers.emplace_back([&, caller] {
      const std::string fault = call(caller);
      const std::lock_guard lock(mutex);
      if (first.empty() && !fault.empty()) first = "caller " + std::to_string(caller) + fault;
    });
  }
  for (std::thread& caller : callers) caller.join();
  return first;
}

/// Runs an event. @shape cancel_us: when to cancel it, after it began; 0: before; or never
template <class Model, class Job>
absl::Status RunAndCancel(Model& model, const Job& job, const policy::EventAttributes& attributes,
                          std::optional<std::uint32_t> cancel_us) {
  procedure::CancelToken token;
  if (!cancel_us) return model.Run(job, attributes, token).status();
  if (*cancel_us == 0) token.Cancel();
  std::thread canceller([&token, cancel_us] {
    std::this_thread::sleep_for(std::chrono::microseconds(*cancel_us));
    token.Cancel();
  });
  const absl::Status status = model.Run(job, attributes, token).status();
  canceller.join();
  return status;
}

/// Runs the events of a seed on a model. @shape Results: makes and reads the results of an event,
/// where the workers of the model write them:
///   synthetic::SyntheticResults* Make();  zeroed; any thread
///   synthetic::SyntheticResults Take(synthetic::SyntheticResults*);  reads and frees them
template <class Model, class Results>
class Fuzz {
 public:
  Fuzz(Model& model, Results& results, const FuzzLimits& limits)
      : model_(model), results_(results), limits_(limits) {}

  /// The first thing that is wrong; empty when nothing is.
  std::string FindFault(std::uint32_t seed) {
    const std::string fault = FaultOfCallers(
        limits_.callers, [this, seed](std::uint32_t caller) { return Call(seed, caller); });
    const std::string name = "seed " + std::to_string(seed) + ", ";
    if (!fault.empty()) return name + fault;
    const absl::Status health = model_.Health();
    return health.ok() ? "" : name + std::string(health.message());
  }

 private:
  std::string Call(std::uint32_t seed, std::uint32_t caller) {
    FuzzRandom random(seed, caller);
    for (std::uint32_t i = 0; i < limits_.events; ++i) {
      FuzzEvent event = random.Event(limits_);
      event.job.results = results_.Make();
      std::optional<std::uint32_t> cancel_us;
      if (event.end == FuzzEnd::kCancelled) cancel_us = event.cancel_us;
      const absl::Status status = RunAndCancel(model_, event.job, event.attributes, cancel_us);
      const std::string fault = Judge(event, status, results_.Take(event.job.results));
      if (fault.empty()) continue;
      return ", event " + std::to_string(i) + ", kind " +
             std::to_string(static_cast<std::uint32_t>(event.job.kind)) + ": " + fault;
    }
    return "";
  }

  static std::string Judge(const FuzzEvent& event, const absl::Status& status,
                           const synthetic::SyntheticResults& results) {
    if (event.end == FuzzEnd::kFailed) {
      return absl::IsAborted(status) ? "" : "it should have failed: " + status.ToString();
    }
    if (event.end == FuzzEnd::kCancelled && absl::IsCancelled(status)) return "";
    if (!status.ok()) return status.ToString();
    if (event.job.counting == synthetic::Counting::kOff) return "an endless event ended";
    const synthetic::SyntheticTotals found = synthetic::TotalOf(results);
    const synthetic::SyntheticTotals expected = synthetic::CountNodes(event.job);
    if (found == expected) return "";
    return "executed " + std::to_string(found.executed) + " of " +
           std::to_string(expected.executed) +
           (found.checksum == expected.checksum ? "" : ", not the right ones");
  }

  Model& model_;
  Results& results_;
  const FuzzLimits limits_;
};

/// Results in the memory of the host, for workers on the CPU.
class HostFuzzResults {
 public:
  synthetic::SyntheticResults* Make() { return new synthetic::SyntheticResults(); }
  synthetic::SyntheticResults Take(synthetic::SyntheticResults* results) {
    const synthetic::SyntheticResults found = *results;
    delete results;
    return found;
  }
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_WORKERS_FUZZ_H_
