// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Keeps the ranks of the events as the policy wants them, while workers draw.
#ifndef WARPYARD_CORE_MODEL_EVENT_RANK_KEEPER_H_
#define WARPYARD_CORE_MODEL_EVENT_RANK_KEEPER_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/exec/one_thread.h"
#include "core/model/event/event_table.h"
#include "core/policy/hold.h"
#include "core/policy/key.h"
#include "core/policy/policy.h"
#include "core/policy/ranks.h"
#include "core/policy/share.h"
#include "core/policy/tenant_times.h"
#include "core/procedure/element.h"

namespace warpyard::model {

/// What the keeper remembers of each slot's event, and how it was at the start of an update.
struct EventTimes {
  std::uint32_t running[procedure::kEventBuckets / 32];  ///< a bit each
  std::uint32_t before[procedure::kEventBuckets / 32];   ///< a bit each: before_us is not 0
  std::uint64_t came_ns[procedure::kEventBuckets];  ///< of the slot's latest event; 0: none yet
  std::uint32_t tenant[procedure::kEventBuckets];
  std::uint32_t told_us[procedure::kEventBuckets];    ///< EventTable::ExecutedUs
  std::uint32_t gained_us[procedure::kEventBuckets];  ///< since the last update
  /// The same of the event before in the slot, or of one that has ended; and whose it was.
  std::uint32_t before_us[procedure::kEventBuckets];
  std::uint32_t before_tenant[procedure::kEventBuckets];
  std::uint64_t executed_ns[procedure::kEventBuckets];
  std::uint64_t served_ns[procedure::kEventBuckets];   ///< when its time last grew
  std::uint64_t arrival_ns[procedure::kEventBuckets];  ///< of the event that ran before, or 0
  std::uint64_t begun_ns[procedure::kEventBuckets];    ///< of EventView
};

/// The events that are held, and the times by which policy::Hold decides.
struct HoldMemory {
  std::uint32_t left_us[procedure::kEventBuckets];
  std::uint32_t pressing_us;                           ///< the least SpanUs of those that press
  std::uint32_t held[procedure::kEventBuckets / 32];   ///< a bit each
  std::uint32_t shown[procedure::kEventBuckets / 32];  ///< what workers were told
  std::uint64_t since_ns;  ///< the last update, if some were held then; else 0
};

/// @shape in memory of the group that calls it, zero-initialised
struct RankMemory {
  static constexpr std::uint32_t kKeys = procedure::kEventBuckets + 1;
  std::uint64_t keys[kKeys];  ///< of the events, then of all levels together
  std::uint16_t ranks[kKeys];
  EventTimes events;
  std::uint64_t start_ns;    ///< EventTimes::begun_ns of an event that comes now
  std::uint64_t urgent_ns;   ///< when an event with a deadline ran last; 0: never
  std::uint32_t has_urgent;  ///< not 0: one runs
  HoldMemory hold;
  std::uint32_t shown;  ///< what workers were told: 0: not known, 1: none come, 2: some
  policy::TenantTimes tenants;
  std::uint32_t active_tenants;  ///< a bit each
};

/// @scope one group at a time
template <class Space>
class RankKeeper {
 public:
  RankKeeper() = delete;

  /// Evaluates the policy and tells the workers. A slot without an event ranks first, so that the
  /// slot's next event need not wait for an update. @scope the group
  template <class Group>
  WY_HD static void Update(Group& group, Space& space, RankMemory& memory,
                           const policy::PolicyOptions& options) {
    LookAtEvents(group, space, memory.events);
    if (group.Rank() == 0) {
      ChargeTenants(memory, options);
      StartNewcomers(memory);
      memory.hold.pressing_us = policy::Hold::kNone;
      for (std::uint32_t& held : memory.hold.held) held = 0;
    }
    group.Barrier();
    const std::uint64_t now_ns = Scope::NowNs();
    for (std::uint32_t i = group.Rank(); i < RankMemory::kKeys; i += group.Size()) {
      if (i == kEvents) {
        memory.keys[i] = LevelsKey(memory, options, now_ns);
      } else {
        Judge(space, memory, options, i, now_ns);
      }
    }
    if constexpr (exec::kIsOneThread<Group>) {
      policy::SortRanks(memory.keys, memory.ranks);
    } else {
      policy::ComputeRanks(group, memory.keys, memory.ranks);
    }
    for (std::uint32_t i = group.Rank(); i < RankMemory::kKeys; i += group.Size()) {
      space.board.SetRank(i, memory.ranks[i]);
    }
    group.Barrier();
    for (std::uint32_t i = group.Rank(); i < kEvents; i += group.Size()) {
      if (!policy::Hold::Waits(memory.hold.left_us[i], memory.hold.pressing_us)) continue;
      Scope::Word(memory.hold.held[i / 32]).FetchAddRelaxed(1u << i % 32);
    }
    group.Barrier();
    if (group.Rank() == 0) {
      ShowUrgent(space, memory, now_ns);
      ShowHeld(space, memory.hold, now_ns);
    }
    group.Barrier();
  }

 private:
  using Scope = typename Space::Scope;
  static constexpr std::uint32_t kEvents = procedure::kEventBuckets;
  static constexpr std::uint64_t kUrgentNs = 50'000'000;
  static constexpr std::uint64_t kMostGapNs = 1'000'000;

  WY_HD static bool Runs(Space& space, std::uint32_t event) {
    return Scope::Word(space.events[event].state).LoadAcquire() ==
           static_cast<std::uint32_t>(EventState::kRunning);
  }

  /// Sets the key and the share of an event.
  WY_HD static void Judge(Space& space, RankMemory& memory, const policy::PolicyOptions& options,
                          std::uint32_t i, std::uint64_t now_ns) {
    std::uint64_t key = 0;
    std::uint32_t left_us = policy::Hold::kNeverWaits;
    const bool runs = Runs(space, i);
    policy::Share share = runs ? policy::Share{} : policy::ShareOfNewcomer(options);
    // A cancelled or failed event ranks first, too: draws of it end it.
    if (runs && !space.events.IsDropped(i)) {
      policy::EventView view = space.events[i].view;
      view.served_ns = memory.events.served_ns[i];
      view.executed_ns = memory.events.executed_ns[i];
      view.begun_ns = memory.events.begun_ns[i];
      if (IsUrgent(options, view, now_ns)) Scope::Word(memory.has_urgent).StoreRelaxed(1);
      left_us = policy::Hold::LeftUs(options, view, now_ns);
      if (policy::Hold::Presses(options, view, now_ns)) {
        Scope::Word(memory.hold.pressing_us).FetchMinRelaxed(policy::Hold::SpanUs(view));
      }
      key = policy::KeyOf(options, view, memory.tenants, now_ns);
      share = policy::ShareOf(options, view, i, now_ns);
    }
    memory.keys[i] = key;
    memory.hold.left_us[i] = left_us;
    space.board.SetShare(i, policy::PackShare(share));
  }

  /// Whether an event has a deadline that matters to the policy.
  WY_HD static bool IsUrgent(const policy::PolicyOptions& options, const policy::EventView& view,
                             std::uint64_t now_ns) {
    if (options.kind == policy::PolicyKind::kService) {
      return policy::ServiceDefault::HasDeadline(view, now_ns);
    }
    return options.kind == policy::PolicyKind::kEarliestDeadline &&
           view.deadline_ns != policy::kNoDeadline;
  }

  /// Tells workers whether events with a deadline come. @scope one thread
  WY_HD static void ShowUrgent(Space& space, RankMemory& memory, std::uint64_t now_ns) {
    if (memory.has_urgent != 0) memory.urgent_ns = now_ns;
    memory.has_urgent = 0;
    const bool comes = memory.urgent_ns != 0 && now_ns - memory.urgent_ns < kUrgentNs;
    const std::uint32_t shown = comes ? 2 : 1;
    if (shown == memory.shown) return;
    memory.shown = shown;
    space.board.ShowUrgent(comes);
  }

  /// Tells workers which events are held. @scope one thread
  WY_HD static void ShowHeld(Space& space, HoldMemory& hold, std::uint64_t now_ns) {
    const bool holds = (hold.held[0] | hold.held[1]) != 0;
    const std::uint64_t since_ns = hold.since_ns;
    hold.since_ns = holds ? now_ns : 0;
    if (since_ns != 0) {
      // Nobody has updated while no kernel was there.
      const std::uint64_t passed_ns = now_ns - since_ns;
      const std::uint64_t held_ns = passed_ns < kMostGapNs ? passed_ns : kMostGapNs;
      Scope::Word(space.counters.held_ns).FetchAddRelaxed(held_ns);
    }
    if (hold.held[0] == hold.shown[0] && hold.held[1] == hold.shown[1]) return;
    for (std::uint32_t w = 0; w < kEvents / 32; ++w) hold.shown[w] = hold.held[w];
    space.board.ShowHeld({hold.held[0], hold.held[1]});
  }

  /// Levels rank like an event of normal priority, without a deadline, that was served just now.
  WY_HD static std::uint64_t LevelsKey(const RankMemory& memory,
                                       const policy::PolicyOptions& options, std::uint64_t now_ns) {
    policy::EventView view;
    view.arrival_ns = view.served_ns = now_ns;
    view.begun_ns = memory.start_ns;
    return policy::KeyOf(options, view, memory.tenants, now_ns);
  }

  /// Reads all events at the same time: memory is far away, and the ranks must be fresh.
  template <class Group>
  WY_HD static void LookAtEvents(Group& group, Space& space, EventTimes& times) {
    if (group.Rank() == 0) {
      for (std::uint32_t& running : times.running) running = 0;
      for (std::uint32_t& before : times.before) before = 0;
    }
    group.Barrier();
    const std::uint64_t now_ns = Scope::NowNs();
    for (std::uint32_t i = group.Rank(); i < kEvents; i += group.Size()) {
      const bool runs = Runs(space, i);
      if (!runs && times.came_ns[i] == 0) continue;
      LookAt(space, times, i, runs, now_ns);
      const std::uint32_t bit = 1u << i % 32;
      if (runs) Scope::Word(times.running[i / 32]).FetchAddRelaxed(bit);
      if (times.before_us[i] != 0) Scope::Word(times.before[i / 32]).FetchAddRelaxed(bit);
    }
    group.Barrier();
  }

  /// Reads an event. Much of a short event's time is told when it ends, and the slot's next event
  /// may have begun since then. An event that came and went between two updates counts as the one
  /// before it. @scope one thread
  WY_HD static void LookAt(Space& space, EventTimes& times, std::uint32_t i, bool runs,
                           std::uint64_t now_ns) {
    const std::uint32_t begun_us = space.events.BegunUs(i);  // before the time, so not later
    const std::uint32_t told_us = space.events.ExecutedUs(i);
    const std::uint32_t gained_us = told_us - times.told_us[i];
    times.told_us[i] = told_us;
    times.before_us[i] = times.gained_us[i] = 0;
    times.before_tenant[i] = times.tenant[i];
    if (!runs) {
      times.before_us[i] = gained_us;
      times.arrival_ns[i] = 0;
      return;
    }
    const bool is_first = times.came_ns[i] == 0;
    times.came_ns[i] = space.events[i].view.arrival_ns;
    times.tenant[i] = space.events[i].view.tenant;
    times.gained_us[i] = gained_us;
    if (times.came_ns[i] != times.arrival_ns[i]) {  // the slot has another event now
      times.gained_us[i] = exec::Least(gained_us, told_us - begun_us);
      if (!is_first) times.before_us[i] = gained_us - times.gained_us[i];
      times.executed_ns[i] = 0;
      times.served_ns[i] = times.came_ns[i];
    }
    if (times.gained_us[i] != 0) times.served_ns[i] = now_ns;
    times.executed_ns[i] += std::uint64_t{1000} * times.gained_us[i];
  }

  /// Calls visit(event) for those of a set. @scope one thread
  template <class Visit>
  WY_HD static void ForEach(const std::uint32_t (&events)[kEvents / 32], Visit&& visit) {
    for (std::uint32_t w = 0; w < kEvents / 32; ++w) {
      for (std::uint32_t left = events[w]; left != 0; left &= left - 1) {
        visit(32 * w + exec::LowestBit(left));
      }
    }
  }

  /// Lets new events go on with the others.
  WY_HD static void StartNewcomers(RankMemory& memory) {
    EventTimes& times = memory.events;
    policy::FairStart start;
    ForEach(times.running, [&](std::uint32_t i) {
      if (times.arrival_ns[i] != times.came_ns[i]) return;
      start.Add(times.begun_ns[i] + times.executed_ns[i]);
    });
    memory.start_ns = start.BegunNs();
    ForEach(times.running, [&](std::uint32_t i) {
      if (times.arrival_ns[i] == times.came_ns[i]) return;
      times.arrival_ns[i] = times.came_ns[i];
      times.begun_ns[i] = memory.start_ns;
    });
  }

  /// Charges tenants with the time of their events since the last update, and lets tenants that
  /// come back go on with the others.
  WY_HD static void ChargeTenants(RankMemory& memory, const policy::PolicyOptions& options) {
    EventTimes& times = memory.events;
    std::uint32_t active = 0;
    ForEach(times.before, [&](std::uint32_t i) {
      policy::Charge(memory.tenants, options, times.before_tenant[i],
                     std::uint64_t{1000} * times.before_us[i]);
    });
    ForEach(times.running, [&](std::uint32_t i) {
      policy::Charge(memory.tenants, options, times.tenant[i],
                     std::uint64_t{1000} * times.gained_us[i]);
      active |= 1u << times.tenant[i] % policy::kMaxTenants;
    });
    for (std::uint32_t tenant = 0; tenant < policy::kMaxTenants; ++tenant) {
      const bool came = (active & ~memory.active_tenants) >> tenant & 1u;
      if (came) policy::Activate(memory.tenants, tenant, memory.active_tenants & active);
    }
    memory.active_tenants = active;
  }
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_EVENT_RANK_KEEPER_H_
