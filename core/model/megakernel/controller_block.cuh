// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The controller block of the megakernel: talks to the host, starts events, passes cancels on,
// evaluates the policy, publishes statistics, and decides when the kernel leaves.
// [Steinberger §3.4]
#ifndef WARPYARD_CORE_MODEL_MEGAKERNEL_CONTROLLER_BLOCK_CUH_
#define WARPYARD_CORE_MODEL_MEGAKERNEL_CONTROLLER_BLOCK_CUH_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/device_group.cuh"
#include "core/model/event/rank_keeper.h"
#include "core/model/megakernel/mailbox.h"
#include "core/model/megakernel/publish_statistics.cuh"
#include "core/model/worker/workspace.h"
#include "core/policy/policy.h"

namespace warpyard::model {

/// The state of the controller that outlives a launch.
struct ControllerState {
  static constexpr std::uint32_t kMostRings = 16;

  std::uint32_t consumed[kMostRings];  ///< orders of each ring
  std::uint32_t started;               ///< events
  RankMemory ranks;
};

/// The arguments of a launch.
template <class Space>
struct MegakernelArguments {
  Space* space;
  ControllerState* state;
  Mailbox<typename Space::Program>* mailbox;
  policy::PolicyOptions policy;
  std::uint64_t linger_ns;
  std::uint32_t launch;  ///< from 1
};

/// Tells the host that an event is done, and frees its slot. @scope one thread
template <class Space>
WY_DEVICE_CALL __device__ void ReportEvent(Space& space, Mailbox<typename Space::Program>& mailbox,
                                           std::uint32_t slot) {
  using Scope = exec::DeviceScope;
  using Box = Mailbox<typename Space::Program>;
  using Message = message::SlottedMessage<typename Box::Report>;
  auto& event = space.events[slot];
  typename Box::Report report;
  report.cancel = Scope::Word(event.cancel).LoadRelaxed();
  report.error = Scope::Word(event.error).LoadRelaxed();
  for (std::uint32_t s = 0; s <= Space::Program::kMaxStages; ++s) {
    report.begin_ns[s] = event.begin_ns[s];
  }
  const std::uint32_t turn = event.turn;
  Scope::Word(event.state).StoreRelaxed(static_cast<std::uint32_t>(EventState::kFree));
  Scope::OrderBeforeHost();
  for (std::uint32_t i = 0; i < Message::kSlots; ++i) {
    Scope::StoreHostSlot(mailbox.reports[slot].slots[i], Message::Cut(report, turn, i));
  }
  Scope::Word(space.event_counts.done).FetchAddRelaxed(1);
}

/// Some warps take orders, each of a ring of its own; the others keep the order of events.
template <class Space>
class ControllerBlock {
 public:
  using Program = typename Space::Program;
  using Box = Mailbox<Program>;
  using Orders = HostOrder<typename Program::Job>;
  static constexpr std::uint32_t kTakers = Box::kRings;
  static_assert(kTakers <= ControllerState::kMostRings);
  /// Threads that keep the order.
  static constexpr std::uint32_t kThreads = 32 * (Space::Shape::kBlockWorkers - kTakers);

  struct Memory {
    Orders orders[kTakers];
    std::uint32_t consumed[kTakers];  ///< of each ring, when its taker has paused
    std::uint32_t started[kTakers];   ///< by each taker; the first one's are also those of before
    std::uint32_t paused;             ///< takers that have
    std::uint32_t phase;              ///< of the takers: see IsPause, kLeaving
    std::uint64_t words[2];           ///< for broadcasts among the policy's threads
    std::uint32_t leave;              ///< not 0: these threads end
  };

  __device__ ControllerBlock(const MegakernelArguments<Space>& arguments, Memory& memory)
      : arguments_(arguments),
        space_(*arguments.space),
        state_(*arguments.state),
        mailbox_(*arguments.mailbox),
        memory_(memory) {}

  /// @scope one thread, before all others
  __device__ void Begin() {
    memory_.leave = memory_.paused = memory_.phase = 0;
    for (std::uint32_t& started : memory_.started) started = 0;
    memory_.started[0] = state_.started;
  }

  /// Evaluates the policy and publishes statistics in a loop. @scope all warps of the block behind
  /// the takers
  __device__ void KeepOrder() {
    exec::DeviceGroup<kThreads> group(nullptr, memory_.words, threadIdx.x - 32 * kTakers, 0);
    std::uint64_t published_ns = 0;
    // All threads of the group leave after the same round.
    while (group.Broadcast(Scope::BlockWord(memory_.leave).LoadAcquire()) == 0) {
      RankKeeper<Space>::Update(group, space_, state_.ranks, arguments_.policy);
      const std::uint64_t now_ns = group.Broadcast(Scope::NowNs());
      if (now_ns - published_ns > kPublishNs) {
        Publish(group, now_ns);
        published_ns = now_ns;
      }
      Scope::Pause(kPolicyPause);
    }
    Publish(group, Scope::NowNs());
  }

  /// Takes orders of a ring until the first taker lets the kernel leave. @scope a warp
  /// @shape taker: from 1
  __device__ void TakeOrders(std::uint32_t taker) {
    exec::WarpScope warp;
    std::uint32_t consumed = state_.consumed[taker];
    while (true) {
      const std::uint32_t phase = warp.Broadcast(Scope::BlockWord(memory_.phase).LoadAcquire());
      if (phase == kLeaving) return;
      if (!IsPause(phase)) {
        static_cast<void>(TakeOrder(warp, taker, consumed));
        continue;
      }
      if (warp.Rank() == 0) {
        memory_.consumed[taker] = consumed;
        Scope::BlockWord(memory_.paused).FetchAddAcqRel(1);
        AwaitTakers("the first taker does not go on",
                    [&] { return Scope::BlockWord(memory_.phase).LoadAcquire() != phase; });
      }
      warp.Barrier();
    }
  }

  /// Takes orders of the first ring until the device was idle for the linger time, or the kernel is
  /// to leave. @scope the first warp of the block
  __device__ void LeadTakers() {
    exec::WarpScope warp;
    std::uint32_t consumed = state_.consumed[0];
    std::uint64_t busy_ns = warp.Broadcast(Scope::NowNs());
    while (true) {
      // Issue these loads first: they arrive while the farther mailbox is read.
      std::uint32_t done = Scope::Word(space_.event_counts.done).LoadRelaxed();
      bool leaves = space_.board.IsLeaving(arguments_.launch);
      const Taken taken = TakeOrder(warp, 0, consumed);
      done = warp.Broadcast(done);
      leaves = warp.Broadcast(leaves) || taken == Taken::kPark;
      const std::uint32_t started = Started(warp);
      if (warp.Rank() == 0) Scope::Word(space_.event_counts.running).StoreRelaxed(started - done);
      const std::uint64_t now_ns = warp.Broadcast(Scope::NowNs());
      if (done != started || taken != Taken::kNothing) busy_ns = now_ns;
      if (!leaves && now_ns - busy_ns <= arguments_.linger_ns) continue;
      Pause(warp);
      // Another taker may have started an event before it paused.
      if (leaves || Started(warp) == done) break;
      GoOn(warp);
      busy_ns = now_ns;
    }
    if (warp.Rank() == 0) Leave(consumed);
    warp.Barrier();
  }

 private:
  using Scope = exec::DeviceScope;
  static constexpr std::uint64_t kPublishNs = 5'000'000;
  static constexpr std::uint32_t kPolicyPause = 5;  // about a microsecond

  /// Takers take orders in even phases and pause in odd ones, each with a number of its own: a
  /// taker that sleeps through the end of a pause does not take the next one for it.
  __device__ static bool IsPause(std::uint32_t phase) { return phase % 2 != 0; }
  static constexpr std::uint32_t kLeaving = ~0u;  ///< the phase in which takers are to end
  enum class Taken { kNothing, kOrder, kPark };

  /// Takes the next order of a ring, if it has come, and obeys it.
  __device__ Taken TakeOrder(exec::WarpScope& warp, std::uint32_t taker, std::uint32_t& consumed) {
    Orders& order = memory_.orders[taker];
    if (!mailbox_.orders[taker].ReadOnDevice(warp, consumed, order)) return Taken::kNothing;
    warp.Barrier();
    ++consumed;
    if (order.order == Order::kStart && warp.Rank() == 0) {
      const auto started = Scope::BlockWord(memory_.started[taker]);
      started.StoreRelaxed(started.LoadRelaxed() + 1);
    }
    const bool parks = Obey(warp, order);
    if (warp.Rank() == 0) Scope::StoreHostSlot(mailbox_.consumed[taker], {consumed, {0, 0, 0}});
    return parks ? Taken::kPark : Taken::kOrder;
  }

  /// Events that were started so far.
  __device__ std::uint32_t Started(exec::WarpScope& warp) {
    std::uint32_t sum = 0;
    for (std::uint32_t& started : memory_.started) {
      sum += Scope::BlockWord(started).LoadRelaxed();
    }
    return warp.Broadcast(sum);
  }

  /// Pauses all other takers.
  __device__ void Pause(exec::WarpScope& warp) {
    if (warp.Rank() == 0) {
      Scope::BlockWord(memory_.phase).FetchAddRelease(1);
      AwaitTakers("a taker of orders does not pause",
                  [&] { return Scope::BlockWord(memory_.paused).LoadAcquire() == kTakers - 1; });
    }
    warp.Barrier();
  }
  __device__ void GoOn(exec::WarpScope& warp) {
    if (warp.Rank() == 0) {
      Scope::BlockWord(memory_.paused).StoreRelaxed(0);
      Scope::BlockWord(memory_.phase).FetchAddRelease(1);
    }
    warp.Barrier();
  }

  /// A wait that runs out makes the device lost. @scope one thread
  template <class Ready>
  __device__ void AwaitTakers(const char* reason, Ready&& ready) {
    if (!Scope::Wait(reason, ready)) TellStuck(space_, arguments_.launch, reason);
  }

  /// Obeys an order. True: the kernel is to leave.
  __device__ bool Obey(exec::WarpScope& warp, Orders& order) {
    if (order.order == Order::kPark) return order.turn == arguments_.launch;
    if (order.order == Order::kTime) {
      using Message = message::SlottedMessage<TimeReport>;
      const exec::PackedSlot slot = Message::Cut({Scope::NowNs()}, order.turn, 0);
      if (warp.Rank() == 0) Scope::StoreHostSlot(mailbox_.time.slots[0], slot);
      return false;
    }
    auto& event = space_.events[order.slot];
    if (order.order == Order::kCancel) {
      if (warp.Rank() == 0 && event.turn == order.turn) Scope::Word(event.cancel).StoreRelaxed(1);
      warp.Barrier();
      return false;
    }
    static_assert(sizeof(order.job) % 4 == 0);
    const auto* from = reinterpret_cast<const std::uint32_t*>(&order.job);
    auto* to = reinterpret_cast<std::uint32_t*>(&event.job);
    for (std::uint32_t i = warp.Rank(); i < sizeof(order.job) / 4; i += warp.Size())
      to[i] = from[i];
    warp.Barrier();
    if (warp.Rank() == 0) Start(event, order);
    warp.Barrier();
    return false;
  }

  template <class Event>
  __device__ void Start(Event& event, const Orders& order) {
    event.view = order.view;
    event.view.arrival_ns = event.view.served_ns = Scope::NowNs();
    event.turn = order.turn;
    Scope::Word(event.cancel).StoreRelaxed(0);
    const policy::Share share =
        policy::ShareOf(arguments_.policy, event.view, order.slot, event.view.arrival_ns);
    space_.board.SetShare(order.slot, policy::PackShare(share));  // before the next update of all
    if (space_.events.Start(order.slot, space_.board).done)
      ReportEvent(space_, mailbox_, order.slot);
  }

  __device__ void Publish(exec::DeviceGroup<kThreads>& group, std::uint64_t now_ns) {
    PublishStatistics(group, space_, state_.ranks.tenants, mailbox_.published, now_ns);
  }

  /// The kernel leaves: this tells first the workers, then the other threads of the block, then the
  /// host. @scope one thread, while the other takers pause @shape consumed: orders of the first
  /// ring
  __device__ void Leave(std::uint32_t consumed) {
    space_.board.Leave(arguments_.launch);
    memory_.consumed[0] = consumed;
    std::uint32_t all_consumed = 0, all_started = 0;
    for (std::uint32_t taker = 0; taker < kTakers; ++taker) {
      state_.consumed[taker] = memory_.consumed[taker];
      all_consumed += memory_.consumed[taker];
      all_started += memory_.started[taker];
    }
    state_.started = all_started;
    Scope::BlockWord(memory_.phase).StoreRelease(kLeaving);
    Scope::BlockWord(memory_.leave).StoreRelease(1);
    Scope::OrderBeforeHost();
    using Message = message::SlottedMessage<LeaveReport>;
    const LeaveReport report{all_consumed, Scope::Word(space_.stuck.is_stuck).LoadRelaxed()};
    Scope::StoreHostSlot(mailbox_.leave.slots[0], Message::Cut(report, arguments_.launch, 0));
  }

  const MegakernelArguments<Space>& arguments_;
  Space& space_;
  ControllerState& state_;
  Box& mailbox_;
  Memory& memory_;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_MEGAKERNEL_CONTROLLER_BLOCK_CUH_
