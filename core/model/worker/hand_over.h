// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Workers that have nothing to do wait for elements of workers that have too many.
//
// A waiting worker puts its number into a queue and watches a word of its own; a worker that has
// elements to give takes the number that waits longest, writes the elements to that worker's inbox,
// and sets its word. So waiting workers do not compete for a common word: that was 100 times slower
// in a trial. Givers take numbers by a credit and a ticket (sequence_ring.h): where each tried to
// exchange one common word, one succeeded each microsecond. [lazy work stealing, SilvaThesis
// Alg. 3.7-3.13, from the giver's side]
// A worker that finds work elsewhere stays in the queue, and looks at its inbox now and then:
// nobody ever withdraws.
#ifndef WARPYARD_CORE_MODEL_WORKER_HAND_OVER_H_
#define WARPYARD_CORE_MODEL_WORKER_HAND_OVER_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/scope.h"
#include "core/procedure/element.h"
#include "core/queue/queue_concept.h"
#include "core/queue/sequence_ring.h"

namespace warpyard::model {

/// Elements that change hands together: one for each lane of a warp.
inline constexpr std::uint32_t kGivenElements = 32;

/// @shape kWorkers: a power of two, at least the number of workers; zero-initialised memory that
/// all
///     workers reach, Reset before use
template <exec::ExecScope Scope, std::uint32_t kWorkers>
class HandOver {
 public:
  static_assert((kWorkers & (kWorkers - 1)) == 0);

  /// @scope one thread, before any other uses it
  WY_HD void Reset() { ring_.Reset(); }

  /// Workers that wait. @scope any thread
  WY_HD std::uint32_t Waiting() { return ring_.ApproximateSize(); }

  /// Begins to wait. False: a bounded wait ran out. @scope one thread of the worker, which does not
  ///     wait yet
  WY_HD bool Wait(std::uint32_t worker) {
    Scope::OrderBeforePut();            // the giver writes the inbox after this worker has read it
    queue::ProducerView sure{0, true};  // there are no more waiters than places
    const queue::Claim claim = ring_.ReservePush(1, sure);
    return ring_.Put(claim.first, {worker}) == queue::PushResult::kOk;
  }

  static constexpr std::uint32_t kNobody = 0xffffffffu;    ///< none waits
  static constexpr std::uint32_t kNoAnswer = 0xfffffffeu;  ///< a bounded wait ran out
  /// Takes the workers that wait longest, one for each thread of the group whose rank is less than
  /// `wanted`. Returns the thread's one, or kNobody, or kNoAnswer. @scope the group
  template <exec::LaneScope Group>
  WY_HD std::uint32_t Choose(Group& group, std::uint32_t wanted) {
    queue::Claim claim{};
    if (group.Rank() == 0 && Waiting() != 0) claim = ring_.ReservePop(wanted);
    claim = group.Broadcast(claim);
    std::uint32_t chosen = kNobody;
    if (group.Rank() < claim.count) {
      Waiter waiter{};
      const bool got = ring_.Get(claim.first + group.Rank(), waiter) == queue::PopResult::kOk;
      chosen = got ? waiter.worker : kNoAnswer;
      Scope::OrderAfterGet();
    }
    group.Barrier();
    if (group.Rank() == 0 && claim.count != 0) ring_.FinishPop(claim);
    return chosen;
  }

  /// Writes elements to the inbox of a chosen worker. @scope the group
  /// @shape count: 1 to kGivenElements; at: returns the element with a number less than that
  template <exec::LaneScope Group, class At>
  WY_HD void Give(Group& group, std::uint32_t worker, std::uint32_t count, At&& at) {
    Write(group, worker, count, at);
    group.Barrier();
    if (group.Rank() == 0) Publish(worker, count);
    group.Barrier();
  }
  /// The two parts of it: several inboxes are published together. @scope Publish: one thread, after
  ///     a barrier of the group
  template <exec::LaneScope Group, class At>
  WY_HD void Write(Group& group, std::uint32_t worker, std::uint32_t count, At&& at) {
    Inbox& inbox = inboxes_[worker];
    for (std::uint32_t i = group.Rank(); i < count; i += group.Size()) inbox.elements[i] = at(i);
  }
  WY_HD void Publish(std::uint32_t worker, std::uint32_t count) {
    Scope::Word(inboxes_[worker].count).StoreRelease(count);
  }

  /// Elements in a worker's inbox. @scope any thread of the worker
  WY_HD std::uint32_t Given(std::uint32_t worker) {
    return Scope::Word(inboxes_[worker].count).LoadRelaxed();
  }

  /// Empties the worker's inbox, which is not empty. The worker does not wait any more then.
  /// @scope the group @shape put: called with the number of elements and a function that returns
  ///     the one with a number less than that
  template <exec::LaneScope Group, class Put>
  WY_HD void Take(Group& group, std::uint32_t worker, Put&& put) {
    Inbox& inbox = inboxes_[worker];
    put(group.Broadcast(Scope::Word(inbox.count).LoadAcquire()),
        [&](std::uint32_t i) { return inbox.elements[i]; });
    group.Barrier();
    if (group.Rank() == 0) Scope::Word(inbox.count).StoreRelaxed(0);
    group.Barrier();
  }

 private:
  struct alignas(128) Inbox {
    std::uint32_t count;  ///< not 0: given, and not yet taken
    procedure::Element elements[kGivenElements];
  };

  struct Waiter {
    std::uint32_t worker;
  };

  queue::SequenceRing<Scope, Waiter, kWorkers, kWorkers> ring_;
  Inbox inboxes_[kWorkers] = {};
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_HAND_OVER_H_
