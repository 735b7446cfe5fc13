// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Schedulers with one fault each, a fault that the scheduler was designed to avoid.
//
// The scheduler itself is not copied. The fault is below it: in its interface to the machine (a
// scope) or to the events (the account of a workspace that is marked as broken).
#ifndef WARPYARD_TESTS_SCHEDULE_BROKEN_SCHEDULER_H_
#define WARPYARD_TESTS_SCHEDULE_BROKEN_SCHEDULER_H_

#include <concepts>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/model/event_account.h"
#include "tests/support/scheduled_scope.h"
#include "tests/support/workers/scheduler_run.h"

namespace warpyard::test_support {

/// A worker that clears a hint does not look again: the load right after clearing finds nothing,
/// whatever is there. Hints are the only words in which bits are cleared.
/// @shape Looked: the type of the load that fails: std::int32_t: the size of a queue;
/// std::uint64_t: the cursor of a stage; void: no fault
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
      cleared_ = true;  // only for this worker, whose next access comes first
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

enum class AccountFault {
  kNone,                   ///< correct: shows that tests find the fault, not the frame
  kFinishedBeforeSpawned,  ///< counts elements as finished before it counts their children
  kGivenBeforeCounted,     ///< counts elements when others can already draw them
};

template <AccountFault kFault>
struct MiscountingSpace : TinySpace<SchedulerScope> {};

}  // namespace warpyard::test_support

namespace warpyard::model {

/// The account of a MiscountingSpace: a correct account that learns late of spawned elements.
template <class Group, test_support::AccountFault kFault>
class EventAccount<Group, test_support::MiscountingSpace<kFault>>
    : public EventAccount<Group, test_support::TinySpace<test_support::SchedulerScope>> {
 public:
  using Fault = test_support::AccountFault;
  using Right = EventAccount<Group, test_support::TinySpace<test_support::SchedulerScope>>;

  explicit EventAccount(test_support::MiscountingSpace<kFault>& space) : Right(space) {}

  void CountSpawned(Group& group, std::uint32_t event, std::uint32_t count) {
    if (kFault == Fault::kNone) return Right::CountSpawned(group, event, count);
    spawned_.push_back({event, count});
  }

  template <class Done>
  void CountFinished(Group& group, std::uint32_t event, std::uint32_t count, Done& done) {
    if (kFault == Fault::kGivenBeforeCounted) CountLate(group);
    Right::CountFinished(group, event, count, done);
    if (kFault != Fault::kFinishedBeforeSpawned || spawned_.empty()) return;
    Right::Flush(group, done);
    CountLate(group);
  }

 private:
  struct Spawned {
    std::uint32_t event;
    std::uint32_t count;
  };

  void CountLate(Group& group) {
    for (const Spawned& late : spawned_) Right::CountSpawned(group, late.event, late.count);
    spawned_.clear();
  }

  std::vector<Spawned> spawned_;
};

}  // namespace warpyard::model

#endif  // WARPYARD_TESTS_SCHEDULE_BROKEN_SCHEDULER_H_
