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

#include "core/exec/packed_slot.h"
#include "core/model/event/event_table.h"
#include "core/model/worker/board.h"
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
  kWaitsForgotten,       ///< after a start, a worker does not know that it is in the ring
  kOpenedTwice,          ///< shows a stage again after it was shown
  kShownTooLate,         ///< shows a stage when others can claim of it already
  kClosedNever,          ///< nobody takes a stage off the board
  kClosedByEveryClaim,   ///< and not only by the one of its last element
  kClosedTooLate,        ///< by whom the last element was claimed, but after it was counted out
  kToldLate,             ///< counts elements in when others can finish them already
  kCountedByTwoSteps,    ///< counts elements out by a load and a store
};

template <WorkerFault kFault>
class BrokenBoard : public model::Board<SchedulerScope> {
 public:
  using Right = model::Board<SchedulerScope>;

  void Close(std::uint32_t event) {
    if (kFault == WorkerFault::kClosedNever) return;
    if (kFault == WorkerFault::kClosedTooLate) {
      late_ |= std::uint64_t{1} << event;
    } else {
      Right::Close(event);
    }
  }
  /// What was to be closed.
  void CloseLate(std::uint32_t event) {
    if ((late_ >> event & 1u) == 0) return;
    late_ &= ~(std::uint64_t{1} << event);
    Right::Close(event);
  }

 private:
  std::uint64_t late_ = 0;
};

/// @shape Board: of the same space
template <WorkerFault kFault, class Board>
class BrokenTable : public model::EventTable<SchedulerScope, synthetic::SyntheticProgram> {
 public:
  using Right = model::EventTable<SchedulerScope, synthetic::SyntheticProgram>;

  explicit BrokenTable(Board& board) : board_(board) {}

  model::RangeClaim Claim(std::uint32_t index, std::uint32_t wanted, exec::PackedSlot& described) {
    const model::RangeClaim claim = Right::Claim(index, wanted, described);
    if (kFault == WorkerFault::kClosedByEveryClaim && claim.count != 0) board_.Close(index);
    return claim;
  }

  template <class Show>
  bool CountOut(std::uint32_t index, std::uint32_t count, std::uint32_t us, Show&& show) {
    if (kFault == WorkerFault::kCountedByTwoSteps) return CountOutByTwoSteps(index, count, show);
    std::uint32_t shown = 0;
    const bool done =
        Right::CountOut(index, count, us, [&](std::uint32_t of, std::uint32_t elements) {
          shown = elements;
          if (kFault != WorkerFault::kShownTooLate) show(of, elements);
        });
    const bool late = kFault == WorkerFault::kShownTooLate || kFault == WorkerFault::kOpenedTwice;
    if (late && shown != 0) show(index, shown);
    if (kFault == WorkerFault::kClosedTooLate) board_.CloseLate(index);
    if (kFault == WorkerFault::kToldLate) {
      const std::uint32_t told = std::exchange(late_[index], 0);
      if (told != 0) Right::CountIn(index, told, 0);
    }
    return done;
  }

  void CountIn(std::uint32_t index, std::uint32_t count, std::uint32_t us) {
    if (kFault != WorkerFault::kToldLate) return Right::CountIn(index, count, us);
    late_[index] += count;
  }

 private:
  template <class Show>
  bool CountOutByTwoSteps(std::uint32_t index, std::uint32_t count, Show&& show) {
    const auto account = SchedulerScope::Word((*this)[index].account);
    const std::uint64_t left = account.LoadAcquire() - count;
    if (static_cast<std::uint32_t>(left) == 0) return Right::CountOut(index, count, 0, show);
    account.StoreRelease(left);
    return false;
  }

  Board& board_;
  std::uint32_t late_[kEvents] = {};
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

  std::uint32_t Choose() {
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
  void Give(Group&, std::uint32_t worker, std::uint32_t count, At&& at) {
    Inbox& inbox = inboxes_[worker];
    const auto told = Scope::Word(inbox.count);
    if (kFault == WorkerFault::kCountBeforeElements) told.StoreRelease(count);
    for (std::uint32_t i = 0; i < count; ++i) inbox.elements[i] = at(i);
    if (kFault != WorkerFault::kCountBeforeElements) told.StoreRelease(count);
  }

  std::uint32_t Given(std::uint32_t worker) {
    return Scope::Word(inboxes_[worker].count).LoadRelaxed();
  }

  template <class Group, class Put>
  std::uint32_t Take(Group&, std::uint32_t worker, Put&& put) {
    Inbox& inbox = inboxes_[worker];
    const std::uint32_t count = Scope::Word(inbox.count).LoadAcquire();
    for (std::uint32_t i = 0; i < count; ++i) put(i, inbox.elements[i]);
    Scope::Word(inbox.count).StoreRelaxed(0);
    return count;
  }

 private:
  struct Inbox {
    std::uint32_t count;
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
