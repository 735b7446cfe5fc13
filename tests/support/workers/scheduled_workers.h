// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Events on a few workers, in the interleaving of a seed.
//
// The workers have tiny stacks and share one workspace. Events arrive, spawn and are cancelled. A
// start of the workers may end early (park) and be followed by another start. In every order of
// steps, every event ends once and leaves nothing behind.
#ifndef WARPYARD_TESTS_SUPPORT_WORKERS_SCHEDULED_WORKERS_H_
#define WARPYARD_TESTS_SUPPORT_WORKERS_SCHEDULED_WORKERS_H_

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
#include "core/policy/policy.h"
#include "tests/support/scheduled_scope.h"

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
/// @shape kNewest: steps of the schedule
template <std::uint32_t kNewest>
struct TinyShapeOf {
  static constexpr std::uint32_t kLanes = 1;
  static constexpr std::uint32_t kBlockWorkers = 2;
  static constexpr std::uint32_t kWorkers = 4;
  static constexpr std::uint32_t kStackElements = 66;
  static constexpr std::uint32_t kReserveElements = 256;
  static constexpr std::uint32_t kPages = 64;
  static constexpr std::uint32_t kNewestCycles = kNewest;
};
using TinyShape = TinyShapeOf<0>;

/// When an event is cancelled.
struct CancelAt {
  static constexpr std::uint32_t kNever = ~0u, kBeforeTheStart = ~0u - 1;
  std::uint32_t round = kNever;  ///< of the worker that started the event
};

/// @shape Space: a model::Workspace of a TinyShapeOf, or what derives from it
template <class Space, class Executor = model::ThreadExecutor<typename Space::Scope, Space>>
class ScheduledWorkers {
 public:
  using Job = typename Space::Program::Job;

  explicit ScheduledWorkers(std::uint64_t seed)
      : schedule_(seed),
        heeds_(seed / 3 % 2 == 0),
        holds_(static_cast<std::uint32_t>(seed / 6 % 4)),
        space_(new (Storage()) Space{}) {
    space_->Reset(0, 1);
  }

  Space& space() { return *space_; }

  /// @shape at most kWorkers events; job: its memory lives until Run ends
  void Add(const Job& job, CancelAt cancel, std::uint64_t deadline_ns = 0) {
    events_.push_back({job, cancel, deadline_ns, 0});
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
    for (std::size_t e = 0; e < events_.size(); ++e) {
      if (events_[e].ends == 1) continue;
      return "event " + std::to_string(e) + " ended " + std::to_string(events_[e].ends) + " times";
    }
    return "";
  }

 private:
  static_assert(std::is_trivially_destructible_v<Space>);
  using Scope = typename Space::Scope;
  using Memory = model::BlockMemory<Space>;
  static constexpr std::uint32_t kWorkers = 3;

  struct Event {
    Job job;
    CancelAt cancel;
    std::uint64_t deadline_ns;
    std::uint32_t ends;
  };

  /// One memory for all runs: asking the system for fresh pages takes longer than a run.
  static void* Storage() {
    alignas(Space) static std::byte storage[sizeof(Space)];
    return storage;
  }

  void Work(std::uint32_t worker) {
    if (worker < events_.size()) Start(worker);
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
      // Holds the events of these bits from round 3 to round 9.
      if (worker == 0 && round == 3 && holds_ != 0) space_->board.ShowHeld({{holds_, 0}});
      if (worker == 0 && round == 9) space_->board.ShowHeld({});
      if (worker == 0 && round == 6 && launch < launches_) space_->board.Leave(launch);
      if (worker < events_.size() && events_[worker].cancel.round == round) Cancel(worker);
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
    one.Heed(space_->board.ReadFree());
    if (space_->hand_over.Given(worker) != 0) one.HeedGift();
  }

  void Start(std::uint32_t event) {
    space_->events[event].job = events_[event].job;
    space_->events[event].view.deadline_ns = events_[event].deadline_ns;
    if (events_[event].cancel.round == CancelAt::kBeforeTheStart) Cancel(event);
    if (space_->events.Start(event, space_->board).done) End(event);
  }

  void Cancel(std::uint32_t event) { Scope::Word(space_->events[event].cancel).StoreRelaxed(1); }

  void End(std::uint32_t event) {
    ++events_[event].ends;
    ScheduledScope::Word(ended_).FetchAddAcqRel(1);
  }

  bool AllDone() { return ScheduledScope::Word(ended_).LoadAcquire() >= events_.size(); }

  Schedule schedule_;
  const bool heeds_;           ///< workers that found nothing look for news
  const std::uint32_t holds_;  ///< a bit for each event that is held for some time
  Space* const space_;
  // Not on the workers' stacks, which are abandoned when a schedule fails.
  std::array<std::unique_ptr<Memory>, kWorkers> memories_{
      std::make_unique<Memory>(), std::make_unique<Memory>(), std::make_unique<Memory>()};
  std::uint32_t ready_[kWorkers] = {};  // by block: the launch
  std::uint32_t left_ = 0;              // workers, of all launches
  std::vector<Event> events_;
  std::uint32_t ended_ = 0;
  std::uint32_t launches_ = 1;
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_WORKERS_SCHEDULED_WORKERS_H_
