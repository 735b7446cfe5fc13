// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Workers that are nearly right: each has one fault that the scheduler was written to avoid.
//
// The worker itself is not copied. A fault is put in beneath it: in a part of its workspace, or
// where the levels meet the machine (a scope).
#ifndef WARPYARD_TESTS_SCHEDULE_BROKEN_WORKER_H_
#define WARPYARD_TESTS_SCHEDULE_BROKEN_WORKER_H_

#include <concepts>
#include <cstdint>
#include <utility>

#include "core/model/event/event_table.h"
#include "core/model/worker/board/board.h"
#include "core/model/worker/hand_over.h"
#include "core/model/worker/workspace.h"
#include "core/procedure/element.h"
#include "tests/support/scheduled_scope.h"
#include "tests/support/workers/scheduler_run.h"

namespace warpyard::test_support {

/// Whoever takes a bit back does not look again: a load right after it finds nothing, whatever is
/// there.
/// @shape Looked: what is not looked at: std::int32_t: the size of a queue; void: no fault
template <class Looked>
class ForgetfulScope : public SchedulerScope {
 public:
  using SchedulerScope::SchedulerScope;

  template <class T>
  class Ref : public SeldomSteppedRef<T> {
   public:
    using SeldomSteppedRef<T>::SeldomSteppedRef;

    T FetchAndAcqRel(T value) const {
      const T before = SeldomSteppedRef<T>::FetchAndAcqRel(value);
      cleared_ = true;  // others do not see it: the next access of this worker comes first
      return before;
    }
    T LoadRelaxed() const {
      const bool forgets = std::exchange(cleared_, false) && std::same_as<T, Looked>;
      return forgets ? T{0} : SeldomSteppedRef<T>::LoadRelaxed();
    }
  };

  template <class T>
  static Ref<T> Word(T& word) {
    return Ref<T>(word);
  }

 private:
  inline static bool cleared_ = false;
};

enum class WorkerFault {
  kNone,                 ///< right: shows that the suite blames the fault, not the frame
  kCountBeforeElements,  ///< an inbox says how many elements it has before it has them
  kTicketBeforeNumber,   ///< takes a ticket of the ring, then reads whose it is
  kEmptiedLate,          ///< empties its inbox when it looks again: a gift may be in it
  kWaitsForgotten,       ///< after a start, a worker does not know that it is in the ring
  kShownTwice,           ///< shows a stage again after it was shown
  kClosedNever,          ///< nobody takes a stage off the board
  kClosedByEveryClaim,   ///< and not only by the one of its last element
  kToldLate,             ///< counts elements in when others can finish them already
  kKeptBack,             ///< waits before it has told what it finished last
  kCountedByTwoSteps,    ///< counts elements out by a load and a store
};

/// A board that knows who turns a bit over.
template <WorkerFault kFault>
class BrokenBoard : public model::Board<SchedulerScope> {
 public:
  using Right = model::Board<SchedulerScope>;

  /// By a claim.
  void Toggle(std::uint32_t event) {
    if (kFault != WorkerFault::kClosedNever) Right::Toggle(event);
  }
  /// By the thread that opens a stage.
  void Show(std::uint32_t event) {
    Right::Toggle(event);
    if (kFault == WorkerFault::kShownTwice) Right::Toggle(event);
  }
};

/// @shape Board: of the same space
template <WorkerFault kFault, class Board>
class BrokenTable : public model::EventTable<SchedulerScope, synthetic::SyntheticProgram> {
 public:
  using Right = model::EventTable<SchedulerScope, synthetic::SyntheticProgram>;

  explicit BrokenTable(Board& board) : board_(board) {}

  model::Opened Start(std::uint32_t index, Board&) { return Right::Start(index, opener_); }

  model::RangeClaim Claim(std::uint32_t index, std::uint32_t wanted, std::uint32_t known) {
    const model::RangeClaim claim = Right::Claim(index, wanted, known);
    const bool closes = claim.count != 0 && !claim.TakesLast();
    if (kFault == WorkerFault::kClosedByEveryClaim && closes) board_.Toggle(index);
    return claim;
  }

  model::Opened CountOut(std::uint32_t index, std::uint32_t count, std::uint32_t us, Board&) {
    if (kFault == WorkerFault::kCountedByTwoSteps) return CountOutByTwoSteps(index, count);
    if (kFault == WorkerFault::kKeptBack) {
      count = std::exchange(kept_[index], count);
      if (count == 0) return {};
    }
    const model::Opened opened = Right::CountOut(index, count, us, opener_);
    if (kFault == WorkerFault::kToldLate) {
      const std::uint32_t told = std::exchange(kept_[index], 0);
      if (told != 0) Right::CountIn(index, told, 0);
    }
    return opened;
  }

  void CountIn(std::uint32_t index, std::uint32_t count, std::uint32_t us) {
    if (kFault != WorkerFault::kToldLate) return Right::CountIn(index, count, us);
    kept_[index] += count;
  }

 private:
  /// The board, for a thread that opens a stage.
  struct Opener {
    Board& board;
    void Describe(std::uint32_t event, std::uint32_t elements, std::uint32_t procedure,
                  bool urgent) {
      board.Describe(event, elements, procedure, urgent);
    }
    void Toggle(std::uint32_t event) { board.Show(event); }
  };

  model::Opened CountOutByTwoSteps(std::uint32_t index, std::uint32_t count) {
    const auto account = SchedulerScope::Word((*this)[index].account);
    const std::uint64_t left = account.LoadAcquire() - count;
    if (static_cast<std::uint32_t>(left) == 0) return Right::CountOut(index, count, 0, opener_);
    account.StoreRelease(left);
    return {};
  }

  Board& board_;
  Opener opener_{board_};
  std::uint32_t kept_[kEvents] = {};
};

/// What HandOver does, but for the order of two steps.
template <class Scope, WorkerFault kFault, std::uint32_t kWorkers>
class BrokenHandOver {
 public:
  static constexpr std::uint32_t kNobody = 0xffffffffu;
  static constexpr std::uint32_t kNoAnswer = 0xfffffffeu;

  std::uint32_t Waiting() {
    const std::uint32_t served = Scope::Word(served_).LoadRelaxed();
    const std::uint32_t waiting = Scope::Word(came_).LoadRelaxed() - served;
    return waiting <= kWorkers ? waiting : 0;
  }

  bool Wait(std::uint32_t worker) {
    const std::uint32_t ticket = Scope::Word(came_).FetchAddRelaxed(1);
    Scope::Word(ring_[ticket % kWorkers]).StoreRelease(Entry(ticket, worker));
    return true;
  }

  /// @shape wanted: one worker, whatever it says
  template <class Group>
  std::uint32_t Choose(Group&, std::uint32_t) {
    std::uint32_t ticket = Scope::Word(served_).LoadAcquire();
    if (kFault == WorkerFault::kTicketBeforeNumber) {
      if (ticket == Scope::Word(came_).LoadRelaxed()) return kNobody;
      if (!Scope::Word(served_).CompareExchangeAcqRel(ticket, ticket + 1)) return kNobody;
    }
    const std::uint64_t entry = Scope::Word(ring_[ticket % kWorkers]).LoadAcquire();
    if (entry >> 32 != Entry(ticket, 0) >> 32) return kNobody;
    if (kFault != WorkerFault::kTicketBeforeNumber &&
        !Scope::Word(served_).CompareExchangeAcqRel(ticket, ticket + 1)) {
      return kNobody;
    }
    return static_cast<std::uint32_t>(entry);
  }

  template <class Group, class At>
  void Write(Group&, std::uint32_t worker, std::uint32_t count, At&& at) {
    Inbox& inbox = inboxes_[worker];
    if (kFault == WorkerFault::kCountBeforeElements) Scope::Word(inbox.count).StoreRelease(count);
    for (std::uint32_t i = 0; i < count; ++i) inbox.elements[i] = at(i);
  }
  void Publish(std::uint32_t worker, std::uint32_t count) {
    if (kFault == WorkerFault::kCountBeforeElements) return;
    Scope::Word(inboxes_[worker].count).StoreRelease(count);
  }

  std::uint32_t Given(std::uint32_t worker) {
    const auto told = Scope::Word(inboxes_[worker].count);
    if (std::exchange(inboxes_[worker].full, false)) told.StoreRelaxed(0);
    return told.LoadRelaxed();
  }

  template <class Group, class Put>
  void Take(Group&, std::uint32_t worker, Put&& put) {
    Inbox& inbox = inboxes_[worker];
    put(Scope::Word(inbox.count).LoadAcquire(), [&](std::uint32_t i) { return inbox.elements[i]; });
    inbox.full = kFault == WorkerFault::kEmptiedLate;
    if (!inbox.full) Scope::Word(inbox.count).StoreRelaxed(0);
  }

 private:
  struct Inbox {
    std::uint32_t count;
    bool full;  ///< though all was taken: a fault
    procedure::Element elements[model::kGivenElements];
  };

  static std::uint64_t Entry(std::uint32_t ticket, std::uint32_t worker) {
    return std::uint64_t{ticket / kWorkers + 1} << 32 | worker;
  }

  std::uint32_t served_ = 0, came_ = 0;
  std::uint64_t ring_[kWorkers] = {};
  Inbox inboxes_[kWorkers] = {};
};

/// What workers leave behind for the next launch.
template <WorkerFault kFault>
class BrokenParked {
 public:
  model::ParkedWorker& operator[](std::uint32_t worker) {
    if (kFault == WorkerFault::kWaitsForgotten) parked_[worker].waits = 0;
    return parked_[worker];
  }

 private:
  model::ParkedWorker parked_[TinyShape::kWorkers] = {};
};

/// A workspace with a part that has the fault.
template <WorkerFault kFault>
struct BrokenSpace : TinySpace<SchedulerScope> {
  BrokenBoard<kFault> board;
  BrokenHandOver<SchedulerScope, kFault, TinyShape::kWorkers> hand_over;
  BrokenTable<kFault, BrokenBoard<kFault>> events{board};
  BrokenParked<kFault> parked;
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SCHEDULE_BROKEN_WORKER_H_
