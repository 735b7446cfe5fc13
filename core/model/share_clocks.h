// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A block's own virtual times: it shares its time among events that share by weight. [stride
// scheduling; policy/share.h names the events]
//
// Each block turns to the account on which it has spent the least time, by weight. Hundreds of
// blocks that do so at different moments share the device evenly, without communication. A block
// stays with an event for a little while, since a change costs it the content of its stack.
#ifndef WARPYARD_CORE_MODEL_SHARE_CLOCKS_H_
#define WARPYARD_CORE_MODEL_SHARE_CLOCKS_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/exec/scope.h"
#include "core/model/workspace.h"
#include "core/policy/share.h"
#include "core/procedure/element.h"
#include "core/strategy/buckets.h"

namespace warpyard::model {

/// The state of a block's own stack. @shape bucket: kNone if it is empty
struct Own {
  static constexpr std::uint32_t kNone = 0xffffffffu;
  std::uint32_t bucket;
  std::uint32_t least_rank;  ///< lower ranks were empty at the last look
};

/// @scope all members: the group that schedules for a block, all threads together
template <exec::LaneScope Group, class Space>
class ShareClocks {
 public:
  static constexpr std::uint32_t kNone = Own::kNone;
  ShareClocks() = delete;

  WY_HD static void Reset(Group& group, BlockMemory<Space>& memory) {
    for (std::uint32_t i = group.Rank(); i < kAccounts; i += group.Size()) memory.clocks[i] = 0;
    if (group.Rank() == 0) memory.clock_base = memory.clock_checked = 0;
    group.Barrier();
  }

  /// Chooses the event that the block turns to, among the events that share with the first one.
  /// Returns `best` with its bucket; own_rank is less than rank if it is the own one. @shape best:
  /// the first bucket that is not empty
  WY_HD static strategy::BestBucket Choose(Group& group, Space& space, BlockMemory<Space>& memory,
                                           const strategy::BestBucket& best, const Own& own) {
    const bool own_first = own.bucket != kNone && best.own_rank <= best.rank;
    const std::uint32_t first = own_first ? own.bucket : best.bucket;
    if (!own_first && best.rank == strategy::kNoRank) return best;
    if (first >= kAccounts) return best;
    const std::uint32_t shares = group.Broadcast(Scope::Word(space.shares[first]).LoadRelaxed());
    const std::uint32_t own_share =
        own.bucket < kAccounts ? Scope::Word(space.shares[own.bucket]).LoadRelaxed() : 0;
    if (policy::UnpackShare(shares).group == 0) return best;
    std::uint32_t least = kNone;
    Candidate found{0, 0};
    for (std::uint32_t event = group.Rank(); event < kAccounts; event += group.Size()) {
      const std::uint32_t share = Scope::Word(space.shares[event]).LoadRelaxed();
      const strategy::Waiting waiting = space.buckets.WaitingIn(event);
      const bool is_own = event == own.bucket;
      const bool there = is_own || (waiting.hints != 0 && waiting.rank >= own.least_rank);
      if (!there || exec::ByteOf<3>(share) != exec::ByteOf<3>(shares)) continue;
      const std::uint32_t place = PlaceOf(memory, share, own_share) << 16 | waiting.rank;
      if (place >= least) continue;
      least = place;
      found = {event, waiting.hints};
    }
    const std::uint32_t chosen = group.Min(least);
    if (chosen == kNone) return best;
    found = group.BroadcastFrom(found, exec::LowestBit(group.Ballot(least == chosen)));
    if (found.event == own.bucket) return {strategy::kNoRank, found.event, found.hints, 0};
    return {chosen & 0xffffu, found.event, found.hints, strategy::kNoRank};
  }

  /// Charges the account of an event with time of the block, if the event shares: events with a
  /// deadline have no account here. @shape cycles: less than 0 to take back
  WY_HD static void Charge(Group& group, Space& space, BlockMemory<Space>& memory,
                           std::uint32_t event, std::int64_t cycles) {
    const policy::Share share =
        policy::UnpackShare(group.Broadcast(Scope::Word(space.shares[event]).LoadRelaxed()));
    if (share.group == 0) return;
    if (group.Rank() == 0) {
      std::uint32_t& clock = memory.clocks[share.account % kAccounts];
      const std::int32_t ahead = Ahead(clock, memory.clock_base);
      clock = memory.clock_base + static_cast<std::uint32_t>(ahead);
      if (ahead > 0 && cycles > 0) memory.clock_base = clock;
      const std::int64_t most = cycles < kMostCharge ? cycles : kMostCharge;
      const std::int64_t charge = most > -kMostCharge ? most : -kMostCharge;
      clock += static_cast<std::uint32_t>(charge * share.stride / policy::kStrideUnit);
    }
    group.Barrier();
    if (memory.clock_base - memory.clock_checked >= kCheckPeriod) CheckClocks(group, memory);
  }

 private:
  using Scope = typename Space::Scope;
  struct Candidate {
    std::uint32_t event;
    std::uint32_t hints;
  };
  static constexpr std::uint32_t kAccounts = procedure::kEventBuckets;
  static constexpr std::int32_t kMostBehind = 1 << 20;  // half a millisecond
  static constexpr std::int32_t kMostAhead = 1 << 30;
  static constexpr std::int64_t kMostCharge = 1 << 22;
  static constexpr std::int32_t kSlice = 20'000;  // a block stays with an event for 10 us
  static constexpr std::uint32_t kPlaceShift = 6;
  static constexpr std::uint32_t kCheckPeriod = 1u << 28;

  /// Brings all clocks near the base, before a clock far behind seems to be ahead.
  WY_HD static void CheckClocks(Group& group, BlockMemory<Space>& memory) {
    const std::uint32_t base = memory.clock_base;
    for (std::uint32_t i = group.Rank(); i < kAccounts; i += group.Size()) {
      memory.clocks[i] = base + static_cast<std::uint32_t>(Ahead(memory.clocks[i], base));
    }
    group.Barrier();
    if (group.Rank() == 0) memory.clock_checked = base;
    group.Barrier();
  }

  /// How far a clock is ahead of the clock that was charged last. After a long absence an account
  /// has neither saved up time nor owes any.
  WY_HD static std::int32_t Ahead(std::uint32_t clock, std::uint32_t base) {
    const auto ahead = static_cast<std::int32_t>(clock - base);
    if (ahead > kMostAhead) return 0;
    return ahead < -kMostBehind ? -kMostBehind : ahead;
  }

  /// The place of an account in the order, in 16 bits, the lowest first.
  WY_HD static std::uint32_t PlaceOf(const BlockMemory<Space>& memory, std::uint32_t share,
                                     std::uint32_t own_share) {
    const std::uint32_t account = policy::UnpackShare(share).account % kAccounts;
    const std::int32_t ahead = Ahead(memory.clocks[account], memory.clock_base);
    const std::int32_t place = ahead + kMostBehind + (share >> 16 == own_share >> 16 ? 0 : kSlice);
    const std::uint32_t coarse = static_cast<std::uint32_t>(place) >> kPlaceShift;
    return coarse < 0xfffeu ? coarse : 0xfffeu;
  }
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_SHARE_CLOCKS_H_
