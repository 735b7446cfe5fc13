// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A block's own virtual times: its workers share their time among events that share by weight.
// [stride scheduling; policy/share.h names the events]
//
// A worker that draws turns to the account on which its block has spent the least time, by weight.
// Hundreds of blocks that do so at different moments share the device evenly, without
// communication. A worker stays with an event for a little while, since a change costs it a claim.
// All workers of a block charge the same clocks. A clock that two of them bring near the base at
// the same moment may lose a charge: that happens once in a tenth of a second, and moves a share by
// less than can be measured.
#ifndef WARPYARD_CORE_MODEL_WORKER_SHARE_CLOCKS_H_
#define WARPYARD_CORE_MODEL_WORKER_SHARE_CLOCKS_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/exec/scope.h"
#include "core/model/worker/board/board.h"
#include "core/model/worker/workspace.h"
#include "core/policy/share.h"
#include "core/procedure/element.h"

namespace warpyard::model {

/// @scope all members: the group of a worker, unless said otherwise
template <exec::LaneScope Group, class Space>
class ShareClocks {
 public:
  ShareClocks() = delete;

  /// If events of other accounts run that share with the first event, chooses among those that have
  /// something to draw. Returns whether such events run. If the policy has not judged the first
  /// event yet, that event stays first, and the function returns what Board::MayShare says.
  /// @shape first: gets the chosen event
  WY_HD static bool Choose(Group& group, Space& space, BlockClocks& clocks, const Sight& seen,
                           Choice& first) {
    if (first.event >= kAccounts) return false;
    const std::uint32_t shares = space.board.ShareIn(group, seen.order, first.event);
    if (!space.board.MayShare(group, seen.order, first.event)) return false;
    if (policy::IsUnjudged(shares)) return true;
    const std::uint32_t served_share =
        seen.served < kAccounts ? space.board.ShareIn(group, seen.order, seen.served) : 0;
    std::uint32_t least = kNoRank, found = first.event;
    space.board.ForEachOpen(group, seen.order, seen.news, seen.own,
                            [&](std::uint32_t event, std::uint32_t rank, std::uint32_t share) {
                              if (exec::ByteOf<3>(share) != exec::ByteOf<3>(shares)) return;
                              const std::uint32_t place =
                                  PlaceOf(clocks, share, served_share) << 16 | rank;
                              if (place >= least) return;
                              least = place;
                              found = event;
                            });
    const std::uint32_t chosen = group.Min(least);
    if (chosen == kNoRank) return true;
    found = group.BroadcastFrom(found, exec::LowestBit(group.Ballot(least == chosen)));
    first = {chosen & 0xffffu, found};
    return true;
  }

  /// Charges the account of an event with time of a worker, if the event shares: events with a
  /// deadline have no account here, and those that the policy has not judged have none yet.
  /// @scope one thread @shape cycles: of the whole block; less than 0 to take back
  WY_DEVICE_CALL WY_HD static void Charge(Space& space, BlockMemory<Space>& far_block,
                                          std::uint32_t event, std::int64_t cycles) {
    const std::uint32_t word = space.board.ShareOf(event);
    const policy::Share share = policy::UnpackShare(word);
    if (share.group == 0 || policy::IsUnjudged(word)) return;
    Charge(Scope::Near(far_block).clocks, share, cycles);
  }

 private:
  using Scope = typename Space::Scope;
  static constexpr std::uint32_t kAccounts = procedure::kEventBuckets;
  static constexpr std::int32_t kMostBehind = 1 << 20;  // half a millisecond
  static constexpr std::int32_t kMostAhead = 1 << 30;
  static constexpr std::int64_t kMostCharge = 1 << 22;
  static constexpr std::int32_t kSlice = 20'000;  // a worker stays with an event for 10 us
  static constexpr std::uint32_t kPlaceShift = 6;
  static constexpr std::uint32_t kCheckPeriod = 1u << 28;

  /// @scope one thread
  WY_HD static void Charge(BlockClocks& clocks, const policy::Share& share, std::int64_t cycles) {
    const auto clock = Scope::BlockWord(clocks.clocks[share.account % kAccounts]);
    const auto base = Scope::BlockWord(clocks.base);
    const std::uint32_t before = clock.LoadRelaxed();
    const std::int32_t ahead = Ahead(before, base.LoadRelaxed());
    const std::uint32_t near = base.LoadRelaxed() + static_cast<std::uint32_t>(ahead);
    if (ahead > 0 && cycles > 0) base.StoreRelaxed(near);
    const std::int64_t most = cycles < kMostCharge ? cycles : kMostCharge;
    const std::int64_t charge = most > -kMostCharge ? most : -kMostCharge;
    const std::int64_t scaled = charge * share.stride / policy::kStrideUnit;
    // Several workers may charge a clock before it is brought near the base.
    const std::int64_t least = scaled < kMostAhead / 4 ? scaled : kMostAhead / 4;
    clock.FetchAddRelaxed(near - before + static_cast<std::uint32_t>(least));
    if (base.LoadRelaxed() - Scope::BlockWord(clocks.checked).LoadRelaxed() >= kCheckPeriod) {
      CheckClocks(clocks, base.LoadRelaxed());
    }
  }

  /// Brings all clocks near the base, before a clock far behind seems to be ahead.
  /// @scope one thread
  WY_HD static void CheckClocks(BlockClocks& clocks, std::uint32_t base) {
    Scope::BlockWord(clocks.checked).StoreRelaxed(base);
    for (std::uint32_t& clock : clocks.clocks) {
      const std::uint32_t before = Scope::BlockWord(clock).LoadRelaxed();
      const std::uint32_t near = base + static_cast<std::uint32_t>(Ahead(before, base));
      Scope::BlockWord(clock).FetchAddRelaxed(near - before);
    }
  }

  /// How far a clock is ahead of the clock that was charged last. After a long absence an account
  /// has neither saved up time nor owes any.
  WY_HD static std::int32_t Ahead(std::uint32_t clock, std::uint32_t base) {
    const auto ahead = static_cast<std::int32_t>(clock - base);
    if (ahead > kMostAhead) return 0;
    return ahead < -kMostBehind ? -kMostBehind : ahead;
  }

  /// The place of an account in the order, in 16 bits, the lowest first.
  WY_HD static std::uint32_t PlaceOf(BlockClocks& clocks, std::uint32_t share,
                                     std::uint32_t own_share) {
    const std::uint32_t account = policy::UnpackShare(share).account % kAccounts;
    const std::int32_t ahead = Ahead(Scope::BlockWord(clocks.clocks[account]).LoadRelaxed(),
                                     Scope::BlockWord(clocks.base).LoadRelaxed());
    const std::int32_t place = ahead + kMostBehind + (share >> 16 == own_share >> 16 ? 0 : kSlice);
    const std::uint32_t coarse = static_cast<std::uint32_t>(place) >> kPlaceShift;
    return coarse < 0xfffeu ? coarse : 0xfffeu;
  }
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_SHARE_CLOCKS_H_
