// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Events of the load workload on a few workers, in the interleaving of a seed.
//
// The workers have tiny stacks and share one workspace. Events arrive, spawn and are cancelled. A
// start of the workers may end early (park) and be followed by another start. In every order of
// steps, every element is executed once, and every event ends once.
#ifndef WARPYARD_TESTS_SUPPORT_WORKERS_SCHEDULER_RUN_H_
#define WARPYARD_TESTS_SUPPORT_WORKERS_SCHEDULER_RUN_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <vector>

#include "core/model/cpu/thread_executor.h"
#include "core/model/worker/worker.h"
#include "core/model/worker/workspace.h"
#include "core/policy/share.h"
#include "core/workload/synthetic/synthetic_oracle.h"
#include "core/workload/synthetic/synthetic_program.h"
#include "tests/support/scheduled_scope.h"
#include "tests/support/workers/start_event.h"

namespace warpyard::test_support {

/// A word whose loads are seldom switching points. Searching all buckets takes hundreds of loads:
/// if each of them were a switching point, switches would hardly fall anywhere else.
template <class T>
class SeldomSteppedRef : public SteppedRef<T> {
 public:
  explicit SeldomSteppedRef(T& word) : SteppedRef<T>(word), word_(word) {}

  T LoadRelaxed() const { return Schedule::OnceIn(64) ? SteppedRef<T>::LoadRelaxed() : word_; }

 private:
  T& word_;
};

class SchedulerScope : public ScheduledScope {
 public:
  using ScheduledScope::ScheduledScope;

  template <class T>
  static SeldomSteppedRef<T> Word(T& word) {
    return SeldomSteppedRef<T>(word);
  }
  /// As Word, for accesses that load several words together.
  template <std::size_t kCount>
  static void LoadWords(std::uint32_t* words, std::uint32_t (&found)[kCount]) {
    for (std::size_t k = 0; k < kCount; ++k) found[k] = Word(words[k]).LoadRelaxed();
  }
};

/// Two workers share a block, and a third one has a block of its own.
struct TinyShape {
  static constexpr std::uint32_t kLanes = 1;
  static constexpr std::uint32_t kBlockWorkers = 2;
  static constexpr std::uint32_t kWorkers = 4;
  static constexpr std::uint32_t kStackElements = 66;
  static constexpr std::uint32_t kReserveElements = 256;
  static constexpr std::uint32_t kPages = 64;
};

/// @shape Scope: SchedulerScope or what derives from it
template <class Scope>
using TinySpace = model::Workspace<Scope, synthetic::SyntheticProgram, TinyShape>;

/// @shape Space: a TinySpace or what derives from it
template <class Space>
class SchedulerRun {
 public:
  explicit SchedulerRun(std::uint64_t seed)
      : schedule_(seed), heeds_(seed / 3 % 2 == 0), space_(new (Storage()) Space{}) {
    space_->Reset(0, 1);
  }

  /// @shape at most kWorkers events
  void Add(synthetic::SyntheticJob job, bool cancel) {
    results_.push_back(std::make_unique<synthetic::SyntheticResults>());
    job.results = results_.back().get();
    jobs_.push_back(job);
    cancel_.push_back(cancel);
    ends_.push_back(0);
  }

  /// The events are of different accounts, which divide the device among them.
  void ShareByAccounts() {
    space_->event_counts.running = static_cast<std::uint32_t>(jobs_.size());
    for (std::uint32_t e = 0; e < jobs_.size(); ++e) {
      space_->board.SetShare(e, policy::PackShare({1, e, policy::kStrideUnit << 2 * e}));
    }
  }

  /// What went wrong; empty when nothing did. @shape launches: starts of the workers; all but the
  /// last are told to end early
  std::string Run(std::uint32_t launches) {
    launches_ = launches;
    for (std::uint32_t w = 0; w < kWorkers; ++w) schedule_.Add([this, w] { Work(w); });
    const std::string stopped = schedule_.Run();
    if (!stopped.empty()) return stopped;
    const model::BoardNews news = space_->board.Read();
    if ((news.open[0] | news.open[1]) != 0) return "the board shows an event that has ended";
    if (space_->queues.ApproximateSize() != 0) return "elements are left in queues";
    for (std::size_t e = 0; e < jobs_.size(); ++e) {
      const std::string event = "event " + std::to_string(e);
      const std::uint64_t executed = synthetic::TotalOf(*results_[e]).executed;
      const std::uint64_t expected = synthetic::CountNodes(jobs_[e]).executed;
      if (ends_[e] != 1) return event + " ended " + std::to_string(ends_[e]) + " times";
      if (cancel_[e] ? executed > expected : executed != expected) {
        return event + ": executed " + std::to_string(executed) + " of " + std::to_string(expected);
      }
    }
    return "";
  }

 private:
  static_assert(std::is_trivially_destructible_v<Space>);
  using Scope = typename Space::Scope;
  using Memory = model::BlockMemory<Space>;
  using Executor = model::ThreadExecutor<Scope, Space>;
  static constexpr std::uint32_t kWorkers = 3;

  /// One memory for all runs: asking the system for fresh pages takes longer than a run.
  static void* Storage() {
    alignas(Space) static std::byte storage[sizeof(Space)];
    return storage;
  }

  void Work(std::uint32_t worker) {
    if (worker < jobs_.size()) Start(worker);
    for (std::uint32_t launch = 1; launch <= launches_; ++launch) {
      WorkDuring(worker, launch);
      if (AllDone()) return;
    }
  }

  /// A launch begins when the one before has ended, and a worker when its block is ready.
  bool AwaitLaunch(Scope& scope, std::uint32_t worker, std::uint32_t launch) {
    constexpr std::uint32_t kBlockWorkers = TinyShape::kBlockWorkers;
    while (ScheduledScope::Word(left_).LoadAcquire() < (launch - 1) * kWorkers) {
      if (AllDone()) return false;
      Scope::Pause(0);
    }
    auto& ready = ready_[worker / kBlockWorkers];
    if (worker % kBlockWorkers == 0) {
      model::WorkerCounts<Space>::Reset(scope, *memories_[worker / kBlockWorkers]);
      ScheduledScope::Word(ready).StoreRelease(launch);
    }
    while (ScheduledScope::Word(ready).LoadAcquire() != launch) {
      if (AllDone()) return false;
      Scope::Pause(0);
    }
    return true;
  }

  void WorkDuring(std::uint32_t worker, std::uint32_t launch) {
    constexpr std::uint32_t kBlockWorkers = TinyShape::kBlockWorkers;
    alignas(64) std::byte shared[64];
    Scope scope(shared);
    if (!AwaitLaunch(scope, worker, launch)) return;
    Executor executor(scope, *space_, worker % kBlockWorkers);
    model::Worker<Scope, Space, Executor> one(scope, *space_, *memories_[worker / kBlockWorkers],
                                              executor,
                                              {worker, worker % kBlockWorkers, kWorkers, launch});
    const auto done = [this](std::uint32_t event) { End(event); };
    for (std::uint32_t round = 0; !AllDone(); ++round) {
      if (worker == 0 && round == 6 && launch < launches_) space_->board.Leave(launch);
      if (worker < jobs_.size() && cancel_[worker] && round == 3) {
        Scope::Word(space_->events[worker].cancel).StoreRelaxed(1);
      }
      const model::Found found = one.Step(done);
      if (found == model::Found::kLeave) {
        ScheduledScope::Word(left_).FetchAddAcqRel(1);
        return;
      }
      if (found == model::Found::kStuck) Schedule::Fail("a worker is stuck");
      if (found != model::Found::kNothing) continue;
      Scope::Pause(0);
      if (heeds_) LookForNews(one, worker);
    }
  }

  /// As warps of the megakernel do. Threads of a CPU go on without it.
  template <class Worker>
  void LookForNews(Worker& one, std::uint32_t worker) {
    one.Heed(space_->board.Read());
    if (space_->hand_over.Given(worker) != 0) one.HeedGift();
  }

  void Start(std::uint32_t event) {
    space_->events[event].job = jobs_[event];
    if (space_->events.Start(event, space_->board).done) End(event);
  }

  void End(std::uint32_t event) {
    ++ends_[event];
    ScheduledScope::Word(ended_).FetchAddAcqRel(1);
  }

  bool AllDone() { return ScheduledScope::Word(ended_).LoadAcquire() >= jobs_.size(); }

  Schedule schedule_;
  const bool heeds_;  ///< workers that found nothing look for news
  Space* const space_;
  // Not on the workers' stacks, which are abandoned when a schedule fails.
  std::array<std::unique_ptr<Memory>, kWorkers> memories_{
      std::make_unique<Memory>(), std::make_unique<Memory>(), std::make_unique<Memory>()};
  std::uint32_t ready_[kWorkers] = {};  // by block: the launch
  std::uint32_t left_ = 0;              // workers, of all launches
  std::vector<synthetic::SyntheticJob> jobs_;
  std::vector<std::unique_ptr<synthetic::SyntheticResults>> results_;
  std::vector<bool> cancel_;
  std::vector<std::uint32_t> ends_;
  std::uint32_t ended_ = 0;
  std::uint32_t launches_ = 1;
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
