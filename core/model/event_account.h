// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A block's account with the events: elements that it finished and spawned, and the time that it
// took.
//
// Finished elements are held back and counted out together, and spawned ones are set off against
// them. So a recursion in which each element is followed by another costs no atomics. The block
// holds back elements of one event at a time, and counts them out before it does anything for
// another event: no event waits for a block that works on something else.
#ifndef WARPYARD_CORE_MODEL_EVENT_ACCOUNT_H_
#define WARPYARD_CORE_MODEL_EVENT_ACCOUNT_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/model/event_table.h"

namespace warpyard::model {

/// @scope all members: the group, with the same arguments; thread 0 acts
template <class Group, class Space>
class EventAccount {
 public:
  WY_HD explicit EventAccount(Space& space) : space_(space) {}

  /// Counts `count` elements in, before they are given away or kept.
  WY_HD void CountSpawned(Group& group, std::uint32_t event, std::uint32_t count) {
    const std::uint32_t own = event == held_event_ ? (held_ < count ? held_ : count) : 0;
    held_ -= own;
    if (count > own && group.Rank() == 0) space_.events.CountIn(event, count - own);
    group.Barrier();
  }

  /// Counts finished elements out, soon. @shape done: called with the event if these were its last
  template <class Done>
  WY_HD void CountFinished(Group& group, std::uint32_t event, std::uint32_t count, Done& done) {
    if (event != held_event_) {
      Flush(group, done);
      held_event_ = event;
    }
    held_ += count;
  }

  /// Flushes the account of every other event, and notes that this event is served now.
  template <class Done>
  WY_HD void TurnTo(Group& group, std::uint32_t event, Done& done) {
    if (event != held_event_) Flush(group, done);
    if (event == charged_event_ && served_) return;
    TurnChargesTo(group, event);
    FlushCharge(group);
    served_ = true;
    if (group.Rank() != 0) return;
    Scope::Word(space_.events[event].served_ns).FetchMaxRelaxed(Scope::NowNs());
  }

  template <class Done>
  WY_HD void Flush(Group& group, Done& done) {
    if (held_ != 0 && group.Rank() == 0) CountOut(space_, held_event_, held_, done);
    held_ = 0;
    group.Barrier();
  }

  /// Charges an event with time of the block.
  WY_HD void Charge(Group& group, std::uint32_t event, std::uint64_t ns) {
    TurnChargesTo(group, event);
    charged_ns_ += ns;
    if (charged_ns_ >= kChargeNs) FlushCharge(group);
  }

  /// Charges the event of the block with time that it is about to take. Otherwise policies that
  /// share time would send all blocks to the event that is behind, and see too late that they did.
  WY_HD void ChargeAhead(Group& group, std::uint64_t ns) {
    const std::uint64_t paid = ns < credit_ns_ ? ns : credit_ns_;
    credit_ns_ -= paid;
    charged_ns_ += ns - paid;
    since_served_ns_ += ns;
    const bool lately = served_ && since_served_ns_ < kChargeNs;
    FlushCharge(group);
    served_ = lately;
    if (!lately) since_served_ns_ = 0;
  }

  /// Corrects the charge ahead when the true time is known. An excess counts for later elements of
  /// the event in this block, as charges are only ever added.
  WY_HD void Settle(Group& group, std::uint32_t event, std::uint64_t took_ns,
                    std::uint64_t ahead_ns) {
    if (took_ns >= ahead_ns) {
      Charge(group, event, took_ns - ahead_ns);
    } else if (event == charged_event_) {
      credit_ns_ += ahead_ns - took_ns;
    }
  }

  WY_HD void FlushCharge(Group& group) {
    if (charged_ns_ != 0 && group.Rank() == 0) {
      auto& event = space_.events[charged_event_];
      Scope::Word(event.executed_ns).FetchAddRelaxed(charged_ns_);
    }
    charged_ns_ = 0;
    served_ = false;
  }

  /// Counts finished elements out at once. @scope one thread
  template <class Done>
  WY_DEVICE_CALL WY_HD static void CountOut(Space& space, std::uint32_t event, std::uint32_t count,
                                            Done& done) {
    bool opened = false;
    if (space.events.CountOut(event, count, opened)) done(event);
    if (opened) space.buckets.SetHint(event, Space::Buckets::kRangeHint);
  }

 private:
  using Scope = typename Space::Scope;
  /// Flush time at least this often for the policies; not oftener, since all blocks add to the same
  /// few words.
  static constexpr std::uint64_t kChargeNs = 8'000;

  WY_HD void TurnChargesTo(Group& group, std::uint32_t event) {
    if (event == charged_event_) return;
    FlushCharge(group);
    charged_event_ = event;
    credit_ns_ = 0;
  }

  Space& space_;
  std::uint32_t held_event_ = 0;
  std::uint32_t held_ = 0;
  std::uint32_t charged_event_ = 0;
  std::uint64_t charged_ns_ = 0;
  std::uint64_t credit_ns_ = 0;        // charged ahead, too much
  std::uint64_t since_served_ns_ = 0;  // charged ahead
  bool served_ = false;                // said since the last charge
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_EVENT_ACCOUNT_H_
