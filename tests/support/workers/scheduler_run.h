// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Events of the load workload on a few workers, in the interleaving of a seed. In every order of
// steps, every element is executed once.
#ifndef WARPYARD_TESTS_SUPPORT_WORKERS_SCHEDULER_RUN_H_
#define WARPYARD_TESTS_SUPPORT_WORKERS_SCHEDULER_RUN_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/model/worker/workspace.h"
#include "core/policy/share.h"
#include "core/workload/synthetic/synthetic_oracle.h"
#include "core/workload/synthetic/synthetic_program.h"
#include "tests/support/workers/scheduled_workers.h"

namespace warpyard::test_support {

/// @shape Scope: SchedulerScope or what derives from it
template <class Scope, std::uint32_t kNewest = 0>
using TinySpace = model::Workspace<Scope, synthetic::SyntheticProgram, TinyShapeOf<kNewest>>;

/// @shape Space: a TinySpace or what derives from it
template <class Space>
class SchedulerRun {
 public:
  explicit SchedulerRun(std::uint64_t seed) : workers_(seed) {}

  /// @shape as of ScheduledWorkers
  void Add(synthetic::SyntheticJob job, bool cancel) {
    results_.push_back(std::make_unique<synthetic::SyntheticResults>());
    job.results = results_.back().get();
    jobs_.push_back(job);
    cancel_.push_back(cancel);
    workers_.Add(job, {cancel ? kCancelRound : CancelAt::kNever});
  }

  /// The events are of different accounts, which divide the device among them.
  void ShareByAccounts() {
    Space& space = workers_.space();
    space.event_counts.running = static_cast<std::uint32_t>(jobs_.size());
    for (std::uint32_t e = 0; e < jobs_.size(); ++e) {
      space.board.SetShare(e, policy::PackShare({1, e, policy::kStrideUnit << 2 * e}));
    }
  }

  /// As of ScheduledWorkers.
  std::string Run(std::uint32_t launches) {
    const std::string fault = workers_.Run(launches);
    if (!fault.empty()) return fault;
    for (std::size_t e = 0; e < jobs_.size(); ++e) {
      const std::uint64_t executed = synthetic::TotalOf(*results_[e]).executed;
      const std::uint64_t expected = synthetic::CountNodes(jobs_[e]).executed;
      if (cancel_[e] ? executed <= expected : executed == expected) continue;
      return "event " + std::to_string(e) + ": executed " + std::to_string(executed) + " of " +
             std::to_string(expected);
    }
    return "";
  }

 private:
  static constexpr std::uint32_t kCancelRound = 3;

  ScheduledWorkers<Space> workers_;
  std::vector<synthetic::SyntheticJob> jobs_;
  std::vector<std::unique_ptr<synthetic::SyntheticResults>> results_;
  std::vector<bool> cancel_;
};

/// The events of a run.
enum class SchedulerStory {
  kOneEvent,
  kTwoEvents,
  kCancel,    ///< two events; one is cancelled
  kChains,    ///< three events of short chains of elements over few levels: all go through queues
  kPark,      ///< two events and three starts of the workers; a third of the seeds cancel one
  kShare,     ///< an event of one root with many descendants, so that workers give to others
  kShort,     ///< two events of several stages of one or two elements each
  kAccounts,  ///< two or three events of recursions whose accounts divide the device
  kWide,      ///< one or two events of stages of many elements, which workers draw for their blocks
};

inline synthetic::SyntheticJob SchedulerJob(synthetic::SyntheticKind kind, std::uint32_t seed) {
  synthetic::SyntheticJob job;
  job.kind = kind;
  job.seed = seed;
  job.stages = 1 + seed % 2;
  job.elements = 1 + seed % 3;
  job.growth = {3, {900, 300}};
  if (kind == synthetic::SyntheticKind::kTree)
    job.growth = synthetic::FullTreeGrowth(3, synthetic::kEvenPermille);
  if (kind == synthetic::SyntheticKind::kPrioritised) {
    job.total = 6;
    job.levels = 1 + seed % 5;
  }
  return job;
}

inline synthetic::SyntheticJob ChainJob(std::uint32_t seed) {
  synthetic::SyntheticJob job;
  job.kind = synthetic::SyntheticKind::kPrioritised;
  job.seed = seed;
  job.elements = 1 + seed % 2;
  job.total = job.elements + 1 + seed / 2 % 4;
  job.levels = 1 + seed / 8 % 3;
  return job;
}

inline synthetic::SyntheticJob BroadJob(std::uint32_t seed) {
  synthetic::SyntheticJob job;
  job.kind = synthetic::SyntheticKind::kTree;
  job.seed = seed;
  job.stages = 1 + seed % 2;
  job.elements = 1;
  job.growth = synthetic::FullTreeGrowth(4 + seed / 2 % 3, synthetic::kEvenPermille);
  return job;
}

inline synthetic::SyntheticJob ShortJob(std::uint32_t seed) {
  synthetic::SyntheticJob job;
  job.kind = synthetic::SyntheticKind::kFlat;
  job.seed = seed;
  job.stages = 2 + seed % 3;
  job.elements = 1 + seed / 3 % 2;
  return job;
}

inline synthetic::SyntheticJob WideLoad(std::uint32_t seed) {
  synthetic::SyntheticJob job;
  job.kind =
      seed % 3 == 0 ? synthetic::SyntheticKind::kRecursiveItems : synthetic::SyntheticKind::kFlat;
  job.seed = seed;
  job.stages = 1 + seed % 3;
  job.elements = 6 + seed / 3 % 40;
  job.growth = {2, {500, 300}};
  return job;
}

/// What goes wrong in a story at a seed; empty when nothing does.
template <class Space>
std::string SchedulerFault(SchedulerStory story, std::uint32_t seed) {
  using synthetic::SyntheticKind;
  constexpr SyntheticKind kKinds[] = {SyntheticKind::kFlat, SyntheticKind::kRecursiveItems,
                                      SyntheticKind::kTree, SyntheticKind::kPrioritised,
                                      SyntheticKind::kRecursivePackages};
  const bool parks = story == SchedulerStory::kPark;
  SchedulerRun<Space> run(seed);
  if (story == SchedulerStory::kChains) {
    for (std::uint32_t event = 0; event < 3; ++event) run.Add(ChainJob(seed + event), false);
    return run.Run(1);
  }
  if (story == SchedulerStory::kShort) {
    for (std::uint32_t event = 0; event < 2; ++event) run.Add(ShortJob(seed / 2 + event), false);
    return run.Run(1);
  }
  if (story == SchedulerStory::kWide) {
    for (std::uint32_t event = 0; event <= seed % 2; ++event) {
      run.Add(WideLoad(seed / 2 + event), seed % 7 == 0);
    }
    return run.Run(1 + seed / 2 % 2);
  }
  if (story == SchedulerStory::kAccounts) {
    for (std::uint32_t event = 0; event < 2 + seed % 2; ++event) {
      run.Add(SchedulerJob(kKinds[(seed / 2 + event) % 5], seed + event), seed % 5 == event);
    }
    run.ShareByAccounts();
    return run.Run(1 + seed / 4 % 2);
  }
  if (story == SchedulerStory::kShare) {
    run.Add(BroadJob(seed), false);
    return run.Run(1);
  }
  run.Add(SchedulerJob(kKinds[seed % 5], seed), story == SchedulerStory::kCancel);
  if (story != SchedulerStory::kOneEvent) {
    run.Add(SchedulerJob(kKinds[seed / 5 % 5], seed + 1), parks && seed % 3 == 0);
  }
  return run.Run(parks ? 3 : 1);
}

/// The first seed at which a story goes wrong, and how.
template <class Space>
struct SchedulerSearch {
  std::uint32_t seed = 0;
  std::string fault;

  SchedulerSearch(SchedulerStory story, std::uint32_t seeds) {
    for (; seed < seeds; ++seed) {
      fault = SchedulerFault<Space>(story, seed);
      if (!fault.empty()) return;
    }
  }
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_WORKERS_SCHEDULER_RUN_H_
