// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The controller block of the megakernel: talks to the host, starts events, passes cancels on,
// evaluates the policy, publishes statistics, and decides when the kernel leaves.
// [Steinberger §3.4]
#ifndef WARPYARD_CORE_MODEL_MEGAKERNEL_CONTROLLER_BLOCK_CUH_
#define WARPYARD_CORE_MODEL_MEGAKERNEL_CONTROLLER_BLOCK_CUH_

#include <cstdint>

#include "core/exec/device_group.cuh"
#include "core/model/event/rank_keeper.h"
#include "core/model/megakernel/mailbox.h"
#include "core/model/megakernel/publish_statistics.cuh"
#include "core/model/worker/workspace.h"
#include "core/policy/policy.h"

namespace warpyard::model {

/// The state of the controller that outlives a launch.
struct ControllerState {
  std::uint32_t consumed;  ///< orders
  std::uint32_t started;   ///< events
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

template <class Space>
class ControllerBlock {
 public:
  using Program = typename Space::Program;
  using Box = Mailbox<Program>;
  using Orders = HostOrder<typename Program::Job>;
  /// Threads that keep the order: all warps but the first.
  static constexpr std::uint32_t kThreads = 32 * (Space::Shape::kBlockWorkers - 1);

  struct Memory {
    Orders order;
    std::uint64_t words[2];  ///< for broadcasts among the policy's threads
    std::uint32_t leave;     ///< not 0: these threads end
  };

  __device__ ControllerBlock(const MegakernelArguments<Space>& arguments, Memory& memory)
      : arguments_(arguments),
        space_(*arguments.space),
        state_(*arguments.state),
        mailbox_(*arguments.mailbox),
        memory_(memory) {}

  /// Evaluates the policy and publishes statistics in a loop. @scope all warps of the block but the
  /// first
  __device__ void KeepOrder() {
    exec::DeviceGroup<kThreads> group(nullptr, memory_.words, threadIdx.x - 32, 0);
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

  /// Reads orders until the device was idle for the linger time, or the kernel is to leave. @scope
  /// the first warp of the block
  __device__ void TakeOrders() {
    exec::WarpScope warp;
    std::uint32_t consumed = state_.consumed, started = state_.started;
    std::uint64_t busy_ns = warp.Broadcast(Scope::NowNs());
    bool leave = false;
    while (!leave) {
      // Issue these loads first: they arrive while the farther mailbox is read.
      std::uint32_t done = Scope::Word(space_.event_counts.done).LoadRelaxed();
      bool parked = space_.board.IsLeaving(arguments_.launch);
      if (mailbox_.orders.ReadOnDevice(warp, consumed, memory_.order)) {
        warp.Barrier();
        ++consumed;
        if (memory_.order.order == Order::kStart) ++started;
        if (warp.Rank() == 0) Scope::Word(space_.event_counts.running).StoreRelaxed(started - done);
        leave = Obey(warp);
        if (warp.Rank() == 0) Scope::StoreHostSlot(mailbox_.consumed, {consumed, {0, 0, 0}});
        busy_ns = warp.Broadcast(Scope::NowNs());
        continue;
      }
      done = warp.Broadcast(done);
      if (warp.Rank() == 0) Scope::Word(space_.event_counts.running).StoreRelaxed(started - done);
      parked = warp.Broadcast(parked);
      const std::uint64_t now_ns = warp.Broadcast(Scope::NowNs());
      if (done != started) busy_ns = now_ns;
      leave = now_ns - busy_ns > arguments_.linger_ns || parked;
    }
    if (warp.Rank() == 0) Leave(consumed, started);
    warp.Barrier();
  }

 private:
  using Scope = exec::DeviceScope;
  static constexpr std::uint64_t kPublishNs = 5'000'000;
  static constexpr std::uint32_t kPolicyPause = 5;  // about a microsecond

  /// Obeys an order. True: the kernel is to leave.
  __device__ bool Obey(exec::WarpScope& warp) {
    Orders& order = memory_.order;
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
    if (space_.events.Start(order.slot, space_.board).done)
      ReportEvent(space_, mailbox_, order.slot);
  }

  __device__ void Publish(exec::DeviceGroup<kThreads>& group, std::uint64_t now_ns) {
    PublishStatistics(group, space_, state_.ranks.tenants, mailbox_.published, now_ns);
  }

  /// Tells workers, the policy's threads and the host, in this order. @scope one thread
  __device__ void Leave(std::uint32_t consumed, std::uint32_t started) {
    space_.board.Leave(arguments_.launch);
    Scope::BlockWord(memory_.leave).StoreRelease(1);
    state_.consumed = consumed;
    state_.started = started;
    Scope::OrderBeforeHost();
    using Message = message::SlottedMessage<LeaveReport>;
    const LeaveReport report{consumed, Scope::Word(space_.stuck.is_stuck).LoadRelaxed()};
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
